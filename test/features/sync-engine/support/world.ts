import { randomBytes } from 'node:crypto';
import { closeAfterLastFile } from '../../../../scripts/lib/suites/shared-by-files.ts';
import type { DestinationConnector } from '../../../../src/connectors/destinations/destination-contract.ts';
import { WebhookConnector } from '../../../../src/connectors/destinations/webhook/connector.ts';
import { DestinationGrants } from '../../../../src/features/destinations/destination-grants.ts';
import { DestinationSecrets } from '../../../../src/features/destinations/destination-secrets.ts';
import { Destinations } from '../../../../src/features/destinations/destinations.ts';
import type { EventTrigger } from '../../../../src/features/events/event-log.ts';
import type { SyncSource } from '../../../../src/features/sync-engine/read/sync-source.ts';
import { Replays } from '../../../../src/features/sync-engine/replay/replays.ts';
import { SyncEngine, type SyncEngineOptions } from '../../../../src/features/sync-engine/run/sync-engine.ts';
import { Verifications } from '../../../../src/features/sync-engine/verify/verifications.ts';
import { RunQueue } from '../../../../src/features/syncs/run-queue.ts';
import { SyncRuns } from '../../../../src/features/syncs/sync-runs.ts';
import { type NewSync, type Sync, Syncs } from '../../../../src/features/syncs/syncs.ts';
import { AddressGuard } from '../../../../src/platform/address-guard.ts';
import { type Clock, SimulatedClock } from '../../../../src/platform/clock.ts';
import { Keyring } from '../../../../src/platform/keyring.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { Metrics } from '../../../../src/platform/metrics.ts';
import { OutgoingHttp } from '../../../../src/platform/outgoing-http.ts';
import { newRowId } from '../../../../src/platform/row-id.ts';
import { type AccountRecord, insertAccountRecord } from '../../../../src/storage/account-records.ts';
import type { Db } from '../../../../src/storage/database.ts';
import type { Notice } from '../../../../src/storage/notices.ts';
import type { SyncRunRow } from '../../../../src/storage/sync-runs.ts';
import { type OwnerId, type RowId, rowId } from '../../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../../src/vocabulary/limits.ts';
import { localDate } from '../../../../src/vocabulary/moments.ts';
import type { ProviderIdentifier } from '../../../../src/vocabulary/provider-kinds.ts';
import { ASKED } from '../../../support/actors.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { noEvents } from '../../../support/no-events.ts';
import { Bank } from './bank.ts';
import { Receiver } from './receiver.ts';

export interface WorldOptions {
  readonly limits?: Partial<Limits>;
  readonly delaysMs?: readonly number[];
  readonly deadlineMs?: number;
  readonly connector?: DestinationConnector;
  /** Instead of the one that worlds share; the test that opened it closes it. */
  readonly database?: TestDatabase;
  /** Called for changes of state. */
  readonly events?: EventTrigger;
  /** What the engine asks for the rules of a sync; `db` is the engine's own. */
  readonly rulesOf?: (world: World, db: Db) => NonNullable<SyncEngineOptions['rulesOf']>;
  /** Who looks at the rows of a run. */
  readonly watchOf?: (world: World) => NonNullable<SyncEngineOptions['watchOf']>;
}

/** Worlds have no job queue; what is revoked is tested with a service. */
export const NO_REVOCATIONS = { scheduleOf: async () => undefined };
/** No provider reports new data here. */
const NO_JOBS = { enqueue: async () => undefined };
/** Worlds aim where they like; what is checked of targets is tested with a service. */
export const UNCHECKED_TARGETS = {
  requireNew: async () => undefined,
  requireAim: async () => undefined,
  requirePlaces: async () => undefined,
};

let shared: Promise<TestDatabase> | null = null;
let leftToOthers = false;
const openWorlds = new Set<World>();

/**
 * Closes also the worlds that a failed test left open, which would hold the process open. The database goes on to the
 * next test file of the process, if there may be one.
 */
