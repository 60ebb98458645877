import { ask, type Question } from './client.ts';

/** One page of a list (docs/api-conventions.md#lists-and-paging). */
export interface List<T> {
  readonly data: readonly T[];
  readonly next_page_url: string | null;
  readonly previous_page_url: string | null;
}

const MOST_A_PAGE = 100;

/**
 * The query that asks for the next page. Only the query of the address is followed: it names PUBLIC_URL, which may be
 * another host than the one this application and its cookie are at.
 */
export function nextQuery({ next_page_url: next }: List<unknown>): URLSearchParams | null {
  return next === null ? null : new URL(next).searchParams;
}

interface Filtered {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly signal: AbortSignal;
}

/** Every item of a list, page by page. For lists that plans or limits keep short. */
export async function everyItem<T>({ path, query: filters, signal }: Filtered): Promise<readonly T[]> {
  const items: T[] = [];
  let query: Question['query'] | null = { limit: MOST_A_PAGE, ...filters };
  while (query !== null) {
    const page: List<T> = await ask({ path, query, signal });
    items.push(...page.data);
    query = nextQuery(page);
  }
  return items;
}
