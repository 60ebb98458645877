import type { Static } from 'typebox';
import type { EventDestination } from '../../features/event-destinations/event-destinations.ts';
import { publicId } from '../../vocabulary/ids.ts';
import type { eventDestinationSchema } from '../schemas/event-destinations.ts';
import { moment, momentOrNull } from './moments.ts';

/** The signing secret is in the answers of create and rotate_secret, and null in every other. */
export function presentEventDestination({
  row,
  url,
  secret,
}: EventDestination): Static<typeof eventDestinationSchema> {
  return {
    id: publicId('event_destination', row.id),
    object: 'event_destination',
    name: row.name,
    status: row.status,
    disabled_reason: row.disabled_reason,
    failing_since: momentOrNull(row.failing_since),
    webhook_endpoint: { url, signing_secret: secret },
    enabled_events: row.enabled_events,
    metadata: row.metadata,
    livemode: true,
    created: moment(row.created),
    updated: moment(row.updated),
  };
}
