import type { RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';
import { ledgerEntries } from './delivery-ledger.ts';
import type { DeliveryStream } from './delivery-streams.ts';

/**
 * The accounts of which a row with each of these ids is at the destination, as the ledger has it, in the order of the
 * streams. Ids without such a row are absent. Null where all streams are of one account.
 */
export async function accountsWithRows(
  db: Db,
  streams: readonly Pick<DeliveryStream, 'id' | 'account'>[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly RowId<'account'>[]> | null> {
  if (streams.every(({ account }) => account === streams[0]?.account)) return null;
  const found = new Map<string, RowId<'account'>[]>();
  for (const { id: stream, account } of streams) {
    for (const [id, { retired }] of await ledgerEntries(db, stream, ids)) {
      if (!retired) found.set(id, [...(found.get(id) ?? []), account]);
    }
  }
  return found;
}
