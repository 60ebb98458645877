import type { Selectable } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import type { DeliveryChunksTable } from './syncing-tables.ts';

/** A chunk that was begun and of which nobody knows yet whether it arrived. */
export type DeliveryChunk = Selectable<DeliveryChunksTable>;

export async function insertChunk(trx: Trx, chunk: DeliveryChunk): Promise<void> {
  await trx
    .insertInto('delivery_chunks')
    .values({ ...chunk, rows: JSON.stringify(chunk.rows) })
    .execute();
}

export async function deleteChunk(trx: Trx, eventId: string): Promise<void> {
  await trx.deleteFrom('delivery_chunks').where('event_id', '=', eventId).execute();
}

/** Chunks of the sync in doubt, in the order in which they were begun. */
export async function chunksInDoubt(
  db: Db,
  owner: RowId<'account_record'>,
  sync: RowId<'sync'>,
): Promise<DeliveryChunk[]> {
  return db
    .selectFrom('delivery_chunks')
    .innerJoin('syncs', 'syncs.id', 'delivery_chunks.sync')
    .selectAll('delivery_chunks')
    .where('syncs.account_record', '=', owner)
    .where('syncs.id', '=', sync)
    .orderBy('delivery_chunks.created')
    .orderBy('delivery_chunks.chunk')
    .execute();
}
