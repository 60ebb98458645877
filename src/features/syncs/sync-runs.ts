import type { Clock } from '../../platform/clock.ts';
import type { AccountRecord } from '../../storage/account-records.ts';
import type { Db } from '../../storage/database.ts';
import { requestRedelivery } from '../../storage/delivery-streams.ts';
import { findDestination } from '../../storage/destinations.ts';
import { SYNC_NEW_DATA } from '../../storage/job-queues.ts';
import type { Jobs } from '../../storage/jobs.ts';
import {
  forgetAllRejected,
  listRejectedRows,
  type RejectedRow,
  type RejectedRowFilter,
} from '../../storage/rejected-rows.ts';
import { restartReadings } from '../../storage/stream-readings.ts';
import {
  findOpenRun,
  findRun,
  linesOfRuns,
  listRuns,
  type SyncRunAccountRow,
  type SyncRunRow,
} from '../../storage/sync-runs.ts';
import {
  enabledSyncsOfConnection,
  findSync,
  lockSync,
  type SyncRow,
  updateSync,
} from '../../storage/syncs.ts';
import { type Actor, SERVICE } from '../../vocabulary/actors.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { SyncRunStatus } from '../../vocabulary/states.ts';
import type { EventTrigger } from '../events/event-log.ts';
import { cancelNamedRun, type RunCause, type RunQueue } from './run-queue.ts';
import { type AskedRange, rangeOf, requireRange } from './run-ranges.ts';
import { requireReady } from './sync-rules.ts';
import { nextRetry, nextRunOf } from './sync-schedules.ts';

const DAY_MS = 86_400_000;
/** When to look again whether a run has ended: after this time and a share of how long it has lasted. */
const LOOK_MS = 3_000;
const LOOK_SHARE = 0.1;
const LONGEST_LOOK_MS = 60_000;
const SCHEDULE: RunCause = { trigger: 'schedule', actor: SERVICE };

export interface SyncRun {
  readonly id: RowId<'sync_run'>;
  readonly row: SyncRunRow;
  /** The result of each account; null unless requested. */
  readonly lines: readonly SyncRunAccountRow[] | null;
}

export interface SyncRunsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly queue: RunQueue;
  readonly events: EventTrigger;
  readonly jobs: Pick<Jobs, 'enqueue'>;
}

/** Runs of syncs: requesting, reading and cancelling them (docs/resources.md#sync-run). */
export class SyncRuns {
  readonly #deps: SyncRunsDependencies;

  constructor(deps: SyncRunsDependencies) {
    this.#deps = deps;
  }

