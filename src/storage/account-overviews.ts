import { sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { AccountRecord } from './account-records.ts';
import type { Db } from './database.ts';

/** An account record as the operator sees it: how much there is, and nothing of what is in it. */
export type AccountOverview = AccountRecord & {
  readonly members: number;
  readonly connections: number;
  readonly syncs: number;
  readonly destinations: number;
};

/** Oldest first, after the id. */
export async function accountOverviews(
  db: Db,
  after: RowId<'account_record'> | null,
  limit: number,
): Promise<AccountOverview[]> {
  const count = (table: 'memberships' | 'connections' | 'syncs' | 'destinations') =>
    sql<number>`(select count(*)::int from ${sql.table(table)} as counted
      where counted.account_record = account_records.id)`;
  return db
    .selectFrom('account_records')
    .selectAll()
    .select([
      count('memberships').as('members'),
      sql<number>`(select count(*)::int from connections
        where connections.account_record = account_records.id and revoked_at is null)`.as('connections'),
      count('syncs').as('syncs'),
      count('destinations').as('destinations'),
    ])
    .$if(after !== null, (query) => query.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .execute();
}
