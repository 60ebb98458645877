import type { RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import { leaveStreams } from './stale-streams.ts';

/** One account's rows of one sync (delivery_streams). */
export interface DeliveryStream {
  readonly id: number;
  readonly account: RowId<'account'>;
  readonly cursor: Date | null;
  /** Whether the account is still one of the sync's. */
  readonly present: boolean;
}

/** Streams of the sync: those of its accounts in the sync's order, then those of accounts it had once. */
export async function streamsOfSync(
  db: Db,
  owner: RowId<'account_record'>,
  sync: RowId<'sync'>,
): Promise<DeliveryStream[]> {
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

/** Makes the next run read the whole window of every account; what was delivered stays known. */
export async function clearCursors(
  trx: Trx,
  owner: RowId<'account_record'>,
  sync: RowId<'sync'>,
): Promise<void> {
  await trx
    .updateTable('delivery_streams')
    .set({ cursor: null })
    .where('sync', 'in', ownedSync(trx, owner, sync))
    .execute();
}

/**
 * Forgets all that was delivered, so that the next run delivers it again (docs/sync-engine.md#disk-space). Every stream
 * gives way to a new one, which takes no longer for a million rows than for one; the rows go later (stale-streams.ts).
 */
export async function clearDeliveries(
  trx: Trx,
  owner: RowId<'account_record'>,
  sync: RowId<'sync'>,
): Promise<void> {
  const streams = await trx
    .deleteFrom('delivery_streams')
    .where('sync', 'in', ownedSync(trx, owner, sync))
    .returning(['id', 'account'])
    .execute();
  await leaveStreams(
    trx,
    sync,
    streams.map((stream) => stream.id),
  );
  await insertStreams(
    trx,
    sync,
    streams.map((stream) => stream.account),
  );
  await trx
    .deleteFrom('delivery_chunks')
    .where('sync', 'in', ownedSync(trx, owner, sync))
    .execute();
}

/** Gives each account a stream of the sync that has none yet. */
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

function ownedSync(trx: Trx, owner: RowId<'account_record'>, sync: RowId<'sync'>) {
  return trx.selectFrom('syncs').select('id').where('account_record', '=', owner).where('id', '=', sync);
}
