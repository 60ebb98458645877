import type { Days } from '../api/held-rows.ts';
import { dayAway } from '../format/days.ts';
import { isCalendarDay, type Search } from '../shell/search.ts';

/** Which transactions are shown. */
export interface TransactionsSearch {
  /** One account, or all of a connection; all accounts if absent. */
  readonly account?: string;
  /** How many days up to today, which counts, in place of the first and the last. */
  readonly days?: string;
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
  /** The saved view that these filters were chosen as; they may have changed since. */
  readonly view?: string;
}

/** `spending` is what the sums of spending are made of, refunds included. */
export const TRANSACTION_KINDS = ['in', 'out', 'spending', 'pending'] as const;
export type TransactionKind = (typeof TRANSACTION_KINDS)[number];

/** Newest first is the default, which is not in the address. */
export const TRANSACTION_SORTS = ['oldest', 'largest', 'smallest'] as const;
export type TransactionSort = (typeof TRANSACTION_SORTS)[number];

/** As far back as most people look. */
export const USUAL_DAYS = 90;
/** Ten years, the longest period that can move along. */
export const MOST_DAYS = 3660;
/** Characters that can be searched for. */
export const MOST_SOUGHT = 200;
/** Longer than the identifiers and codes that there are, so that any address can be saved as a view. */
const MOST_NAMED = 100;
const SIZE = /^\d{1,12}(?:\.\d{1,4})?$/;

export function transactionsSearch(search: Search): TransactionsSearch {
  const { account, days, from, to, q, category, least, most, view } = search;
  const kind = TRANSACTION_KINDS.find((one) => one === search.kind);
  const sort = TRANSACTION_SORTS.find((one) => one === search.sort);
  return {
    ...(typeof account === 'string' && { account: within(account, MOST_NAMED) }),
    ...(isDays(days) && !isCalendarDay(from) && !isCalendarDay(to) && { days }),
    ...(isCalendarDay(from) && { from }),
    ...(isCalendarDay(to) && { to }),
    ...(typeof q === 'string' && q !== '' && { q: within(q, MOST_SOUGHT) }),
    ...(kind !== undefined && { kind }),
    ...(typeof category === 'string' && { category: within(category, MOST_NAMED) }),
    ...(typeof least === 'string' && SIZE.test(least) && { least }),
    ...(typeof most === 'string' && SIZE.test(most) && { most }),
    ...(sort !== undefined && { sort }),
    ...(typeof view === 'string' && { view }),
  };
}

/** The days that are shown, first and last. Of the usual ones, and of days up to today, today is one. */
export function daysOf(
  { days, from, to }: Pick<TransactionsSearch, 'days' | 'from' | 'to'>,
  today: string,
): Days {
  return { from: from ?? dayAway(today, 1 - Number(days ?? USUAL_DAYS)), to: to ?? today };
}

function isDays(text: unknown): text is string {
  return typeof text === 'string' && /^[1-9]\d{0,3}$/.test(text) && Number(text) <= MOST_DAYS;
}

/** The beginning of a text. A character that does not fit is left out whole: half of one has no place in an address. */
function within(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}
