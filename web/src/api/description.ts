import { queryOptions } from '@tanstack/react-query';
import type { Description } from '../../../src/vocabulary/description/description-document.ts';
import { api } from './client.ts';

/** The description of v2, the only source of the API reference. It changes only when the service is updated. */
export const description = queryOptions({
  queryKey: ['description'],
  queryFn: ({ signal }) => api.request<Description>({ method: 'GET', path: '/v2/openapi.json', signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
