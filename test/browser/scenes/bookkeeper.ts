import type { DestinationType } from '../../../src/vocabulary/destination-kinds.ts';
import type { TestOwner, TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { draftAt, runOnce, secretOf, spreadsheet } from '../destination-lives.ts';
import { linkedOwner } from '../lives.ts';
import { budget } from '../sync-lives.ts';
import { oncePerService } from './once-per-service.ts';

/** Few rows: some vendors accept one at a time, and three a second. */
const DAYS = 7;
const DAY_MS = 86_400_000;

/** Someone whose newest rows were copied to every vendor that the sandbox simulates, and the destinations. */
export const bookkeeper = oncePerService(async (service) => {
  const owner = await linkedOwner(service);
  const account = owner.connection.accounts.find(({ name }: Json) => name === 'Everyday Account');
  const destinations = {
    sheets: await spreadsheet(owner, 'Our money'),
    notion: await newTarget(owner, await draftAt(owner, 'notion')),
    airtable: await newTable(owner, await draftAt(owner, 'airtable')),
    ynab: await budget(owner),
    actual: await budgetFile(service, owner),
    postgres: await newTarget(owner, await connected(service, owner, 'postgres')),
    files: await newTarget(owner, (await owner.v2('POST', '/v2/destinations', { type: 'csv_folder' })).body),
  };
  await Promise.all(Object.values(destinations).map((one) => copied(owner, one, account.id)));
  return { owner, destinations };
});

/** The account of a budget to which the rows were copied. */
export async function budgetAccount(owner: TestOwner, { id }: Json): Promise<string> {
  const { body } = await owner.v2('GET', `/v2/destinations/${id}/resources?type=account`);
  return body.data[0].id;
}

async function connected(service: TestService, owner: TestOwner, type: 'postgres' | 'actual'): Promise<Json> {
  const secret = await secretOf(service, type);
  return (await owner.v2('POST', '/v2/destinations', { type, secret })).body;
}

async function newTarget(owner: TestOwner, { id }: Json, more: Json = {}): Promise<Json> {
  return (await owner.v2('POST', `/v2/destinations/${id}/create_target`, { name: 'Our money', ...more }))
    .body;
}

async function newTable(owner: TestOwner, draft: Json): Promise<Json> {
  const { body: found } = await owner.v2('GET', `/v2/destinations/${draft.id}/resources?type=base`);
  return newTarget(owner, draft, { parent: found.data[0].id });
}

async function budgetFile(service: TestService, owner: TestOwner): Promise<Json> {
  const { id } = await connected(service, owner, 'actual');
  const { body: found } = await owner.v2('GET', `/v2/destinations/${id}/resources?type=budget`);
  const target = { budget_id: found.data[0].id };
  return (await owner.v2('POST', `/v2/destinations/${id}`, { target })).body;
}

const BUDGETS: ReadonlySet<DestinationType> = new Set(['ynab', 'actual']);

async function copied(owner: TestOwner, destination: Json, account: string): Promise<void> {
  const data_from = new Date(Date.now() - DAYS * DAY_MS).toISOString().slice(0, 10);
  const { body: sync } = await owner.v2('POST', '/v2/syncs', {
    type: 'transactions',
    name: destination.type,
    destination: destination.id,
    accounts: [account],
    mapping_mode: 'bulk',
    options: { data_from },
    run_now: false,
    ...(BUDGETS.has(destination.type) && {
      account_mappings: [{ account, destination_account: await budgetAccount(owner, destination) }],
    }),
  });
  await runOnce(owner, sync);
}
