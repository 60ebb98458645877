import { type RawBuilder, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';

type Sync = RowId<'sync'>;
type Ruleset = RowId<'ruleset'>;

/** Rulesets attached to each sync, in the order in which they are applied. */
export async function rulesetsOfSyncs(
  db: Db,
  owner: OwnerId,
  syncs: readonly Sync[],
): Promise<ReadonlyMap<Sync, readonly Ruleset[]>> {
  const found = new Map<Sync, Ruleset[]>(syncs.map((sync) => [sync, []]));
  if (syncs.length === 0) return found;
  const rows = await db
    .selectFrom('sync_rulesets')
    .innerJoin('syncs', 'syncs.id', 'sync_rulesets.sync')
    .select(['sync_rulesets.sync', 'sync_rulesets.ruleset'])
    .where('syncs.account_record', '=', owner)
    .where('sync_rulesets.sync', 'in', syncs)
    .orderBy('sync_rulesets.position')
    .execute();
  for (const row of rows) found.get(row.sync)?.push(row.ruleset);
  return found;
}

/** Rulesets of the sync that are enabled, in the order in which they are applied. */
export async function enabledRulesetsOfSync(db: Db, owner: OwnerId, sync: Sync): Promise<Ruleset[]> {
  const rows = await db
    .selectFrom('sync_rulesets')
    .innerJoin('rulesets', 'rulesets.id', 'sync_rulesets.ruleset')
    .select('rulesets.id')
    .where('rulesets.account_record', '=', owner)
    .where('rulesets.enabled', '=', true)
    .where('sync_rulesets.sync', '=', sync)
    .orderBy('sync_rulesets.position')
    .execute();
  return rows.map((row) => row.id);
}

/** Replaces what is attached. The caller has locked the sync and checked that every ruleset is the owner's. */
export async function replaceRulesets(trx: Trx, sync: Sync, rulesets: readonly Ruleset[]): Promise<void> {
  await trx.deleteFrom('sync_rulesets').where('sync', '=', sync).execute();
  if (rulesets.length === 0) return;
  await trx
    .insertInto('sync_rulesets')
    .values(rulesets.map((ruleset, position) => ({ sync, ruleset, position })))
    .execute();
}

/** How often each rule was applied, and when. */
export interface RuleHits {
  readonly at: Date;
  readonly counts: ReadonlyMap<RowId<'rule'>, number>;
}

/**
 * The part of a statement with `held` that adds hits; empty if there are none. Counts are locked in the order of the
 * rules, so that two runs of syncs with the same ruleset cannot deadlock. A deleted rule is left out.
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

/** For a caller that has locked the run's row. */
export async function addHits(trx: Trx, hits: RuleHits): Promise<void> {
  const clauses = hitsClauses(hits);
  if (clauses.length === 0) return;
  await sql`with held as (select 1)${sql.join(clauses, sql``)} select 1`.execute(trx);
}
