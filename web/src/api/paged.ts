import { infiniteQueryOptions } from '@tanstack/react-query';
import { ask, type Question } from './client.ts';
import { type List, nextQuery } from './lists.ts';

const A_PAGE = 50;
/** Null asks for the first page. */
const FIRST: URLSearchParams | null = null;

/** A list that is read page by page, as far as somebody asks for more. */
export function paged<T>(path: string, filters: Readonly<Record<string, string | readonly string[]>> = {}) {
  const first: Question['query'] = { limit: A_PAGE, ...filters };
  return infiniteQueryOptions({
    queryKey: [path, 'pages', filters],
    queryFn: ({ pageParam, signal }) => ask<List<T>>({ path, query: pageParam ?? first, signal }),
    initialPageParam: FIRST,
    getNextPageParam: nextQuery,
  });
}
