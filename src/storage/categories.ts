import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import { jsonColumn } from './json-column.ts';
import { owned } from './owned-rows.ts';
import type { CategoriesTable } from './rule-tables.ts';

type Id = RowId<'category'>;
export type CategoryRow = Selectable<CategoriesTable>;
export type CategoryChange = Partial<Omit<CategoryRow, 'id' | 'account_record' | 'created'>>;

/** A category with the codes it claims, in alphabetical order. */
export interface ClaimingCategory extends CategoryRow {
  readonly sources: readonly string[];
}

/** The owner's whole taxonomy in one statement, so that categories and claims are from the same moment. */
export async function listCategories(db: Db, owner: OwnerId): Promise<ClaimingCategory[]> {
  const sources = sql<string[]>`array(
    select code from category_claims
    where category_claims.category = categories.id order by code collate "C")`;
  return db
    .selectFrom('categories')
    .selectAll()
    .select(sources.as('sources'))
    .where('account_record', '=', owner)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

export async function insertCategories(db: Db, rows: readonly CategoryRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('categories')
    .values(rows.map((row) => ({ ...row, metadata: jsonColumn(row.metadata) })))
    .execute();
}

export async function updateCategory(db: Db, owner: OwnerId, id: Id, change: CategoryChange): Promise<void> {
  const { metadata, ...rest } = change;
  await owned(
    db.updateTable('categories').set({ ...rest, metadata: jsonColumn(metadata) }),
    owner,
    id,
  ).execute();
}

/** Records that something stored with the categories changed. */
export async function touchCategories(
  trx: Trx,
  owner: OwnerId,
  ids: readonly Id[],
  now: Date,
): Promise<void> {
  await trx
    .updateTable('categories')
    .set({ updated: now })
    .where('account_record', '=', owner)
    .where('id', 'in', ids)
    .execute();
}

/** Sets the positions of the siblings, from 0 in the order given. */
export async function placeCategories(trx: Trx, owner: OwnerId, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update categories set position = placed.place - 1
    from unnest(string_to_array(${ids.join(' ')}, ' ')) with ordinality as placed (id, place)
    where categories.id = placed.id::uuid and categories.account_record = ${owner}
      and categories.position <> placed.place - 1`.execute(trx);
}

/** Deletes the categories and their claims; for a group, everything in it must be included. */
export async function deleteCategories(trx: Trx, owner: OwnerId, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return;
  await trx.deleteFrom('categories').where('account_record', '=', owner).where('id', 'in', ids).execute();
}

export async function deleteEveryCategory(trx: Trx, owner: OwnerId): Promise<void> {
  await trx.deleteFrom('categories').where('account_record', '=', owner).execute();
}
