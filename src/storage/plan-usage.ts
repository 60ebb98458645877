import { sql } from 'kysely';
import type { OwnerId } from '../vocabulary/ids.ts';
import type { PlanLimits } from '../vocabulary/plans.ts';
import type { AccountRecord } from './account-records.ts';
import type { Db } from './database.ts';

/** How much of what a plan limits the account record has. */
export async function planUsage(db: Db, owner: OwnerId): Promise<PlanLimits> {
  const { rows } = await sql<PlanLimits>`
    select
      (select count(*)::int from connections where account_record = ${owner} and revoked_at is null) as connections,
      (select count(*)::int from accounts where account_record = ${owner}) as accounts,
      (select count(*)::int from syncs where account_record = ${owner}) as syncs,
      (select count(*)::int from destinations where account_record = ${owner}) as destinations`.execute(db);
  const [usage] = rows;
  if (usage === undefined) throw new TypeError('counting answered no row');
  return usage;
}

/** The kinds of objects that carry metadata, and which rows of each count: for some, only those that can be changed. */
const COUNTED = {
  api_keys: () => sql`true`,
  categories: () => sql`true`,
  connections: () => sql`revoked_at is null`,
  destinations: () => sql`true`,
  event_destinations: () => sql`true`,
  link_sessions: (now: Date) => sql`completed_at is null and failed_at is null and expires_at > ${now}`,
  rulesets: () => sql`true`,
  syncs: () => sql`true`,
} as const;

export type MetadataTable = keyof typeof COUNTED;

/** Bytes of the metadata of all of the owner's objects of one kind, written as JSON. */
export async function metadataBytes(
  db: Db,
  table: MetadataTable,
  owner: OwnerId,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(octet_length(metadata::text)), 0)::float8 as bytes from ${sql.table(table)}
    where account_record = ${owner} and ${COUNTED[table](now)}`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** An account record as the operator sees it: only how much it contains. */
export type AccountOverview = AccountRecord & {
  readonly members: number;
  readonly connections: number;
  readonly syncs: number;
  readonly destinations: number;
};

/** Oldest first, after the id. */
export async function accountOverviews(
  db: Db,
  after: OwnerId | null,
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
