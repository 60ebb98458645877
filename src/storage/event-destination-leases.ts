import { sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import type { EventDestinationRow } from './event-destinations.ts';

type Owner = RowId<'account_record'>;

/** A worker's hold on an event destination, as of a run (storage/run-leases.ts). */
export type EventDestinationLease = Pick<EventDestinationRow, 'id' | 'fence'>;

/** What attempts to deliver change about an event destination. */
export type AttemptsChange = Partial<
  Pick<
    EventDestinationRow,
    'failures' | 'failing_since' | 'resume_at' | 'status' | 'disabled_reason' | 'updated'
  >
>;

/**
 * Takes enabled event destinations that nobody holds and at which something is due. The next turn is always that of the
 * owner with the fewest in hand on all machines, and of the destination whose oldest delivery has waited longest.
 *
 * @param except owners who have their share
 */
export async function claimEventDestinations(
  db: Db,
  except: readonly Owner[],
  now: Date,
  leaseUntil: Date,
  limit: number,
): Promise<readonly EventDestinationRow[]> {
  const { rows } = await sql<EventDestinationRow>`
    with ready as (
      select candidate.id, oldest.due_at, coalesce(held.count, 0) + row_number() over (
        partition by candidate.account_record order by oldest.due_at, candidate.id
      ) as turn
      from event_destinations as candidate
      cross join lateral (
        select due_at from event_deliveries
        where destination = candidate.id and status = 'pending' and due_at <= ${now}
        order by due_at limit 1
      ) as oldest
      left join (
        select account_record, count(*) as count from event_destinations where lease_until > ${now} group by 1
      ) as held on held.account_record = candidate.account_record
      where candidate.status = 'enabled'
        and coalesce(candidate.lease_until, '-infinity') <= ${now}
        and coalesce(candidate.resume_at, '-infinity') <= ${now}
        and candidate.account_record <> all (${except}::uuid[])
    )
    update event_destinations
    set fence = fence + 1, lease_until = ${leaseUntil}
    where id in (
      select free.id from event_destinations as free
      join (select id, turn, due_at from ready order by turn, due_at, id limit ${limit}) as next
        on next.id = free.id
      where free.status = 'enabled' and coalesce(free.lease_until, '-infinity') <= ${now}
      order by next.turn, next.due_at, next.id
      for update of free skip locked
    )
    returning *`.execute(db);
  return rows;
}

/**
 * Gives the destination back with what follows from its latest attempts, unless it was disabled meanwhile: then it is
 * only given back. Null when another worker took it, or it is gone.
 */
export async function releaseEventDestination(
  trx: Trx,
  { id, fence }: EventDestinationLease,
  change: AttemptsChange,
): Promise<EventDestinationRow | null> {
  const released = trx
    .updateTable('event_destinations')
    .set({ lease_until: null })
    .where('id', '=', id)
    .where('fence', '=', fence);
  const changed = await released
    .set(change)
    .where('status', '=', 'enabled')
    .returningAll()
    .executeTakeFirst();
  return changed ?? (await released.returningAll().executeTakeFirst()) ?? null;
}

/** Ends every lease: no other process can be working. */
export async function voidEventDestinationLeases(db: Db): Promise<void> {
  await db
    .updateTable('event_destinations')
    .set({ lease_until: null })
    .where('lease_until', 'is not', null)
    .execute();
}
