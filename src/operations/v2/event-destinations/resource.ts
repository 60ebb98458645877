import { type Static, Type } from 'typebox';
import type { EventDestination } from '../../../features/event-destinations/event-destinations.ts';
import { DISABLED_REASONS } from '../../../vocabulary/event-deliveries.ts';
import { EVENT_SELECTORS } from '../../../vocabulary/event-selectors.ts';
import { publicId } from '../../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';
import { EVENT_DESTINATION_STATUSES } from '../../../vocabulary/states.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from '../docs/examples.ts';
import { eventExample } from '../events/resource.ts';
import {
  idOf,
  livemode,
  metadataInput,
  metadataPatch,
  metadataShown,
  moment,
  momentOrNull,
  nullable,
  oneOf,
  resource,
  text,
  timestamp,
} from '../schema/conventions.ts';

/** docs/events.md#event-destinations */
export const eventDestinationSchema = resource('event_destination', {
  id: idOf('event_destination'),
  object: Type.Literal('event_destination'),
  name: Type.String(),
  status: oneOf(EVENT_DESTINATION_STATUSES),
  disabled_reason: nullable(oneOf(DISABLED_REASONS)),
  failing_since: nullable(timestamp),
  webhook_endpoint: Type.Object(
    {
      url: Type.String(),
      signing_secret: nullable(Type.String({ description: 'Shown only by create and rotate_secret.' })),
    },
    { additionalProperties: false },
  ),
  enabled_events: Type.Array(oneOf(EVENT_SELECTORS)),
  metadata: metadataShown,
  livemode,
  created: timestamp,
  updated: timestamp,
});

const name = text(FIXED_LIMITS.name_characters);
const endpoint = Type.Object({ url: Type.String({ minLength: 1, maxLength: FIXED_LIMITS.url_characters }) });
const enabledEvents = Type.Array(oneOf(EVENT_SELECTORS), { minItems: 1, maxItems: EVENT_SELECTORS.length });

export const createEventDestinationBody = Type.Object({
  name,
  webhook_endpoint: endpoint,
  enabled_events: enabledEvents,
  metadata: Type.Optional(nullable(metadataInput)),
});

export const updateEventDestinationBody = Type.Object({
  name: Type.Optional(name),
  webhook_endpoint: Type.Optional(endpoint),
  enabled_events: Type.Optional(enabledEvents),
  metadata: Type.Optional(metadataPatch),
});

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

const idExample = exampleId('event_destination');
export const urlExample = 'https://ledger.invalid/hooks/events';

export const eventDestinationExample: Static<typeof eventDestinationSchema> = {
  id: idExample,
  object: 'event_destination',
  name: 'Ledger service',
  status: 'enabled',
  disabled_reason: null,
  failing_since: null,
  webhook_endpoint: { url: urlExample, signing_secret: null },
  enabled_events: ['sync_run.*', 'connection.expiring'],
  metadata: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_UPDATED,
};
export const withSecretExample = {
  ...eventDestinationExample,
  webhook_endpoint: { url: urlExample, signing_secret: 'whsec_RVhBTVBMRUVYQU1QTEVFWEFNUExF' },
};
export const pingExample = {
  ...eventExample,
  type: 'event_destination.ping',
  related_object: { id: idExample, object: 'event_destination', url: `/v2/event_destinations/${idExample}` },
};

export const eventDestinationsDocs: Readonly<Record<string, ResourceDocs>> = {
  event_destination: {
    description: 'An address that receives events.',
    fields: {
      disabled_reason:
        'owner: disabled by a request; failing: its deliveries failed for days; gone: it answered 410.',
      failing_since:
        'When the first of the latest attempts failed, if none has succeeded since; it starts again after two days without an attempt.',
      enabled_events: 'Kinds of events, families such as sync_run.*, or * for all.',
    },
    example: eventDestinationExample,
  },
};
