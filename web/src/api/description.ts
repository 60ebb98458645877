import { queryOptions } from '@tanstack/react-query';
import { ask } from './client.ts';
import type { Description } from './description-document.ts';

/** What v2 says of itself: the one source of the API reference. It changes only when the service is updated. */
export const description = queryOptions({
  queryKey: ['description'],
  queryFn: ({ signal }) => ask<Description>({ path: 'openapi.json', signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
