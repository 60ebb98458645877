import { type Insertable, type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { MemberRole } from '../vocabulary/member-roles.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { OAuthGrantsTable, OAuthInteractionsTable } from './app-tables.ts';
import type { Db } from './database.ts';
import { ownedRow, revokedAt } from './owned-rows.ts';
import { selectPage } from './pages.ts';

export type OAuthGrant = Selectable<OAuthGrantsTable>;
type Id = RowId<'oauth_grant'>;

export async function insertOAuthGrant(db: Db, grant: Insertable<OAuthGrantsTable>): Promise<void> {
  await db.insertInto('oauth_grants').values(grant).execute();
}

/** A grant in force with the role of the person who gave it, of any owner: how the library looks grants up. */
export async function findGrantInForce(
  db: Db,
  id: Id,
  now: Date,
): Promise<(OAuthGrant & { readonly role: MemberRole }) | null> {
  const query = db
    .selectFrom('oauth_grants')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.account_record', '=', 'oauth_grants.account_record')
        .onRef('memberships.user_id', '=', 'oauth_grants.user_id'),
    )
    .selectAll('oauth_grants')
    .select('memberships.role')
    .where('oauth_grants.id', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now);
  return (await query.executeTakeFirst()) ?? null;
}

export async function findOAuthGrant(db: Db, owner: OwnerId, id: Id): Promise<OAuthGrant | null> {
  return ownedRow(db.selectFrom('oauth_grants').selectAll(), owner, id);
}

/** Whose grant it is, for the operator, who names it by its id alone. */
export async function findOAuthGrantOwner(db: Db, id: Id): Promise<OwnerId | null> {
  const query = db.selectFrom('oauth_grants').select('account_record').where('id', '=', id);
  return (await query.executeTakeFirst())?.account_record ?? null;
}

export async function listOAuthGrants(
  db: Db,
  owner: OwnerId,
  request: PageRequest,
): Promise<Page<OAuthGrant>> {
  return selectPage(db.selectFrom('oauth_grants').selectAll().where('account_record', '=', owner), request);
}

/** How many grants of the owner are in force: all, and those that one person gave. */
export async function countGrantsInForce(
  db: Db,
  owner: OwnerId,
  user: RowId<'user'>,
  now: Date,
): Promise<{ readonly all: number; readonly own: number }> {
  const row = await db
    .selectFrom('oauth_grants')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('user_id', '=', user).as('own'),
    ])
    .where('account_record', '=', owner)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return { all: Number(row.all), own: Number(row.own) };
}

/** The grants in force that a person gave to apps, newest first: as many as `connected_apps_per_user` allows. */
export async function grantsInForceOf(
  db: Db,
  owner: OwnerId,
  user: RowId<'user'>,
  now: Date,
): Promise<OAuthGrant[]> {
  return db
    .selectFrom('oauth_grants')
    .selectAll()
    .where('account_record', '=', owner)
    .where('user_id', '=', user)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .execute();
}

/** Marks the grant of any owner as revoked: the library passes only its id. One already revoked keeps its time. */
export async function revokeOAuthGrant(db: Db, id: Id, now: Date): Promise<void> {
  await db.updateTable('oauth_grants').set(revokedAt(now)).where('id', '=', id).execute();
}

/** Marks every grant that a person gave, in any account record, as revoked; returns them. */
export async function revokeGrantsOfPerson(db: Db, user: RowId<'user'>, now: Date): Promise<Id[]> {
  const rows = await db
    .updateTable('oauth_grants')
    .set({ revoked_at: now, updated: now })
    .where('user_id', '=', user)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Records when grants were last used; a later time that is already stored is kept. */
export async function touchOAuthGrants(db: Db, used: ReadonlyMap<string, Date>): Promise<void> {
  for (const [id, at] of used) {
    await sql`
      update oauth_grants set last_used_at = ${at}
      where id = ${id} and (last_used_at is null or last_used_at < ${at})`.execute(db);
  }
}

/** Deletes ended grants of the owner, except the `kept` newest. */
export async function deleteSurplusGrants(db: Db, owner: OwnerId, now: Date, kept: number): Promise<void> {
  await sql`
    delete from oauth_grants where id in (
      select id from oauth_grants
      where account_record = ${owner} and (revoked_at is not null or expires_at <= ${now})
      order by id desc offset ${kept}
    )`.execute(db);
}

/** Deletes grants that ended before then, with their tokens, at most `limit`; returns how many. */
export async function deleteEndedGrants(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from oauth_grants where id in (
      select id from oauth_grants where expires_at < ${before} order by expires_at limit ${limit}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}

export type OAuthInteraction = Selectable<OAuthInteractionsTable>;

/** Stores an open request, and deletes the person's oldest beyond `most`. */
export async function putOAuthInteraction(
  db: Db,
  interaction: OAuthInteraction,
  most: number,
): Promise<void> {
  const { payload, expires_at, user_id } = interaction;
  await db
    .insertInto('oauth_interactions')
    .values(interaction)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ payload, expires_at }))
    .execute();
  await sql`
    delete from oauth_interactions where id in (
      select id from oauth_interactions where user_id = ${user_id} order by created desc, id offset ${most}
    )`.execute(db);
}

export async function findOAuthInteraction(
  db: Db,
  id: Uint8Array,
  now: Date,
): Promise<OAuthInteraction | null> {
  const query = db
    .selectFrom('oauth_interactions')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', now);
  return (await query.executeTakeFirst()) ?? null;
}

export async function deleteOAuthInteraction(db: Db, id: Uint8Array): Promise<void> {
  await db.deleteFrom('oauth_interactions').where('id', '=', id).execute();
}

/** Deletes at most `limit` that have expired; returns how many. */
export async function deleteExpiredInteractions(db: Db, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from oauth_interactions where id in (
      select id from oauth_interactions where expires_at < ${now} order by expires_at limit ${limit}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
