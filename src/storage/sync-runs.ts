import type { Selectable } from 'kysely';
import { firstRowIdAt } from '../platform/row-id.ts';
import type { ErrorCode } from '../vocabulary/error-codes.ts';
import { type OwnerId, type RowId, rowId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { RunEndMove, SyncRunStatus } from '../vocabulary/states.ts';
import type { RunFailureCode } from '../vocabulary/syncs.ts';
import type { Db, Trx } from './database.ts';
import { ownedRow } from './owned-rows.ts';
import { selectPage } from './pages.ts';
import { MAINTENANCE_MS, withStatementDeadline } from './statement-deadline.ts';
import type { SyncRunAccountsTable, SyncRunsTable } from './syncing-tables.ts';

export type SyncRunRow = Selectable<SyncRunsTable>;
export type SyncRunAccountRow = Selectable<SyncRunAccountsTable>;

export interface NewRun
  extends Pick<
    SyncRunRow,
    | 'id'
    | 'account_record'
    | 'sync'
    | 'destination'
    | 'trigger'
    | 'actor_kind'
    | 'actor_id'
    | 'request_id'
    | 'range_from'
    | 'range_to'
    | 'created'
  > {}

/** Queues a run with a line for each account. False, with nothing done, if the sync already has an open run. */
export async function insertRun(
  trx: Trx,
  run: NewRun,
  accounts: readonly RowId<'account'>[],
): Promise<boolean> {
  const inserted = await trx
    .insertInto('sync_runs')
    .values({
      ...run,
      status: 'queued',
      failure: null,
      retryable: null,
      lease_until: null,
      dispatched_at: run.created,
      started_at: null,
      completed_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted === undefined) return false;
  await insertLines(trx, run.id, accounts);
  return true;
}

/**
 * Adds a line for each of these accounts, which are now the sync's, to its open run, if there is one. A queued run
 * loses the lines of all other accounts; a running one may already have delivered rows of those.
 */
export async function followAccounts(
  trx: Trx,
  owner: OwnerId,
  sync: RowId<'sync'>,
  accounts: readonly RowId<'account'>[],
): Promise<void> {
  const run = await trx
    .selectFrom('sync_runs')
    .select(['id', 'status'])
    .where('account_record', '=', owner)
    .where('sync', '=', sync)
    .where('status', 'in', ['queued', 'running'])
    .forUpdate()
    .executeTakeFirst();
  if (run === undefined) return;
  if (run.status === 'queued') await trx.deleteFrom('sync_run_accounts').where('run', '=', run.id).execute();
  await insertLines(trx, run.id, accounts);
}

async function insertLines(
  trx: Trx,
  run: RowId<'sync_run'>,
  accounts: readonly RowId<'account'>[],
): Promise<void> {
  if (accounts.length === 0) return;
  const line = { run, status: 'waiting', failure: null } as const;
  await trx
    .insertInto('sync_run_accounts')
    .values(accounts.map((account, position) => ({ ...line, account, position })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findRun(db: Db, owner: OwnerId, id: RowId<'sync_run'>): Promise<SyncRunRow | null> {
  return ownedRow(db.selectFrom('sync_runs').selectAll(), owner, id);
}

/** The run of the sync that is queued or running. */
export async function findOpenRun(db: Db, owner: OwnerId, sync: RowId<'sync'>): Promise<SyncRunRow | null> {
  const row = await db
    .selectFrom('sync_runs')
    .selectAll()
    .where('account_record', '=', owner)
    .where('sync', '=', sync)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst();
  return row ?? null;
}

/** How often workers have taken runs of the sync; changes whenever one is taken. */
export async function timesTaken(db: Db, owner: OwnerId, sync: RowId<'sync'>): Promise<number> {
  const row = await db
    .selectFrom('sync_runs')
    .select((eb) => eb.fn.sum<string | null>('fence').as('taken'))
    .where('account_record', '=', owner)
    .where('sync', '=', sync)
    .executeTakeFirst();
  return Number(row?.taken ?? 0);
}

export async function listRuns(
  db: Db,
  owner: OwnerId,
  filter: { sync: RowId<'sync'>; statuses: readonly SyncRunStatus[]; createdAfter: Date },
  page: PageRequest,
): Promise<Page<SyncRunRow>> {
  let query = db
    .selectFrom('sync_runs')
    .selectAll()
    .where('account_record', '=', owner)
    .where('sync', '=', filter.sync)
    .where('created', '>', filter.createdAfter);
  if (filter.statuses.length > 0) query = query.where('status', 'in', filter.statuses);
  return selectPage(query, page);
}

/** The newest run of each sync. */
export async function latestRuns(
  db: Db,
  owner: OwnerId,
  syncs: readonly RowId<'sync'>[],
): Promise<ReadonlyMap<RowId<'sync'>, SyncRunRow>> {
  if (syncs.length === 0) return new Map();
  const rows = await db
    .selectFrom('sync_runs')
    .selectAll()
    .distinctOn('sync')
    .where('account_record', '=', owner)
    .where('sync', 'in', syncs)
    .orderBy('sync')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.sync, row]));
}

/** The newest run of a sync that a worker has started; null if there is none. */
export async function latestStarted(
  db: Db,
  owner: OwnerId,
  sync: RowId<'sync'>,
): Promise<RowId<'sync_run'> | null> {
  const row = await db
    .selectFrom('sync_runs')
    .select('id')
    .where('account_record', '=', owner)
    .where('sync', '=', sync)
    .where('started_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Whether a run after the sync's last successful one, and before this one, started to write a chunk. */
export async function wroteSinceSuccess(
  db: Db,
  { id, account_record: owner, sync }: Pick<SyncRunRow, 'id' | 'account_record' | 'sync'>,
): Promise<boolean> {
  const wrote = await db
    .selectFrom('sync_runs as earlier')
    .select('earlier.id')
    .where('earlier.account_record', '=', owner)
    .where('earlier.sync', '=', sync)
    .where('earlier.id', '<', id)
    .where('earlier.chunks', '>', 0)
    .where('earlier.status', '<>', 'succeeded')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sync_runs as success')
            .select('success.id')
            .whereRef('success.sync', '=', 'earlier.sync')
            .whereRef('success.id', '>', 'earlier.id')
            .where('success.id', '<', id)
            .where('success.status', '=', 'succeeded'),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return wrote !== undefined;
}

/** The lines of each run, in the sync's order of accounts. */
export async function linesOfRuns(
  db: Db,
  owner: OwnerId,
  runs: readonly RowId<'sync_run'>[],
): Promise<ReadonlyMap<RowId<'sync_run'>, readonly SyncRunAccountRow[]>> {
  const found = new Map<RowId<'sync_run'>, SyncRunAccountRow[]>(runs.map((run) => [run, []]));
  if (runs.length === 0) return found;
  const rows = await db
    .selectFrom('sync_run_accounts')
    .innerJoin('sync_runs', 'sync_runs.id', 'sync_run_accounts.run')
    .selectAll('sync_run_accounts')
    .where('sync_runs.account_record', '=', owner)
    .where('sync_run_accounts.run', 'in', runs)
    .orderBy('sync_run_accounts.position')
    .execute();
  for (const row of rows) found.get(row.run)?.push(row);
  return found;
}

/** Ends an open run; waiting lines become incomplete. Null if its status has no such move. */
export async function endRun(
  trx: Trx,
  owner: OwnerId,
  id: RowId<'sync_run'>,
  move: RunEndMove,
  end: { failure: RunFailureCode | null; retryable: boolean | null; at: Date },
): Promise<SyncRunRow | null> {
  const row = await trx
    .updateTable('sync_runs')
    .set({
      status: move.to,
      failure: end.failure,
      retryable: end.retryable,
      completed_at: end.at,
      lease_until: null,
    })
    .where('account_record', '=', owner)
    .where('id', '=', id)
    .where('status', 'in', move.from)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  await trx
    .updateTable('sync_run_accounts')
    .set({ status: 'incomplete' })
    .where('run', '=', id)
    .where('status', '=', 'waiting')
    .execute();
  return row;
}

/** Records on the lines of the connection's accounts why they were not delivered completely. */
export async function failLinesOfConnection(
  trx: Trx,
  run: RowId<'sync_run'>,
  connection: RowId<'connection'>,
  failure: ErrorCode,
): Promise<void> {
  await trx
    .updateTable('sync_run_accounts')
    .set({ status: 'failed', failure })
    .where('run', '=', run)
    .where('account', 'in', (query) =>
      query.selectFrom('accounts').select('id').where('connection', '=', connection),
    )
    .execute();
}

/** Removes finished runs created before the given time. Ids are in order of time, so that no other index is needed. */
export async function pruneRuns(db: Db, before: Date): Promise<void> {
  const old = db
    .deleteFrom('sync_runs')
    .where('id', '<', rowId('sync_run', firstRowIdAt(before.getTime())))
    .where('created', '<', before)
    .where('status', 'in', ['succeeded', 'failed', 'cancelled']);
  await withStatementDeadline(MAINTENANCE_MS, () => old.execute());
}

/** Voids every lease and dispatch: only correct if this is the only process, and before it takes a run. */
export async function voidLeases(db: Db, epoch: Date): Promise<void> {
  await db
    .updateTable('sync_runs')
    .set({ lease_until: epoch, dispatched_at: epoch })
    .where('status', 'in', ['queued', 'running'])
    .execute();
}

export interface RunLineChange {
  readonly status?: SyncRunAccountRow['status'];
  readonly failure?: ErrorCode | null;
  readonly processed?: number;
  readonly skipped_by_rules?: number;
}

export async function updateLine(
  trx: Trx,
  run: RowId<'sync_run'>,
  account: RowId<'account'>,
  change: RunLineChange,
): Promise<void> {
  await trx
    .updateTable('sync_run_accounts')
    .set(change)
    .where('run', '=', run)
    .where('account', '=', account)
    .execute();
}

/** Sets how many rows were read in all; for a caller that has locked the run's row. */
export async function setReadCounts(
  trx: Trx,
  run: RowId<'sync_run'>,
  read: { readonly processed: number; readonly skipped: number },
): Promise<void> {
  await trx
    .updateTable('sync_runs')
    .set({ processed: read.processed, skipped_by_rules: read.skipped })
    .where('id', '=', run)
    .execute();
}

/**
 * Adds rows that could not be read to those that were rejected; for a caller that has locked the run's row. `unlisted`:
 * how many of the run's rejected rows are not recorded.
 */
export async function addRejected(
  trx: Trx,
  run: RowId<'sync_run'>,
  accounts: ReadonlyMap<RowId<'account'>, { readonly count: number }>,
  unlisted: number,
): Promise<void> {
  let sum = 0;
  for (const [account, { count }] of accounts) {
    if (count === 0) continue;
    sum += count;
    await trx
      .updateTable('sync_run_accounts')
      .set((eb) => ({ rejected: eb('rejected', '+', count) }))
      .where('run', '=', run)
      .where('account', '=', account)
      .execute();
  }
  await trx
    .updateTable('sync_runs')
    .set((eb) => ({
      rejected: eb('rejected', '+', sum),
      rejected_unlisted: eb('rejected_unlisted', '+', unlisted),
    }))
    .where('id', '=', run)
    .execute();
}
