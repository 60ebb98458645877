import { type Selectable, sql } from 'kysely';
import type { DestinationType } from '../vocabulary/destination-kinds.ts';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { DESTINATION_MOVES, StatusMove } from '../vocabulary/states.ts';
import type { Db, Trx } from './database.ts';
import { jsonColumn } from './json-column.ts';
import { owned, ownedRow, ownedRows } from './owned-rows.ts';
import { selectPage } from './pages.ts';
import type { DestinationsTable } from './syncing-tables.ts';

export type DestinationRow = Selectable<DestinationsTable>;
export type DestinationChange = Partial<
  Omit<DestinationRow, 'id' | 'account_record' | 'type' | 'status' | 'mac_key' | 'created'>
> & { readonly moved?: StatusMove<(typeof DESTINATION_MOVES)[number]> };

export async function insertDestination(db: Db, row: DestinationRow): Promise<void> {
  await db
    .insertInto('destinations')
    .values({ ...row, target: jsonColumn(row.target), metadata: jsonColumn(row.metadata) })
    .execute();
}

export async function findDestination(
  db: Db,
  owner: OwnerId,
  id: RowId<'destination'>,
): Promise<DestinationRow | null> {
  return ownedRow(db.selectFrom('destinations').selectAll(), owner, id);
}

/** The row, locked until the transaction ends. */
export async function lockDestination(
  trx: Trx,
  owner: OwnerId,
  id: RowId<'destination'>,
): Promise<DestinationRow | null> {
  return ownedRow(trx.selectFrom('destinations').selectAll().forUpdate(), owner, id);
}

export async function findDestinations(
  db: Db,
  owner: OwnerId,
  ids: readonly RowId<'destination'>[],
): Promise<DestinationRow[]> {
  return ownedRows(db.selectFrom('destinations').selectAll(), owner, ids);
}

/** Every destination of the owner, oldest first. */
export async function destinationIdsOf(db: Db, owner: OwnerId): Promise<RowId<'destination'>[]> {
  const rows = await db
    .selectFrom('destinations')
    .select('id')
    .where('account_record', '=', owner)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function listDestinations(
  db: Db,
  owner: OwnerId,
  page: PageRequest,
): Promise<Page<DestinationRow>> {
  return selectPage(db.selectFrom('destinations').selectAll().where('account_record', '=', owner), page);
}

/** The webhook destination of this owner whose address has one of these MACs, if there is one. */
export async function findWebhookByUrl(
  db: Db,
  owner: OwnerId,
  macs: readonly string[],
): Promise<RowId<'destination'> | null> {
  const row = await db
    .selectFrom('destinations')
    .select('id')
    .where('account_record', '=', owner)
    .where('type', '=', 'webhook' satisfies DestinationType)
    .where('target_mac', 'in', macs)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function updateDestination(
  db: Db,
  owner: OwnerId,
  id: RowId<'destination'>,
  change: DestinationChange,
): Promise<DestinationRow | null> {
  const { target, metadata, moved, ...rest } = change;
  const changed = db.updateTable('destinations').set({
    ...rest,
    status: moved?.to,
    target: jsonColumn(target),
    metadata: jsonColumn(metadata),
  });
  return ownedRow(changed.returningAll(), owner, id);
}

export async function deleteDestination(db: Db, owner: OwnerId, id: RowId<'destination'>): Promise<void> {
  await owned(db.deleteFrom('destinations'), owner, id).execute();
}

/** How many syncs write to each destination. Destinations without any are not in the map. */
export async function countSyncs(
  db: Db,
  owner: OwnerId,
  ids: readonly RowId<'destination'>[],
): Promise<ReadonlyMap<RowId<'destination'>, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('syncs')
    .select(['destination', sql<number>`count(*)::int`.as('count')])
    .where('account_record', '=', owner)
    .where('destination', 'in', ids)
    .groupBy('destination')
    .execute();
  return new Map(rows.map((row) => [row.destination, row.count]));
}
