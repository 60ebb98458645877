import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';
import { type IntendedRow, packIntended, rowFormOf, unpackIntended } from './intended-rows.ts';
import type { RunLease } from './run-leases.ts';
import type { DeliveryChunksTable } from './syncing-tables.ts';

/** A chunk that was started and whose outcome is not yet known. */
export interface DeliveryChunk extends Omit<Selectable<DeliveryChunksTable>, 'rows'> {
  readonly rows: readonly IntendedRow[];
  /** The form in which the rows were sent to the destination. */
  readonly rowForm: number;
}

/** Unconfirmed chunks of the sync, in the order in which they were started. */
export async function chunksInDoubt(db: Db, owner: OwnerId, sync: RowId<'sync'>): Promise<DeliveryChunk[]> {
  const chunks = await db
    .selectFrom('delivery_chunks')
    .innerJoin('syncs', 'syncs.id', 'delivery_chunks.sync')
    .selectAll('delivery_chunks')
    .where('syncs.account_record', '=', owner)
    .where('syncs.id', '=', sync)
    .orderBy('delivery_chunks.created')
    .orderBy('delivery_chunks.chunk')
    .execute();
  return chunks.map((chunk) => ({
    ...chunk,
    rows: unpackIntended(chunk.rows),
    rowForm: rowFormOf(chunk.rows),
  }));
}

/**
 * Deletes chunks that certainly did not arrive and resets the number of the last chunk started to `lastChunk`, in one
 * statement. False, with nothing done, when the lease is no longer held.
 */
export async function forgetChunks(
  db: Db,
  lease: RunLease,
  eventIds: readonly string[],
  lastChunk: number,
): Promise<boolean> {
  const { rows } = await sql`
    with held as (
      update sync_runs set chunks = ${lastChunk}
      where id = ${lease.run} and fence = ${lease.fence} and status = 'running'
      returning id
    ), gone as (
      delete from delivery_chunks using held where event_id = any(${eventIds}::uuid[])
    )
    select id from held`.execute(db);
  return rows.length === 1;
}

/** Rewrites a chunk's intent. False, with nothing done, when the lease is no longer held. */
export async function rewriteIntent(
  db: Db,
  lease: RunLease,
  { event_id, rows: intended, rowForm }: Pick<DeliveryChunk, 'event_id' | 'rows' | 'rowForm'>,
): Promise<boolean> {
  const { rows } = await sql`
    with held as (
      select id from sync_runs
      where id = ${lease.run} and fence = ${lease.fence} and status = 'running'
      for no key update
    ), written as (
      update delivery_chunks set rows = ${packIntended(intended, rowForm)} from held where event_id = ${event_id}::uuid
    )
    select id from held`.execute(db);
  return rows.length === 1;
}

/**
 * The clause that records a chunk's intent, for a statement in which `held` is the run's row if its lease is still
 * held.
 */
export function intentClause(chunk: DeliveryChunk) {
  return sql`, intent as (
      insert into delivery_chunks (event_id, sync, run, chunk, total_chunks, rows, created)
      select ${chunk.event_id}::uuid, ${chunk.sync}::uuid, ${chunk.run}::uuid, ${chunk.chunk}::int,
        ${chunk.total_chunks}::int, ${packIntended(chunk.rows, chunk.rowForm)}::text, ${chunk.created}::timestamptz
      from held
    )`;
}
