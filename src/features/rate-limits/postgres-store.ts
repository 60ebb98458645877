import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Clock } from '../../platform/clock.ts';
import type { Db, OpenDatabase } from '../../storage/database.ts';
import {
  deletePastCounts,
  deletePastSlots,
  freeSlots,
  nextFreeSlotMs,
  openCounterDatabase,
  renewSlots,
  type SlotTable,
  takeLeveledSlot,
  takeSlot,
} from '../../storage/rate-counters.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { CountStore } from './count-store.ts';
import type { Lease, SlotStore } from './leased-slots.ts';
import type { QuotaBounds, QuotaLog } from './quota-log.ts';

/** Slots in Postgres: a row for each account record and name, which contains the leases. */
class PostgresSlots implements SlotStore {
  readonly #db: Db;
  readonly #name: string;

  constructor(db: Db, name: string) {
    this.#db = db;
    this.#name = name;
  }

  take(accountRecord: string, { name, levels }: Lease, leaseMs: number): Promise<number | null> {
    return takeLeveledSlot(this.#db, { caller: this.#row(accountRecord), holder: name, levels, leaseMs });
  }

  free(accountRecord: string, leases: readonly Lease[]): Promise<void> {
    const names = leases.map(({ name }) => name);
    return freeSlots(this.#db, 'heavy_slots', this.#row(accountRecord), names);
  }

  renew(leases: ReadonlyMap<string, ReadonlySet<Lease>>, leaseMs: number): Promise<void> {
    const held = [...leases].flatMap(([accountRecord, holders]) =>
      [...holders].map(({ name }) => ({ caller: this.#row(accountRecord), holder: name })),
    );
    return renewSlots(this.#db, held, leaseMs);
  }

  #row(accountRecord: string): string {
    return `${this.#name}:${accountRecord}`;
  }
}

/** Calls in Postgres: a call holds a slot of its key for as long as it counts. */
class PostgresQuotaLog implements QuotaLog {
  readonly #db: Db;
  readonly #table: SlotTable;

  constructor(db: Db, table: SlotTable) {
    this.#db = db;
    this.#table = table;
  }

  async take(key: string, call: string, { amount, windowMs }: QuotaBounds): Promise<number> {
    const slot = { caller: rowOf(key), holder: call, places: amount, leaseMs: windowMs };
    return (await takeSlot(this.#db, this.#table, slot))
      ? 0
      : Math.max(1, await nextFreeSlotMs(this.#db, this.#table, slot.caller));
  }

  forget(key: string, call: string): Promise<void> {
    return freeSlots(this.#db, this.#table, rowOf(key), [call]);
  }
}

/**
 * Calls in the database of the installation, for quotas whose windows are longer than a process, a counting server or a
 * crash of the database may interrupt.
 */
export function lastingQuotasIn(db: Db, clock: Clock): { readonly log: QuotaLog; sweep(): Promise<void> } {
  return {
    log: new PostgresQuotaLog(db, 'lasting_quotas'),
    sweep: () => deletePastSlots(db, 'lasting_quotas', new Date(clock.now())),
  };
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
    slots: (name) => new PostgresSlots(counting.db, name),
    quotas: () => new PostgresQuotaLog(counting.db, 'heavy_slots'),
    sweep: () => deletePastCounts(counting.db, new Date(clock.now())),
    close: () => counting.close(),
  };
}
