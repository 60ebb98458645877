import { comparePlaces, placeOf, type TransactionPlace } from '../../vocabulary/transaction-order.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';

/** Where a page of rows begins or ends. */
export interface RowPageRequest {
  readonly limit: number;
  /** Rows strictly older than this place, or null. */
  readonly after: TransactionPlace | null;
  /** Rows strictly newer than this place, the nearest ones, or null. */
  readonly before: TransactionPlace | null;
}

export interface RowPage {
  readonly rows: readonly Transaction[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

/**
 * A page of rows that stand newest first. By place, not by count: rows that arrive or vanish while a caller walks
 * neither repeat nor hide another.
 */
export function pageOfRows(rows: readonly Transaction[], request: RowPageRequest): RowPage {
  const { limit, after, before } = request;
  const end = before === null ? null : firstNotNewer(rows, before);
  const start = end === null ? (after === null ? 0 : firstOlder(rows, after)) : Math.max(0, end - limit);
  const page = rows.slice(start, end ?? start + limit);
  return { rows: page, hasOlder: start + page.length < rows.length, hasNewer: start > 0 };
}

function firstOlder(rows: readonly Transaction[], place: TransactionPlace): number {
  return firstWhere(rows, (row) => comparePlaces(placeOf(row), place) > 0);
}

function firstNotNewer(rows: readonly Transaction[], place: TransactionPlace): number {
  return firstWhere(rows, (row) => comparePlaces(placeOf(row), place) >= 0);
}

/** Binary search for the first row that holds, given that all after it hold too. */
function firstWhere(rows: readonly Transaction[], holds: (row: Transaction) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row !== undefined && holds(row)) high = middle;
    else low = middle + 1;
  }
  return low;
}
