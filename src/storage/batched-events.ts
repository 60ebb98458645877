import { sql } from 'kysely';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';
import type { DeliveryAttempt } from './webhook-deliveries.ts';

type DestinationId = RowId<'event_destination'>;

/**
 * Events that a batch has at most. They get their positions together, so the first and the last are less than that many
 * positions apart.
 */
export const BATCH_EVENTS = 200;

/** Where an event is in a batch: waiting for its first attempt, or delivered by it. */
export interface BatchedEvent {
  readonly destination: DestinationId;
  readonly position: number;
  readonly dueAt: Date;
  /** Null while it waits. */
  readonly attempt: DeliveryAttempt | null;
  /** Whether a worker has the event destination, which may be sending it; or had it, and ended without a result. */
  readonly isTaken: boolean;
}

/** The batches that an event of the owner is in, one for each event destination at most. */
export async function batchesOfEvent(
  db: Db,
  owner: OwnerId,
  event: RowId<'event'>,
): Promise<readonly BatchedEvent[]> {
  const { rows } = await sql<{
    readonly destination: DestinationId;
    readonly due_at: Date;
    readonly attempts: string | null;
    readonly position: number;
    /** From one. */
    readonly place: number;
    readonly is_taken: boolean;
  }>`
    select batch.destination, batch.due_at, batch.attempts, event.position,
      array_position(batch.events, event.id) as place, receiver.lease_until is not null as is_taken
    from events as event
    join event_destinations as receiver on receiver.account_record = event.account_record
    -- A subquery for each event destination, so that no statistics make the planner read the batches of all.
    cross join lateral (
      select * from event_batches
      where destination = receiver.id
        and first_position > event.position - ${BATCH_EVENTS}::integer and first_position <= event.position
      order by first_position offset 0
    ) as batch
    where event.id = ${event} and event.account_record = ${owner} and event.id = any (batch.events)`.execute(
    db,
  );
  return rows.map(({ destination, position, due_at: dueAt, attempts, place, is_taken: isTaken }) => ({
    destination,
    position,
    dueAt,
    isTaken,
    attempt: attempts === null ? null : attemptAt(attempts, place - 1),
  }));
}

const VERSION = 1;
const Attempts = Type.Object({
  version: Type.Literal(VERSION),
  /** When each began, in epoch milliseconds, how long it took, and the status of the answer. */
  attempts: Type.Array(
    Type.Tuple([Type.Integer(), Type.Integer(), Type.Union([Type.Integer(), Type.Null()])]),
  ),
});

/** The attempts of a batch that was delivered, in the order of its events. */
export function packedAttempts(
  delivered: readonly { readonly attempt: Pick<DeliveryAttempt, 'at' | 'durationMs' | 'status'> }[],
): string {
  return JSON.stringify({
    version: VERSION,
    attempts: delivered.map(({ attempt: { at, durationMs, status } }) => [at, durationMs, status]),
  });
}

/** @throws TypeError for a format that this version does not know */
function attemptAt(packed: string, place: number): DeliveryAttempt {
  const parsed: unknown = JSON.parse(packed);
  const one = Value.Check(Attempts, parsed) ? parsed.attempts[place] : undefined;
  if (one === undefined) throw new TypeError('the attempts of a batch have an unknown form');
  const [at, durationMs, status] = one;
  return { at, durationMs, status, failure: null, answer: null };
}
