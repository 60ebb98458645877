import type { RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';

type Owner = RowId<'account_record'>;

/** The version of the owner's tree; null before their categories are planted. */
export async function categoryTreeVersion(db: Db, owner: Owner): Promise<number | null> {
  const row = await db
    .selectFrom('category_trees')
    .select('version')
    .where('account_record', '=', owner)
    .executeTakeFirst();
  return row?.version ?? null;
}

/** Makes the tree's row unless it is there; waits for another who is making it. Returns whether this call made it. */
export async function insertCategoryTree(trx: Trx, owner: Owner, now: Date): Promise<boolean> {
  const row = await trx
    .insertInto('category_trees')
    .values({ account_record: owner, seeded_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_record')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Holds the owner's tree until the transaction ends, and makes it a new version: positions and claims are worked out and
 * written under it.
 */
export async function lockCategoryTree(trx: Trx, owner: Owner): Promise<void> {
  await trx
    .updateTable('category_trees')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('account_record', '=', owner)
    .execute();
}
