import { isCalendarDay, type Search } from '../shell/search.ts';

/** Which transactions are shown. */
export interface TransactionsSearch {
  /** One account, or all of a connection; all accounts if absent. */
  readonly account?: string;
  readonly from?: string;
  readonly to?: string;
  readonly q?: string;
  readonly kind?: TransactionKind;
  /** A category or a group, `none`, `uncategorised`, or the bank's code of rows that are in no category. */
  readonly category?: string;
  /** Decimals without a sign, in whatever currency a row is in. */
  readonly least?: string;
  readonly most?: string;
  readonly sort?: TransactionSort;
}

export const TRANSACTION_KINDS = ['in', 'out', 'pending'] as const;
export type TransactionKind = (typeof TRANSACTION_KINDS)[number];

/** Newest first is the default, which is not in the address. */
export const TRANSACTION_SORTS = ['oldest', 'largest', 'smallest'] as const;
export type TransactionSort = (typeof TRANSACTION_SORTS)[number];

const SIZE = /^\d{1,12}(?:\.\d{1,4})?$/;

export function transactionsSearch(search: Search): TransactionsSearch {
  const { account, from, to, q, category, least, most } = search;
  const kind = TRANSACTION_KINDS.find((one) => one === search.kind);
  const sort = TRANSACTION_SORTS.find((one) => one === search.sort);
  return {
    ...(typeof account === 'string' && { account }),
    ...(isCalendarDay(from) && { from }),
    ...(isCalendarDay(to) && { to }),
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(kind !== undefined && { kind }),
    ...(typeof category === 'string' && { category }),
    ...(typeof least === 'string' && SIZE.test(least) && { least }),
    ...(typeof most === 'string' && SIZE.test(most) && { most }),
    ...(sort !== undefined && { sort }),
  };
}
