import { Type } from 'typebox';
import { ATTEMPT_FAILURES } from '../../vocabulary/event-deliveries.ts';
import { EVENT_KIND_NAMES, EVENT_KINDS, type EventKind } from '../../vocabulary/event-kinds.ts';
import { publicIdPattern } from '../../vocabulary/ids.ts';
import { EVENT_DELIVERY_STATUSES } from '../../vocabulary/states.ts';
import { idOf, livemode, nullable, oneOf, resource, timestamp } from './conventions.ts';

const NOUNS = [...new Set(Object.values(EVENT_KINDS).map(({ of }) => of))];

const RELATED_ID = NOUNS.map(publicIdPattern).join('|');

/** docs/events.md#the-body: what v2 answers is what is delivered. */
export const eventSchema = resource('event', {
  id: idOf('event'),
  object: Type.Literal('event'),
  type: oneOf(EVENT_KIND_NAMES),
  created: timestamp,
  livemode,
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
