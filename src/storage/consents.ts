import type { Selectable, Updateable } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { Db, Trx } from './database.ts';
import type { ConsentEventsTable, ConsentsTable } from './linking-tables.ts';
import { owned, ownedRow } from './owned-rows.ts';
import { selectPage } from './pages.ts';

export type Consent = Selectable<ConsentsTable>;
export type ConsentChange = Omit<
  Updateable<ConsentsTable>,
  'id' | 'account_record' | 'connection' | 'created'
>;
export type ConsentEvent = Selectable<ConsentEventsTable>;

export async function insertConsent(db: Db, consent: Consent): Promise<void> {
  await db.insertInto('consents').values(consent).execute();
}

export async function findConsent(db: Db, owner: OwnerId, id: RowId<'consent'>): Promise<Consent | null> {
  return ownedRow(db.selectFrom('consents').selectAll(), owner, id);
}

/** The current consent of each of the connections. */
export async function currentConsents(
  db: Db,
  owner: OwnerId,
  connections: readonly RowId<'connection'>[],
): Promise<Map<RowId<'connection'>, Consent>> {
  if (connections.length === 0) return new Map();
  const rows = await db
    .selectFrom('consents')
    .selectAll()
    .where('account_record', '=', owner)
    .where('connection', 'in', connections)
    .where('current', '=', true)
    .execute();
  return new Map(rows.map((row) => [row.connection, row]));
}

/** Every consent of the connection that may still exist at the vendor. */
export async function consentsWithGrant(
  db: Db,
  owner: OwnerId,
  connection: RowId<'connection'>,
): Promise<Consent[]> {
  return db
    .selectFrom('consents')
    .selectAll()
    .where('account_record', '=', owner)
    .where('connection', '=', connection)
    .where('grant', 'is not', null)
    .orderBy('id')
    .execute();
}

/**
 * The consent with this hash that we have a grant for, in use or being withdrawn. An account record has at most one.
 */
export async function findHeldConsent(db: Db, owner: OwnerId, hash: Uint8Array): Promise<Consent | null> {
  const row = await db
    .selectFrom('consents')
    .selectAll()
    .where('account_record', '=', owner)
    .where('consent_hash', '=', hash)
    .where('grant', 'is not', null)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Whether another connection, of whichever account record, depends on the consent of this hash: a person may link one
 * login in two account records, and some vendors give both the same consent.
 */
export async function isConsentNeededElsewhere(
  db: Db,
  hash: Uint8Array,
  connection: RowId<'connection'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('consents')
    .innerJoin('connections', 'connections.id', 'consents.connection')
    .select('consents.id')
    .where('consents.consent_hash', '=', hash)
    .where('consents.grant', 'is not', null)
    .where('consents.current', '=', true)
    .where('consents.connection', '!=', connection)
    .where('connections.revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Newest first; only those of one connection if it is given. */
export async function listConsents(
  db: Db,
  owner: OwnerId,
  connection: RowId<'connection'> | null,
  page: PageRequest,
): Promise<Page<Consent>> {
  let query = db.selectFrom('consents').selectAll().where('account_record', '=', owner);
  if (connection !== null) query = query.where('connection', '=', connection);
  return selectPage(query, page);
}

export async function updateConsent(
  db: Db,
  owner: OwnerId,
  id: RowId<'consent'>,
  change: ConsentChange,
): Promise<void> {
  await owned(db.updateTable('consents').set(change), owner, id).execute();
}

/**
 * Records who gave the earlier consents of a connection that moves to another customer; consents that already name one
 * keep it.
 */
export async function nameConsentGiver(
  trx: Trx,
  owner: OwnerId,
  connection: RowId<'connection'>,
  endUser: string,
): Promise<void> {
  await trx
    .updateTable('consents')
    .set({ end_user: endUser })
    .where('account_record', '=', owner)
    .where('connection', '=', connection)
    .where('grant', 'is not', null)
    .where('current', '=', false)
    .where('end_user', 'is', null)
    .execute();
}

/**
 * Current consents of any owner whose status has changed by expiry since the audit trail last recorded it, for the
 * sweep.
 */
export async function consentsPastRecord(
  db: Db,
  now: Date,
  expiringFrom: Date,
  limit: number,
): Promise<Consent[]> {
  return db
    .selectFrom('consents')
    .selectAll()
    .where('current', '=', true)
    .where((where) =>
      where.or([
        where.and([where('recorded_status', '=', 'active'), where('expires_at', '<=', expiringFrom)]),
        where.and([where('recorded_status', '=', 'expiring'), where('expires_at', '<=', now)]),
      ]),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function insertConsentEvent(db: Db, event: ConsentEvent): Promise<void> {
  await db.insertInto('consent_events').values(event).execute();
}

/** The audit trail, oldest first. */
export async function listConsentEvents(
  db: Db,
  owner: OwnerId,
  consent: RowId<'consent'>,
): Promise<ConsentEvent[]> {
  return db
    .selectFrom('consent_events')
    .selectAll()
    .where('account_record', '=', owner)
    .where('consent', '=', consent)
    .orderBy('id')
    .execute();
}
