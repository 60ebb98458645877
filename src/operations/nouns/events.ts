import type { Static } from 'typebox';
import type { eventDeliverySchema, eventSchema } from '../schemas/events.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from './example-values.ts';
import type { Noun } from './noun.ts';

const run = exampleId('sync_run');

export const eventExample: Static<typeof eventSchema> = {
  id: exampleId('event'),
  object: 'event',
  type: 'sync_run.succeeded',
  created: EXAMPLE_CREATED,
  livemode: true,
  related_object: { id: run, object: 'sync_run', url: `/v2/sync_runs/${run}` },
  data: null,
};

const delivery: Static<typeof eventDeliverySchema> = {
  object: 'event_delivery',
  event: exampleId('event'),
  event_destination: exampleId('event_destination'),
  status: 'pending',
  attempt_count: 1,
  next_attempt: EXAMPLE_UPDATED,
  attempts: [
    {
      attempted: EXAMPLE_CREATED,
      duration_ms: 212,
      status_code: 500,
      failure: null,
      answer: 'Internal Server Error',
    },
  ],
};

export const eventsNoun: Noun = {
  tag: 'events',
  description: 'What happened in the last 30 days, and what was sent of it.',
  resources: {
    event: {
      description: 'Something that happened. It says what it is about; read that for the rest.',
      fields: { related_object: 'What it is about, and the path that reads it.', data: 'Always null.' },
      example: eventExample,
    },
    event_delivery: {
      description: 'What was sent of an event to one event destination.',
      fields: {
        attempt_count: 'Attempts since it was last to be sent.',
        next_attempt: 'When it is sent next; null once it has ended.',
        attempts:
          'The latest attempts, oldest first. `answer` is how an answer outside 2xx begins, at most 300 characters.',
      },
      example: delivery,
    },
  },
  operations: {
    list_events: { sent: { type: 'Kinds of events, or families such as sync_run.*.' } },
    stream_events: {
      description:
        'Server-sent events: each with its id, its type as `event`, and its body as `data`. Without `Last-Event-ID` the stream begins with what happens from now on. It ends when the key is no longer valid or the service stops; connect again with the id of the last event.',
      sent: {
        type: 'Kinds of events, or families such as sync_run.*.',
        last_event_id: 'The same as the header Last-Event-ID, for clients that cannot set it.',
      },
    },
    redeliver_event: {
      description:
        'To every enabled event destination that subscribes to it now, whether or not it has received it before.',
    },
  },
};