  /**
   * Raises `resource_missing`, `sync_disabled`, `sync_already_running`, and `destination_disabled`,
   * `destination_incomplete` or `sync_has_no_destination` if nothing can be written to.
   */
  async start(owner: OwnerId, sync: RowId<'sync'>, cause: RunCause): Promise<SyncRun> {
    return this.#deps.db.transaction().execute(async (trx) => {
      const held = await lockSync(trx, owner, sync);
      if (held === null) throw missing('sync');
      await requireRunnable(trx, held);
      const row = await this.#deps.queue.queue(trx, held, cause);
      if (row === null) throw new ServiceError('sync_already_running');
      return { id: row.id, row, lines: null };
    });
  }

  /**
   * Queues a run that delivers everything from `data_from` again, under the ids that its rows have at the destination.
   * An open run is superseded: what it had not delivered is delivered by the new one. Raises as `start` does.
   */
  async resync(owner: OwnerId, sync: RowId<'sync'>, actor: Actor): Promise<SyncRun> {
    const { db, queue } = this.#deps;
    return db.transaction().execute(async (trx) => {
      const held = await lockSync(trx, owner, sync);
      if (held === null) throw missing('sync');
      await requireRunnable(trx, held);
      await queue.supersede(trx, held);
      // Every run writes all holdings, and those that are there must not count as added again.
      if (held.type !== 'holdings') await requestRedelivery(trx, owner, sync);
      await restartReadings(trx, owner, sync);
      await forgetAllRejected(trx, owner, sync, { all: true });
      const row = await queue.queue(trx, held, { trigger: 'resync', actor });
      if (row === null) throw new ServiceError('sync_already_running');
      return { id: row.id, row, lines: null };
    });
  }

  /**
   * Queues a run that reads and delivers the days of the range and leaves everything else as it is. Raises as `start`
   * and `requireRange` do.
   */
  async backfill(
    { id: owner, timezone }: Pick<AccountRecord, 'id' | 'timezone'>,
    sync: RowId<'sync'>,
    asked: AskedRange,
    cause: RunCause,
  ): Promise<SyncRun> {
    const { db, clock, limits, queue } = this.#deps;
    return db.transaction().execute(async (trx) => {
      const held = await lockSync(trx, owner, sync);
      if (held === null) throw missing('sync');
      const range = requireRange(held, asked, { now: clock.now(), timezone, limits });
      await requireRunnable(trx, held);
      const row = await queue.queue(trx, held, cause, range);
      if (row === null) throw new ServiceError('sync_already_running');
      return { id: row.id, row, lines: null };
    });
  }

  /** Raises `resource_missing` and `run_not_cancellable`. */
  async cancel(owner: OwnerId, id: RowId<'sync_run'>): Promise<SyncRun> {
    return this.#deps.db.transaction().execute(async (trx) => {
      const row = await cancelNamedRun(this.#deps, trx, owner, id);
      return { id: row.id, row, lines: null };
    });
  }

  /** Raises `resource_missing`. */
  async read(owner: OwnerId, id: RowId<'sync_run'>, withLines: boolean): Promise<SyncRun> {
    const row = await findRun(this.#deps.db, owner, id);
    if (row === null) throw missing('sync run');
    const [run = { id: row.id, row, lines: null }] = await this.#composed(owner, [row], withLines);
    return run;
  }

  /** Runs of the last 90 days. Raises `resource_missing` for the sync. */
  async list(
    owner: OwnerId,
    filter: { readonly sync: RowId<'sync'>; readonly statuses: readonly SyncRunStatus[] },
    page: PageRequest,
    withLines: boolean,
  ): Promise<Page<SyncRun>> {
    const { db, clock, limits } = this.#deps;
    if ((await findSync(db, owner, filter.sync)) === null) throw missing('sync');
    const createdAfter = new Date(clock.now() - limits.run_history_days * DAY_MS);
    const found = await listRuns(db, owner, { ...filter, createdAfter }, page);
    return { ...found, items: await this.#composed(owner, found.items, withLines) };
  }

  /** Rows that the sync could not deliver when it last met them. Raises `resource_missing` for the sync. */
  async rejected(owner: OwnerId, filter: RejectedRowFilter, page: PageRequest): Promise<Page<RejectedRow>> {
    const { db } = this.#deps;
    if ((await findSync(db, owner, filter.sync)) === null) throw missing('sync');
    return listRejectedRows(db, owner, filter, page);
  }

  /**
   * A run of every enabled sync that reads the connection: a new one, or the one that is open already. Syncs whose
   * destination is not active are skipped. The caller has checked whose connection it is.
   */
  async refreshConnection(
    owner: OwnerId,
    connection: RowId<'connection'>,
    cause: RunCause,
  ): Promise<SyncRun[]> {
    const { db } = this.#deps;
    const runs: SyncRun[] = [];
    for (const sync of await enabledSyncsOfConnection(db, owner, connection)) {
      const run = await this.queueUnlessOpen(owner, sync, cause);
      if (run !== null) runs.push(run);
    }
    return runs;
  }

  /** For new data of the connection: as `copyAgain`, each of its enabled syncs. The caller knows whose it is. */
  async copyNewData(owner: OwnerId, connection: RowId<'connection'>): Promise<void> {
    for (const sync of await enabledSyncsOfConnection(this.#deps.db, owner, connection))
      await this.copyAgain(owner, sync);
  }

  /**
   * Queues a run of the sync, unless one waits already. A run that has begun may have read its accounts before there
   * was new data: then a job looks again later, the later the longer that run has lasted.
   */
  async copyAgain(owner: OwnerId, sync: RowId<'sync'>): Promise<void> {
    const { db, clock, jobs } = this.#deps;
    const open = await findOpenRun(db, owner, sync);
    if (open?.status !== 'running') {
      await this.queueUnlessOpen(owner, sync, { trigger: 'webhook', actor: SERVICE });
      return;
    }
    const now = clock.now();
    const lasted = Math.max(0, now - (open.started_at?.getTime() ?? now));
    const startAfter = new Date(now + Math.min(LONGEST_LOOK_MS, LOOK_MS + lasted * LOOK_SHARE));
    await jobs.enqueue(db, SYNC_NEW_DATA, { sync, owner }, { owner, startAfter });
  }

  /**
   * For the scheduler: queues a run if the sync is still due, and sets its next moment, both or neither. A sync with an
   * open run is left to that run, and one whose destination waits to be connected again is skipped. A backfill does
   * not replace a scheduled run, which follows soon after.
   */
  async startDue(owner: OwnerId, sync: RowId<'sync'>): Promise<void> {
    const { db, clock, limits, queue } = this.#deps;
    const now = clock.now();
    await db.transaction().execute(async (trx) => {
      const held = await lockSync(trx, owner, sync);
      if (held === null || held.next_run_at === null || held.next_run_at.getTime() > now) return;
      const scheduled = nextRunOf(held, now, limits);
      const open = await findOpenRun(trx, owner, sync);
      const filling = open !== null && rangeOf(open) !== null;
      const next = filling ? nextRetry(now, 1, scheduled) : scheduled;
      await updateSync(trx, owner, sync, { next_run_at: held.enabled ? next : null });
      if (!held.enabled) return;
      const destination = await findDestination(trx, owner, held.destination);
      if (destination?.status === 'active') await queue.queue(trx, held, SCHEDULE);
    });
  }

  /**
   * A run of the sync, or the open one; if that is a backfill, a run of what is due follows soon after. Null if the
   * sync was deleted, is disabled, or has nothing to write to.
   */
  async queueUnlessOpen(owner: OwnerId, sync: RowId<'sync'>, cause: RunCause): Promise<SyncRun | null> {
    const { db, clock, queue } = this.#deps;
    return db.transaction().execute(async (trx) => {
      const held = await lockSync(trx, owner, sync);
      if (held === null || !held.enabled) return null;
      const destination = await findDestination(trx, owner, held.destination);
      if (destination?.status !== 'active') return null;
      const queued = await queue.queue(trx, held, cause);
      const row = queued ?? (await findOpenRun(trx, owner, sync));
      if (row === null) return null;
      if (queued === null && rangeOf(row) !== null && held.next_run_at !== null) {
        await updateSync(trx, owner, sync, { next_run_at: nextRetry(clock.now(), 1, held.next_run_at) });
      }
      return { id: row.id, row, lines: null };
    });
  }

  async #composed(owner: OwnerId, rows: readonly SyncRunRow[], withLines: boolean): Promise<SyncRun[]> {
    if (!withLines) return rows.map((row) => ({ id: row.id, row, lines: null }));
    const lines = await linesOfRuns(
      this.#deps.db,
      owner,
      rows.map((row) => row.id),
    );
    return rows.map((row) => ({ id: row.id, row, lines: lines.get(row.id) ?? [] }));
  }
}

async function requireRunnable(db: Db, sync: SyncRow): Promise<void> {
  if (!sync.enabled) throw new ServiceError('sync_disabled');
  const destination = await findDestination(db, sync.account_record, sync.destination);
  if (destination === null) throw new ServiceError('sync_has_no_destination');
  requireReady(destination, null);
}
