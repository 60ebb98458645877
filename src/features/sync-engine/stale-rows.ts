import { deleteStaleRows } from '../../storage/stale-streams.ts';
import type { RunContext } from './run-context.ts';

/**
 * Deletes what a resync left in the ledger before its run writes there, so that the new rows take the room of the old
 * ones. Of others' rows nothing has to wait: they go in the background. Raises when the run has to stop.
 */
export async function clearStaleRows(
  { db, run, reading }: Pick<RunContext, 'db' | 'run' | 'reading'>,
  reclaim: () => Promise<void>,
): Promise<void> {
  if (run.trigger !== 'resync') return;
  let found = false;
  while (await deleteStaleRows(db, run.sync)) {
    found = true;
    reading.throwIfAborted();
  }
  if (found) await reclaim();
}
