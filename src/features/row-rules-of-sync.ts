import type { SyncRow } from '../storage/syncs.ts';
import { passEveryRow, type RowRules } from './sync-engine/row-rules.ts';
import type { Taxonomies } from './taxonomies.ts';

export interface RowRulesDependencies {
  readonly taxonomies: Pick<Taxonomies, 'of'>;
}

/**
 * What a sync does to each row of one attempt at a run, in the order of design section 10: the owner's category first.
 * Asked once when the attempt begins, so that all of its rows are judged by the same taxonomy. Raises
 * `categories_seed_failed`.
 */
export function rowRulesOfSync({ taxonomies }: RowRulesDependencies): (sync: SyncRow) => Promise<RowRules> {
  return async (sync) => {
    if (!sync.options.custom_categories) return passEveryRow;
    const { categoryNameOf } = await taxonomies.of(sync.account_record);
    return (transaction) => ({ transaction, customCategory: categoryNameOf(transaction) });
  };
}
