import type { Clock } from '../../platform/clock.ts';
import type { Trx } from '../../storage/database.ts';
import { endRun, findOpenRun, type SyncRunRow } from '../../storage/sync-runs.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { EventTrigger } from '../events/event-trigger.ts';

export interface CancellationDependencies {
  readonly clock: Clock;
  readonly events: EventTrigger;
}

/** Calls off a run that is in one of the states; null when it is in none. Its worker writes nothing more. */
export async function cancelRun(
  { clock, events }: CancellationDependencies,
  trx: Trx,
  owner: RowId<'account_record'>,
  run: RowId<'sync_run'>,
  from: readonly ('queued' | 'running')[],
): Promise<SyncRunRow | null> {
  const at = new Date(clock.now());
  const ended = await endRun(trx, owner, run, from, {
    status: 'cancelled',
    failure: null,
    retryable: null,
    at,
  });
  if (ended !== null) await events(trx, owner, 'sync_run.cancelled', run);
  return ended;
}

/** Calls off the open run of a sync whose row the caller holds, whether it waits or a worker has begun it. */
export async function cancelOpenRun(
  deps: CancellationDependencies,
  trx: Trx,
  owner: RowId<'account_record'>,
  sync: RowId<'sync'>,
): Promise<void> {
  const open = await findOpenRun(trx, owner, sync);
  if (open !== null) await cancelRun(deps, trx, owner, open.id, ['queued', 'running']);
}
