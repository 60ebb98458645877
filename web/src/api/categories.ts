import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Category, Tributary } from '#client';
import { api } from './client.ts';
import { heldRows } from './held-rows.ts';

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
  heldRows.forget();
  return Promise.all(
    ['categories', 'transactions', 'histories', 'latest-transactions'].map((name) =>
      queries.invalidateQueries({ queryKey: [name] }),
    ),
  );
}

export interface Claim {
  readonly claimed: ClaimedCategory;
  /** Gives every code back to the category that claimed it before, or to none. */
  readonly undo: () => Promise<void>;
}

/**
 * Makes a category claim more codes, which others may lose. Its claims are read first, because a page that was opened a
 * while ago may lack those made elsewhere since.
 */
export async function claimMore(id: string, codes: readonly string[]): Promise<Claim> {
  const { sources } = await api.categories.get({ id });
  return claimOnly({ id, sources }, [...new Set([...sources, ...codes])]);
}

/** Makes a category claim these codes and no others. @param before the category as it is now */
export async function claimOnly(
  { id, sources: before }: Pick<Category, 'id' | 'sources'>,
  sources: readonly string[],
): Promise<Claim> {
  const claimed = await api.categories.claimSources({ id, sources });
  const undo = async () => {
    await api.categories.claimSources({ id, sources: before });
    for (const { category, sources: lost } of claimed.released_from) await claimMore(category, lost);
  };
  return { claimed, undo };
}
