import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { categoryMappingSchema } from '../../../src/operations/v2/syncs/category-mappings.ts';
import { ask } from './client.ts';
import type { List } from './lists.ts';

export type CategoryMapping = Omit<Static<typeof categoryMappingSchema>, 'object'>;

const pathOf = (sync: string) => `syncs/${encodeURIComponent(sync)}/category_mappings`;

/** Which category of a budgeting app takes the rows of which code. */
export function categoryMappings(sync: string) {
  return queryOptions({
    queryKey: ['category-mappings', sync],
    queryFn: async ({ signal }) =>
      (await ask<List<Static<typeof categoryMappingSchema>>>({ path: pathOf(sync), signal })).data,
  });
}

/** Replaces all of them. */
export function setCategoryMappings(sync: string, mappings: readonly CategoryMapping[]): Promise<unknown> {
  return ask({ method: 'POST', path: pathOf(sync), body: { mappings } });
}
