import { type Selectable, sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';
import type { PasskeyChallengesTable, PasskeysTable } from './identity-tables.ts';

export type Passkey = Selectable<PasskeysTable>;
type User = RowId<'user'>;

/** False if the credential is already registered. */
export async function insertPasskey(db: Db, passkey: Passkey): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** The passkey, of any person, that the browser names; used to find who is signing in. */
export async function findPasskeyByCredential(db: Db, credential: string): Promise<Passkey | null> {
  const query = db.selectFrom('passkeys').selectAll().where('credential_id', '=', credential);
  return (await query.executeTakeFirst()) ?? null;
}

/** In the order they were registered: as many as `passkeys_per_user` allows. */
export async function passkeysOf(db: Db, user: User): Promise<Passkey[]> {
  return db.selectFrom('passkeys').selectAll().where('user_id', '=', user).orderBy('id').execute();
}

/**
 * Records a use. False if another use has changed the counter since `before` was read: a signature counts once, so two
 * at once mean that the key was copied.
 */
export async function notePasskeyUse(
  db: Db,
  { id, counter: before }: Passkey,
  { counter, now }: { readonly counter: number; readonly now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('id', '=', id)
    .where('counter', '=', before)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function deletePasskeysOf(db: Db, user: User): Promise<void> {
  await db.deleteFrom('passkeys').where('user_id', '=', user).execute();
}

export async function deletePasskey(db: Db, user: User, id: RowId<'passkey'>): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('user_id', '=', user)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

export type PasskeyChallenge = Selectable<PasskeyChallengesTable>;

export async function insertPasskeyChallenge(db: Db, challenge: PasskeyChallenge): Promise<void> {
  await db.insertInto('passkey_challenges').values(challenge).execute();
}

/**
 * Uses the challenge up, even if the response is refused. Returns whether it belonged to this person, or to no one, and
 * was in time.
 */
export async function takePasskeyChallenge(
  db: Db,
  hash: Uint8Array,
  user: RowId<'user'> | null,
  now: Date,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hash)
    .where(sql<boolean>`user_id is not distinct from ${user}::uuid`)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

export async function deletePastChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute();
}
