import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../storage/database.ts';
import type { DestinationRow } from '../../../storage/destinations.ts';
import { rejectedKeys } from '../../../storage/rejected-rows.ts';
import { findOpenRun, timesTaken } from '../../../storage/sync-runs.ts';
import type { SyncRow } from '../../../storage/syncs.ts';
import type { OwnerId, RowId } from '../../../vocabulary/ids.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import type { DestinationSecrets } from '../../destinations/destination-secrets.ts';
import { RowPlaces } from '../../syncs/row-places.ts';
import { storedLedger } from '../compare/ledger-view.ts';
import { RowMacs } from '../compare/row-macs.ts';
import { passEveryRow, type RowRules } from '../read/source-row.ts';
import type { ReadContext } from './run-context.ts';

/** How many waiting account records are remembered; more are refused without a place in the queue. */
const MOST_WAITING = 1_000;

/**
 * Work of one kind in one process: one for each account record, and a number in all. An owner that is refused because
 * all are taken, and asks again in time, comes before those that asked later: a few account records that ask without a
 * pause cannot keep the others out.
 */
export class OwnerSlots {
  readonly #clock: Clock;
  readonly #slots: number;
  readonly #patienceMs: number;
  readonly #underWay = new Set<OwnerId>();
  /** Owners that were refused, in order, and when each last asked. */
  readonly #waiting = new Map<OwnerId, number>();

  /** @param patienceMs how long an owner that does not ask again keeps its place in the queue */
  constructor(clock: Clock, slots: number, patienceMs: number) {
    this.#clock = clock;
    this.#slots = slots;
    this.#patienceMs = patienceMs;
  }

  /** Takes a slot, and returns a function that releases it, to be called once; null if there is none for the owner. */
  take(owner: OwnerId): (() => void) | null {
    if (this.#underWay.has(owner)) return null;
    this.#dropExpired();
    const place = [...this.#waiting.keys()].indexOf(owner);
    const before = place === -1 ? this.#waiting.size : place;
    if (this.#underWay.size + before >= this.#slots) {
      if (place !== -1 || this.#waiting.size < MOST_WAITING) this.#waiting.set(owner, this.#clock.now());
      return null;
    }
    this.#waiting.delete(owner);
    this.#underWay.add(owner);
    return () => void this.#underWay.delete(owner);
  }

  #dropExpired(): void {
    const oldest = this.#clock.now() - this.#patienceMs;
    for (const [owner, asked] of this.#waiting) if (asked < oldest) this.#waiting.delete(owner);
  }
}

/** When a refused owner may ask again. */
const RETRY_S = 30;

export interface LongWorkOptions {
  /** What messages call one of them. */
  readonly what: string;
  /** How many in this process. */
  readonly atOnce: number;
  /** How long one may take. */
  readonly seconds: number;
}

/**
 * Work that a request waits for and that takes minutes: one per account record at a time, a few in all, each with a
 * time limit.
 */
export class LongWork {
  readonly #clock: Clock;
  readonly #options: LongWorkOptions;
  readonly #slots: OwnerSlots;

  constructor(clock: Clock, options: LongWorkOptions) {
    this.#clock = clock;
    this.#options = options;
    this.#slots = new OwnerSlots(clock, options.atOnce, 2 * RETRY_S * 1000);
  }

  /**
   * Does the work, with a signal that aborts when its time is up. Raises `too_many_concurrent_requests`, what the work
   * raises, and `signal.reason`.
   */
  async of<T>(owner: OwnerId, signal: AbortSignal, work: (late: AbortSignal) => Promise<T>): Promise<T> {
    const { what, seconds } = this.#options;
    const giveBack = this.#slots.take(owner);
    if (giveBack === null) {
      throw new ServiceError('too_many_concurrent_requests', {
        message: `One ${what} of an account record runs at a time, and a few on the whole service; retry later.`,
        retryAfterSeconds: RETRY_S,
      });
    }
    try {
      return await withinSeconds(this.#clock, seconds, signal, work);
    } finally {
      giveBack();
    }
  }
}

/**
 * How often workers have taken runs of the sync so far: the same before and after work outside runs, such as a dry run,
 * if no run wrote in between. Raises `sync_already_running` while one is in progress.
 */
export async function timesTakenWhileIdle(db: Db, owner: OwnerId, sync: RowId<'sync'>): Promise<number> {
  const taken = await timesTakenUnlessRunning(db, owner, sync);
  if (taken === null) throw new ServiceError('sync_already_running');
  return taken;
}

/** The same; null while a run is in progress. */
export async function timesTakenUnlessRunning(
  db: Db,
  owner: OwnerId,
  sync: RowId<'sync'>,
): Promise<number | null> {
  if ((await findOpenRun(db, owner, sync))?.status === 'running') return null;
  return timesTaken(db, owner, sync);
}

/**
 * Does work with a signal that aborts when its time is up. Raises what it raises, or `signal.reason` once that aborted.
 */
export async function withinSeconds<T>(
  clock: Clock,
  seconds: number,
  signal: AbortSignal,
  work: (late: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const done = new AbortController();
  clock.sleep(seconds * 1000, done.signal).then(
    () => late.abort(),
    () => undefined,
  );
  try {
    return await work(late.signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    done.abort();
  }
}

export interface ReadingOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly secrets: Pick<DestinationSecrets, 'macKey'>;
  /** The rules of a sync's rows; without it every row is passed on unchanged. */
  readonly rulesOf?: (sync: SyncRow) => Promise<RowRules>;
}

/** What is needed to read a sync's rows outside its runs, where nothing is recorded. Raises what `rulesOf` raises. */
export async function readingBesideRuns(
  { db, clock, limits, secrets, rulesOf }: ReadingOptions,
  sync: SyncRow,
  destination: DestinationRow,
  reading: AbortSignal,
  takeSweepTurn: ReadContext['takeSweepTurn'],
): Promise<ReadContext> {
  return {
    clock,
    limits,
    sync,
    rules: (await rulesOf?.(sync)) ?? passEveryRow,
    range: null,
    rejected: await rejectedKeys(db, sync.account_record, sync.id),
    ledger: storedLedger(db),
    macs: new RowMacs(secrets.macKey(destination)),
    places: new RowPlaces(sync),
    reading,
    takeSweepTurn,
    completeEntries: async () => false,
    noteSharedId: async () => undefined,
  };
}
