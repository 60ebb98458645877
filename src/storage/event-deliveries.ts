import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import { EVENT_DELIVERY_MOVES, moveBy, type StatusMove } from '../vocabulary/states.ts';
import { batchesOfEvent } from './batched-events.ts';
import { integerArray, momentArray, textArray, uuidArray } from './binary-arrays.ts';
import type { Db, Trx } from './database.ts';
import { type EndedBatch, settleBatches } from './event-batches.ts';
import type { EventDeliveriesTable } from './event-tables.ts';
import type { EventRow } from './events.ts';
import { attemptsOf, type DeliveryAttempt, loggedAttempts } from './webhook-deliveries.ts';

type DestinationId = RowId<'event_destination'>;
export type EventDeliveryRow = Selectable<EventDeliveriesTable>;

/** A delivery that is due, with its event. */
export interface DueDelivery
  extends Pick<EventDeliveryRow, 'attempts' | 'due_at' | 'log' | 'position'>,
    Omit<EventRow, 'position' | 'account_record'> {
  /** The `first_position` of the batch that it is in; null if it has a row of its own. */
  readonly batch: number | null;
}

/** The outcome of an attempt for its delivery. */
export interface DeliveryOutcome {
  readonly destination: DestinationId;
  readonly due: Pick<DueDelivery, 'id' | 'attempts' | 'due_at' | 'log' | 'position' | 'batch'>;
  /** Null if it stays pending: another attempt follows. */
  readonly moved: StatusMove<(typeof EVENT_DELIVERY_MOVES)[number]> | null;
  /** When the next attempt is due. */
  readonly dueAt: Date;
  readonly attempt: DeliveryAttempt;
}

/**
 * Schedules the event to be sent again to these event destinations, with all attempts; deliveries already waiting
 * become due at once. Nothing that a worker does to them is recorded before the transaction ends.
 */
export async function sendAgain(
  trx: Trx,
  event: EventRow & { readonly position: number },
  destinations: readonly DestinationId[],
  now: Date,
): Promise<void> {
  const batched = await batchesOfEvent(trx, event.account_record, event.id);
  // One that waits in a batch is due, with all its attempts; but its first may have begun, and its answer be lost.
  const waiting = new Set(
    batched.flatMap(({ destination, attempt, isTaken }) =>
      attempt !== null || isTaken ? [] : [destination],
    ),
  );
  const first = new Map(batched.map(({ destination, attempt }) => [destination, attempt]));
  const again = destinations.filter((destination) => !waiting.has(destination));
  if (again.length === 0) return;
  await trx
    .insertInto('event_deliveries')
    .values(
      again.map((destination) => {
        const attempt = first.get(destination) ?? null;
        return {
          event: event.id,
          destination,
          account_record: event.account_record,
          position: event.position,
          status: 'pending' as const,
          attempts: 0,
          due_at: now,
          log: attempt === null ? null : loggedAttempts([], attempt),
        };
      }),
    )
    .onConflict((conflict) =>
      conflict.columns(['event', 'destination']).doUpdateSet({
        status: moveBy(EVENT_DELIVERY_MOVES, 'sent again by the caller').to,
        attempts: 0,
        due_at: now,
      }),
    )
    .execute();
}

/** When the next delivery of each destination with waiting deliveries is due. */
export async function nextDue(
  db: Db,
  destinations: readonly DestinationId[],
): Promise<ReadonlyMap<DestinationId, Date>> {
  const { rows } = await sql<{ readonly destination: DestinationId; readonly due_at: Date }>`
    select wanted.destination, next.due_at
    from unnest(${destinations}::uuid[]) as wanted (destination)
    cross join lateral (
      select least(
        (select due_at from event_deliveries
          where destination = wanted.destination and status = 'pending' order by due_at limit 1),
        (select due_at from event_batches
          where destination = wanted.destination and attempts is null order by due_at limit 1)
      ) as due_at
    ) as next
    where next.due_at is not null`.execute(db);
  return new Map(rows.map(({ destination, due_at: dueAt }) => [destination, dueAt]));
}

