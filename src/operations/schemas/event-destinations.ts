import { Type } from 'typebox';
import { DISABLED_REASONS } from '../../vocabulary/event-deliveries.ts';
import { EVENT_SELECTORS } from '../../vocabulary/event-selectors.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { EVENT_DESTINATION_STATUSES } from '../../vocabulary/states.ts';
import {
  idOf,
  livemode,
  metadataInput,
  metadataPatch,
  metadataShown,
  nullable,
  oneOf,
  resource,
  text,
  timestamp,
} from './conventions.ts';

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
