import { queryOptions } from '@tanstack/react-query';
import { ask } from './client.ts';
import type { List } from './lists.ts';
import type { ProviderCategory } from './provider-category.ts';

/** Every code that banks give rows. They change with a release of the service only. */
export const providerCategories = queryOptions({
  queryKey: ['provider categories'],
  queryFn: async ({ signal }): Promise<readonly ProviderCategory[]> =>
    (await ask<List<ProviderCategory>>({ path: 'provider_categories', signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
});
