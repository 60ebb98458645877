import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import { EVENT_DELIVERY_MOVES, moveBy, type StatusMove } from '../vocabulary/states.ts';
import type { Db, Trx } from './database.ts';
import type { EventDeliveriesTable } from './event-tables.ts';
import type { EventRow } from './events.ts';

type DestinationId = RowId<'event_destination'>;
export type EventDeliveryRow = Selectable<EventDeliveriesTable>;

/** Which event goes to which event destination. */
export interface NewDelivery {
  readonly event: Pick<EventRow, 'id' | 'position'>;
  readonly destination: DestinationId;
}

/** A delivery that is due, with its event. */
export type DueDelivery = Pick<EventDeliveryRow, 'attempts' | 'log'> &
  Omit<EventRow, 'position' | 'account_record'>;

/** The outcome of an attempt for its delivery. */
export interface DeliveryOutcome {
  readonly destination: DestinationId;
  readonly event: RowId<'event'>;
  /** Attempts before this one. */
  readonly attempts: number;
  /** Null if it stays pending: another attempt follows. */
  readonly moved: StatusMove<(typeof EVENT_DELIVERY_MOVES)[number]> | null;
  readonly dueAt: Date;
  /** storage/delivery-attempts.ts */
  readonly log: string;
}

/** Adds deliveries that are due at once. One that exists is kept as it is. */
export async function insertDeliveries(
  trx: Trx,
  owner: OwnerId,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<void> {
  if (deliveries.length === 0) return;
  await sql`
    insert into event_deliveries (event, destination, account_record, position, status, due_at)
    select given.event, given.destination, ${owner}, given.position, 'pending', ${now}::timestamptz
    from unnest(
      ${deliveries.map(({ event }) => event.id)}::uuid[],
      ${deliveries.map(({ destination }) => destination)}::uuid[],
      ${deliveries.map(({ event }) => event.position ?? 0)}::integer[]
    ) as given (event, destination, position)
    on conflict do nothing`.execute(trx);
}

/**
 * Schedules the event to be sent again to these event destinations, with all attempts; deliveries already waiting
 * become due at once.
 */
export async function sendAgain(
  trx: Trx,
  event: EventRow & { readonly position: number },
  destinations: readonly DestinationId[],
  now: Date,
): Promise<void> {
  await trx
    .insertInto('event_deliveries')
    .values(
      destinations.map((destination) => ({
        event: event.id,
        destination,
        account_record: event.account_record,
        position: event.position,
        status: 'pending' as const,
        attempts: 0,
        due_at: now,
        log: null,
      })),
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
      select due_at from event_deliveries
      where destination = wanted.destination and status = 'pending'
      order by due_at limit 1
    ) as next`.execute(db);
  return new Map(rows.map(({ destination, due_at: dueAt }) => [destination, dueAt]));
}

/**
 * Records the outcomes of attempts. Deliveries that have since been scheduled again, or deleted, are left as they are.
 */
export async function settleDeliveries(trx: Trx, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  await sql`
    update event_deliveries as delivery
    set status = ended.status, attempts = delivery.attempts + 1, due_at = ended.due_at, log = ended.log::jsonb
    from unnest(
      ${outcomes.map(({ event }) => event)}::uuid[],
      ${outcomes.map(({ destination }) => destination)}::uuid[],
      ${outcomes.map(({ attempts }) => attempts)}::integer[],
      ${outcomes.map(({ moved }) => moved?.to ?? 'pending')}::text[],
      ${outcomes.map(({ dueAt }) => dueAt)}::timestamptz[],
      ${outcomes.map(({ log }) => log)}::text[]
    ) as ended (event, destination, attempts, status, due_at, log)
    where delivery.event = ended.event and delivery.destination = ended.destination
      and delivery.status = 'pending' and delivery.attempts = ended.attempts`.execute(trx);
}

/** Deliveries of an event, by event destination. */
export async function deliveriesOfEvent(
  db: Db,
  owner: OwnerId,
  event: RowId<'event'>,
): Promise<readonly EventDeliveryRow[]> {
  return db
    .selectFrom('event_deliveries')
    .selectAll()
    .where('account_record', '=', owner)
    .where('event', '=', event)
    .orderBy('destination', 'desc')
    .execute();
}
