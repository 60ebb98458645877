import { sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import type { EventRow } from './events.ts';

type Owner = RowId<'account_record'>;

/** Owners of events that have no place yet; whose have waited longest first. */
export async function ownersOfWaitingEvents(db: Db, limit: number): Promise<readonly Owner[]> {
  const rows = await db
    .selectFrom('events')
    .select('account_record')
    .where('position', 'is', null)
    .groupBy('account_record')
    .orderBy((eb) => eb.fn.min('created'))
    .limit(limit)
    .execute();
  return rows.map(({ account_record: owner }) => owner);
}

/**
 * Gives the owner's oldest events without one their places, and answers them in that order. One transaction at a time
 * does so for an owner, until it ends: an event that appears later has a later place.
 */
export async function placeEvents(trx: Trx, owner: Owner, limit: number): Promise<readonly EventRow[]> {
  const { position } = await trx
    .insertInto('event_positions')
    .values({ account_record: owner, position: 0 })
    .onConflict((conflict) =>
      conflict
        .column('account_record')
        .doUpdateSet((eb) => ({ position: eb.ref('event_positions.position') })),
    )
    .returning('position')
    .executeTakeFirstOrThrow();
  const { rows } = await sql<EventRow>`
    update events set position = ${position} + waiting.place::integer
    from (
      select id, row_number() over (order by id) as place
      from (
        select id from events
        where account_record = ${owner} and position is null
        order by id limit ${limit}
      ) as oldest
    ) as waiting
    where events.id = waiting.id
    returning events.*`.execute(trx);
  const placed = rows.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
  const last = placed.at(-1)?.position ?? null;
  if (last !== null) {
    await trx
      .updateTable('event_positions')
      .set({ position: last })
      .where('account_record', '=', owner)
      .execute();
  }
  return placed;
}

/** The last place that was given to an event of the owner; 0 before the first. */
export async function lastPosition(db: Db, owner: Owner): Promise<number> {
  const row = await db
    .selectFrom('event_positions')
    .select('position')
    .where('account_record', '=', owner)
    .executeTakeFirst();
  return row?.position ?? 0;
}
