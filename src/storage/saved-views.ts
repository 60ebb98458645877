import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { Db, Trx } from './database.ts';
import { owned, ownedRow } from './owned-rows.ts';
import { selectPage } from './pages.ts';
import type { SavedViewsTable } from './saved-view-tables.ts';

type Id = RowId<'saved_view'>;
export type SavedView = Selectable<SavedViewsTable>;
export type SavedViewChange = Partial<Pick<SavedView, 'name' | 'query'>>;

export async function insertSavedView(trx: Trx, row: SavedView): Promise<void> {
  await trx.insertInto('saved_views').values(row).execute();
}

export async function findSavedView(db: Db, owner: OwnerId, id: Id): Promise<SavedView | null> {
  return ownedRow(db.selectFrom('saved_views').selectAll(), owner, id);
}

export async function listSavedViews(db: Db, owner: OwnerId, page: PageRequest): Promise<Page<SavedView>> {
  return selectPage(db.selectFrom('saved_views').selectAll().where('account_record', '=', owner), page);
}

/** As it is afterwards; null if the owner has no such view. */
export async function updateSavedView(
  db: Db,
  owner: OwnerId,
  id: Id,
  change: SavedViewChange,
  now: Date,
): Promise<SavedView | null> {
  const update = db.updateTable('saved_views').set({ ...change, updated: now });
  return (await owned(update, owner, id).returningAll().executeTakeFirst()) ?? null;
}

/** Whether there was one. */
export async function deleteSavedView(db: Db, owner: OwnerId, id: Id): Promise<boolean> {
  const row = await owned(db.deleteFrom('saved_views'), owner, id).returning('id').executeTakeFirst();
  return row !== undefined;
}

export async function countSavedViews(db: Db, owner: OwnerId): Promise<number> {
  const row = await db
    .selectFrom('saved_views')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_record', '=', owner)
    .executeTakeFirstOrThrow();
  return row.count;
}
