import type { Static } from 'typebox';
import type { eventDestinationSchema } from '../schemas/event-destinations.ts';
import { eventExample } from './events.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from './example-values.ts';
import type { Noun } from './noun.ts';

const id = exampleId('event_destination');
const url = 'https://ledger.invalid/hooks/events';

const eventDestination: Static<typeof eventDestinationSchema> = {
  id,
  object: 'event_destination',
  name: 'Ledger service',
  status: 'enabled',
  disabled_reason: null,
  failing_since: null,
  webhook_endpoint: { url, signing_secret: null },
  enabled_events: ['sync_run.*', 'connection.expiring'],
  metadata: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_UPDATED,
};
const withSecret = {
  ...eventDestination,
  webhook_endpoint: { url, signing_secret: 'whsec_RVhBTVBMRUVYQU1QTEVFWEFNUExF' },
};
const ping = {
  ...eventExample,
  type: 'event_destination.ping',
  related_object: { id, object: 'event_destination', url: `/v2/event_destinations/${id}` },
};

export const eventDestinationsNoun: Noun = {
  tag: 'event_destinations',
  description: 'Addresses that are notified of what happens, by signed events.',
  resources: {
    event_destination: {
      description: 'An address that receives events.',
      fields: {
        disabled_reason:
          'owner: disabled by a request; failing: its deliveries failed for days; gone: it answered 410.',
        failing_since:
          'When the first of the latest attempts failed, if none has succeeded since; anew after two days without an attempt.',
        enabled_events: 'Kinds of events, families such as sync_run.*, or * for all.',
      },
      example: eventDestination,
    },
  },
  operations: {
    create_event_destination: {
      description: 'The address must be public and use HTTPS on port 443. An account has at most 10.',
      body: {
        name: eventDestination.name,
        webhook_endpoint: { url },
        enabled_events: eventDestination.enabled_events,
      },
      answer: withSecret,
    },
    update_event_destination: {
      description: 'What waits to be sent goes to the new address. A metadata key set to null is removed.',
      body: { enabled_events: ['*'] },
    },
    delete_event_destination: { description: 'What waits to be sent is not sent any more.' },
    disable_event_destination: {
      description:
        'What waits to be sent waits until it is enabled; what happens until then is not sent to it.',
      answer: { ...eventDestination, status: 'disabled', disabled_reason: 'owner' },
    },
    enable_event_destination: { description: 'Forgets earlier failures, and sends what waited.' },
    rotate_event_destination_secret: { answer: withSecret },
    ping_event_destination: {
      description: 'Answers with the event, so that the receiver can be asked whether it came.',
      answer: ping,
    },
  },
};
