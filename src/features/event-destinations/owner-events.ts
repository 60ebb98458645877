import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../storage/database.ts';
import { lastPosition } from '../../storage/event-positions.ts';
import { type EventRow, eventsBehind } from '../../storage/events.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import { isStoreUnavailable } from '../../vocabulary/store-unavailable.ts';

/** Events read by one statement. */
const BATCH = 200;
/** The newest events, which streams that keep up read without a query. */
const REMEMBERED = 500;
/** How often the database is queried while notices may be missed, and after it failed. */
const POLL_MS = 2_000;

export interface OwnerEventsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether every new event is announced by `wake`. */
  readonly announced: () => boolean;
}

/**
 * The events of one account record in one process, for any number of streams: one statement at a time, and the newest
 * events in memory. It keeps reading until `stop`.
 */
export class OwnerEvents {
  readonly #owner: OwnerId;
  readonly #deps: OwnerEventsDependencies;
  readonly #stopping = new AbortController();
  /** All events after this position up to the last one read; null until the first read. */
  #from: number | null = null;
  #newest: readonly EventRow[] = [];
  #fresh = true;
  #woken = Promise.withResolvers<void>();
  #version = 0;
  readonly #onChange = new Set<() => void>();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(owner: OwnerId, deps: OwnerEventsDependencies) {
    this.#owner = owner;
    this.#deps = deps;
  }

  /** Changes whenever there are new events. */
  get version(): number {
    return this.#version;
  }

  /** Calls `listener` whenever `version` changes, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#onChange.add(listener);
    return () => void this.#onChange.delete(listener);
  }

  start(): void {
    void this.#follow();
  }

  stop(): void {
    this.#stopping.abort();
    this.#woken.resolve();
  }

  /** There may be new events. */
  wake(): void {
    this.#fresh = true;
    this.#woken.resolve();
  }

  /**
   * The events after a position, oldest first, and the position up to which there are no others; as many as one
   * statement reads. Raises what the database raises.
   */
  async behind(position: number): Promise<{ readonly events: readonly EventRow[]; readonly upTo: number }> {
    const from = this.#from;
    if (from !== null && position >= from) {
      const events = this.#newest.filter((event) => placeOf(event) > position).slice(0, BATCH);
      return { events, upTo: lastPlace(events, position) };
    }
    const events = await this.#inTurn(() => eventsBehind(this.#deps.db, this.#owner, position, BATCH));
    const last = lastPlace(events, position);
    return { events, upTo: events.length < BATCH ? Math.max(last, from ?? 0) : last };
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    let failing = false;
    while (!signal.aborted) {
      this.#woken = Promise.withResolvers<void>();
      this.#fresh = false;
      try {
        await this.#read();
        failing = false;
      } catch (error) {
        if (!failing && !isStoreUnavailable(error)) {
          this.#deps.log.error('Failed to read events for streams; trying again.', {}, error);
        }
        failing = true;
      }
      if (!this.#fresh) await this.#rest(failing);
    }
  }

  async #rest(failing: boolean): Promise<void> {
    const { clock, announced } = this.#deps;
    // A failed read is not retried at once, however often it is requested.
    if (failing) return clock.sleep(POLL_MS, this.#stopping.signal).catch(() => undefined);
    if (announced()) return this.#woken.promise;
    const over = new AbortController();
    const late = clock.sleep(POLL_MS, over.signal).catch(() => undefined);
    await Promise.race([late, this.#woken.promise]);
    over.abort();
  }

  async #read(): Promise<void> {
    const { db } = this.#deps;
    if (this.#from === null) {
      this.#from = await this.#inTurn(() => lastPosition(db, this.#owner));
      // A stream may have asked for events that have arrived since.
      this.#announce();
      return;
    }
    for (let more = true; more && !this.#stopping.signal.aborted; ) {
      const head = lastPlace(this.#newest, this.#from);
      const events = await this.#inTurn(() => eventsBehind(db, this.#owner, head, BATCH));
      more = events.length === BATCH;
      if (events.length > 0) this.#remember(events);
    }
  }

  #remember(events: readonly EventRow[]): void {
    const all = [...this.#newest, ...events];
    const forgotten = all.slice(0, -REMEMBERED);
    this.#from = lastPlace(forgotten, this.#from ?? 0);
    this.#newest = all.slice(-REMEMBERED);
    this.#announce();
  }

  #announce(): void {
    this.#version += 1;
    for (const listener of this.#onChange) listener();
  }

  /** One statement at a time, however many streams ask. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#reading.then(work);
    this.#reading = done.catch(() => undefined);
    return done;
  }
}

function lastPlace(events: readonly EventRow[], otherwise: number): number {
  return events.at(-1)?.position ?? otherwise;
}

function placeOf({ position }: EventRow): number {
  return position ?? 0;
}
