import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { SyncStatus } from '../vocabulary/states.ts';
import type { SyncType } from '../vocabulary/syncs.ts';
import type { Db, Trx } from './database.ts';
import { insertStreams, leaveStreams } from './delivery-streams.ts';
import { jsonColumn } from './json-column.ts';
import { owned, ownedRow } from './owned-rows.ts';
import { selectPage } from './pages.ts';
import type { SyncsTable } from './syncing-tables.ts';

export type SyncRow = Selectable<SyncsTable>;
/** A sync and whether a run of it is queued or running, which determine its status. */
export type SyncWithState = SyncRow & { readonly running: boolean };
export type SyncChange = Partial<Omit<SyncRow, 'id' | 'account_record' | 'destination' | 'type' | 'created'>>;

export interface SyncFilter {
  readonly status?: readonly SyncStatus[];
  readonly enabled?: boolean;
  readonly destination?: RowId<'destination'>;
}

const RUNNING = sql<boolean>`exists (
  select 1 from sync_runs where sync_runs.sync = syncs.id and sync_runs.status in ('queued', 'running')
)`;

export async function insertSync(
  trx: Trx,
  row: SyncRow,
  accounts: readonly RowId<'account'>[],
): Promise<void> {
  await trx
    .insertInto('syncs')
    .values({
      ...row,
      account_mappings: jsonColumn(row.account_mappings),
      category_mappings: jsonColumn(row.category_mappings),
      options: jsonColumn(row.options),
      metadata: jsonColumn(row.metadata),
    })
    .execute();
  await insertSyncAccounts(trx, row.id, accounts);
}

/** Replaces the sync's accounts, in the order given. Streams of removed accounts are kept. */
export async function replaceSyncAccounts(
  trx: Trx,
  owner: OwnerId,
  sync: RowId<'sync'>,
  accounts: readonly RowId<'account'>[],
): Promise<void> {
  await trx
    .deleteFrom('sync_accounts')
    .where('sync', 'in', (query) =>
      query.selectFrom('syncs').select('id').where('account_record', '=', owner).where('id', '=', sync),
    )
    .execute();
  await insertSyncAccounts(trx, sync, accounts);
}

async function insertSyncAccounts(
  trx: Trx,
  sync: RowId<'sync'>,
  accounts: readonly RowId<'account'>[],
): Promise<void> {
  if (accounts.length === 0) return;
  const rows = accounts.map((account, position) => ({ sync, account, position }));
  await trx.insertInto('sync_accounts').values(rows).execute();
  await insertStreams(trx, sync, accounts);
}

export async function findSync(db: Db, owner: OwnerId, id: RowId<'sync'>): Promise<SyncWithState | null> {
  return ownedRow(db.selectFrom('syncs').selectAll().select(RUNNING.as('running')), owner, id);
}

/** Whose the sync is, for the operator, who names it by its id alone; null if there is none. */
export async function ownerOfSync(db: Db, id: RowId<'sync'>): Promise<OwnerId | null> {
  const row = await db.selectFrom('syncs').select('account_record').where('id', '=', id).executeTakeFirst();
  return row?.account_record ?? null;
}

/**
 * The row, locked until the transaction ends: runs of a sync begin and end under this lock. Code that also locks the
 * run's row locks this one first.
 */
export async function lockSync(trx: Trx, owner: OwnerId, id: RowId<'sync'>): Promise<SyncRow | null> {
  return ownedRow(trx.selectFrom('syncs').selectAll().forNoKeyUpdate(), owner, id);
}

export async function listSyncs(
  db: Db,
  owner: OwnerId,
  filter: SyncFilter,
  page: PageRequest,
): Promise<Page<SyncWithState>> {
  let query = db
    .selectFrom('syncs')
    .selectAll()
    .select(RUNNING.as('running'))
    .where('account_record', '=', owner);
  if (filter.enabled !== undefined) query = query.where('enabled', '=', filter.enabled);
  if (filter.destination !== undefined) query = query.where('destination', '=', filter.destination);
  if (filter.status !== undefined && filter.status.length > 0) {
    query = query.where(STATUS, 'in', filter.status);
  }
  return selectPage(query, page);
}

/** The same rule as statusOfSync in features/syncs/syncs.ts, for the filter. */
const STATUS = sql<SyncStatus>`case when ${RUNNING} then 'running' when attention is not null then 'attention' else 'idle' end`;

