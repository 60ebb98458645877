import type { Trx } from '../storage/database.ts';
import { enabledSyncsOfConnection, lockSync, updateSync } from '../storage/syncs.ts';
import type { RowId } from '../vocabulary/ids.ts';
import type { EventTrigger } from './event-trigger.ts';

/**
 * Disables every sync that reads the connection (SPEC, connection.status): for the transaction in which the connection
 * is revoked, while its accounts are still there to tell which syncs those are. A run under way ends by itself, since
 * the accounts cannot be read any more.
 */
export async function disableSyncsOfConnection(
  trx: Trx,
  owner: RowId<'account_record'>,
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
  }
}
