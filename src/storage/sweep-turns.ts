import type { RowId } from '../vocabulary/ids.ts';
import { lockAccountRecord } from './account-records.ts';
import type { Db } from './database.ts';
import { holdRun, type RunLease } from './run-leases.ts';

/**
 * Lets the run sweep if fewer than `atOnce` other runs of the account record do. A turn ends with its run, and with the
 * lease of a worker that died. False when there is no turn, and when the lease does not stand.
 */
export async function takeSweepTurn(
  db: Db,
  owner: RowId<'account_record'>,
  lease: RunLease,
  atOnce: number,
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await lockAccountRecord(trx, owner);
    if (!(await holdRun(trx, lease))) return false;
    const others = await trx
      .selectFrom('sync_runs')
      .select('id')
      .where('account_record', '=', owner)
      .where('id', '!=', lease.run)
      .where('status', '=', 'running')
      .where('sweeping', '=', true)
      .where('lease_until', '>', now)
      .limit(atOnce)
      .execute();
    if (others.length >= atOnce) return false;
    await trx.updateTable('sync_runs').set({ sweeping: true }).where('id', '=', lease.run).execute();
    return true;
  });
}
