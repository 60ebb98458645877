import { sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import { moveBy, SYNC_RUN_MOVES } from '../vocabulary/states.ts';
import type { Db, Trx } from './database.ts';
import type { SyncRunRow } from './sync-runs.ts';

/**
 * A worker's lease on a run. `fence` is the number that the run got when this worker took it: a worker whose number is
 * no longer the run's writes nothing, however late it resumes.
 */
export interface RunLease {
  readonly run: RowId<'sync_run'>;
  readonly fence: number;
}

/** Which run to take: this one, or the next one of the owners who may have another. */
export type RunChoice = { readonly run: RowId<'sync_run'> } | { readonly except: readonly OwnerId[] };

/**
 * Takes a queued run, or a running one whose lease ended. Null if there is none. Next is the run that has waited
 * longest of the owner with the fewest in progress on all machines.
 */
export async function claimRun(
  db: Db,
  choice: RunChoice,
  now: Date,
  leaseUntil: Date,
): Promise<SyncRunRow | null> {
  const row = await db
    .updateTable('sync_runs')
    .set((eb) => ({
      status: moveBy(SYNC_RUN_MOVES, 'worker starts').to,
      fence: eb('fence', '+', 1),
      lease_until: leaseUntil,
      dispatched_at: now,
      started_at: eb.fn.coalesce('started_at', eb.val(now)),
    }))
    // With `in`, the planner may run the subquery again for each row, with a different run each time.
    .where('id', '=', 'run' in choice ? choice.run : turn(db, choice.except, now))
    .where(waiting(now))
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** The id of the next run; locked, so that several workers take different runs. */
function turn(db: Db, except: readonly OwnerId[], now: Date) {
  const inWork = db
    .selectFrom('sync_runs')
    .where('status', '=', 'running')
    .where('lease_until', '>', now)
    .groupBy('account_record')
    .select((eb) => ['account_record as owner', eb.fn.countAll<number>().as('runs')]);
  let query = db
    .selectFrom('sync_runs as candidate')
    .leftJoin(inWork.as('in_work'), 'in_work.owner', 'candidate.account_record')
    .select('candidate.id')
    .where(waiting(now, 'candidate.'));
  if (except.length > 0) query = query.where('candidate.account_record', 'not in', except);
  return query
    .orderBy((eb) => eb.fn.coalesce('in_work.runs', eb.val(0)))
    .orderBy('candidate.dispatched_at')
    .orderBy('candidate.id')
    .limit(1)
    .forUpdate('candidate')
    .skipLocked();
}

/** Open and not leased by a worker. */
function waiting(now: Date, table: '' | 'candidate.' = '') {
  const status = sql.ref(`${table}status`);
  return sql<boolean>`(${status} = 'queued' or (${status} = 'running' and ${sql.ref(`${table}lease_until`)} <= ${now}))`;
}

/** How many runs are waiting, by owner, the owner of the oldest first; for at most `most` owners. */
export async function waitingRuns(
  db: Db,
  now: Date,
  most: number,
): Promise<readonly { readonly owner: OwnerId; readonly runs: number }[]> {
  const rows = await db
    .selectFrom('sync_runs')
    .select((eb) => ['account_record as owner', eb.fn.countAll<string>().as('runs')])
    .where(waiting(now))
    .groupBy('account_record')
    .orderBy((eb) => eb.fn.min('dispatched_at'))
    .limit(most)
    .execute();
  return rows.map(({ owner, runs }) => ({ owner, runs: Number(runs) }));
}

/** Releases the run: another worker may take it at once, after the others of its owner. */
export async function releaseRun(db: Db, lease: RunLease, now: Date): Promise<void> {
  await db
    .updateTable('sync_runs')
    .set({ lease_until: new Date(0), dispatched_at: now })
    .where('id', '=', lease.run)
    .where('fence', '=', lease.fence)
    .where('status', '=', 'running')
    .execute();
}

/** Extends the lease. False if another worker took the run or it has ended. */
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
 * Locks the run's row until the transaction ends, and returns whether the lease is still held. For transactions of
 * several statements; single statements check it themselves (delivery-progress.ts).
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
