import type { Selectable } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';
import type { CategoryClaimsTable } from './rule-tables.ts';

/** The version of the owner's tree; null until their default categories are created. */
export async function categoryTreeVersion(db: Db, owner: OwnerId): Promise<number | null> {
  const row = await db
    .selectFrom('category_trees')
    .select('version')
    .where('account_record', '=', owner)
    .executeTakeFirst();
  return row?.version ?? null;
}

/**
 * Creates the tree's row unless it exists; waits for a concurrent call that creates it. Returns whether this call
 * created it.
 */
export async function insertCategoryTree(trx: Trx, owner: OwnerId, now: Date): Promise<boolean> {
  const row = await trx
    .insertInto('category_trees')
    .values({ account_record: owner, seeded_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_record')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Locks the owner's tree until the transaction ends, and increments its version: positions and claims are computed and
 * written under this lock.
 */
export async function lockCategoryTree(trx: Trx, owner: OwnerId): Promise<void> {
  await trx
    .updateTable('category_trees')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('account_record', '=', owner)
    .execute();
}

type Id = RowId<'category'>;
export type CategoryClaim = Selectable<CategoryClaimsTable>;

/** New claims; a code that is already claimed moves to the new category. */
export async function putClaims(trx: Trx, claims: readonly CategoryClaim[]): Promise<void> {
  if (claims.length === 0) return;
  await trx
    .insertInto('category_claims')
    .values([...claims])
    .onConflict((conflict) =>
      conflict
        .columns(['account_record', 'code'])
        .doUpdateSet((row) => ({ category: row.ref('excluded.category') })),
    )
    .execute();
}

/** Releases every claim of the category. */
export async function releaseClaims(trx: Trx, owner: OwnerId, id: Id): Promise<void> {
  await trx
    .deleteFrom('category_claims')
    .where('account_record', '=', owner)
    .where('category', '=', id)
    .execute();
}

/** Moves every claim of the categories to another. */
export async function moveClaims(trx: Trx, owner: OwnerId, from: readonly Id[], to: Id): Promise<void> {
  if (from.length === 0) return;
  await trx
    .updateTable('category_claims')
    .set({ category: to })
    .where('account_record', '=', owner)
    .where('category', 'in', from)
    .execute();
}