export async function closeDatabase(): Promise<void> {
  for (const world of openWorlds) await world.close();
  if (shared === null) return;
  leftToOthers ||= closeAfterLastFile(closeShared);
  if (!leftToOthers) await closeShared();
}

async function closeShared(): Promise<void> {
  await (await shared)?.close();
  shared = null;
}

/** A sync between a bank in memory and a real receiver, on a real database. */
export class World {
  /** The verifier of a receiver checks timestamps by the machine's clock, so the simulated one starts there. */
  readonly start = Date.now();
  readonly clock = new SimulatedClock(this.start);
  readonly bank = new Bank();
  /** What engines read; the bank in memory unless a test puts another in its place. */
  source: SyncSource = this.bank;
  readonly receiver = new Receiver();
  readonly limits: Limits;
  readonly database: TestDatabase;
  readonly http: OutgoingHttp;
  readonly guard = new AddressGuard(['127.0.0.0/8']);
  readonly secrets = new DestinationSecrets(new Keyring([{ id: 'test', key: randomBytes(32) }]));
  readonly metrics = new Metrics();
  readonly queue: RunQueue;
  readonly destinations: Destinations;
  readonly syncs: Syncs;
  readonly runs: SyncRuns;
  readonly owner: AccountRecord;
  readonly #options: WorldOptions;
  /** How long engines opened from now on wait for the receiver: long, because machines under test are slow. */
  deadlineMs: number;
  /** What kind each account is; absent: banking. */
  readonly providers = new Map<RowId<'account'>, ProviderIdentifier>();
  readonly hints: Notice[] = [];

  private constructor(database: TestDatabase, owner: AccountRecord, options: WorldOptions) {
    this.database = database;
    this.owner = owner;
    this.#options = options;
    this.deadlineMs = options.deadlineMs ?? 20_000;
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.http = new OutgoingHttp({ guard: this.guard });
    const { db } = database;
    const { clock, limits, secrets, guard } = this;
    const { events = noEvents } = options;
    this.queue = new RunQueue({
      clock,
      events,
      notices: { hintOnceCommitted: async (_trx, notice) => void this.hints.push(notice) },
    });
    this.destinations = new Destinations({
      db,
      clock,
      limits,
      guard,
      secrets,
      events,
      revocations: NO_REVOCATIONS,
      targets: UNCHECKED_TARGETS,
    });
    const accounts = {
      requireOwned: async (_owner: OwnerId, ids: readonly RowId<'account'>[]) =>
        ids.map((id) => ({ provider: this.providers.get(id) ?? 'au_banking' })),
    };
    this.syncs = new Syncs({
      ...{ db, clock, limits, accounts, events },
      queue: this.queue,
      targets: UNCHECKED_TARGETS,
    });
    this.runs = new SyncRuns({ db, clock, limits, queue: this.queue, events, jobs: NO_JOBS });
  }

  /** Worlds of a process share a database; each has an account record of its own. Close it with closeDatabase. */
  static async open(options: WorldOptions = {}): Promise<World> {
    if (options.database === undefined) shared ??= openTestDatabase();
    const database = options.database ?? (await shared) ?? (await openTestDatabase());
    const owner = await newOwner(database.db);
    const world = new World(database, owner, options);
    await world.receiver.open();
    openWorlds.add(world);
    return world;
  }

  async close(): Promise<void> {
    openWorlds.delete(this);
    await this.http.close();
    await this.receiver.close();
  }

  /** An engine as a process would have one. `db`: another way to the same database, for deaths; `clock`: another time. */
  engine(db: Db = this.database.db, clock: Clock = this.clock): SyncEngine {
    const { rulesOf, watchOf, events = noEvents } = this.#options;
    return new SyncEngine({
      ...this.#delivering(db, clock),
      events,
      ...(rulesOf === undefined ? {} : { rulesOf: rulesOf(this, db) }),
      ...(watchOf === undefined ? {} : { watchOf: watchOf(this) }),
    });
  }

