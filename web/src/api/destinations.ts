import { queryOptions } from '@tanstack/react-query';
import type { DestinationLink, DestinationLinksCreateInput } from '#client';
import type { DestinationResourceType } from '../../../src/vocabulary/destinations.ts';
import { api } from './client.ts';
import { paged } from './queries.ts';

/** The name of a link in the storage of the tab, which outlives the visit to the vendor. */
const LATEST = 'destination-link';
const LIVE_MS = 10_000;

export const destinations = queryOptions({
  queryKey: ['destinations'],
  queryFn: ({ signal }) => api.destinations.list({ limit: 100 }, { signal }).all(),
});

export function destination(id: string) {
  return queryOptions({
    queryKey: ['destinations', id],
    queryFn: ({ signal }) => api.destinations.get({ id }, { signal }),
  });
}

interface Sought {
  readonly type: DestinationResourceType;
  /** What contains them; by default, the current target of the destination. */
  readonly parent?: string;
}

/** The choices at the vendor, read live; `truncated` if there are more than it lists. */
export function destinationResources(id: string, sought: Sought) {
  return queryOptions({
    queryKey: ['destination-resources', id, sought],
    queryFn: async ({ signal }) => {
      const { data, truncated } = await api.destinations.listResources({ id, ...sought }, { signal }).page();
      return { items: data, truncated };
    },
    staleTime: 60_000,
    // Vendors count calls, and the service retries them itself.
    retry: false,
  });
}

/** Starts connecting; the person continues at the `url` of the response. The tab remembers which link it was. */
export async function createDestinationLink(body: DestinationLinksCreateInput): Promise<DestinationLink> {
  const link = await api.destinationLinks.create(body);
  sessionStorage.setItem(LATEST, link.id);
  return link;
}

/** The link for which this tab left, or null; the return address says how it ended, but not which it was. */
export function latestLink(): string | null {
  return sessionStorage.getItem(LATEST);
}

/** Once completed it names the destination that was connected. */
export function destinationLink(id: string) {
  return queryOptions({
    queryKey: ['destination-links', id],
    queryFn: ({ signal }) => api.destinationLinks.get({ id }, { signal }),
  });
}

/** What was sent to a webhook recently, newest first; refetched every few seconds while the page is visible. */
export function webhookDeliveries(id: string) {
  return {
    ...paged(['webhook-deliveries', id], (page, options) =>
      api.destinations.listWebhookDeliveries({ id, ...page }, options),
    ),
    // Further pages change no more, so that they are not worth a request each time.
    refetchInterval: ({ state }: { state: { data?: { pages: readonly unknown[] } | undefined } }) =>
      (state.data?.pages.length ?? 1) === 1 ? LIVE_MS : (false as const),
  };
}
