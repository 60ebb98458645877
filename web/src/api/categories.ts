import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Category, Tributary } from '#client';
import { api } from './client.ts';

export type ClaimedCategory = Awaited<ReturnType<Tributary['categories']['claimSources']>>;

/** The whole tree: each group, followed by what is in it. */
export const categories = queryOptions({
  queryKey: ['categories'],
  queryFn: ({ signal }) => api.categories.list({}, { signal }).all(),
});

/** What each category is called, by id. */
export const categoryNames = queryOptions({
  ...categories,
  select: (all: readonly Category[]) => new Map(all.map(({ id, name }) => [id, name])),
});

/** Every code that banks give rows. They change with a release of the service only. */
export const providerCategories = queryOptions({
  queryKey: ['provider categories'],
  queryFn: ({ signal }) => api.providerCategories.list({}, { signal }).all(),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Has everything read again that shows categories: the tree, and the rows and sums that are sorted by it. */
export function categoriesChanged(queries: QueryClient): Promise<unknown> {
  return Promise.all(
    ['categories', 'transactions', 'histories'].map((name) =>
      queries.invalidateQueries({ queryKey: [name] }),
    ),
  );
}

/**
 * Has a category claim one more code, which another may lose by it. What it claims is read first: the claims of a page
 * that was opened a while ago would drop those made elsewhere since.
 */
export async function claimMore(id: string, code: string): Promise<ClaimedCategory> {
  const { sources } = await api.categories.get({ id });
  return api.categories.claimSources({ id, sources: [...new Set([...sources, code])] });
}
