import type { RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';

type Owner = RowId<'account_record'>;

/** Whether the owner's categories were planted. */
export async function hasCategoryTree(db: Db, owner: Owner): Promise<boolean> {
  const row = await db
    .selectFrom('category_trees')
    .select('account_record')
    .where('account_record', '=', owner)
    .executeTakeFirst();
  return row !== undefined;
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

/** Holds the owner's tree until the transaction ends: positions and claims are worked out and written under it. */
export async function lockCategoryTree(trx: Trx, owner: Owner): Promise<void> {
  await trx
    .selectFrom('category_trees')
    .select('account_record')
    .where('account_record', '=', owner)
    .forUpdate()
    .execute();
}
