import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Page } from '../vocabulary/paging.ts';
import type { Db, Trx } from './database.ts';
import { jsonColumn } from './json-column.ts';
import { owned } from './owned-rows.ts';
import type { RulesTable } from './rule-tables.ts';

type Id = RowId<'rule'>;
export type RuleRow = Selectable<RulesTable>;
export type RuleChange = Partial<Omit<RuleRow, 'id' | 'account_record' | 'ruleset' | 'position' | 'created'>>;

/** A rule and how often it was applied. */
export type CountedRule = RuleRow & { readonly hits: number; readonly last_hit_at: Date | null };

export async function insertRules(trx: Trx, rows: readonly RuleRow[]): Promise<void> {
  if (rows.length === 0) return;
  await trx
    .insertInto('rules')
    .values(rows.map((row) => ({ ...row, ...written(row) })))
    .execute();
  await trx
    .insertInto('rule_hits')
    .values(rows.map((row) => ({ rule: row.id, last_hit_at: null })))
    .execute();
}

/** Rules of the rulesets in order; of each ruleset at most as many as it may contain. */
export async function rulesOfRulesets(
  db: Db,
  owner: OwnerId,
  rulesets: readonly RowId<'ruleset'>[],
): Promise<CountedRule[]> {
  if (rulesets.length === 0) return [];
  return counted(db, owner).where('rules.ruleset', 'in', rulesets).orderBy('rules.position').execute();
}

export async function findRule(
  db: Db,
  owner: OwnerId,
  ruleset: RowId<'ruleset'>,
  id: Id,
): Promise<CountedRule | null> {
  const row = await counted(db, owner)
    .where('rules.ruleset', '=', ruleset)
    .where('rules.id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * A page in the order of the rules. The pages before and after it are found by the positions of its first and last
 * rule.
 */
export async function listRules(
  db: Db,
  owner: OwnerId,
  ruleset: RowId<'ruleset'>,
  page: { readonly limit: number; readonly after: number | null; readonly before: number | null },
): Promise<Page<CountedRule>> {
  const backwards = page.before !== null;
  let query = counted(db, owner).where('rules.ruleset', '=', ruleset);
  if (page.after !== null) query = query.where('rules.position', '>', page.after);
  if (page.before !== null) query = query.where('rules.position', '<', page.before);
  const rows = await query
    .orderBy('rules.position', backwards ? 'desc' : 'asc')
    .limit(page.limit + 1)
    .execute();
  const more = rows.length > page.limit;
  const items = more ? rows.slice(0, page.limit) : rows;
  if (backwards) return { items: items.reverse(), hasMore: true, hasPrevious: more };
  return { items, hasMore: more, hasPrevious: page.after !== null };
}

function counted(db: Db, owner: OwnerId) {
  return db
    .selectFrom('rules')
    .innerJoin('rule_hits', 'rule_hits.rule', 'rules.id')
    .selectAll('rules')
    .select(['rule_hits.hits', 'rule_hits.last_hit_at'])
    .where('rules.account_record', '=', owner);
}

export async function updateRule(db: Db, owner: OwnerId, id: Id, change: RuleChange): Promise<void> {
  const { conditions, actions, ...rest } = change;
  await db
    .updateTable('rules')
    .set({
      ...rest,
      conditions: jsonColumn(conditions),
      actions: jsonColumn(actions),
    })
    .where('account_record', '=', owner)
    .where('id', '=', id)
    .execute();
}

/** Puts the rules in the order given, from 0. The caller has locked the ruleset and passes all of its rules. */
export async function placeRules(trx: Trx, owner: OwnerId, ids: readonly Id[]): Promise<void> {
  await sql`
    update rules set position = placed.place - 1
    from unnest(string_to_array(${ids.join(' ')}, ' ')) with ordinality as placed (id, place)
    where rules.id = placed.id::uuid and rules.account_record = ${owner}
      and rules.position <> placed.place - 1`.execute(trx);
}

export async function deleteRule(trx: Trx, owner: OwnerId, id: Id): Promise<void> {
  await owned(trx.deleteFrom('rules'), owner, id).execute();
}

function written(row: Pick<RuleRow, 'conditions' | 'actions'>) {
  return { conditions: jsonColumn(row.conditions), actions: jsonColumn(row.actions) };
}
