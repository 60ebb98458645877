import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import { type CategoryRow, insertCategories } from '../../storage/categories.ts';
import {
  type CategoryClaim,
  categoryTreeVersion,
  insertCategoryTree,
  putClaims,
} from '../../storage/category-trees.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { inRetryableTransaction } from '../../storage/retryable-transaction.ts';
import { CATEGORY_TEMPLATE, claimsOf } from '../../vocabulary/category-template.ts';
import { type OwnerId, rowId } from '../../vocabulary/ids.ts';

/** The version of a tree that was seeded and not changed since. */
const FIRST_VERSION = 0;

/**
 * Creates the default template at the first use of an owner's taxonomy, once, even if two first uses coincide; an owner
 * who deleted every category gets none. Returns the minimum version of the tree. Raises `categories_seed_failed`.
 */
export async function seedOnce(db: Db, clock: Clock, owner: OwnerId): Promise<number> {
  const version = await categoryTreeVersion(db, owner);
  if (version !== null) return version;
  await inRetryableTransaction(db, 'categories_seed_failed', async (trx) => {
    if (await insertCategoryTree(trx, owner, new Date(clock.now()))) await seedTemplate(trx, clock, owner);
  });
  return FIRST_VERSION;
}

/** Writes the default template for an owner who has no category. */
export async function seedTemplate(trx: Trx, clock: Clock, owner: OwnerId): Promise<void> {
  const now = new Date(clock.now());
  const rows: CategoryRow[] = [];
  const claims: CategoryClaim[] = [];
  const add = (
    parent: CategoryRow['parent'],
    position: number,
    look: Pick<CategoryRow, 'name' | 'icon' | 'color'>,
  ): CategoryRow['id'] => {
    const { name, icon, color } = look;
    const id = rowId('category', newRowId(clock));
    const base = { id, account_record: owner, archived: false, metadata: null, created: now, updated: now };
    rows.push({ ...base, parent, name, icon, color, position });
    return id;
  };
  for (const [place, group] of CATEGORY_TEMPLATE.entries()) {
    const parent = add(null, place, group);
    for (const [position, category] of group.categories.entries()) {
      const { name, icon } = category;
      const id = add(parent, position, { name, icon, color: group.color });
      for (const code of claimsOf(category)) claims.push({ account_record: owner, code, category: id });
    }
  }
  await insertCategories(trx, rows);
  await putClaims(trx, claims);
}
