import type { App } from '../app/build.ts';
import { findSync } from '../storage/syncs.ts';
import { parsePublicId, type RowId } from '../vocabulary/ids.ts';
import { CommandFailure, usageFailure } from './failure.ts';

/** The operator's own machine: whichever account record has the sync. */
export async function ownedSync(
  { services, database }: App,
  text: string,
): Promise<{ readonly owner: RowId<'account_record'>; readonly id: RowId<'sync'> }> {
  const id = parsePublicId('sync', text);
  if (id === null) throw usageFailure(`"${text}" is no id of a sync (sync_…).`);
  for (const { id: owner } of await services.accountRecords.list()) {
    if ((await findSync(database.db, owner, id)) !== null) return { owner, id };
  }
  throw new CommandFailure(`There is no sync ${text}. List the syncs with GET /v2/syncs.`);
}
