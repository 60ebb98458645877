import type { Trx } from '../../storage/database.ts';
import { requireFullSweep } from '../../storage/stream-readings.ts';
import { accountsOfSyncs, type SyncRow } from '../../storage/syncs.ts';
import { RowPlaces } from './row-places.ts';

/** Has what was delivered of the accounts read again whose rows go elsewhere than before (RowPlaces). */
export async function followMappings(trx: Trx, before: SyncRow, after: SyncRow): Promise<void> {
  const { id, account_record: owner } = after;
  const [old, now] = [new RowPlaces(before), new RowPlaces(after)];
  const accounts = (await accountsOfSyncs(trx, owner, [id])).get(id) ?? [];
  const moved = accounts.filter((account) => old.summary(account) !== now.summary(account));
  await requireFullSweep(trx, owner, id, moved);
}
