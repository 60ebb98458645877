import type { Clock } from '../../platform/clock.ts';
import { listCategories } from '../../storage/categories.ts';
import { lockCategoryTree } from '../../storage/category-trees.ts';
import type { Db, Trx } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import { inRetryableTransaction } from '../../storage/retryable-transaction.ts';
import type { ErrorCode } from '../../vocabulary/error-codes.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import { seedOnce } from './category-seeding.ts';
import { CategoryTree } from './category-tree.ts';

/** A change of an owner's tree, given the tree as it is under the lock. */
export type TreeWork = (trx: Trx, before: CategoryTree) => Promise<void>;

interface Dependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly notices: Notices;
}

/** The owner's tree, created if this is its first use. Raises `categories_seed_failed`. */
export async function readTree({ db, clock }: Dependencies, owner: OwnerId): Promise<CategoryTree> {
  await seedOnce(db, clock, owner);
  return new CategoryTree(await listCategories(db, owner));
}

/**
 * Does the work under the tree's lock, notifies every process, and returns the resulting tree. The work sees the whole
 * tree, and nothing else changes it meanwhile. Raises what the work raises, `categories_seed_failed`, and `failure`, if
 * given, when the database fails before the commit.
 */
export async function changeTree(
  { db, clock, notices }: Dependencies,
  owner: OwnerId,
  failure: ErrorCode | null,
  work: TreeWork,
): Promise<CategoryTree> {
  await seedOnce(db, clock, owner);
  const write = async (trx: Trx): Promise<CategoryTree> => {
    await lockCategoryTree(trx, owner);
    await work(trx, new CategoryTree(await listCategories(trx, owner)));
    await notices.publish(trx, { kind: 'categories', id: owner });
    return new CategoryTree(await listCategories(trx, owner));
  };
  const tree = await (failure === null
    ? db.transaction().execute(write)
    : inRetryableTransaction(db, failure, write));
  notices.deliver({ kind: 'categories', id: owner });
  return tree;
}
