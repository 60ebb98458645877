import type { Db } from '../../storage/database.ts';
import { rulesOfRulesets } from '../../storage/rules.ts';
import { enabledRulesetsOfSync } from '../../storage/sync-rulesets.ts';
import type { SyncRow } from '../../storage/syncs.ts';
import { publicId, type RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { Taxonomies, Taxonomy } from '../categories/taxonomies.ts';
import { type CompiledRules, compileRules } from '../rules/compile-rules.ts';
import { validatedPatternLimits } from '../rules/pattern.ts';
import { workingRow } from '../rules/working-row.ts';
import { passEveryRow, plainRow, type RowRules } from '../sync-engine/read/source-row.ts';

export interface RowRulesDependencies {
  readonly db: Db;
  readonly limits: Limits;
  readonly taxonomies: Pick<Taxonomies, 'of'>;
}

/**
 * What a sync does to each row in one attempt at a run, in the order of docs/rules.md: the owner's category, then the
 * rulesets. Read once when the attempt begins, so that the same taxonomy and rules apply to all of its rows. Raises
 * `categories_seed_failed`.
 */
export function rowRulesOfSync(deps: RowRulesDependencies): (sync: SyncRow) => Promise<RowRules> {
  const { db, taxonomies } = deps;
  return async (sync) => {
    const { account_record: owner, options } = sync;
    const rulesets = await enabledRulesetsOfSync(db, owner, sync.id);
    const found = await rulesOfRulesets(db, owner, rulesets);
    const rules = rulesets.flatMap((id) => found.filter((rule) => rule.ruleset === id && rule.enabled));
    const named = options.custom_categories;
    if (rules.length === 0 && !named) return passEveryRow;
    const taxonomy = await taxonomies.of(owner);
    if (rules.length === 0)
      return (transaction) => plainRow(transaction, taxonomy.categoryNameOf(transaction));
    const apply = compileRules(rules, {
      limits: validatedPatternLimits(deps.limits),
      categories: taxonomy.categories,
    });
    return composed(
      apply,
      rules.map((rule) => rule.id),
      taxonomy,
      named,
    );
  };
}

/** Without the option, a destination never receives the owner's category, whatever set it. */
function composed(
  apply: CompiledRules,
  ids: readonly RowId<'rule'>[],
  { categoryOf, categories }: Taxonomy,
  named: boolean,
): RowRules {
  return (source, account) => {
    const ruled = apply(workingRow(source, publicId('account', account), categoryOf(source)));
    const hits = ruled.hits.flatMap((place) => ids[place] ?? []);
    if (ruled.row === null) return { ...plainRow(source), skipped: true, hits };
    const { transaction, category, memo, tags } = ruled.row;
    const customCategory = named && category !== null ? (categories.get(category)?.name ?? null) : null;
    return {
      kind: 'transaction',
      transaction,
      customCategory,
      category,
      memo,
      tags,
      source,
      skipped: false,
      hits,
    };
  };
}
