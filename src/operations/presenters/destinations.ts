import type { Static } from 'typebox';
import type { ListedResources } from '../../features/destinations/destination-resources.ts';
import type { Destination } from '../../features/destinations/destinations.ts';
import { publicId } from '../../vocabulary/ids.ts';
import type { destinationResourceSchema, destinationSchema } from '../schemas/destinations.ts';
import { moment } from './moments.ts';

/** `config` holds the signing secret in the answers of create and rotate_secret, and is null in every other. */
export function presentDestination({
  row,
  target,
  syncCount,
  secret,
}: Destination): Static<typeof destinationSchema> {
  return {
    id: publicId('destination', row.id),
    object: 'destination',
    type: row.type,
    name: row.name,
    status: row.status,
    target,
    config: secret === null ? null : { signing_secret: secret },
    sync_count: syncCount,
    metadata: row.metadata,
    livemode: true,
    created: moment(row.created),
    updated: moment(row.updated),
  };
}

/** One thing a destination can be aimed at or mapped to. */
export function presentDestinationResource(
  { id, name, url }: ListedResources['items'][number],
  { type, parent }: Pick<ListedResources, 'type' | 'parent'>,
): Static<typeof destinationResourceSchema> {
  return { object: 'destination_resource', type, id, name, parent, url };
}
