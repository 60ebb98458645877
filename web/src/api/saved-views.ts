import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** Filters of transactions under a name, in the order of their names. */
export const savedViews = queryOptions({
  queryKey: ['saved-views'],
  queryFn: async ({ signal }) => {
    const all = await api.savedViews.list({ limit: 100 }, { signal }).all();
    return all.toSorted((a, b) => a.name.localeCompare(b.name));
  },
});
