import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import { findAccount } from '../../storage/accounts.ts';
import {
  type CategoryAssignment,
  countCategoryAssignments,
  deleteCategoryAssignments,
  findCategoryAssignments,
  listCategoryAssignments,
  putCategoryAssignments,
} from '../../storage/category-assignments.ts';
import type { Db } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';
import { changeTree } from './category-changes.ts';
import { requireCategory } from './category-rules.ts';

export interface Assignment {
  readonly account: RowId<'account'>;
  /** Tagged ids of rows of the account. */
  readonly transactions: readonly string[];
  /** Null takes back what was assigned, so that the codes decide again. */
  readonly category: RowId<'category'> | null;
}

interface Dependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly notices: Notices;
}

/** Categories of single transactions, whatever their codes lead to (docs/categories.md#single-transactions). */
export class CategoryAssignments {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Returns what each of the transactions was assigned before; null if nothing. Whether the account has such rows is
   * not checked: the bank is not asked. Raises `resource_missing`, `category_is_group`, and
   * `parameter_invalid` if the account record would have too many.
   */
  async assign(
    owner: OwnerId,
    { account, transactions, category }: Assignment,
  ): Promise<ReadonlyMap<string, RowId<'category'> | null>> {
    const { db, clock, limits } = this.#deps;
    if ((await findAccount(db, owner, account)) === null) throw missing('account');
    const ids = [...new Set(transactions)];
    const before = new Map<string, RowId<'category'> | null>(ids.map((id) => [id, null]));
    await changeTree(this.#deps, owner, null, async (trx, tree) => {
      if (category !== null && requireCategory(tree, category, 'category').parent === null) {
        throw new ServiceError('category_is_group');
      }
      const known = await findCategoryAssignments(trx, owner, ids);
      for (const { row_id: id, category: earlier } of known) before.set(id, earlier);
      if (category === null) return deleteCategoryAssignments(trx, owner, ids);
      const count = (await countCategoryAssignments(trx, owner)) + ids.length - known.length;
      if (count > limits.category_assignments) {
        throw new ServiceError('parameter_invalid', {
          message: `At most ${limits.category_assignments} transactions can have a category of their own; let a category claim their code instead.`,
        });
      }
      const created = new Date(clock.now());
      await putCategoryAssignments(
        trx,
        ids.map((id) => ({
          id: rowId('category_assignment', newRowId(clock)),
          account_record: owner,
          account,
          category,
          row_id: id,
          created,
        })),
      );
    });
    return before;
  }

  list(owner: OwnerId, page: PageRequest): Promise<Page<CategoryAssignment>> {
    return listCategoryAssignments(this.#deps.db, owner, page);
  }
}
