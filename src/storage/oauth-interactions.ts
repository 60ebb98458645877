import { type Selectable, sql } from 'kysely';
import type { Db } from './database.ts';
import type { OAuthInteractionsTable } from './oauth-tables.ts';

export type OAuthInteraction = Selectable<OAuthInteractionsTable>;

/** Writes an open request, and drops the oldest of the person's beyond `most`. */
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

/** Deletes at most `limit` that have expired; how many. */
export async function deleteExpiredInteractions(db: Db, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from oauth_interactions where id in (
      select id from oauth_interactions where expires_at < ${now} order by expires_at limit ${limit}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
