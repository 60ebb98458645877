import type { Static } from 'typebox';
import type { OpenedDestinationLink } from '../../features/destinations/destination-links.ts';
import { publicId } from '../../vocabulary/ids.ts';
import type { destinationLinkSchema } from '../schemas/destination-links.ts';
import { moment, momentOrNull } from './moments.ts';

/** `destination` is the link's result: `null` until it is completed, also for a link that connects one again. */
export function presentDestinationLink({
  row,
  status,
  url,
}: OpenedDestinationLink): Static<typeof destinationLinkSchema> {
  return {
    id: publicId('destination_link', row.id),
    object: 'destination_link',
    type: row.type,
    status,
    url,
    destination: row.destination === null ? null : publicId('destination', row.destination),
    return_url: row.return_url,
    failure_reason: row.failure_reason,
    expires_at: moment(row.expires_at),
    completed_at: momentOrNull(row.completed_at),
    livemode: true,
    created: moment(row.created),
    updated: moment(row.updated),
  };
}
