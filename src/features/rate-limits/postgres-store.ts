import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Clock } from '../../platform/clock.ts';
import type { Db, OpenDatabase } from '../../storage/database.ts';
import {
  deletePastCounts,
  freeHeavySlot,
  nextFreeSlotMs,
  openCounterDatabase,
  takeHeavySlot,
} from '../../storage/rate-counters.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { CountStore } from './count-store.ts';
import type { SlotStore } from './heavy-slots.ts';
import type { QuotaBounds, QuotaLog } from './quota-log.ts';

/** Slots in Postgres: a row for each caller and name, which contains the leases. */
class PostgresSlots implements SlotStore {
  readonly #db: Db;
  readonly #name: string;
  readonly #places: number;

  constructor(db: Db, name: string, places: number) {
    this.#db = db;
    this.#name = name;
    this.#places = places;
  }

  take(caller: string, holder: string, leaseMs: number): Promise<boolean> {
    return takeHeavySlot(this.#db, { caller: this.#row(caller), holder, places: this.#places, leaseMs });
  }

  free(caller: string, holder: string): Promise<void> {
    return freeHeavySlot(this.#db, this.#row(caller), holder);
  }

  #row(caller: string): string {
    return `${this.#name}:${caller}`;
  }
}

/** Calls in Postgres: a call holds a slot of its key for as long as it counts. */
class PostgresQuotaLog implements QuotaLog {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async take(key: string, call: string, { amount, windowMs }: QuotaBounds): Promise<number> {
    const slot = { caller: rowOf(key), holder: call, places: amount, leaseMs: windowMs };
    return (await takeHeavySlot(this.#db, slot))
      ? 0
      : Math.max(1, await nextFreeSlotMs(this.#db, slot.caller));
  }

  forget(key: string, call: string): Promise<void> {
    return freeHeavySlot(this.#db, rowOf(key), call);
  }
}

const rowOf = (key: string): string => `vendor-quota:${key}`;

/** Counts in the installation's Postgres; null for the embedded database, which only this process uses. */
export function openPostgresStore(options: {
  readonly database: OpenDatabase;
  readonly limits: Pick<Limits, 'count_store_deadline_ms'>;
  readonly clock: Clock;
}): CountStore | null {
  const { database, limits, clock } = options;
  const counting = openCounterDatabase(database, limits.count_store_deadline_ms);
  if (counting === null) return null;
  return {
    limiter: (name, points, seconds) =>
      new RateLimiterPostgres({
        storeClient: counting.pool,
        storeType: 'pool',
        tableName: 'rate_counters',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: name,
        points,
        duration: seconds,
        inMemoryBlockOnConsumed: points + 1,
      }),
    slots: (name, places) => new PostgresSlots(counting.db, name, places),
    quotas: () => new PostgresQuotaLog(counting.db),
    sweep: () => deletePastCounts(counting.db, new Date(clock.now())),
    close: () => counting.close(),
  };
}
