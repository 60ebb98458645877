import { sql } from 'kysely';
import type { OwnerId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import type { DueDelivery } from './event-deliveries.ts';
import type { EventDestinationRow } from './event-destinations.ts';

/** A worker's lease on an event destination, like that on a run (storage/run-leases.ts). */
export type EventDestinationLease = Pick<EventDestinationRow, 'id' | 'fence'>;
type StreakColumns = Pick<EventDestinationRow, 'failures' | 'failing_since' | 'failed_at' | 'resume_at'>;

/** An event destination that was leased, and its due deliveries in the order of the events. */
export interface TakenDestination {
  readonly destination: EventDestinationRow;
  readonly due: readonly DueDelivery[];
  /** Whether other deliveries are waiting for it, due or not. */
  readonly more: boolean;
}

export interface Claim {
  readonly taken: readonly TakenDestination[];
  /** Whether nothing is due at any other event destination without a lease. */
  readonly isAll: boolean;
}

/** The slots that a process has for event destinations. */
export interface Places {
  readonly free: number;
  /** Event destinations in progress, by owner. */
  readonly held: ReadonlyMap<OwnerId, number>;
}

/**
 * One row for each destination, with its deliveries as JSON, so that a result stays cheap with any number of
 * deliveries.
 */
interface ClaimedColumns {
  /** How many destinations have due deliveries. */
  readonly waiting: number;
  readonly due: readonly DueJson[];
  readonly later: boolean;
}
type ClaimedRow = ClaimedColumns & (EventDestinationRow | { readonly id: null });
interface DueJson extends Omit<DueDelivery, 'account_record' | 'created'> {
  /** Epoch milliseconds. */
  readonly created: number;
}

/**
 * Leases enabled event destinations that have due deliveries and no lease, with those deliveries. Next is the owner
 * with the fewest in progress on all machines, and of theirs the destination whose oldest delivery has waited longest.
 * No owner gets more slots than `mayTake` of platform/fair-slots.ts allows with a share of 1.
 *
 * @param most destinations at once
 * @param batch deliveries of one destination
 */
export async function claimEventDestinations(
  db: Db,
  { free, held }: Places,
  { most, batch }: { readonly most: number; readonly batch: number },
  now: Date,
  leaseUntil: Date,
): Promise<Claim> {
  const { rows } = await sql<ClaimedRow>`
    with waiting as (
      select candidate.id, candidate.account_record, candidate.fence, oldest.due_at, coalesce(holding.count, 0) as held,
        row_number() over (partition by candidate.account_record order by oldest.due_at, candidate.id) as place
      from event_destinations as candidate
      cross join lateral (
        select due_at from event_deliveries
        where destination = candidate.id and status = 'pending' and due_at <= ${now}
        order by due_at limit 1
      ) as oldest
      left join unnest(${[...held.keys()]}::uuid[], ${[...held.values()]}::integer[]) as holding (owner, count)
        on holding.owner = candidate.account_record
      where candidate.status = 'enabled'
        and coalesce(candidate.lease_until, '-infinity') <= ${now}
        and coalesce(candidate.resume_at, '-infinity') <= ${now}
    ), leased as (
      select account_record, count(*) from event_destinations where lease_until > ${now} group by account_record
    ), ranked as (
      select id, fence, held + place as would_hold,
        row_number() over (order by coalesce(leased.count, 0) + place, due_at, id) as turn
      from waiting left join leased using (account_record)
    ), chosen as (
      -- Who took it and gave it back since this statement began has another fence, and has sent what is read here.
      select candidate.id
      from event_destinations as candidate join ranked on ranked.id = candidate.id
      where ranked.turn <= ${free}::integer
        and (ranked.would_hold = 1 or ranked.would_hold + ranked.turn < ${free}::integer + 2)
        and candidate.status = 'enabled' and candidate.fence = ranked.fence
      order by ranked.turn limit ${most}
      for update of candidate skip locked
    ), taken as (
      update event_destinations set fence = fence + 1, lease_until = ${leaseUntil}
      where id in (select id from chosen)
      returning *
    )
    select (select count(*) from waiting)::integer as waiting, taken.*, exists (
      select from event_deliveries
      where destination = taken.id and status = 'pending' and due_at > ${now}
    ) as later, (
      select coalesce(json_agg(json_build_object(
        'id', event.id, 'kind', event.kind, 'subject', event.subject,
        'created', (extract(epoch from event.created) * 1000)::bigint,
        'attempts', delivery.attempts, 'log', delivery.log
      ) order by delivery.due_at, delivery.position), '[]')
      from (
        select event, due_at, position, attempts, log from event_deliveries
        where destination = taken.id and status = 'pending' and due_at <= ${now}
        order by due_at, position limit ${batch}
      ) as delivery
      join events as event on event.id = delivery.event
    ) as due
    from (select) as always left join taken on true`.execute(db);
  const taken = rows.flatMap((row): TakenDestination[] => {
    if (row.id === null) return [];
    const { due, later, waiting: _, ...destination } = row;
    return [{ destination, due: due.map(dueOf), more: later || due.length === batch }];
  });
  return { taken, isAll: taken.length === (rows[0]?.waiting ?? 0) };
}

/** Locks rows until the transaction ends: those whose fence is still the same. */
export async function holdEventDestinations(
  trx: Trx,
  leases: readonly EventDestinationLease[],
): Promise<readonly Pick<EventDestinationRow, 'id' | 'status'>[]> {
  // In the order of their ids, so that two transactions that lock several cannot deadlock.
  const { rows } = await sql<Pick<EventDestinationRow, 'id' | 'status'>>`
    select destination.id, destination.status
    from event_destinations as destination
    join unnest(${leases.map(({ id }) => id)}::uuid[], ${leases.map(({ fence }) => fence)}::integer[])
      as lease (id, fence) on lease.id = destination.id and lease.fence = destination.fence
    order by destination.id
    for no key update of destination`.execute(trx);
  return rows;
}

/** Releases event destinations that this transaction has locked, and records the result of each. */
export async function giveBackEventDestinations(
  trx: Trx,
  given: readonly (Pick<EventDestinationRow, 'id'> & { readonly change: StreakColumns | null })[],
): Promise<void> {
  await sql`
    update event_destinations as destination
    set lease_until = null,
      failures = case when given.changes then given.failures else destination.failures end,
      failing_since = case when given.changes then given.failing_since else destination.failing_since end,
      failed_at = case when given.changes then given.failed_at else destination.failed_at end,
      resume_at = case when given.changes then given.resume_at else destination.resume_at end
    from unnest(
      ${given.map(({ id }) => id)}::uuid[],
      ${given.map(({ change }) => change !== null)}::boolean[],
      ${given.map(({ change }) => change?.failures ?? 0)}::integer[],
      ${given.map(({ change }) => change?.failing_since ?? null)}::timestamptz[],
      ${given.map(({ change }) => change?.failed_at ?? null)}::timestamptz[],
      ${given.map(({ change }) => change?.resume_at ?? null)}::timestamptz[]
    ) as given (id, changes, failures, failing_since, failed_at, resume_at)
    where destination.id = given.id`.execute(trx);
}

/** Ends every lease: no other process can be working. */
export async function voidEventDestinationLeases(db: Db): Promise<void> {
  await db
    .updateTable('event_destinations')
    .set({ lease_until: null })
    .where('lease_until', 'is not', null)
    .execute();
}

function dueOf(one: DueJson): DueDelivery {
  return { ...one, created: new Date(one.created) };
}
