import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { AuBankingSimulator } from '../../sandbox/au-banking/server.ts';
import { BrokerageControl } from '../../sandbox/brokerage/control.ts';
import { parsePublicId, type ResourceType } from '../../src/vocabulary/ids.ts';
import { SCOPES } from '../../src/vocabulary/scopes.ts';
import { startWithVendor, WITHOUT_LINKED } from '../connectors/destinations/support/linked.ts';
import type { Vendor } from '../connectors/destinations/support/vendor.ts';
import { importWithoutWorkers, linkBank, linkBroker } from '../features/linking/person.ts';
import { sandboxBank } from '../support/sandbox-bank.ts';
import type { TestOwner, TestService } from '../support/service.ts';
import { type Answer, v2Client } from '../support/v2-client.ts';

/**
 * No answer is cached, so that a fault at the bank affects the next read; and there is no background work, so that it
 * does not affect another one.
 */
export const PATIENT = {
  PERSONAL_ACCOUNT: 'acc_0000000000000000000001',
  ROLES: 'api',
  LIMIT_BALANCE_CACHE_MINUTES: '0',
  LIMIT_DETAILS_CACHE_MINUTES: '0',
  LIMIT_TRANSACTIONS_CACHE_MINUTES: '0',
  LIMIT_TRANSACTION_SEARCH_PAGES: '3',
  LIMIT_READ_DEADLINE_MS: '8000',
  LIMIT_HEAVY_IN_FLIGHT: '1',
  LIMIT_API_KEYS: '10000',
  LIMIT_SIMPLEFIN_APPS: '10000',
};

/** One provider is not set up, as on an installation without its credentials. */
export const SET_UP = WITHOUT_LINKED.filter(({ row }) => row.name !== 'nz_banking');

/** The service and people that the conformance suite asks. */
export class Stage {
  readonly service: TestService;
  /** Holds the spreadsheets and budgets that destinations are linked to. */
  readonly vendor: Vendor;
  #brokerage: Promise<LinkedOwner> | null = null;
  #closed: Promise<LinkedOwner> | null = null;
  #revoked: Promise<LinkedOwner> | null = null;

  protected constructor(service: TestService, vendor: Vendor) {
    this.service = service;
    this.vendor = vendor;
  }

  static async open(environment: Record<string, string> = PATIENT): Promise<Stage> {
    const { service, vendor } = await startWithVendor(environment, SET_UP);
    return new Stage(service, vendor);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.vendor.close();
  }

  get bank(): AuBankingSimulator['control'] {
    return sandboxBank(this.service.app);
  }

  /** An account record with a connection whose accounts have arrived. */
  async linked(customer = 'salaried-household'): Promise<LinkedOwner> {
    const owner = await this.service.owner();
    const connection = await importWithoutWorkers(this.service, owner, await linkBank(owner, { customer }));
    const accounts: string[] = connection.accounts.map((one: { readonly id: string }) => one.id);
    const [account] = accounts;
    assert.ok(account);
    return { ...owner, connection: connection.id, consent: connection.consent.id, account, accounts };
  }

  /** What may be done to the simulated brokers. */
  get broker(): BrokerageControl {
    const control = this.service.app.sandbox?.simulators.get('brokerage')?.control;
    assert.ok(control instanceof BrokerageControl, 'the sandbox broker runs');
    return control;
  }

  /** An owner whose accounts are of a brokerage. Shared: provocations leave it as it was. */
  async brokerage(): Promise<LinkedOwner> {
    this.#brokerage ??= this.newBrokerage();
    return this.#brokerage;
  }

  async newBrokerage(customer = 'self-directed'): Promise<LinkedOwner> {
    // There is no background work, so what is not there at once never appears.
    Object.assign(this.broker.settings, { firstSyncDelayMs: 0, requestsPerMinute: 1_000_000 });
    const owner = await this.service.owner();
    const connection = await importWithoutWorkers(this.service, owner, await linkBroker(owner, customer));
    const accounts: string[] = connection.accounts.map((one: { readonly id: string }) => one.id);
    const [account] = accounts;
    assert.ok(account);
    return { ...owner, connection: connection.id, consent: connection.consent.id, account, accounts };
  }

  /** An owner with a connection of a provider that is not set up. */
  async unprovided(): Promise<LinkedOwner> {
    const owner = await this.linked();
    await this.change('connections', 'connection', owner.connection, { provider: 'nz_banking' });
    return owner;
  }

