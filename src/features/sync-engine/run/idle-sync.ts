import type { Db } from '../../../storage/database.ts';
import { findOpenRun, timesTaken } from '../../../storage/sync-runs.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';

/**
 * How often workers have taken runs of the sync so far: the same before and after work beside runs, such as a dry run,
 * where no run wrote meanwhile. Raises `sync_already_running` while one is under way.
 */
export async function timesTakenWhileIdle(
  db: Db,
  owner: RowId<'account_record'>,
  sync: RowId<'sync'>,
): Promise<number> {
  const taken = await timesTakenUnlessRunning(db, owner, sync);
  if (taken === null) throw new ServiceError('sync_already_running');
  return taken;
}

/** The same; null while a run is under way. */
export async function timesTakenUnlessRunning(
  db: Db,
  owner: RowId<'account_record'>,
  sync: RowId<'sync'>,
): Promise<number | null> {
  if ((await findOpenRun(db, owner, sync))?.status === 'running') return null;
  return timesTaken(db, owner, sync);
}
