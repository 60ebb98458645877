import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Account } from './accounts.ts';
import type { Db } from './database.ts';
import { ledgerEntries } from './delivery-ledger.ts';
import type { DeliveryStream } from './delivery-streams.ts';

/**
 * Accounts of each sync that are the same account at one bank, linked by several consents, such as a joint account that
 * each holder linked. Each list has two or more, in the sync's order. Accounts without a full number are in none.
 */
export async function sameAccountsOfSyncs(
  db: Db,
  owner: OwnerId,
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

/** What tells whether two accounts are the same at the bank, and which of them counts. */
export type Identified = Pick<
  Account,
  | 'id'
  | 'connection'
  | 'provider'
  | 'institution_id'
  | 'upstream_id'
  | 'name'
  | 'type'
  | 'masked_number'
  | 'number_mac'
  | 'currency'
  | 'unavailable_since'
>;

/** The owner's accounts at these institutions, in the order linked; without those of connections being deleted. */
export async function accountsLinkedAtInstitutions(
  db: Db,
  owner: OwnerId,
  institutions: readonly string[],
): Promise<readonly Identified[]> {
  if (institutions.length === 0) return [];
  return db
    .selectFrom('accounts')
    .innerJoin('connections', 'connections.id', 'accounts.connection')
    .select([
      'accounts.id',
      'accounts.connection',
      'accounts.provider',
      'accounts.institution_id',
      'accounts.upstream_id',
      'accounts.name',
      'accounts.type',
      'accounts.masked_number',
      'accounts.number_mac',
      'accounts.currency',
      'accounts.unavailable_since',
    ])
    .where('accounts.account_record', '=', owner)
    .where('connections.account_record', '=', owner)
    .where('connections.revoked_at', 'is', null)
    .where('accounts.institution_id', 'in', institutions)
    .orderBy('accounts.created')
    .orderBy('accounts.id')
    .execute();
}

/**
 * For each of these ids, the accounts of which a row with that id is at the destination, according to the ledger, in
 * the order of the streams. Ids without such a row are absent. Null if all streams are of one account.
 */
export async function accountsWithRows(
  db: Db,
  streams: readonly Pick<DeliveryStream, 'id' | 'account'>[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly RowId<'account'>[]> | null> {
  if (streams.every(({ account }) => account === streams[0]?.account)) return null;
  const found = new Map<string, RowId<'account'>[]>();
  for (const { id: stream, account } of streams) {
    for (const [id, { retired }] of await ledgerEntries(db, stream, ids)) {
      if (!retired) found.set(id, [...(found.get(id) ?? []), account]);
    }
  }
  return found;
}
