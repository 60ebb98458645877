import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { Db, Trx } from './database.ts';
import { jsonColumn } from './json-column.ts';
import { owned, ownedRow, ownedRows } from './owned-rows.ts';
import { selectPage } from './pages.ts';
import type { RulesetsTable } from './rule-tables.ts';

type Id = RowId<'ruleset'>;
export type RulesetRow = Selectable<RulesetsTable>;
export type RulesetChange = Partial<Omit<RulesetRow, 'id' | 'account_record' | 'created'>>;

/** A ruleset, with the number of its rules and of the syncs it is attached to. */
export type CountedRuleset = RulesetRow & { readonly rule_count: number; readonly sync_count: number };

const RULE_COUNT = sql<number>`(select count(*)::int from rules where rules.ruleset = rulesets.id)`;
const SYNC_COUNT = sql<number>`(select count(*)::int from sync_rulesets where sync_rulesets.ruleset = rulesets.id)`;

export async function insertRuleset(trx: Trx, row: RulesetRow): Promise<void> {
  await trx
    .insertInto('rulesets')
    .values({ ...row, metadata: jsonColumn(row.metadata) })
    .execute();
}

export async function findRuleset(db: Db, owner: OwnerId, id: Id): Promise<CountedRuleset | null> {
  const row = await counted(db, owner).where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

export async function listRulesets(db: Db, owner: OwnerId, page: PageRequest): Promise<Page<CountedRuleset>> {
  return selectPage(counted(db, owner), page);
}

function counted(db: Db, owner: OwnerId) {
  return db
    .selectFrom('rulesets')
    .selectAll()
    .select([RULE_COUNT.as('rule_count'), SYNC_COUNT.as('sync_count')])
    .where('account_record', '=', owner);
}

/** The row, locked until the transaction ends: rules of a ruleset are added, moved and counted under this lock. */
export async function lockRuleset(trx: Trx, owner: OwnerId, id: Id): Promise<RulesetRow | null> {
  return ownedRow(trx.selectFrom('rulesets').selectAll().forNoKeyUpdate(), owner, id);
}

/** The owner's rulesets among these, protected from deletion until the transaction ends. */
export async function holdRulesets(trx: Trx, owner: OwnerId, ids: readonly Id[]): Promise<Id[]> {
  const held = trx.selectFrom('rulesets').select('id').orderBy('id').forKeyShare();
  const rows = await ownedRows(held, owner, ids);
  return rows.map((row) => row.id);
}

export async function updateRuleset(db: Db, owner: OwnerId, id: Id, change: RulesetChange): Promise<void> {
  const { metadata, ...rest } = change;
  await owned(
    db.updateTable('rulesets').set({ ...rest, metadata: jsonColumn(metadata) }),
    owner,
    id,
  ).execute();
}

/** With its rules and attachments. Their counts are locked in the order in which runs lock them. */
export async function deleteRuleset(trx: Trx, owner: OwnerId, id: Id): Promise<void> {
  await trx
    .selectFrom('rule_hits')
    .select('rule')
    .where('rule', 'in', (query) =>
      query.selectFrom('rules').select('id').where('account_record', '=', owner).where('ruleset', '=', id),
    )
    .orderBy('rule')
    .forUpdate()
    .execute();
  await owned(trx.deleteFrom('rulesets'), owner, id).execute();
}

export async function countRulesets(db: Db, owner: OwnerId): Promise<number> {
  const row = await db
    .selectFrom('rulesets')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_record', '=', owner)
    .executeTakeFirstOrThrow();
  return row.count;
}
