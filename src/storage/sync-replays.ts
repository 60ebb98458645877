import { sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';

/** Has runs of the sync wait until `until`, or until it is given back; forgets what processes that died left behind. */
export async function holdSync(
  db: Db,
  sync: RowId<'sync'>,
  id: string,
  now: Date,
  until: Date,
): Promise<void> {
  await sql`
    with expired as (
      delete from sync_replays where sync = ${sync} and until <= ${now}::timestamptz
    )
    insert into sync_replays (id, sync, until)
    select ${id}::uuid, id, ${until}::timestamptz from syncs where id = ${sync}`.execute(db);
}

export async function giveSyncBack(db: Db, id: string): Promise<void> {
  await db.deleteFrom('sync_replays').where('id', '=', id).execute();
}

/** Whether a chunk of a replay is being sent. */
export async function isSyncHeld(db: Db, sync: RowId<'sync'>, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('sync_replays')
    .select('id')
    .where('sync', '=', sync)
    .where('until', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
