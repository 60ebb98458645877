import type { RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import type { SyncRunRow } from './sync-runs.ts';

/**
 * A worker's hold on a run. `fence` is the number the run had when this worker took it: a worker whose number is not
 * the run's own any more writes nothing, however late it wakes.
 */
export interface RunLease {
  readonly run: RowId<'sync_run'>;
  readonly fence: number;
}

/** Takes a queued run, or a running one whose lease ended. Null when there is nothing to take. */
export async function claimRun(
  db: Db,
  run: RowId<'sync_run'>,
  now: Date,
  leaseUntil: Date,
): Promise<SyncRunRow | null> {
  const row = await db
    .updateTable('sync_runs')
    .set((eb) => ({
      status: 'running',
      fence: eb('fence', '+', 1),
      lease_until: leaseUntil,
      started_at: eb.fn.coalesce('started_at', eb.val(now)),
    }))
    .where('id', '=', run)
    .where((eb) =>
      eb.or([
        eb('status', '=', 'queued'),
        eb.and([eb('status', '=', 'running'), eb('lease_until', '<=', now)]),
      ]),
    )
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Extends the lease; with a moment in the past, gives the run up. False when another worker or an end took it. */
export async function renewLease(db: Db, lease: RunLease, leaseUntil: Date): Promise<boolean> {
  const result = await db
    .updateTable('sync_runs')
    .set({ lease_until: leaseUntil })
    .where('id', '=', lease.run)
    .where('fence', '=', lease.fence)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/**
 * Holds the run's row until the transaction ends and says whether the lease still stands. For a transaction of several
 * statements; those of a single one ask for themselves (delivery-progress.ts).
 */
export async function holdRun(trx: Trx, lease: RunLease): Promise<boolean> {
  const row = await trx
    .selectFrom('sync_runs')
    .select('id')
    .where('id', '=', lease.run)
    .where('fence', '=', lease.fence)
    .where('status', '=', 'running')
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
