import type { Static } from 'typebox';
import { eventBody } from '../../features/events/event-body.ts';
import { attemptsOf } from '../../storage/delivery-attempts.ts';
import type { EventDeliveryRow } from '../../storage/event-deliveries.ts';
import type { EventRow } from '../../storage/events.ts';
import { publicId } from '../../vocabulary/ids.ts';
import type { eventDeliverySchema, eventSchema } from '../schemas/events.ts';
import { moment } from './moments.ts';

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
