import { type Selectable, sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { OneTimeLinkKind } from '../vocabulary/one-time-links.ts';
import type { Db, Trx } from './database.ts';
import type { OneTimeLinksTable } from './identity-tables.ts';

export type OneTimeLink = Selectable<OneTimeLinksTable>;

export async function insertOneTimeLink(db: Db, link: OneTimeLink): Promise<void> {
  await db.insertInto('one_time_links').values(link).execute();
}

/** The link of one of these kinds whose secret has this SHA-256, in any state. */
export async function findOneTimeLink(
  db: Db,
  kinds: readonly OneTimeLinkKind[],
  hash: Uint8Array,
): Promise<OneTimeLink | null> {
  const query = db
    .selectFrom('one_time_links')
    .selectAll()
    .where('kind', 'in', kinds)
    .where('token_hash', '=', hash);
  return (await query.executeTakeFirst()) ?? null;
}

/** Uses the link up; null if it was already used or has expired, so that only one of several uses succeeds. */
export async function useOneTimeLink(
  db: Db,
  kinds: readonly OneTimeLinkKind[],
  hash: Uint8Array,
  now: Date,
): Promise<OneTimeLink | null> {
  const row = await db
    .updateTable('one_time_links')
    .set({ used_at: now })
    .where('kind', 'in', kinds)
    .where('token_hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Locks every link of this kind until the transaction ends. */
export async function lockOneTimeLinks(trx: Trx, kind: OneTimeLinkKind): Promise<void> {
  await trx
    .selectFrom('one_time_links')
    .select('id')
    .where('kind', '=', kind)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Deletes a person's links of this kind, except the newest `kept`. */
export async function deleteSurplusLinks(
  db: Db,
  {
    kind,
    user,
    kept,
  }: { readonly kind: OneTimeLinkKind; readonly user: RowId<'user'>; readonly kept: number },
): Promise<void> {
  await sql`
    delete from one_time_links where id in (
      select id from one_time_links
      where user_id = ${user} and kind = ${kind} order by created desc, id desc offset ${kept}
    )`.execute(db);
}

/** Deletes every unused link of a person. */
export async function deleteUnusedLinks(db: Db, user: RowId<'user'>): Promise<void> {
  await db.deleteFrom('one_time_links').where('user_id', '=', user).where('used_at', 'is', null).execute();
}

export async function deleteOneTimeLinksBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('one_time_links').where('expires_at', '<', before).execute();
}
