import { type LocalDate, parseInstant } from './moments.ts';
import type { Money } from './money.ts';

export const TRANSACTION_STATUSES = ['posted', 'pending'] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];
export type TransactionDirection = 'credit' | 'debit';

/** The class of a row, for columns and webhook rows (docs/rules.md#conditions, `class`). */
export const TRANSACTION_CLASSES = ['payment', 'transfer', 'fee', 'interest', 'other'] as const;
export type TransactionClass = (typeof TRANSACTION_CLASSES)[number];

const CLASSES: ReadonlySet<string> = new Set(TRANSACTION_CLASSES);

export function isTransactionClass(text: string): text is TransactionClass {
  return CLASSES.has(text);
}

/**
 * One bank transaction as every surface shows it, mapped from a provider's row and never stored.
 * `id` is the tagged v2 id, stable over repeated reads; a pending row and the posted row it becomes are two ids.
 */
export interface Transaction {
  readonly id: string;
  /** Tagged ids that the row had before according to the provider; usually none. Only syncs use them. */
  readonly former_ids?: readonly string[];
  readonly status: TransactionStatus;
  /** Day of the transaction in the account's zone; null only for a pending row without a time from the bank. */
  readonly date: LocalDate | null;
  /** The provider's timestamp as sent, RFC 3339 with the bank's offset. */
  readonly datetime: string | null;
  readonly post_date: LocalDate | null;
  readonly post_datetime: string | null;
  readonly value_date: LocalDate | null;
  readonly value_datetime: string | null;
  readonly description: string;
  readonly reference: string | null;
  readonly extended_description: string | null;
  readonly amount: Money;
  /** The provider's own decimal text, for v1 and the bridge, which must not lose a third decimal. */
  readonly amount_decimal: string;
  readonly direction: TransactionDirection;
  readonly class: TransactionClass;
  /** The most specific code the provider is confident of. */
  readonly provider_category: string | null;
  readonly primary_category: string | null;
  readonly merchant_name: string | null;
  readonly merchant_category_code: string | null;
}

/** Direction follows the sign; zero counts as a credit. */
export function directionOf(amount: number): TransactionDirection {
  return amount < 0 ? 'debit' : 'credit';
}

/**
 * A position in a list of transactions: newest first by day, then moment, then id. A total order, so no two rows share
 * one.
 */
export interface TransactionPlace {
  /** `YYYY-MM-DD`; a row without a day, which is pending, comes before all others. */
  readonly day: string;
  /** Epoch milliseconds, 0 if the row has no time. */
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

/** Negative if `a` comes before `b`, that is, if it is newer. */
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
