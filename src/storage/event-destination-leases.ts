import { sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import type { EventDestinationRow } from './event-destinations.ts';

type Owner = RowId<'account_record'>;

/** A worker's hold on an event destination, as of a run (storage/run-leases.ts). */
export type EventDestinationLease = Pick<EventDestinationRow, 'id' | 'fence'>;

/**
 * Takes an enabled event destination that nobody holds and at which something is due. The turn is that of the owner with
 * the fewest in hand on all machines, and of the destination whose oldest delivery has waited longest.
 *
 * @param except owners who have their share
 */
export async function claimEventDestination(
  db: Db,
  except: readonly Owner[],
  now: Date,
  leaseUntil: Date,
): Promise<EventDestinationRow | null> {
  const { rows } = await sql<EventDestinationRow>`
    update event_destinations
    set fence = fence + 1, lease_until = ${leaseUntil}
    where id = (
      select candidate.id
      from event_destinations as candidate
      cross join lateral (
        select due_at from event_deliveries
        where destination = candidate.id and status = 'pending' and due_at <= ${now}
        order by due_at limit 1
      ) as oldest
      where candidate.status = 'enabled'
        and coalesce(candidate.lease_until, '-infinity') <= ${now}
        and coalesce(candidate.resume_at, '-infinity') <= ${now}
        and candidate.account_record <> all (${except}::uuid[])
      order by (
        select count(*) from event_destinations as other
        where other.account_record = candidate.account_record and other.lease_until > ${now}
      ), oldest.due_at, candidate.id
      limit 1
      for update of candidate skip locked
    )
    returning *`.execute(db);
  return rows[0] ?? null;
}

/** Holds the row until the transaction ends. Null when another worker took the destination, or it is gone. */
export async function holdEventDestination(
  trx: Trx,
  { id, fence }: EventDestinationLease,
): Promise<EventDestinationRow | null> {
  const row = await trx
    .selectFrom('event_destinations')
    .selectAll()
    .where('id', '=', id)
    .where('fence', '=', fence)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Extends the lease, or ends it. */
export async function setEventDestinationLease(
  db: Db,
  { id, fence }: EventDestinationLease,
  leaseUntil: Date | null,
): Promise<void> {
  await db
    .updateTable('event_destinations')
    .set({ lease_until: leaseUntil })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .execute();
}

/** Ends every lease: no other process can be working. */
export async function voidEventDestinationLeases(db: Db): Promise<void> {
  await db
    .updateTable('event_destinations')
    .set({ lease_until: null })
    .where('lease_until', 'is not', null)
    .execute();
}