/**
 * Records the outcomes of attempts, and the results for the batches that some of them are of. Deliveries that have since
 * been scheduled again, or deleted, are left as they are.
 */
export async function settleDeliveries(
  trx: Trx,
  outcomes: readonly DeliveryOutcome[],
  batches: readonly EndedBatch[],
): Promise<void> {
  const single = outcomes.filter(({ due }) => due.batch === null);
  if (single.length > 0) await updateDeliveries(trx, single);
  if (batches.length === 0) return;
  const existed = await settleBatches(trx, batches);
  const left = outcomes.filter(
    ({ destination, due: { batch }, moved }) =>
      batch !== null && moved?.to !== 'succeeded' && existed({ destination, batch }),
  );
  if (left.length > 0) await insertFailed(trx, left);
}

async function updateDeliveries(trx: Trx, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  await sql`
    update event_deliveries as delivery
    set status = ended.status, attempts = delivery.attempts + 1, due_at = ended.due_at, log = ended.log::jsonb
    from unnest(
      ${uuidArray(outcomes.map(({ due }) => due.id))}::uuid[],
      ${uuidArray(outcomes.map(({ destination }) => destination))}::uuid[],
      ${integerArray(outcomes.map(({ due }) => due.attempts))}::integer[],
      ${momentArray(outcomes.map(({ due }) => due.due_at))}::timestamptz[],
      ${textArray(outcomes.map(({ moved }) => moved?.to ?? 'pending'))}::text[],
      ${momentArray(outcomes.map(({ dueAt }) => dueAt))}::timestamptz[],
      ${textArray(outcomes.map(({ due, attempt }) => loggedAttempts(attemptsOf(due.log), attempt)))}::text[]
    ) as ended (event, destination, attempts, due_before, status, due_at, log)
    where delivery.event = ended.event and delivery.destination = ended.destination
      and delivery.status = 'pending' and delivery.attempts = ended.attempts
      and date_trunc('milliseconds', delivery.due_at) = ended.due_before`.execute(trx);
}

/** Adds deliveries that failed in a batch. An event that is being deleted is skipped: waiting for it could deadlock. */
async function insertFailed(trx: Trx, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  await sql`
    insert into event_deliveries (event, destination, account_record, position, status, attempts, due_at, log)
    select event.id, ended.destination, event.account_record, event.position, ended.status, 1, ended.due_at,
      ended.log::jsonb
    from unnest(
      ${uuidArray(outcomes.map(({ due }) => due.id))}::uuid[],
      ${uuidArray(outcomes.map(({ destination }) => destination))}::uuid[],
      ${textArray(outcomes.map(({ moved }) => moved?.to ?? 'pending'))}::text[],
      ${momentArray(outcomes.map(({ dueAt }) => dueAt))}::timestamptz[],
      ${textArray(outcomes.map(({ attempt }) => loggedAttempts([], attempt)))}::text[]
    ) as ended (event, destination, status, due_at, log)
    join events as event on event.id = ended.event
    for key share of event skip locked
    on conflict do nothing`.execute(trx);
}

/** Deliveries of an event, by event destination. */
export async function deliveriesOfEvent(
  db: Db,
  owner: OwnerId,
  event: RowId<'event'>,
): Promise<readonly EventDeliveryRow[]> {
  const batched = await batchesOfEvent(db, owner, event);
  const single = await db
    .selectFrom('event_deliveries')
    .selectAll()
    .where('account_record', '=', owner)
    .where('event', '=', event)
    .execute();
  const known = new Set(single.map(({ destination }) => destination));
  const others = batched
    .filter(({ destination }) => !known.has(destination))
    .map(
      ({ destination, position, dueAt, attempt }): EventDeliveryRow => ({
        event,
        destination,
        account_record: owner,
        position,
        status: attempt === null ? 'pending' : 'succeeded',
        attempts: attempt === null ? 0 : 1,
        due_at: dueAt,
        log: attempt === null ? null : JSON.parse(loggedAttempts([], attempt)),
      }),
    );
  return [...single, ...others].toSorted((one, other) => (one.destination < other.destination ? 1 : -1));
}
