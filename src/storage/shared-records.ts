import { type RawBuilder, sql } from 'kysely';
import { parsePublicId, type RowId } from '../vocabulary/ids.ts';
import { EXPIRING_DAYS } from '../vocabulary/states.ts';
import type { AccountRecord } from './account-records.ts';
import type { Db } from './database.ts';

type User = RowId<'user'>;

/** An account record as a person who shares it sees it in a list of theirs. */
export type SharedRecord = Pick<AccountRecord, 'id' | 'email' | 'name'>;

interface Asked {
  readonly limit: number;
  /** How many come before; 0 for the first page. */
  readonly offset: number;
}

/** What is stored that needs a person, as counts. */
export interface RecordNeeds {
  /** Connections whose consent has ended. */
  readonly consents_ended: number;
  /** Connections whose consent ends soon. */
  readonly consents_ending: number;
  /** Destinations that receive nothing. */
  readonly destinations: number;
  /** Enabled syncs that wait for a person or whose last run failed. */
  readonly syncs: number;
  /** Rows that the last runs of the other syncs could not deliver. */
  readonly rows: number;
}

/** A page of the account records that the person shares, in the order of their names or else e-mail addresses. */
export async function sharedRecords(db: Db, user: User, { limit, offset }: Asked): Promise<SharedRecord[]> {
  return shared(db, user)
    .select(['account_records.id', 'account_records.email', 'account_records.name'])
    .orderBy(sql`lower(coalesce(account_records.name, account_records.email))`)
    .orderBy('account_records.id')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** The same with what each of them needs at `now`, from what is stored alone. */
export async function sharedRecordNeeds(
  db: Db,
  user: User,
  now: Date,
  { limit, offset }: Asked,
): Promise<(SharedRecord & RecordNeeds)[]> {
  const soon = new Date(now.getTime() + EXPIRING_DAYS * 86_400_000);
  return shared(db, user)
    .select(['account_records.id', 'account_records.email', 'account_records.name'])
    .select([
      connections(sql`(${ended(now)})`).as('consents_ended'),
      connections(
        sql`not (${ended(now)}) and connections.landed_at is not null and consents.expires_at <= ${soon}`,
      ).as('consents_ending'),
      sql<number>`(select count(*)::int from destinations
        where destinations.account_record = account_records.id and destinations.status <> 'active')`.as(
        'destinations',
      ),
      sql<number>`(select count(*)::int from syncs
        where syncs.account_record = account_records.id and ${STUCK})`.as('syncs'),
      sql<number>`(select coalesce(sum(latest.rejected), 0)::int from syncs
        cross join lateral (
          select sync_runs.rejected from sync_runs
          where sync_runs.sync = syncs.id and sync_runs.completed_at is not null
          order by sync_runs.id desc limit 1
        ) as latest
        where syncs.account_record = account_records.id and syncs.enabled and not (${STUCK}))`.as('rows'),
    ])
    .orderBy(sql`lower(coalesce(account_records.name, account_records.email))`)
    .orderBy('account_records.id')
    .limit(limit)
    .offset(offset)
    .execute();
}

const STUCK = sql`syncs.enabled and (syncs.attention is not null or syncs.failed_runs > 0)`;

/** As `connectionStatus` decides it. */
function ended(now: Date): RawBuilder<unknown> {
  return sql`consents.expires_at <= ${now} or (connections.invalidated_at is not null
    and (consents.expires_at is null or connections.invalidated_at < consents.expires_at))`;
}

function connections(which: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select count(*)::int from connections
    join consents on consents.connection = connections.id and consents.current
    where connections.account_record = account_records.id and connections.revoked_at is null and ${which})`;
}

function shared(db: Db, user: User) {
  return db
    .selectFrom('memberships')
    .innerJoin('account_records', 'account_records.id', 'memberships.account_record')
    .where('memberships.user_id', '=', user)
    .where('account_records.removal_asked_at', 'is', null);
}

/** What has a page of its own in the web application, by its table. */
const PAGES = [
  ['account', 'accounts'],
  ['api_key', 'api_keys'],
  ['connection', 'connections'],
  ['destination', 'destinations'],
  ['event_destination', 'event_destinations'],
  ['ruleset', 'rulesets'],
  ['sync', 'syncs'],
  ['sync_run', 'sync_runs'],
] as const;

/**
 * Which of the account records that the person shares has the resource; null for one of any other account record, and
 * for a text that is no id, in the same way.
 */
export async function sharedRecordWith(db: Db, user: User, id: string): Promise<SharedRecord | null> {
  for (const [resource, table] of PAGES) {
    const row = parsePublicId(resource, id);
    if (row === null) continue;
    const holds = sql<boolean>`exists (select from ${sql.table(table)} as held
      where held.id = ${row} and held.account_record = account_records.id)`;
    const query = shared(db, user)
      .select(['account_records.id', 'account_records.email', 'account_records.name'])
      .where(holds);
    return (await query.executeTakeFirst()) ?? null;
  }
  return null;
}
