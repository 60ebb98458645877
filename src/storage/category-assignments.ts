import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { Db, Trx } from './database.ts';
import { selectPage } from './pages.ts';
import type { CategoryAssignmentsTable } from './rule-tables.ts';

export type CategoryAssignment = Selectable<CategoryAssignmentsTable>;

/** The categories of single transactions, by the ids of their rows. */
export async function assignedCategories(
  db: Db,
  owner: OwnerId,
): Promise<ReadonlyMap<string, RowId<'category'>>> {
  const rows = await db
    .selectFrom('category_assignments')
    .select(['row_id', 'category'])
    .where('account_record', '=', owner)
    .execute();
  return new Map(rows.map(({ row_id, category }) => [row_id, category]));
}

export function listCategoryAssignments(
  db: Db,
  owner: OwnerId,
  page: PageRequest,
): Promise<Page<CategoryAssignment>> {
  return selectPage(
    db.selectFrom('category_assignments').selectAll().where('account_record', '=', owner),
    page,
  );
}

/** Those of the rows with these ids, under the lock of the owner's tree. */
export function findCategoryAssignments(
  trx: Trx,
  owner: OwnerId,
  rowIds: readonly string[],
): Promise<CategoryAssignment[]> {
  return trx
    .selectFrom('category_assignments')
    .selectAll()
    .where('account_record', '=', owner)
    .where('row_id', 'in', rowIds)
    .execute();
}

/** New assignments; a row that has one already gets the new category. */
export async function putCategoryAssignments(trx: Trx, rows: readonly CategoryAssignment[]): Promise<void> {
  await trx
    .insertInto('category_assignments')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['account_record', 'row_id']).doUpdateSet((set) => ({
        category: set.ref('excluded.category'),
        account: set.ref('excluded.account'),
      })),
    )
    .execute();
}

export async function deleteCategoryAssignments(
  trx: Trx,
  owner: OwnerId,
  rowIds: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('category_assignments')
    .where('account_record', '=', owner)
    .where('row_id', 'in', rowIds)
    .execute();
}

export async function countCategoryAssignments(db: Db, owner: OwnerId): Promise<number> {
  const row = await db
    .selectFrom('category_assignments')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_record', '=', owner)
    .executeTakeFirstOrThrow();
  return row.count;
}
