import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Category, Tributary } from '#client';
import { api } from './client.ts';

export type ClaimedCategory = Awaited<ReturnType<Tributary['categories']['claimSources']>>;

/** The whole tree: each group, followed by its categories. */
export const categories = queryOptions({
  queryKey: ['categories'],
  queryFn: ({ signal }) => api.categories.list({}, { signal }).all(),
});

/** The name of each category, by id. */
export const categoryNames = queryOptions({
  ...categories,
  select: (all: readonly Category[]) => new Map(all.map(({ id, name }) => [id, name])),
});

/** Every code that banks give rows. They change only with a release of the service. */
export const providerCategories = queryOptions({
  queryKey: ['provider categories'],
  queryFn: ({ signal }) => api.providerCategories.list({}, { signal }).all(),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Refetches everything that shows categories: the tree, and the rows and sums that depend on it. */
export function categoriesChanged(queries: QueryClient): Promise<unknown> {
  return Promise.all(
    ['categories', 'transactions', 'histories'].map((name) =>
      queries.invalidateQueries({ queryKey: [name] }),
    ),
  );
}

/**
 * Makes a category claim one more code, which another may lose. Its claims are read first, because a page that was
 * opened a while ago may lack those made elsewhere since.
 */
export async function claimMore(id: string, code: string): Promise<ClaimedCategory> {
  const { sources } = await api.categories.get({ id });
  return api.categories.claimSources({ id, sources: [...new Set([...sources, code])] });
}