export async function updateSync(
  db: Db,
  owner: OwnerId,
  id: RowId<'sync'>,
  change: SyncChange,
): Promise<void> {
  const { account_mappings, category_mappings, options, metadata, ...rest } = change;
  await db
    .updateTable('syncs')
    .set({
      ...rest,
      account_mappings: jsonColumn(account_mappings),
      category_mappings: jsonColumn(category_mappings),
      options: jsonColumn(options),
      metadata: jsonColumn(metadata),
    })
    .where('account_record', '=', owner)
    .where('id', '=', id)
    .execute();
}

/**
 * Deletes the sync and its runs; its ledger rows are deleted in batches (`deleteStaleRows`). The runs are deleted first:
 * a worker that is still writing locks its run's row, so nothing is written to the ledger afterwards.
 */
export async function deleteSync(trx: Trx, owner: OwnerId, id: RowId<'sync'>): Promise<boolean> {
  const streams = await trx
    .selectFrom('delivery_streams')
    .innerJoin('syncs', 'syncs.id', 'delivery_streams.sync')
    .select('delivery_streams.id')
    .where('syncs.account_record', '=', owner)
    .where('syncs.id', '=', id)
    .execute();
  const deleted = await owned(trx.deleteFrom('syncs'), owner, id).executeTakeFirst();
  if (deleted.numDeletedRows === 0n) return false;
  await trx.deleteFrom('delivery_chunks').where('sync', '=', id).execute();
  await leaveStreams(
    trx,
    id,
    streams.map((stream) => stream.id),
  );
  return true;
}

/** Accounts of each sync, in their order. */
export async function accountsOfSyncs(
  db: Db,
  owner: OwnerId,
  ids: readonly RowId<'sync'>[],
): Promise<ReadonlyMap<RowId<'sync'>, readonly RowId<'account'>[]>> {
  const found = new Map<RowId<'sync'>, RowId<'account'>[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return found;
  const rows = await db
    .selectFrom('sync_accounts')
    .innerJoin('syncs', 'syncs.id', 'sync_accounts.sync')
    .select(['sync_accounts.sync', 'sync_accounts.account'])
    .where('syncs.account_record', '=', owner)
    .where('sync_accounts.sync', 'in', ids)
    .orderBy('sync_accounts.position')
    .execute();
  for (const row of rows) found.get(row.sync)?.push(row.account);
  return found;
}

/** Every sync of the owner, oldest first. */
export async function syncIdsOf(db: Db, owner: OwnerId): Promise<RowId<'sync'>[]> {
  const rows = await db
    .selectFrom('syncs')
    .select('id')
    .where('account_record', '=', owner)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function countOwnedSyncs(db: Db, owner: OwnerId): Promise<number> {
  const row = await db
    .selectFrom('syncs')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_record', '=', owner)
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function syncsOfDestination(
  db: Db,
  owner: OwnerId,
  destination: RowId<'destination'>,
): Promise<RowId<'sync'>[]> {
  const rows = await db
    .selectFrom('syncs')
    .select('id')
    .where('account_record', '=', owner)
    .where('destination', '=', destination)
    .execute();
  return rows.map((row) => row.id);
}

/** The accounts that the syncs of a destination copy. */
export async function syncTypesOf(
  db: Db,
  owner: OwnerId,
  destination: RowId<'destination'>,
): Promise<SyncType[]> {
  const rows = await db
    .selectFrom('syncs')
    .select('type')
    .where('account_record', '=', owner)
    .where('destination', '=', destination)
    .execute();
  return rows.map((row) => row.type);
}

/** Enabled syncs that read any account of the connection. */
export async function enabledSyncsOfConnection(
  db: Db,
  owner: OwnerId,
  connection: RowId<'connection'>,
): Promise<RowId<'sync'>[]> {
  const rows = await db
    .selectFrom('syncs')
    .select('syncs.id')
    .distinct()
    .innerJoin('sync_accounts', 'sync_accounts.sync', 'syncs.id')
    .innerJoin('accounts', 'accounts.id', 'sync_accounts.account')
    .where('syncs.account_record', '=', owner)
    .where('accounts.connection', '=', connection)
    .where('syncs.enabled', '=', true)
    .orderBy('syncs.id')
    .execute();
  return rows.map((row) => row.id);
}

/** Syncs whose next run is due, oldest first, with their owners: the scheduler works for all owners. */
export async function dueSyncs(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ id: RowId<'sync'>; account_record: OwnerId }[]> {
  return db
    .selectFrom('syncs')
    .select(['id', 'account_record'])
    .where('next_run_at', '<=', now)
    .orderBy('next_run_at')
    .limit(limit)
    .execute();
}
