import { sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';

/** One account's rows of one sync (delivery_streams). */
export interface DeliveryStream {
  readonly id: number;
  readonly account: RowId<'account'>;
  readonly cursor: Date | null;
  /** How many resyncs there were. MACs of another generation match no content, so every row is sent again. */
  readonly generation: number;
  /** Whether a resync has rows left to send. */
  readonly redelivering: boolean;
  /** Whether the account is still one of the sync's. */
  readonly present: boolean;
}

/** Streams of the sync: those of its accounts in the sync's order, then those of former accounts. */
export async function streamsOfSync(db: Db, owner: OwnerId, sync: RowId<'sync'>): Promise<DeliveryStream[]> {
  const rows = await db
    .selectFrom('delivery_streams')
    .innerJoin('syncs', 'syncs.id', 'delivery_streams.sync')
    .leftJoin('sync_accounts', (join) =>
      join
        .onRef('sync_accounts.sync', '=', 'delivery_streams.sync')
        .onRef('sync_accounts.account', '=', 'delivery_streams.account'),
    )
    .select([
      'delivery_streams.id',
      'delivery_streams.account',
      'delivery_streams.cursor',
      'delivery_streams.generation',
      'delivery_streams.redelivering',
      'sync_accounts.position',
    ])
    .where('syncs.account_record', '=', owner)
    .where('syncs.id', '=', sync)
    .orderBy('sync_accounts.position', (order) => order.asc().nullsLast())
    .execute();
  return rows.map(({ position, ...stream }) => ({ ...stream, present: position !== null }));
}

export async function moveCursor(trx: Trx, stream: number, cursor: Date): Promise<void> {
  await trx.updateTable('delivery_streams').set({ cursor }).where('id', '=', stream).execute();
}

/** Makes the next run read the whole window of every account; the ledger is kept. */
export async function clearCursors(trx: Trx, owner: OwnerId, sync: RowId<'sync'>): Promise<void> {
  await trx
    .updateTable('delivery_streams')
    .set({ cursor: null })
    .where('sync', 'in', ownedSync(trx, owner, sync))
    .execute();
}

/**
 * Makes the next run send everything since the sync's first day again (docs/sync-engine.md#resyncs), which takes as
 * long for a million rows as for one. The ledger keeps what the destination has, except chunks whose outcome is
 * unknown: their rows are sent like all others.
 */
export async function requestRedelivery(trx: Trx, owner: OwnerId, sync: RowId<'sync'>): Promise<void> {
  await trx
    .updateTable('delivery_streams')
    .set((eb) => ({ cursor: null, generation: eb('generation', '+', 1), redelivering: true }))
    .where('sync', 'in', ownedSync(trx, owner, sync))
    .execute();
  await trx
    .deleteFrom('delivery_chunks')
    .where('sync', 'in', ownedSync(trx, owner, sync))
    .execute();
}

/** The account was read and sent completely. */
export async function endRedelivery(trx: Trx, stream: number): Promise<void> {
  await trx
    .updateTable('delivery_streams')
    .set({ redelivering: false })
    .where('id', '=', stream)
    .where('redelivering', '=', true)
    .execute();
}

/** Creates a stream of the sync for each account without one. */
export async function insertStreams(
  trx: Trx,
  sync: RowId<'sync'>,
  accounts: readonly RowId<'account'>[],
): Promise<void> {
  if (accounts.length === 0) return;
  await trx
    .insertInto('delivery_streams')
    .values(accounts.map((account) => ({ sync, account, cursor: null })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function ownedSync(trx: Trx, owner: OwnerId, sync: RowId<'sync'>) {
  return trx.selectFrom('syncs').select('id').where('account_record', '=', owner).where('id', '=', sync);
}

/** Rows deleted in one statement: about 50 milliseconds in the embedded database. */
const BATCH_ROWS = 2_000;

/** Leaves the rows of deleted streams to `deleteStaleRows`. */
export async function leaveStreams(trx: Trx, sync: RowId<'sync'>, streams: readonly number[]): Promise<void> {
  if (streams.length === 0) return;
  await trx
    .insertInto('stale_streams')
    .values(streams.map((stream) => ({ stream, sync })))
    .execute();
}

/**
 * Deletes a batch of ledger rows of deleted streams, of one sync or of any, and returns whether there may be more. A
 * million rows in one statement would block the embedded database for many seconds. Any number of processes may do it;
 * each takes a different stream.
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
