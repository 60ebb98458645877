import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { institutionSchema } from '../../../src/operations/v2/institutions.ts';
import { ask } from './client.ts';
import { type List, nextQuery } from './lists.ts';

export type Institution = Static<typeof institutionSchema>;

const A_PAGE = 50;
/** Null asks for the first page. */
const FIRST: URLSearchParams | null = null;

/** Institutions whose name contains the text, page by page, with their availability now. */
export function institutions(text: string) {
  const first = { limit: A_PAGE, ...(text !== '' && { q: text }) };
  return infiniteQueryOptions({
    queryKey: ['institutions', text],
    queryFn: ({ pageParam, signal }) =>
      ask<List<Institution>>({ path: 'institutions', query: pageParam ?? first, signal }),
    initialPageParam: FIRST,
    getNextPageParam: nextQuery,
  });
}
