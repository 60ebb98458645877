import type { OwnerId } from '../vocabulary/ids.ts';
import { lockAccountRecord } from './account-records.ts';
import type { Db } from './database.ts';
import { holdRun, type RunLease } from './run-leases.ts';

/**
 * Lets the run sweep if fewer than `atOnce` other runs of the account record are sweeping. Permission ends with the
 * run, and with the lease of a worker that died. False if it is not granted, or the lease is no longer held.
 */
export async function takeSweepTurn(
  db: Db,
  owner: OwnerId,
  lease: RunLease,
  atOnce: number,
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await lockAccountRecord(trx, owner);
    if (!(await holdRun(trx, lease))) return false;
    const others = await sweeping(trx, owner, now).where('id', '!=', lease.run).limit(atOnce).execute();
    if (others.length >= atOnce) return false;
    await trx.updateTable('sync_runs').set({ sweeping: true }).where('id', '=', lease.run).execute();
    return true;
  });
}

/** Whether a run of the account record that started now would be allowed to sweep. Does not claim it. */
export async function hasSweepTurn(db: Db, owner: OwnerId, atOnce: number, now: Date): Promise<boolean> {
  return (await sweeping(db, owner, now).limit(atOnce).execute()).length < atOnce;
}

function sweeping(db: Db, owner: OwnerId, now: Date) {
  return db
    .selectFrom('sync_runs')
    .select('id')
    .where('account_record', '=', owner)
    .where('status', '=', 'running')
    .where('sweeping', '=', true)
    .where('lease_until', '>', now);
}
