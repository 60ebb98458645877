import type { JSONColumnType } from 'kysely';
import type { Moment } from './identity-tables.ts';

/** Written by the rate limiter's own statements; the order of its columns is theirs. */
export interface RateCountersTable {
  /** Name of the limit and bucket. */
  key: string;
  points: number;
  /** Epoch milliseconds. */
  expire: number | null;
}

export interface HeavySlotsTable {
  /** What the places are of, and the key or account record that has them. */
  caller: string;
  /** Epoch milliseconds at which each holder's lease ends, by holder. */
  leases: JSONColumnType<Record<string, number>>;
  /** When the last of the leases ends. */
  until: Moment;
}

export interface RateLimitTables {
  rate_counters: RateCountersTable;
  heavy_slots: HeavySlotsTable;
}