  /** An owner with a connection of a provider of personal credentials, which are someone else's. */
  async withoutCredentials(): Promise<LinkedOwner> {
    const owner = await this.linked();
    await this.change('connections', 'connection', owner.connection, { provider: 'up_bank' });
    return owner;
  }

  /** An owner whose bank has closed the accounts since they were linked. */
  async linkedToClosed(): Promise<LinkedOwner> {
    this.#closed ??= this.#linkedAnew('dormant', (consent) => {
      for (const account of consent.accountIds) this.bank.setAccountState(account, 'GONE');
    });
    return this.#closed;
  }

  /** An owner who has withdrawn the consent at the bank. */
  async linkedToRevoked(): Promise<LinkedOwner> {
    this.#revoked ??= this.#linkedAnew('credit-card', (consent) =>
      this.bank.revokeConsent(consent.arrangementId),
    );
    return this.#revoked;
  }

  /** An owner who opted out of caching. */
  async uncached(): Promise<LinkedOwner> {
    const owner = await this.linked('term-deposit');
    await this.changeRow('account_records', owner.record.id, { caching: 'false' });
    return owner;
  }

  /** An owner with more rows than one search reads. */
  busy(): Promise<LinkedOwner> {
    return this.linked('ten-thousand-rows');
  }

  async #linkedAnew(customer: string, change: (consent: Consent) => void): Promise<LinkedOwner> {
    const before = new Set(this.bank.consents().map((consent) => consent.arrangementId));
    const owner = await this.linked(customer);
    for (const consent of this.bank.consents()) if (!before.has(consent.arrangementId)) change(consent);
    return owner;
  }

  /** Writes past the service what it has no way, or no honest reason, to do within a test. */
  async change(
    table: string,
    resource: ResourceType,
    id: string,
    values: Readonly<Record<string, string | null>>,
  ): Promise<void> {
    const row = parsePublicId(resource, id);
    assert.ok(row, id);
    await this.changeRow(table, row, values);
  }

  /** Takes a row away and leaves what refers to it. */
  async vanish(table: string, resource: ResourceType, id: string): Promise<void> {
    const row = parsePublicId(resource, id);
    await this.service.app.database.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`delete from ${sql.table(table)} where id = ${row}`.execute(trx);
    });
  }

  async changeRow(
    table: string,
    row: string,
    values: Readonly<Record<string, string | null>>,
  ): Promise<void> {
    const { db } = this.service.app.database;
    for (const [column, value] of Object.entries(values)) {
      const set = sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value} where id = ${row}`;
      await set.execute(db);
    }
  }

  /** Starts requests that cannot get at the stored answers for `waitMs`, so that they meet there. */
  async whileIdempotencyWaits(waitMs: number, start: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
    let asked: readonly Promise<Answer>[] = [];
    await this.service.app.database.db.transaction().execute(async (trx) => {
      await sql`lock table idempotency_keys in access exclusive mode`.execute(trx);
      asked = start.map((send) => send());
      await setTimeout(waitMs);
    });
    return Promise.all(asked);
  }

  /** Another key of the owner. */
  async key(
    owner: TestOwner,
    input: Partial<Parameters<TestService['app']['services']['apiKeys']['create']>[1]>,
    service = this.service,
  ): Promise<Pick<TestOwner, 'v2'>> {
    const { secret } = await service.app.services.apiKeys.create(
      owner.record.id,
      { name: 'another', scopes: SCOPES, ...input },
      null,
    );
    return { v2: v2Client(service.url, secret) };
  }

  /** The database refuses new and changed rows of a table for as long as `work` takes, as a full disk would. */
  async withBrokenTable<T>(table: string, work: () => Promise<T>): Promise<T> {
    const { db } = this.service.app.database;
    await sql`alter table ${sql.table(table)} add constraint out_of_order check (false) not valid`.execute(
      db,
    );
    try {
      return await work();
    } finally {
      await sql`alter table ${sql.table(table)} drop constraint out_of_order`.execute(db);
    }
  }
}

type Consent = ReturnType<AuBankingSimulator['control']['consents']>[number];

export interface LinkedOwner extends TestOwner {
  readonly connection: string;
  readonly consent: string;
  readonly account: string;
  readonly accounts: readonly string[];
}
