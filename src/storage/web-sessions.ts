import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';
import type { WebSessionsTable } from './identity-tables.ts';

export type WebSession = Selectable<WebSessionsTable>;
type SessionId = RowId<'web_session'>;
type User = RowId<'user'>;

export async function insertWebSession(db: Db, session: WebSession): Promise<void> {
  await db.insertInto('web_sessions').values(session).execute();
}

/** The session whose secret has this SHA-256, of any person: used to authenticate callers. Expired ones included. */
export async function findWebSessionByHash(db: Db, hash: Uint8Array): Promise<WebSession | null> {
  const query = db.selectFrom('web_sessions').selectAll().where('secret_hash', '=', hash);
  return (await query.executeTakeFirst()) ?? null;
}

/** The person's session; null if it is not theirs, or has ended and was deleted. */
export async function findWebSession(db: Db, user: User, id: SessionId): Promise<WebSession | null> {
  const query = db.selectFrom('web_sessions').selectAll().where('user_id', '=', user).where('id', '=', id);
  return (await query.executeTakeFirst()) ?? null;
}

/** The sessions of a person, most recently used first: as many as `sessions_per_user` allows. */
export async function webSessionsOf(db: Db, user: User): Promise<WebSession[]> {
  return db
    .selectFrom('web_sessions')
    .selectAll()
    .where('user_id', '=', user)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** The ids of a person's sessions, only those that work with `owner`, if it is given. */
export async function webSessionIdsOf(db: Db, user: User, owner?: OwnerId): Promise<SessionId[]> {
  let query = db.selectFrom('web_sessions').select('id').where('user_id', '=', user);
  if (owner !== undefined) query = query.where('account_record', '=', owner);
  return (await query.execute()).map(({ id }) => id);
}

/** Deletes the person's sessions among these; returns which they were. */
export async function deleteWebSessions(db: Db, user: User, ids: readonly SessionId[]): Promise<SessionId[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .deleteFrom('web_sessions')
    .where('user_id', '=', user)
    .where('id', 'in', ids)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Switches the session to another account record of the person. */
export async function moveWebSession(db: Db, user: User, id: SessionId, owner: OwnerId): Promise<void> {
  await db
    .updateTable('web_sessions')
    .set({ account_record: owner })
    .where('user_id', '=', user)
    .where('id', '=', id)
    .execute();
}

/** Records when sessions were last seen; a later time that is already stored is kept. */
export async function touchWebSessions(db: Db, seen: ReadonlyMap<SessionId, Date>): Promise<void> {
  for (const [id, at] of seen) {
    await sql`update web_sessions set last_seen_at = ${at} where id = ${id} and last_seen_at < ${at}`.execute(
      db,
    );
  }
}

/** Deletes sessions that ended before `now`, and those unused since `idleSince`. */
export async function deleteEndedWebSessions(db: Db, now: Date, idleSince: Date): Promise<void> {
  await db
    .deleteFrom('web_sessions')
    .where(({ eb, or }) => or([eb('expires_at', '<=', now), eb('last_seen_at', '<=', idleSince)]))
    .execute();
}
