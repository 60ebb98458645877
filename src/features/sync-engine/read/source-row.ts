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

/** The day on which the row happened; null where the bank gave none. */
export function rowDate(row: SourceRow): LocalDate | null {
  return isTrade(row) ? row.trade_date : row.date;
}

/** The row's day as days since 1970, or null where the bank gave none. */
export function dayOf(row: SourceRow): number | null {
  const date = isTrade(row) ? row.trade_date : (row.date ?? row.post_date);
  return date === null ? null : Date.parse(date) / DAY_MS;
}

/**
 * The day on which the row was posted, by which a bank's windows go; the row's day where the bank gave no other, and
 * for trades, which brokers list by the day of the trade.
 */
export function postingDayOf(row: SourceRow): number | null {
  const date = isTrade(row) ? row.trade_date : (row.post_date ?? row.date);
  return date === null ? null : Date.parse(date) / DAY_MS;
}

/** A row as a sync's rules leave it. */
export type RuledRow = RuledTransaction | RuledTrade;

export interface RuledTransaction {
  readonly kind: 'transaction';
  readonly transaction: Transaction;
  readonly customCategory: string | null;
  /** Public id of the owner's category that the rules left the row with; absent where no rules looked at it. */
  readonly category?: string | null;
  readonly memo: string | null;
  readonly tags: readonly string[];
  /** The row as it was read. What it is to be matched by must not depend on rules, which may change meanwhile. */
  readonly source: Transaction;
  /** Whether a rule keeps the row from the destination (`counts.skipped_by_rules`). */
  readonly skipped: boolean;
  /** The rules that acted on it, in their order. */
  readonly hits: readonly RowId<'rule'>[];
}

/** Rules are about transactions: a trade passes as it is. */
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

/** A row that no rule looked at. */
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

/** How often each rule acted. A rule counts a row when the row is sent, and a row it skips once. */
export class HitCounts {
  readonly #counts = new Map<RowId<'rule'>, number>();

  get counts(): ReadonlyMap<RowId<'rule'>, number> {
    return this.#counts;
  }

  add(rules: readonly RowId<'rule'>[]): void {
    for (const rule of rules) this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1);
  }

  /**
   * A skipped row, of which nothing is remembered: it counts in the run that reads it first, recognised by whether
   * the provider recorded it since the account's cursor. So the overlap of windows does not count it again every run.
   */
  addSkipped({ source, hits }: RuledTransaction, cursor: Date | null): void {
    if (cursor === null || recordedAt(source) >= cursor.getTime()) this.add(hits);
  }
}

/** The latest moment at which the provider can have recorded the row, in epoch milliseconds. */
function recordedAt(row: RuledTransaction['source']): number {
  const moment = row.post_datetime ?? (row.status === 'pending' ? row.datetime : null);
  if (moment !== null) return Date.parse(moment);
  const day = row.post_date ?? row.date;
  return day === null ? 0 : Date.parse(day) + DAY_MS;
}
