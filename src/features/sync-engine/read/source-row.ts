import type { Trade } from '../../../vocabulary/holdings.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { LocalDate } from '../../../vocabulary/moments.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';

/** A row as it is read. A sync reads rows of one kind, so the rows of a read are all transactions or all trades. */
export type SourceRow = Transaction | Trade;

const DAY_MS = 86_400_000;

export function isTrade(row: SourceRow): row is Trade {
  return 'trade_date' in row;
}

export function isPending(row: SourceRow): boolean {
  return !isTrade(row) && row.status === 'pending';
}

/** The day of the row; null if the bank gave none. */
export function rowDate(row: SourceRow): LocalDate | null {
  return isTrade(row) ? row.trade_date : row.date;
}

/** The row's day as days since 1970, or null if the bank gave none. */
export function dayOf(row: SourceRow): number | null {
  const date = isTrade(row) ? row.trade_date : (row.date ?? row.post_date);
  return date === null ? null : Date.parse(date) / DAY_MS;
}

/**
 * The day on which the row was posted, which a bank's windows use; the row's day if the bank gave no other, and for
 * trades, which brokers list by the day of the trade.
 */
export function postingDayOf(row: SourceRow): number | null {
  const date = isTrade(row) ? row.trade_date : (row.post_date ?? row.date);
  return date === null ? null : Date.parse(date) / DAY_MS;
}

/** A row after a sync's rules were applied. */
export type RuledRow = RuledTransaction | RuledTrade;

export interface RuledTransaction {
  readonly kind: 'transaction';
  readonly transaction: Transaction;
  readonly customCategory: string | null;
  /** Public id of the owner's category that the rules assigned to the row; absent if no rules were applied. */
  readonly category?: string | null;
  readonly memo: string | null;
  readonly tags: readonly string[];
  /** The row as it was read. Matching must not depend on rules, which may change in between. */
  readonly source: Transaction;
  /** Whether a rule skips the row (`counts.skipped_by_rules`). */
  readonly skipped: boolean;
  /** The rules that were applied to it, in order. */
  readonly hits: readonly RowId<'rule'>[];
}

/** Rules are about transactions: a trade is passed on unchanged. */
interface RuledTrade {
  readonly kind: 'trade';
  readonly trade: Trade;
  readonly skipped: false;
  readonly hits: readonly RowId<'rule'>[];
}

/** What a sync does to each row of an account between reading and comparing. Pure. */
export type RowRules = (transaction: Transaction, account: RowId<'account'>) => RuledTransaction;

const NO_TAGS: readonly string[] = [];
const NO_HITS: readonly RowId<'rule'>[] = [];

/** A row to which no rules were applied. */
export function plainRow(transaction: Transaction, customCategory: string | null = null): RuledTransaction {
  return {
    kind: 'transaction',
    transaction,
    customCategory,
    memo: null,
    tags: NO_TAGS,
    source: transaction,
    skipped: false,
    hits: NO_HITS,
  };
}

export function plainTrade(trade: Trade): RuledTrade {
  return { kind: 'trade', trade, skipped: false, hits: NO_HITS };
}

/** For a sync without a ruleset. */
export const passEveryRow: RowRules = (transaction) => plainRow(transaction);

/** How often each rule was applied. A row counts for a rule when the row is sent, and a skipped row once. */
export class HitCounts {
  readonly #counts = new Map<RowId<'rule'>, number>();

  get counts(): ReadonlyMap<RowId<'rule'>, number> {
    return this.#counts;
  }

  add(rules: readonly RowId<'rule'>[]): void {
    for (const rule of rules) this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1);
  }

  /**
   * A skipped row, about which nothing is stored: it counts in the run that first reads it, which is the case if the
   * provider recorded it since the account's cursor. So the overlap of windows does not count it again in every run.
   */
  addSkipped({ source, hits }: RuledTransaction, cursor: Date | null): void {
    if (cursor === null || recordedAt(source) >= cursor.getTime()) this.add(hits);
  }
}

/** The latest time at which the provider can have recorded the row, in epoch milliseconds. */
function recordedAt(row: RuledTransaction['source']): number {
  const moment = row.post_datetime ?? (row.status === 'pending' ? row.datetime : null);
  if (moment !== null) return Date.parse(moment);
  const day = row.post_date ?? row.date;
  return day === null ? 0 : Date.parse(day) + DAY_MS;
}
