import { type RawBuilder, sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Trx } from './database.ts';

/** How often each rule acted, and when. */
export interface RuleHits {
  readonly at: Date;
  readonly counts: ReadonlyMap<RowId<'rule'>, number>;
}

/**
 * The part of a statement with `held` that adds hits; nothing without any. Counts are taken in the order of the rules,
 * so that two runs of syncs with the same ruleset never wait for each other crosswise. A rule that is gone is left out.
 */
export function hitsClauses({ at, counts }: RuleHits): RawBuilder<unknown>[] {
  if (counts.size === 0) return [];
  const rules = [...counts.keys()];
  return [
    sql`, taken as (
      select rule from rule_hits, held where rule = any(${rules}::uuid[]) order by rule for update of rule_hits
    ), hit as (
      update rule_hits set hits = rule_hits.hits + more.hits, last_hit_at = ${at}
      from taken, unnest(${rules}::uuid[], ${[...counts.values()]}::int[]) as more (rule, hits)
      where rule_hits.rule = taken.rule and more.rule = taken.rule
    )`,
  ];
}

/** For the caller that holds the run's row. */
export async function addHits(trx: Trx, hits: RuleHits): Promise<void> {
  const clauses = hitsClauses(hits);
  if (clauses.length === 0) return;
  await sql`with held as (select 1)${sql.join(clauses, sql``)} select 1`.execute(trx);
}
