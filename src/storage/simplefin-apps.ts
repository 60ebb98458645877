import { type Selectable, sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { SimplefinAppsTable } from './app-tables.ts';
import type { Db } from './database.ts';
import { ownedRow, revokedAt } from './owned-rows.ts';
import { selectPage } from './pages.ts';

export type SimplefinApp = Selectable<SimplefinAppsTable>;
/** What can be changed about an app. */
export type SimplefinAppChange = Partial<Pick<SimplefinApp, 'name' | 'two_decimals' | 'leave_out_extra'>>;

/** The app that claims a setup token. */
export interface ClaimingApp {
  readonly id: RowId<'simplefin_app'>;
  readonly credentialsHash: Uint8Array;
}

/**
 * Claims the token with this hash for the app and creates the app, in one statement, so that only one of several claims
 * finds the token open. Null if it is not open: unknown, claimed, revoked or expired.
 */
export async function claimSetupToken(
  db: Db,
  tokenHash: Uint8Array,
  app: ClaimingApp,
  now: Date,
): Promise<RowId<'simplefin_app'> | null> {
  const { rows } = await sql<{ id: RowId<'simplefin_app'> }>`
    with claimed as (
      update simplefin_setup_tokens set claimed_at = ${now}, app = ${app.id}, updated = ${now}
      where token_hash = ${tokenHash} and claimed_at is null and revoked_at is null and expires_at > ${now}
      returning id, account_record, name, two_decimals, leave_out_extra
    )
    insert into simplefin_apps
      (id, account_record, setup_token, name, two_decimals, leave_out_extra, credentials_hash, created, updated)
    select ${app.id}::uuid, account_record, id, name, two_decimals, leave_out_extra,
      ${app.credentialsHash}::bytea, ${now}::timestamptz, ${now}::timestamptz
    from claimed
    returning id`.execute(db);
  return rows[0]?.id ?? null;
}

/** The app whose credentials have this SHA-256, of any owner: used to authenticate callers. Revoked ones included. */
export async function findSimplefinAppByHash(db: Db, hash: Uint8Array): Promise<SimplefinApp | null> {
  const query = db.selectFrom('simplefin_apps').selectAll().where('credentials_hash', '=', hash);
  return (await query.executeTakeFirst()) ?? null;
}

export async function findSimplefinApp(
  db: Db,
  owner: OwnerId,
  id: RowId<'simplefin_app'>,
): Promise<SimplefinApp | null> {
  return ownedRow(db.selectFrom('simplefin_apps').selectAll(), owner, id);
}

/** Whose app it is, for the operator, who names it by its id alone. */
export async function findSimplefinAppOwner(db: Db, id: RowId<'simplefin_app'>): Promise<OwnerId | null> {
  const query = db.selectFrom('simplefin_apps').select('account_record').where('id', '=', id);
  return (await query.executeTakeFirst())?.account_record ?? null;
}

export async function listSimplefinApps(
  db: Db,
  owner: OwnerId,
  request: PageRequest,
): Promise<Page<SimplefinApp>> {
  return selectPage(db.selectFrom('simplefin_apps').selectAll().where('account_record', '=', owner), request);
}

/** How many apps of the owner are not revoked. */
export async function countActiveSimplefinApps(db: Db, owner: OwnerId): Promise<number> {
  const row = await db
    .selectFrom('simplefin_apps')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_record', '=', owner)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Changes the given members. Null if the owner has no such app. */
export async function updateSimplefinApp(
  db: Db,
  owner: OwnerId,
  id: RowId<'simplefin_app'>,
  change: SimplefinAppChange,
  now: Date,
): Promise<SimplefinApp | null> {
  const changed = db.updateTable('simplefin_apps').set({ ...change, updated: now });
  return ownedRow(changed.returningAll(), owner, id);
}

/** Marks the app as revoked; one already revoked keeps its time. Null if the owner has no such app. */
export async function revokeSimplefinApp(
  db: Db,
  owner: OwnerId,
  id: RowId<'simplefin_app'>,
  now: Date,
): Promise<SimplefinApp | null> {
  return ownedRow(db.updateTable('simplefin_apps').set(revokedAt(now)).returningAll(), owner, id);
}

/** Records when apps were last used; a later time that is already stored is kept. */
export async function touchSimplefinApps(db: Db, used: ReadonlyMap<string, Date>): Promise<void> {
  for (const [id, at] of used) {
    await sql`
      update simplefin_apps set last_used_at = ${at}
      where id = ${id} and (last_used_at is null or last_used_at < ${at})`.execute(db);
  }
}
