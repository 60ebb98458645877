import type { Trx } from '../../storage/database.ts';
import { deleteSync } from '../../storage/syncs.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { type CancellationDependencies, cancelOpenRun } from './run-cancellation.ts';

/**
 * Deletes a sync whose row the caller holds. A run that had not ended is cancelled first, so that its
 * subscribers receive its end. False when there is no such sync.
 */
export async function deleteHeldSync(
  deps: CancellationDependencies,
  trx: Trx,
  owner: RowId<'account_record'>,
  sync: RowId<'sync'>,
): Promise<boolean> {
  await cancelOpenRun(deps, trx, owner, sync, 'sync deleted');
  return deleteSync(trx, owner, sync);
}
