import { type Static, Type } from 'typebox';
import { eventBody } from '../../../features/events/event-body.ts';
import type { EventDeliveryRow } from '../../../storage/event-deliveries.ts';
import type { EventRow } from '../../../storage/events.ts';
import { attemptsOf } from '../../../storage/webhook-deliveries.ts';
import { ATTEMPT_FAILURES } from '../../../vocabulary/event-deliveries.ts';
import { EVENT_KIND_NAMES, EVENT_KINDS, type EventKind } from '../../../vocabulary/event-kinds.ts';
import { publicId, publicIdPattern } from '../../../vocabulary/ids.ts';
import { EVENT_DELIVERY_STATUSES } from '../../../vocabulary/states.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from '../docs/examples.ts';
import { idOf, livemode, moment, nullable, oneOf, resource, timestamp } from '../schema/conventions.ts';

const NOUNS = [...new Set(Object.values(EVENT_KINDS).map(({ of }) => of))];

const RELATED_ID = NOUNS.map(publicIdPattern).join('|');

/** docs/events.md#the-body: what v2 answers is what is delivered. */
export const eventSchema = resource('event', {
  id: idOf('event'),
  object: Type.Literal('event'),
  type: oneOf(EVENT_KIND_NAMES),
  created: timestamp,
  livemode,
  account_record: idOf('account_record'),
  related_object: Type.Object(
    { id: Type.String({ pattern: RELATED_ID }), object: oneOf(NOUNS), url: Type.String() },
    { additionalProperties: false },
  ),
  data: Type.Null(),
});

/** The body of an event of one kind, as its receivers can rely on it; named after the kind. */
export function eventSchemaOf(kind: EventKind) {
  return resource(`event_${kind.replace('.', '_')}`, {
    ...eventSchema.properties,
    type: Type.Literal(kind),
    related_object: Type.Object(
      { id: idOf(EVENT_KINDS[kind].of), object: Type.Literal(EVENT_KINDS[kind].of), url: Type.String() },
      { additionalProperties: false },
    ),
  });
}

export const attemptSchema = Type.Object(
  {
    attempted: timestamp,
    duration_ms: Type.Integer({ minimum: 0 }),
    status_code: nullable(Type.Integer()),
    failure: nullable(oneOf(ATTEMPT_FAILURES)),
    answer: nullable(Type.String()),
  },
  { additionalProperties: false },
);

/** docs/events.md#deliveries */
export const eventDeliverySchema = resource('event_delivery', {
  object: Type.Literal('event_delivery'),
  event: idOf('event'),
  event_destination: idOf('event_destination'),
  status: oneOf(EVENT_DELIVERY_STATUSES),
  attempt_count: Type.Integer({ minimum: 0 }),
  next_attempt: nullable(timestamp),
  attempts: Type.Array(attemptSchema),
});

/** An event as it is delivered. */
export function presentEvent(row: EventRow): Static<typeof eventSchema> {
  return eventBody(row);
}

/** What was sent of an event to one event destination, and what is still to be. */
export function presentEventDelivery(row: EventDeliveryRow): Static<typeof eventDeliverySchema> {
  return {
    object: 'event_delivery',
    event: publicId('event', row.event),
    event_destination: publicId('event_destination', row.destination),
    status: row.status,
    attempt_count: row.attempts,
    next_attempt: row.status === 'pending' ? moment(row.due_at) : null,
    attempts: presentAttempts(row.log),
  };
}

/** Attempts of a stored log, oldest first. */
export function presentAttempts(log: unknown): Static<typeof eventDeliverySchema>['attempts'] {
  return attemptsOf(log).map(({ at, durationMs, status, failure, answer }) => ({
    attempted: moment(new Date(at)),
    duration_ms: durationMs,
    status_code: status,
    failure,
    answer,
  }));
}

const runExample = exampleId('sync_run');

export const eventExample: Static<typeof eventSchema> = {
  id: exampleId('event'),
  object: 'event',
  type: 'sync_run.succeeded',
  created: EXAMPLE_CREATED,
  livemode: true,
  account_record: exampleId('account_record'),
  related_object: { id: runExample, object: 'sync_run', url: `/v2/sync_runs/${runExample}` },
  data: null,
};

const deliveryExample: Static<typeof eventDeliverySchema> = {
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

export const eventsDocs: Readonly<Record<string, ResourceDocs>> = {
  event: {
    description: 'Something that happened. It says what it is about; read that for the rest.',
    fields: {
      account_record: 'Whose it is, acc_…: the id of `GET /v2/me`.',
      related_object: 'What it is about, and the path that reads it.',
      data: 'Always null.',
    },
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
    example: deliveryExample,
  },
};
