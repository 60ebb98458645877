import type { RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';

type Owner = RowId<'account_record'>;
type Sync = RowId<'sync'>;
type Ruleset = RowId<'ruleset'>;

/** Rulesets attached to each sync, in the order in which they are applied. */
export async function rulesetsOfSyncs(
  db: Db,
  owner: Owner,
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
export async function enabledRulesetsOfSync(db: Db, owner: Owner, sync: Sync): Promise<Ruleset[]> {
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

/** Replaces what is attached. For the caller that holds the sync and has seen that every ruleset is the owner's. */
export async function replaceRulesets(trx: Trx, sync: Sync, rulesets: readonly Ruleset[]): Promise<void> {
  await trx.deleteFrom('sync_rulesets').where('sync', '=', sync).execute();
  if (rulesets.length === 0) return;
  await trx
    .insertInto('sync_rulesets')
    .values(rulesets.map((ruleset, position) => ({ sync, ruleset, position })))
    .execute();
}
