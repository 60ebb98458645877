import { sql } from 'kysely';
import type { OwnerId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import type { EventRow } from './events.ts';

/** Owners of events without a position, by their ids; after `after`, or from the first. */
export async function ownersOfWaitingEvents(
  db: Db,
  after: OwnerId | null,
  limit: number,
): Promise<readonly OwnerId[]> {
  let query = db
    .selectFrom('events')
    .select('account_record')
    .distinct()
    .where('position', 'is', null)
    .orderBy('account_record')
    .limit(limit);
  if (after !== null) query = query.where('account_record', '>', after);
  const rows = await query.execute();
  return rows.map(({ account_record: owner }) => owner);
}

/**
 * Assigns positions to the owner's oldest events without one, and returns them in that order. Only one transaction at a
 * time does so for an owner, until it ends: an event that becomes visible later gets a later position.
 */
export async function placeEvents(trx: Trx, owner: OwnerId, limit: number): Promise<readonly EventRow[]> {
  // A separate statement, so that the next one sees everything committed before this transaction got the lock.
  const position = await lockPosition(trx, owner);
  const { rows } = await sql<EventRow>`
    with placed as (
      update events set position = ${position}::integer + waiting.place::integer
      from (
        select id, row_number() over (order by id) as place
        from (
          select id from events
          where account_record = ${owner} and position is null
          order by id limit ${limit}
        ) as oldest
      ) as waiting
      where events.id = waiting.id
      returning events.*
    ), moved as (
      update event_positions set position = ${position}::integer + (select count(*) from placed)::integer
      where account_record = ${owner} and exists (select from placed)
    )
    select * from placed order by position`.execute(trx);
  return rows;
}

async function lockPosition(trx: Trx, owner: OwnerId): Promise<number> {
  const locked = () =>
    trx
      .selectFrom('event_positions')
      .select('position')
      .where('account_record', '=', owner)
      .forUpdate()
      .executeTakeFirst();
  const known = await locked();
  if (known !== undefined) return known.position;
  await trx
    .insertInto('event_positions')
    .values({ account_record: owner, position: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await locked())?.position ?? 0;
}

/** The last position assigned to an event of the owner; 0 before the first. */
export async function lastPosition(db: Db, owner: OwnerId): Promise<number> {
  const row = await db
    .selectFrom('event_positions')
    .select('position')
    .where('account_record', '=', owner)
    .executeTakeFirst();
  return row?.position ?? 0;
}
