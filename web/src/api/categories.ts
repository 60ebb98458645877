import { queryOptions } from '@tanstack/react-query';
import type { Category, CategoryPatch, ClaimedCategory, NewCategory } from './category.ts';
import { ask } from './client.ts';
import type { List } from './lists.ts';

/** The whole tree: each group, followed by what is in it. */
export const categories = queryOptions({
  queryKey: ['categories'],
  queryFn: async ({ signal }): Promise<readonly Category[]> =>
    (await ask<List<Category>>({ path: 'categories', signal })).data,
});

/** What each category is called, by id. */
export const categoryNames = queryOptions({
  ...categories,
  select: (all: readonly Category[]) => new Map(all.map(({ id, name }) => [id, name])),
});

export function createCategory(body: NewCategory): Promise<Category> {
  return ask({ method: 'POST', path: 'categories', body });
}

export function updateCategory(id: string, body: CategoryPatch): Promise<Category> {
  return ask({ method: 'POST', path: pathOf(id), body });
}

/** Deletes a category, or with `cascade` a group and what is in it. `reassignTo` takes over what was claimed. */
export function deleteCategory(
  id: string,
  { cascade, reassignTo }: { readonly cascade: boolean; readonly reassignTo: string | null },
): Promise<unknown> {
  const query = { ...(cascade && { cascade }), ...(reassignTo !== null && { reassign_to: reassignTo }) };
  return ask({ method: 'DELETE', path: pathOf(id), query });
}

/** Has the category claim these codes and no others. */
export function claimSources(id: string, sources: readonly string[]): Promise<ClaimedCategory> {
  return ask({ method: 'POST', path: `${pathOf(id)}/sources`, body: { sources } });
}

/**
 * Has a category claim one more code, which another may lose by it. What it claims is read first: the claims of a page
 * that was opened a while ago would drop those made elsewhere since.
 */
export async function claimMore(id: string, code: string): Promise<ClaimedCategory> {
  const { sources } = await ask<Category>({ path: pathOf(id) });
  return claimSources(id, [...new Set([...sources, code])]);
}

/** Deletes every category and creates the default ones. */
export function resetCategories(): Promise<List<Category>> {
  return ask({ method: 'POST', path: 'categories/reset', body: { confirm: true } });
}

function pathOf(id: string): string {
  return `categories/${encodeURIComponent(id)}`;
}
