import { sql } from 'kysely';
import type { OwnerId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import type { TakenBatch } from './event-batches.ts';
import type { DueDelivery } from './event-deliveries.ts';
import type { EventDestinationRow } from './event-destinations.ts';

/** A worker's lease on an event destination, like that on a run (storage/run-leases.ts). */
export type EventDestinationLease = Pick<EventDestinationRow, 'id' | 'fence'>;
type StreakColumns = Pick<EventDestinationRow, 'failures' | 'failing_since' | 'failed_at' | 'resume_at'>;

/** An event destination that was leased, and its due deliveries in the order of the events. */
export interface TakenDestination {
  readonly destination: EventDestinationRow;
  readonly due: readonly DueDelivery[];
  /** The batches that some of them are of; also those of which no event is left. */
  readonly batches: readonly TakenBatch[];
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
  readonly due: readonly DueJson[] | null;
  readonly batches: readonly TakenBatch[] | null;
  readonly more: boolean;
}
type ClaimedRow = ClaimedColumns & (EventDestinationRow | { readonly id: null });
interface DueJson extends Omit<DueDelivery, 'account_record' | 'created' | 'due_at'> {
  /** Epoch milliseconds. */
  readonly created: number;
  readonly due_at: number;
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
    with recursive pending (destination) as (
      -- From one to the next by the indexes of what is pending: neither all event destinations nor all deliveries.
      select least(
        (select destination from event_deliveries where status = 'pending' order by destination limit 1),
        (select destination from event_batches where attempts is null order by destination limit 1)
      )
      union all
      select least(
        (select destination from event_deliveries
          where status = 'pending' and destination > pending.destination order by destination limit 1),
        (select destination from event_batches
          where attempts is null and destination > pending.destination order by destination limit 1)
      ) from pending where pending.destination is not null
    ), waiting as (
      select candidate.id, candidate.account_record, candidate.fence, candidate.lease_until, oldest.due_at,
        coalesce(holding.count, 0) as held,
        row_number() over (partition by candidate.account_record order by oldest.due_at, candidate.id) as place
      from pending
      cross join lateral (
        select * from event_destinations where id = pending.destination offset 0
      ) as candidate
      cross join lateral (
        select least(
          (select due_at from event_deliveries
            where destination = candidate.id and status = 'pending' and due_at <= ${now} order by due_at limit 1),
          (select due_at from event_batches
            where destination = candidate.id and attempts is null and due_at <= ${now} order by due_at limit 1)
        ) as due_at
      ) as oldest
      left join unnest(${[...held.keys()]}::uuid[], ${[...held.values()]}::integer[]) as holding (owner, count)
        on holding.owner = candidate.account_record
      where candidate.status = 'enabled' and oldest.due_at is not null
        and coalesce(candidate.lease_until, '-infinity') <= ${now}
        and coalesce(candidate.resume_at, '-infinity') <= ${now}
    ), leased as (
      select account_record, count(*) from event_destinations where lease_until > ${now} group by account_record
    ), ranked as (
      select id, fence, lease_until, held + place as would_hold,
        row_number() over (order by coalesce(leased.count, 0) + place, due_at, id) as turn
      from waiting left join leased using (account_record)
    ), chosen as (
      -- A worker that took it and gave it back since this statement began changed the fence; one that was late and
      -- gave it back changed only the lease. Either has recorded results for what is read here.
      select candidate.id
      from event_destinations as candidate join ranked on ranked.id = candidate.id
      where ranked.turn <= ${free}::integer
        and (ranked.would_hold = 1 or ranked.would_hold + ranked.turn < ${free}::integer + 2)
        and candidate.status = 'enabled' and candidate.fence = ranked.fence
        and candidate.lease_until is not distinct from ranked.lease_until
      order by ranked.turn limit ${most}
      for update of candidate skip locked
    ), taken as (
      update event_destinations set fence = fence + 1, lease_until = ${leaseUntil}
      where id in (select id from chosen)
      returning *
    )
    select (select count(*) from waiting)::integer as waiting, taken.*, found.*
    from (select) as always
    left join taken on true
    left join lateral (
      with oldest as (
        (select due_at, position, 1 as size, event, null::uuid[] as events, null::integer as batch, attempts, log
          from event_deliveries
          where destination = taken.id and status = 'pending' and due_at <= ${now}
          order by due_at, position limit ${batch} + 1)
        union all
        (select due_at, first_position, size, null, events, first_position, 0, null
          from event_batches
          where destination = taken.id and attempts is null and due_at <= ${now}
          order by due_at, first_position limit ${batch} + 1)
      ), counted as (
        select *, sum(size) over (order by due_at, position rows unbounded preceding) as reach from oldest
      ), chosen as (
        select * from counted where reach <= ${batch} or reach = size
      )
      select (
        select json_agg(json_build_object(
          'id', event.id, 'kind', event.kind, 'subject', event.subject,
          'created', (extract(epoch from event.created) * 1000)::bigint, 'position', event.position,
          'batch', chosen.batch, 'attempts', chosen.attempts, 'log', chosen.log,
          'due_at', floor(extract(epoch from chosen.due_at) * 1000)
        ) order by chosen.due_at, event.position)
        from chosen
        cross join lateral unnest(coalesce(chosen.events, array[chosen.event])) as part (event)
        join events as event on event.id = part.event
      ) as due, (
        select json_agg(json_build_object('batch', batch, 'size', size)) from chosen where batch is not null
      ) as batches, (
        (select count(*) from counted) > (select count(*) from chosen)
        or exists (
          select from event_deliveries where destination = taken.id and status = 'pending' and due_at > ${now}
        ) or exists (
          select from event_batches where destination = taken.id and attempts is null and due_at > ${now}
        )
      ) as more
    ) as found on true`.execute(db);
  const taken = rows.flatMap((row): TakenDestination[] => {
    if (row.id === null) return [];
    const { due, batches, more, waiting: _, ...destination } = row;
    return [{ destination, due: (due ?? []).map(dueOf), batches: batches ?? [], more }];
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
  return { ...one, created: new Date(one.created), due_at: new Date(one.due_at) };
}
