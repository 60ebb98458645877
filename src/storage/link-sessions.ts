import type { Selectable, Updateable } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../vocabulary/providers.ts';
import type { Db, Trx } from './database.ts';
import type { LinkSessionsTable } from './linking-tables.ts';

export type LinkSession = Selectable<LinkSessionsTable>;
export type LinkSessionChange = Omit<Updateable<LinkSessionsTable>, 'id' | 'account_record' | 'created'>;

export async function insertLinkSession(db: Db, session: LinkSession): Promise<void> {
  await db
    .insertInto('link_sessions')
    .values({ ...session, metadata: session.metadata === null ? null : JSON.stringify(session.metadata) })
    .execute();
}

export async function findLinkSession(
  db: Db,
  owner: RowId<'account_record'>,
  id: RowId<'link_session'>,
): Promise<LinkSession | null> {
  const row = await db
    .selectFrom('link_sessions')
    .selectAll()
    .where('account_record', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** For the hosted page alone, where an unguessable token has proven who asks instead of an owner. */
export async function findLinkSessionOfToken(db: Db, id: RowId<'link_session'>): Promise<LinkSession | null> {
  const row = await db.selectFrom('link_sessions').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** The session, held until the transaction ends: of two landings the second waits and sees what the first did. */
export async function lockLinkSession(
  trx: Trx,
  owner: RowId<'account_record'>,
  id: RowId<'link_session'>,
): Promise<LinkSession | null> {
  const row = await trx
    .selectFrom('link_sessions')
    .selectAll()
    .where('account_record', '=', owner)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function updateLinkSession(
  db: Db,
  owner: RowId<'account_record'>,
  id: RowId<'link_session'>,
  change: LinkSessionChange,
): Promise<void> {
  await db
    .updateTable('link_sessions')
    .set(change)
    .where('account_record', '=', owner)
    .where('id', '=', id)
    .execute();
}

/** Sessions of anybody whose open consent is due for a look, for the sweep. */
export async function linkSessionsToSettle(db: Db, now: Date, limit: number): Promise<LinkSession[]> {
  return db
    .selectFrom('link_sessions')
    .selectAll()
    .where('settle_at', '<=', now)
    .orderBy('settle_at')
    .limit(limit)
    .execute();
}

/** Whether a session of the owner at the provider was begun and may still end with a connection. */
export async function hasOpenLinkSession(
  db: Db,
  owner: RowId<'account_record'>,
  provider: ProviderIdentifier,
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('link_sessions')
    .select('id')
    .where('account_record', '=', owner)
    .where('provider', '=', provider)
    .where('begun_at', 'is not', null)
    .where('completed_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes sessions that ended before the moment and have nothing open at the vendor. */
export async function deleteLinkSessionsBefore(db: Db, before: Date): Promise<number> {
  const result = await db
    .deleteFrom('link_sessions')
    .where('expires_at', '<', before)
    .where('settle_at', 'is', null)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
