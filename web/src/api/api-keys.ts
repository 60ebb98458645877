import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { paged } from './queries.ts';

export const apiKeys = paged(['api_keys', 'pages', {}], (page, options) => api.apiKeys.list(page, options));

export function apiKey(id: string) {
  return queryOptions({
    queryKey: ['api_keys', id],
    queryFn: ({ signal }) => api.apiKeys.get({ id }, { signal }),
  });
}
