import { parseInstant } from './moments.ts';
import type { Transaction } from './transactions.ts';

/** A place in a list of transactions: newest first by day, then moment, then id. Total, so no two rows share one. */
export interface TransactionPlace {
  /** `YYYY-MM-DD`; a row without a day, which is pending, is before all others. */
  readonly day: string;
  /** Epoch milliseconds, 0 where the row names no moment. */
  readonly at: number;
  readonly id: string;
}

const UNDATED = '9999-12-31';

export function placeOf(row: Transaction): TransactionPlace {
  return {
    day: row.date ?? UNDATED,
    at: row.datetime === null ? 0 : (parseInstant(row.datetime) ?? 0),
    id: row.id,
  };
}

/** Negative when `a` is before `b`, which is when it is newer. */
export function comparePlaces(a: TransactionPlace, b: TransactionPlace): number {
  if (a.day !== b.day) return a.day < b.day ? 1 : -1;
  if (a.at !== b.at) return b.at - a.at;
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1;
}

/** The rows newest first. */
export function newestFirst(rows: readonly Transaction[]): Transaction[] {
  const placed = rows.map((row) => ({ row, place: placeOf(row) }));
  return placed.sort((a, b) => comparePlaces(a.place, b.place)).map(({ row }) => row);
}
