import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type {
  createDestinationLinkBody,
  destinationLinkSchema,
} from '../../../src/operations/v2/destination-links.ts';
import { ask } from './client.ts';

export type DestinationLink = Static<typeof destinationLinkSchema>;

/** Its name in the storage of the tab, which outlives the visit to the vendor. */
const LATEST = 'destination-link';

/** Starts connecting; the person goes on at the `url` of the answer. The tab remembers which link it was. */
export async function createDestinationLink(
  body: Static<typeof createDestinationLinkBody>,
): Promise<DestinationLink> {
  const link: DestinationLink = await ask({ method: 'POST', path: 'destination_links', body });
  sessionStorage.setItem(LATEST, link.id);
  return link;
}

/** The link that this tab left for, or null: the address a person returns to says how it ended, but not which it was. */
export function latestLink(): string | null {
  return sessionStorage.getItem(LATEST);
}

/** Once completed it names the destination that was connected. */
export function destinationLink(id: string) {
  return queryOptions({
    queryKey: ['destination-links', id],
    queryFn: ({ signal }) =>
      ask<DestinationLink>({ path: `destination_links/${encodeURIComponent(id)}`, signal }),
  });
}
