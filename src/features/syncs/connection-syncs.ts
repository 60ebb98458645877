import type { Trx } from '../../storage/database.ts';
import { endRun, failLinesOfConnection, findOpenRun, type SyncRunRow } from '../../storage/sync-runs.ts';
import { enabledSyncsOfConnection, lockSync, updateSync } from '../../storage/syncs.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import { moveBy, SYNC_RUN_MOVES } from '../../vocabulary/states.ts';
import type { EventTrigger } from '../events/event-log.ts';

/**
 * Disables every sync that reads the connection (docs/resources.md#connection) and ends its open run, with the
 * reason on the lines of the connection's accounts. For the transaction in which the connection is revoked, while its
 * accounts still show which syncs read it. A worker that has the run writes nothing more.
 */
export async function disableSyncsOfConnection(
  trx: Trx,
  owner: OwnerId,
  connection: RowId<'connection'>,
  now: Date,
  events: EventTrigger,
): Promise<void> {
  for (const sync of await enabledSyncsOfConnection(trx, owner, connection)) {
    const held = await lockSync(trx, owner, sync);
    await updateSync(trx, owner, sync, {
      enabled: false,
      next_run_at: null,
      attention: 'connection_lost',
      updated: now,
    });
    if (held?.attention !== 'connection_lost') await events(trx, owner, 'sync.attention', sync);
    const open = await findOpenRun(trx, owner, sync);
    if (open !== null) await endForLostConnection(trx, open, connection, now, events);
  }
}

async function endForLostConnection(
  trx: Trx,
  { account_record: owner, id }: SyncRunRow,
  connection: RowId<'connection'>,
  at: Date,
  events: EventTrigger,
): Promise<void> {
  // The run's row first: a worker that is writing lines has locked it.
  const move = moveBy(SYNC_RUN_MOVES, 'failed');
  const end = { failure: 'run_failed', retryable: false, at } as const;
  if ((await endRun(trx, owner, id, move, end)) === null) return;
  await failLinesOfConnection(trx, id, connection, 'upstream_auth_failed');
  await events(trx, owner, move.emits, id);
}