  /** What a process compares destinations with the bank by. */
  verifications(): Verifications {
    const { rulesOf } = this.#options;
    const { db } = this.database;
    return new Verifications({
      ...this.#delivering(db, this.clock),
      ...(rulesOf === undefined ? {} : { rulesOf: rulesOf(this, db) }),
    });
  }

  /** What a process lists deliveries and replays them by. */
  replays(db: Db = this.database.db): Replays {
    const { rulesOf } = this.#options;
    return new Replays({
      ...this.#delivering(db, this.clock),
      ...(rulesOf === undefined ? {} : { rulesOf: rulesOf(this, db) }),
    });
  }

  #delivering(db: Db, clock: Clock) {
    const { limits, secrets, http } = this;
    const { delaysMs = [], connector } = this.#options;
    const { deadlineMs } = this;
    const webhook = connector ?? new WebhookConnector({ http, clock, chunkRows: 500, delaysMs, deadlineMs });
    const log = createLog({ level: 'silent' });
    return {
      db,
      clock,
      limits,
      log,
      metrics: this.metrics,
      source: this.source,
      connectors: new Map([[webhook.type, webhook]]),
      secrets,
      grants: new DestinationGrants({ db, clock, limits, log, secrets }),
    };
  }

  account(): RowId<'account'> {
    return rowId('account', newRowId(this.clock));
  }

  /** A sync of the accounts to the receiver, with its first run queued. */
  async sync(
    accounts: readonly RowId<'account'>[],
    more: Partial<NewSync> = {},
    url = this.receiver.url,
  ): Promise<Sync> {
    const destination = await this.destinations.create(this.owner.id, {
      type: 'webhook',
      name: 'Receiver',
      target: { url },
      signedIn: null,
      metadata: null,
    });
    this.receiver.secrets = [destination.secret ?? ''];
    return this.syncs.create(this.owner, {
      type: 'transactions',
      name: 'Everything',
      destination: destination.row.id,
      accounts,
      mappingMode: 'bulk',
      accountMappings: [],
      options: { data_from: localDate('2020-01-01') },
      metadata: null,
      firstRun: ASKED,
      ...more,
    });
  }

  /** Works on the sync's open run, or on a new one, and returns it as it then stands. */
  async run(sync: Sync, engine: SyncEngine = this.engine()): Promise<SyncRunRow> {
    const { latestRun } = await this.syncs.read(this.owner.id, sync.row.id);
    const open =
      latestRun !== null && latestRun.completed_at === null
        ? latestRun
        : (await this.runs.start(this.owner.id, sync.row.id, ASKED)).row;
    await engine.run(open.id, new AbortController().signal);
    return this.readRun(open.id);
  }

  /** Event ids of the sync's unconfirmed chunks, oldest first. */
  async inDoubt(sync: Sync): Promise<string[]> {
    const chunks = await this.database.db
      .selectFrom('delivery_chunks')
      .select('event_id')
      .where('sync', '=', sync.row.id)
      .orderBy('chunk')
      .execute();
    return chunks.map((chunk) => chunk.event_id);
  }

  async readRun(id: RowId<'sync_run'>): Promise<SyncRunRow> {
    return (await this.runs.read(this.owner.id, id, false)).row;
  }

  async allRuns(sync: Sync): Promise<readonly SyncRunRow[]> {
    const page = { limit: 1000, after: null, before: null };
    const runs = await this.runs.list(this.owner.id, { sync: sync.row.id, statuses: [] }, page, false);
    return runs.items.map((run) => run.row).reverse();
  }
}

export async function newOwner(db: Db): Promise<AccountRecord> {
  const now = new Date();
  const id = rowId('account_record', newRowId(new SimulatedClock(now.getTime())));
  const record: AccountRecord = {
    id,
    email: `${id}@example.com`,
    name: null,
    plan: 'professional',
    status: 'active',
    trial_ends_at: null,
    limits: null,
    timezone: 'Australia/Sydney',
    caching: true,
    removal_asked_at: null,
    created: now,
    updated: now,
  };
  await insertAccountRecord(db, record);
  return record;
}
