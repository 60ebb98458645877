import type { RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';

/**
 * Accounts of each sync that are one account at one bank: linked by several consents, as a joint account that each of its
 * holders linked. Each list has two or more, in the sync's order. Accounts without a full number are in none.
 */
export async function sameAccountsOfSyncs(
  db: Db,
  owner: RowId<'account_record'>,
  ids: readonly RowId<'sync'>[],
): Promise<ReadonlyMap<RowId<'sync'>, readonly (readonly RowId<'account'>[])[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('sync_accounts')
    .innerJoin('accounts', 'accounts.id', 'sync_accounts.account')
    .select(['sync_accounts.sync', 'sync_accounts.account', 'accounts.number_mac'])
    .where('accounts.account_record', '=', owner)
    .where('sync_accounts.sync', 'in', ids)
    .where('accounts.number_mac', 'is not', null)
    .orderBy('sync_accounts.position')
    .execute();
  const found = new Map<RowId<'sync'>, (readonly RowId<'account'>[])[]>();
  // The MAC is of the institution and the full number together.
  for (const same of Map.groupBy(rows, ({ sync, number_mac: mac }) => `${sync} ${mac}`).values()) {
    const [first] = same;
    if (first === undefined || same.length < 2) continue;
    const lists = found.get(first.sync) ?? [];
    found.set(first.sync, [...lists, same.map(({ account }) => account)]);
  }
  return found;
}
