import type { Trx } from '../storage/database.ts';
import { findOpenRun } from '../storage/sync-runs.ts';
import { deleteSync } from '../storage/syncs.ts';
import type { RowId } from '../vocabulary/ids.ts';
import { type CancellationDependencies, cancelRun } from './run-cancellation.ts';

/**
 * Deletes a sync whose row the caller holds. A run that had not ended is cancelled first, so that whoever watches it
 * hears of its end. False when there is no such sync.
 */
export async function deleteHeldSync(
  deps: CancellationDependencies,
  trx: Trx,
  owner: RowId<'account_record'>,
  sync: RowId<'sync'>,
): Promise<boolean> {
  const open = await findOpenRun(trx, owner, sync);
  if (open !== null) await cancelRun(deps, trx, owner, open.id, ['queued', 'running']);
  return deleteSync(trx, owner, sync);
}
