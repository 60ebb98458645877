import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { AuBankingControl } from '../../sandbox/au-banking/control.ts';
import { link } from '../../src/surfaces/cli/commands/link.ts';
import { parsePublicId, publicId } from '../../src/vocabulary/ids.ts';
import { dayAway } from '../../web/src/format/days.ts';
import { BANK, importedConnection, linkBank, linkBroker, until } from '../features/linking/person.ts';
import { sandboxBank } from '../support/sandbox-bank.ts';
import type { TestOwner, TestService } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';
import { answering } from './destination-lives.ts';

const DAY_MS = 86_400_000;

/**
 * The part of an address that asks for days of which no transaction is pending: the newest one is at some hours, and its
 * category cannot be changed then.
 */
export const SETTLED = `to=${dayAway(new Date().toISOString().slice(0, 10), -7)}`;

/** An owner with a bank whose accounts have arrived. */
export async function linkedOwner(
  service: TestService,
  choices: Parameters<typeof linkBank>[1] = { customer: 'salaried-household' },
): Promise<TestOwner & { readonly connection: Json }> {
  const owner = await service.owner();
  const connection = await importedConnection(owner, await linkBank(owner, choices));
  return { ...owner, connection };
}

/** Someone new at the bank, with rows of their own besides the habits of a household. */
export function newCustomer(
  service: TestService,
  customer: string,
  rows: Parameters<AuBankingControl['appendTransactions']>[1],
): void {
  const bank = sandboxBank(service.app);
  const institution = BANK.replace('inst_fk_', '');
  const { accounts } = bank.createCustomer({ institution, customer, like: 'salaried-household' });
  bank.appendTransactions(accounts[0]?.accountId ?? assert.fail('without an account'), rows);
}

/** An owner with a broker whose accounts have arrived. */
export async function investor(
  service: TestService,
  customer: string,
): Promise<TestOwner & { readonly connection: Json }> {
  const owner = await service.owner();
  const connection = await importedConnection(owner, await linkBroker(owner, customer));
  return { ...owner, connection };
}

/** An owner whose plan has no brokerage. */
export async function saver(service: TestService): Promise<TestOwner> {
  const owner = await service.owner();
  await service.app.services.accountRecords.update(owner.record.id, { plan: 'saver' });
  return owner;
}

/** A bank linked in addition. */
export async function linkAnother(
  owner: TestOwner,
  choices: NonNullable<Parameters<typeof linkBank>[1]>,
): Promise<Json> {
  return importedConnection(owner, await linkBank(owner, choices));
}

/** A person with a card and a loan at each of two banks, one of which shows what is owed as positive. */
export async function debtor(service: TestService): Promise<TestOwner> {
  const owner = await service.owner();
  const context = { app: service.app, url: service.url, signal: AbortSignal.timeout(60_000) };
  const account = publicId('account_record', owner.record.id);
  await link.run(context, { account, provider: 'nz_banking', persona: 'card-and-loan' });
  await until(
    () => owner.v2('GET', '/v2/accounts'),
    ({ body }) => body.data.length === 4,
  );
  return owner;
}

/** Lets the consent of a connection end so many days from now. */
export async function endConsentIn(service: TestService, connection: Json, days: number): Promise<void> {
  const id = parsePublicId('consent', connection.consent.id);
  const ends = new Date(service.app.clock.now() + days * DAY_MS);
  await sql`update consents set expires_at = ${ends} where id = ${id}`.execute(service.app.database.db);
}

/** Someone who has ended the consent at the bank, which has been noticed here. */
export async function withdrawnOwner(
  service: TestService,
  reason: string,
): Promise<TestOwner & { readonly connection: Json }> {
  const owner = await linkedOwner(service);
  const bank = sandboxBank(service.app);
  const { arrangementId } = bank.consents().at(-1) ?? assert.fail('without a consent');
  bank.revokeConsent(arrangementId, reason);
  // A read that is refused has the bank asked why.
  await owner.v2('GET', `/v2/transactions?account=${owner.connection.accounts[0].id}`);
  await until(
    async () => (await owner.v2('GET', `/v2/consents?connection=${owner.connection.id}`)).body.data[0],
    ({ termination_reason: noticed }) => noticed === reason,
  );
  return owner;
}

/** A sync of the accounts to a webhook that refuses all rows, once its first run has failed. */
export async function failedSync(owner: TestOwner, accounts: readonly string[]): Promise<Json> {
  // A refusal, not a failure, which would be retried for eight seconds before the run fails.
  const { url } = await answering({ status: 400, body: 'out of order' });
  const destination = await owner.v2('POST', '/v2/destinations', {
    type: 'webhook',
    name: 'Ledger webhook',
    target: { url },
  });
  const sync = await owner.v2('POST', '/v2/syncs', {
    type: 'transactions',
    name: 'Household ledger',
    destination: destination.body.id,
    accounts,
    mapping_mode: 'bulk',
  });
  return until(
    async () => (await owner.v2('GET', `/v2/syncs/${sync.body.id}?include[]=latest_run`)).body,
    ({ status }) => status === 'attention',
  );
}
