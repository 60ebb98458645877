import type { Clock } from '../../platform/clock.ts';
import type { Trx } from '../../storage/database.ts';
import { endRun, findOpenRun, type SyncRunRow } from '../../storage/sync-runs.ts';
import { deleteSync } from '../../storage/syncs.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import { moveBy, SYNC_RUN_MOVES } from '../../vocabulary/states.ts';
import type { EventTrigger } from '../events/event-log.ts';

export interface CancellationDependencies {
  readonly clock: Clock;
  readonly events: EventTrigger;
}

type CancellationTrigger = Extract<(typeof SYNC_RUN_MOVES)[number], { to: 'cancelled' }>['by'];

/** Calls off a run; null when its status has no such move. Its worker writes nothing more. */
export async function cancelRun(
  { clock, events }: CancellationDependencies,
  trx: Trx,
  owner: OwnerId,
  run: RowId<'sync_run'>,
  by: CancellationTrigger,
): Promise<SyncRunRow | null> {
  const at = new Date(clock.now());
  const move = moveBy(SYNC_RUN_MOVES, by);
  const ended = await endRun(trx, owner, run, move, {
    failure: null,
    retryable: null,
    at,
  });
  if (ended !== null) await events(trx, owner, move.emits, run);
  return ended;
}

/** Calls off the open run of a sync whose row the caller holds, whether it waits or a worker has begun it. */
export async function cancelOpenRun(
  deps: CancellationDependencies,
  trx: Trx,
  owner: OwnerId,
  sync: RowId<'sync'>,
  by: CancellationTrigger,
): Promise<void> {
  const open = await findOpenRun(trx, owner, sync);
  if (open !== null) await cancelRun(deps, trx, owner, open.id, by);
}

/**
 * Deletes a sync whose row the caller holds. A run that had not ended is cancelled first, so that its
 * subscribers receive its end. False when there is no such sync.
 */
export async function deleteHeldSync(
  deps: CancellationDependencies,
  trx: Trx,
  owner: OwnerId,
  sync: RowId<'sync'>,
): Promise<boolean> {
  await cancelOpenRun(deps, trx, owner, sync, 'sync deleted');
  return deleteSync(trx, owner, sync);
}
