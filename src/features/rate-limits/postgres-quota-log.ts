import type { Db } from '../../storage/database.ts';
import { freeHeavySlot, nextFreeSlotMs, takeHeavySlot } from '../../storage/heavy-slots.ts';
import type { QuotaBounds, QuotaLog } from './quota-log.ts';

/** Calls in Postgres: a call holds a place of its key for as long as it counts. */
export class PostgresQuotaLog implements QuotaLog {
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
