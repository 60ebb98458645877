import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { destinationResourceSchema } from '../../../src/operations/v2/destinations/resource.ts';
import type { DestinationResourceType } from '../../../src/vocabulary/destinations.ts';
import { askFully } from './client.ts';
import type { List } from './lists.ts';

export type DestinationResource = Static<typeof destinationResourceSchema>;

interface Sought {
  readonly type: DestinationResourceType;
  /** What they lie in; without it, what the destination is aimed at now. */
  readonly parent?: string;
}

/** What there is at the vendor to choose from, read there at this moment; `truncated` where it has more than it lists. */
export function destinationResources(id: string, sought: Sought) {
  return queryOptions({
    queryKey: ['destination-resources', id, sought],
    queryFn: async ({ signal }) => {
      const { answer, truncated } = await askFully<List<DestinationResource>>({
        path: `destinations/${encodeURIComponent(id)}/resources`,
        query: { ...sought },
        signal,
      });
      return { items: answer.data, truncated };
    },
    staleTime: 60_000,
    // Vendors count calls, and the service asks them again by itself.
    retry: false,
  });
}
