import { sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { MemberRole } from '../vocabulary/member-roles.ts';
import type { OAuthScope } from '../vocabulary/oauth-scopes.ts';
import type { OAuthTokenKind, OAuthTokenPayload } from './app-tables.ts';
import type { Db, Trx } from './database.ts';

export interface NewOAuthToken {
  readonly id: Uint8Array;
  readonly kind: OAuthTokenKind;
  readonly grant: RowId<'oauth_grant'>;
  readonly scopes: readonly string[];
  readonly generation: number;
  readonly payload: OAuthTokenPayload;
  readonly expiresAt: Date;
}

/**
 * Adds a token; its grant lasts at least as long. The grant keeps the newest `most` of its kind. An access token has
 * the generation of the refresh token issued with it, which is added first.
 */
export async function insertOAuthToken(db: Db, token: NewOAuthToken, most: number, now: Date): Promise<void> {
  await sql`
    with added as (
      insert into oauth_tokens (id, kind, grant_id, scopes, generation, payload, expires_at, created)
      values (${token.id}, ${token.kind}, ${token.grant}::uuid, ${token.scopes}::text[],
        case when ${token.kind} = 'access_token' then coalesce((
          select max(generation) from oauth_tokens where grant_id = ${token.grant}::uuid and kind = 'refresh_token'
        ), 0) else ${token.generation}::integer end, ${JSON.stringify(token.payload)}::jsonb, ${token.expiresAt}, ${now})
      returning grant_id, expires_at
    )
    update oauth_grants set expires_at = greatest(oauth_grants.expires_at, added.expires_at)
    from added where oauth_grants.id = added.grant_id`.execute(db);
  await sql`
    delete from oauth_tokens where id in (
      select id from oauth_tokens where grant_id = ${token.grant} and kind = ${token.kind}
      order by created desc, generation desc, id offset ${most}
    ) and id <> ${token.id}`.execute(db);
}

export interface FoundOAuthToken {
  readonly payload: OAuthTokenPayload;
  readonly consumed_at: Date | null;
}

/** A token of the kind that has not expired, consumed ones included. */
export async function findOAuthToken(
  db: Db,
  kind: OAuthTokenKind,
  id: Uint8Array,
  now: Date,
): Promise<FoundOAuthToken | null> {
  const query = db
    .selectFrom('oauth_tokens')
    .select(['payload', 'consumed_at'])
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('expires_at', '>', now);
  return (await query.executeTakeFirst()) ?? null;
}

/** Consumes the token; false if it was already consumed, so that only one of several attempts succeeds. */
export async function consumeOAuthToken(db: Db, id: Uint8Array, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_tokens')
    .set({ consumed_at: now })
    .where('id', '=', id)
    .where('consumed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** When a superseded token counts as consumed: before any grace period, whatever the clock of the process. */
const LONG_AGO = new Date(0);

/**
 * Consumes a refresh token, and with it the others of its generation and earlier; false if that is not allowed. One
 * consumed after `since` may be consumed again while nothing issued for it has been used: the answer may have been
 * lost.
 */
export async function consumeRefreshToken(
  trx: Trx,
  id: Uint8Array,
  since: Date,
  now: Date,
): Promise<boolean> {
  const grant = await grantOfOAuthToken(trx, id);
  if (grant === null) return false;
  // Those of one grant are handled one after another.
  await trx.selectFrom('oauth_grants').select('id').where('id', '=', grant).forUpdate().execute();
  const ofGrant = trx
    .selectFrom('oauth_tokens')
    .select(['id', 'generation', 'consumed_at'])
    .where('grant_id', '=', grant);
  const token = await ofGrant.where('kind', '=', 'refresh_token').where('id', '=', id).executeTakeFirst();
  if (token === undefined) return false;
  const { generation, consumed_at: earlier } = token;
  if (earlier !== null) {
    const used = ofGrant.where('generation', '>', generation).where('consumed_at', 'is not', null);
    if (earlier <= since || (await used.executeTakeFirst()) !== undefined) return false;
  }
  const unused = trx
    .updateTable('oauth_tokens')
    .where('grant_id', '=', grant)
    .where('kind', '=', 'refresh_token')
    .where('generation', '<=', generation)
    .where('consumed_at', 'is', null);
  await unused.set({ consumed_at: now }).where('id', '=', id).execute();
  // The holder of one of these has received the answer.
  await unused.set({ consumed_at: LONG_AGO }).where('id', '<>', id).execute();
  return true;
}

/** The grant a token belongs to, in any state. */
export async function grantOfOAuthToken(db: Db, id: Uint8Array): Promise<RowId<'oauth_grant'> | null> {
  const query = db.selectFrom('oauth_tokens').select('grant_id').where('id', '=', id);
  return (await query.executeTakeFirst())?.grant_id ?? null;
}

/** Records that the access token was used: the client that refreshed has received it. */
export async function noteAccessTokenUse(db: Db, id: Uint8Array, now: Date): Promise<void> {
  const unused = db.updateTable('oauth_tokens').where('id', '=', id).where('consumed_at', 'is', null);
  await unused.set({ consumed_at: now }).execute();
}

/** An access token in force, with what it gives access to and the role of the person behind it. */
export interface OAuthAccess {
  readonly grant: RowId<'oauth_grant'>;
  readonly accountRecord: OwnerId;
  readonly role: MemberRole;
  readonly resource: string;
  readonly granted: readonly OAuthScope[];
  readonly issued: readonly string[];
  readonly expiresAt: Date;
  readonly used: boolean;
}

/** Of any owner: used to authenticate callers. Null if it expired, was revoked, or its person is no longer a member. */
export async function findOAuthAccess(db: Db, id: Uint8Array, now: Date): Promise<OAuthAccess | null> {
  const row = await db
    .selectFrom('oauth_tokens')
    .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_tokens.grant_id')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.account_record', '=', 'oauth_grants.account_record')
        .onRef('memberships.user_id', '=', 'oauth_grants.user_id'),
    )
    .select([
      'oauth_grants.id as grant',
      'oauth_grants.account_record as accountRecord',
      'memberships.role as role',
      'oauth_grants.resource as resource',
      'oauth_grants.scopes as granted',
      'oauth_tokens.scopes as issued',
      'oauth_tokens.expires_at as expiresAt',
      sql<boolean>`oauth_tokens.consumed_at is not null`.as('used'),
    ])
    .where('oauth_tokens.id', '=', id)
    .where('oauth_tokens.kind', '=', 'access_token')
    .where('oauth_tokens.expires_at', '>', now)
    .where('oauth_grants.revoked_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** Deletes the token; the grant it belonged to, or null if there is no such token. */
export async function deleteOAuthToken(db: Db, id: Uint8Array): Promise<RowId<'oauth_grant'> | null> {
  const query = db.deleteFrom('oauth_tokens').where('id', '=', id).returning('grant_id');
  return (await query.executeTakeFirst())?.grant_id ?? null;
}

/** Deletes at most `limit` that have expired; returns how many. */
export async function deleteExpiredTokens(db: Db, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from oauth_tokens where id in (
      select id from oauth_tokens where expires_at < ${now} order by expires_at limit ${limit}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
