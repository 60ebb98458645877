import type { Trade } from '../../../vocabulary/holdings.ts';
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
