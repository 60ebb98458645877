import { sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';

/** Rows deleted in one statement: the embedded database does that many in about 50 milliseconds. */
const BATCH_ROWS = 2_000;

/** Leaves the rows of streams that are no more to `deleteStaleRows`. */
export async function leaveStreams(trx: Trx, sync: RowId<'sync'>, streams: readonly number[]): Promise<void> {
  if (streams.length === 0) return;
  await trx
    .insertInto('stale_streams')
    .values(streams.map((stream) => ({ stream, sync })))
    .execute();
}

/**
 * Deletes a batch of ledger rows of streams that are no more, of one sync or of any, and says whether there may be more.
 * A million rows in one statement would hold up the embedded database for many seconds. Any number of processes may do
 * it; each takes a stream of its own.
 */
export async function deleteStaleRows(db: Db, sync: RowId<'sync'> | null): Promise<boolean> {
  const whose = sync === null ? sql`` : sql`where sync = ${sync}::uuid`;
  const { rows } = await sql`
    with stale as materialized (
      select stream from stale_streams ${whose} order by stream limit 1 for update skip locked
    ), gone as (
      delete from delivery_ledger where ctid = any (array(
        select entry.ctid from stale join delivery_ledger as entry on entry.stream = stale.stream
        limit ${sql.lit(BATCH_ROWS)}
      ))
      returning 1
    ), ended as (
      delete from stale_streams using stale
      where stale_streams.stream = stale.stream and (select count(*) from gone) < ${sql.lit(BATCH_ROWS)}
    )
    select stream from stale`.execute(db);
  return rows.length > 0;
}
