import type { SavedView } from '#client';
import type { Days } from '../api/held-rows.ts';
import { daysIn } from '../format/days.ts';
import { parseSearch, stringifySearch } from '../shell/search.ts';
import { MOST_DAYS, type TransactionsSearch, transactionsSearch, USUAL_DAYS } from './search.ts';

/** The address of a view. What the page does not know of its filters is left out. */
export function searchOfView({ id, query }: Pick<SavedView, 'id' | 'query'>): TransactionsSearch {
  return { ...transactionsSearch(parseSearch(query)), view: id };
}

/** The filters as a view keeps them, in one order; what no one chose of the period is the usual days up to today. */
export function queryOfSearch(search: TransactionsSearch): string {
  const { view: _, ...filters } = search;
  const hasPeriod = [search.days, search.from, search.to].some((one) => one !== undefined);
  const whole = Object.entries(hasPeriod ? filters : { ...filters, days: String(USUAL_DAYS) });
  return stringifySearch(Object.fromEntries(whole.toSorted(([a], [b]) => (a < b ? -1 : 1)))).slice(1);
}

/** Whether the filters are those of the view. */
export function isAsSaved(search: TransactionsSearch, view: Pick<SavedView, 'id' | 'query'>): boolean {
  return queryOfSearch(search) === queryOfSearch(searchOfView(view));
}

/** How many days the period has, if it ends today and an address can say so many: only then could it move along. */
export function daysUpTo(today: string, { from, to }: Days): number | null {
  const count = daysIn({ from, to });
  return to === today && count > 1 && count <= MOST_DAYS ? count : null;
}

/** The filters with a period that moves along, or with the days as they are. */
export function withPeriod(search: TransactionsSearch, count: number | null): TransactionsSearch {
  if (count === null) return search;
  const { from: _from, to: _to, ...others } = search;
  return { ...others, days: String(count) };
}

/** What to show once filters are saved as a view: the view, with whatever was chosen while it was being saved. */
export function afterSaving(
  now: TransactionsSearch,
  saved: TransactionsSearch,
  view: Pick<SavedView, 'id' | 'query'>,
): TransactionsSearch {
  if (now.view !== saved.view) return now;
  return queryOfSearch(now) === queryOfSearch(saved) ? searchOfView(view) : { ...now, view: view.id };
}
