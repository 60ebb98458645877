import assert from 'node:assert/strict';
import { type AirtableSimulator, startAirtableSimulator } from '../../../../sandbox/airtable/server.ts';
import {
  type AirtableOptions,
  createAirtableConnector,
} from '../../../../src/connectors/destinations/airtable/connector.ts';
import type {
  DestinationAccess,
  DestinationConnector,
} from '../../../../src/connectors/destinations/destination-contract.ts';
import { DestinationGrants } from '../../../../src/features/destinations/destination-grants.ts';
import { MemoryQuotaLog } from '../../../../src/features/rate-limits/quota-log.ts';
import { VendorQuotas } from '../../../../src/features/rate-limits/vendor-quotas.ts';
import type { NewSync, Sync } from '../../../../src/features/syncs/syncs.ts';
import { AddressGuard } from '../../../../src/platform/address-guard.ts';
import { type Clock, systemClock } from '../../../../src/platform/clock.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { OutgoingHttp } from '../../../../src/platform/outgoing-http.ts';
import type { DestinationRow } from '../../../../src/storage/destinations.ts';
import type { SyncRunRow } from '../../../../src/storage/sync-runs.ts';
import type { RowId } from '../../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../../src/vocabulary/limits.ts';
import type { Transaction } from '../../../../src/vocabulary/transactions.ts';
import { World, type WorldOptions } from '../../../features/sync-engine/support/world.ts';
import { SOME_KEY } from '../../../support/actors.ts';
import { linkedDestination, syncTo } from '../support/linked-world.ts';
import { grantOf } from './sign-in.ts';

const CREDENTIALS = { clientId: 'client', clientSecret: 'secret' };
const HOUR_MS = 3_600_000;

/** Quotas as one process counts them. */
export function quotasOn(clock: Clock): VendorQuotas {
  return new VendorQuotas(clock, {
    log: new MemoryQuotaLog(clock),
    blind: (key) => key,
  });
}

/** A world whose engines write to a simulated Airtable, with a table there that a person has linked. */
export class Scene implements AsyncDisposable {
  readonly world: World;
  readonly simulator: AirtableSimulator;
  readonly connector: DestinationConnector;
  readonly destination: DestinationRow;
  /** Of the world, the simulator and the connector: anyone who sleeps moves it. */
  readonly clock: Clock;
  readonly base: string;
  readonly table: string;
  /** Goes on with a process that has seen no column yet. */
  readonly forgetColumns: () => void;
  readonly #http: OutgoingHttp;

  private constructor(
    parts: Pick<
      Scene,
      'world' | 'simulator' | 'connector' | 'destination' | 'clock' | 'base' | 'table' | 'forgetColumns'
    >,
    http: OutgoingHttp,
  ) {
    this.world = parts.world;
    this.simulator = parts.simulator;
    this.connector = parts.connector;
    this.destination = parts.destination;
    this.clock = parts.clock;
    this.base = parts.base;
    this.table = parts.table;
    this.forgetColumns = parts.forgetColumns;
    this.#http = http;
  }

  static async open(
    options: WorldOptions & {
      readonly connector?: never;
      readonly quotas?: AirtableOptions['quotas'];
      readonly chunkRows?: number;
    } = {},
  ): Promise<Scene> {
    let world: World | null = null;
    let underWay = 0;
    const start = Date.now();
    const clock: Clock = {
      now: () => world?.clock.now() ?? start,
      sleep: async (ms, signal) => {
        // Time does not pass while a call is on its way: it comes when it was counted.
        do await new Promise((resolve) => setImmediate(resolve));
        while (underWay > 0);
        signal?.throwIfAborted();
        world?.clock.advance(ms);
      },
    };
    const simulator = await startAirtableSimulator({ ...CREDENTIALS, clock });
    const http = new OutgoingHttp({ guard: new AddressGuard(['127.0.0.0/8']) });
    const counted: AirtableOptions['http'] = {
      request: async (request) => {
        underWay += 1;
        try {
          return await http.request(request);
        } finally {
          underWay -= 1;
        }
      },
    };
    const fresh = () =>
      createAirtableConnector({
        ...CREDENTIALS,
        http: counted,
        clock,
        limits: { ...DEFAULT_LIMITS, ...options.limits },
        quotas: options.quotas ?? quotasOn(clock),
        baseUrl: simulator.url,
        tokenUrl: simulator.url,
        oauthUrl: simulator.url,
      });
    let current = fresh();
    const connector: DestinationConnector = {
      ...current,
      chunkRows: options.chunkRows ?? current.chunkRows,
      open: (opening, signal) => current.open(opening, signal),
    };
    const forgetColumns = () => {
      current = fresh();
    };
    world = await World.open({ ...options, connector });
    const base = simulator.control.addBase('Money');
    const table = simulator.control.addTable(base, 'Transactions', [
      { name: 'Name', type: 'singleLineText' },
    ]);
    const grant = await grantOf(connector.linking);
    const target = { base_id: base, table_id: table };
    const destination = await linkedDestination(world, 'airtable', grant, target);
    simulator.control.clear();
    const parts = { world, simulator, connector, destination, clock, base, table, forgetColumns };
    return new Scene(parts, http);
  }

  get control() {
    return this.simulator.control;
  }

  /** Ids of the rows that the table shows; one that is there twice is named twice. */
  get ids(): string[] {
    return this.control
      .rows()
      .map(({ id }) => id)
      .toSorted();
  }

  /** What the table shows of a row. */
  shown(id: string): Readonly<Record<string, string>> {
    const found = this.control.rows().filter((row) => row.id === id);
    assert.equal(found.length, 1, `${id} is there ${found.length} times`);
    return found[0]?.values ?? assert.fail();
  }

  /** The id of a record that shows the row. */
  recordOf(id: string): string {
    const found = this.control
      .records(this.table)
      .filter(({ fields }) => JSON.stringify(fields).includes(`"${id}"`));
    return String(found[0]?.id ?? assert.fail(`${id} is not there`));
  }

  /** Names of the table's columns, in their order. */
  columns(): string[] {
    return this.control.fields(this.table).map(({ name }) => name);
  }

  /** The id of a column of the table. */
  column(name: string): string {
    const found = this.control.fields(this.table).find((field) => field.name === name);
    return found?.id ?? assert.fail(`there is no column ${name}`);
  }

  /** Calls since the log was last cleared, as `PATCH records`; calls of the sign-in are left out. */
  calls(): string[] {
    return this.control.requests().map(({ method, path }) => {
      const what = path.startsWith('/v0/meta') ? 'schema' : path.startsWith('/oauth2') ? 'token' : 'records';
      return `${method} ${what}${path.endsWith('/listRecords') ? ' list' : ''}`;
    });
  }

  /** A sync of an account with these rows. */
  async syncOf(rows: readonly Transaction[], more: Partial<NewSync> = {}) {
    const account: RowId<'account'> = this.world.account();
    this.world.bank.accounts.set(account, [...rows]);
    const sync = await syncTo(this.world, this.destination, [account], more);
    return { account, sync };
  }

  /** The next run, an hour later; the log shows its calls alone. */
  async run(sync: Sync): Promise<SyncRunRow> {
    this.world.clock.advance(HOUR_MS);
    this.control.clearRequests();
    return this.world.run(sync);
  }

  /** Everything again. */
  async resync(sync: Sync): Promise<SyncRunRow> {
    this.world.clock.advance(HOUR_MS);
    await this.world.runs.resync(this.world.owner.id, sync.row.id, SOME_KEY);
    return this.run(sync);
  }

  /** The grants as a process has them; it waits by the machine's clock. */
  grants(): DestinationGrants {
    const { database, limits, secrets } = this.world;
    const log = createLog({ level: 'silent' });
    return new DestinationGrants({ db: database.db, clock: systemClock, limits, secrets, log });
  }

  /** The way to the grant, as a process has it. */
  access(): DestinationAccess {
    return this.grants().access(this.destination) ?? assert.fail('no grant');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world.close();
    await this.#http.close();
    await this.simulator.close();
  }
}
