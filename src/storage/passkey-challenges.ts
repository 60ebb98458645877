import { type Selectable, sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';
import type { PasskeyChallengesTable } from './people-tables.ts';

export type PasskeyChallenge = Selectable<PasskeyChallengesTable>;

export async function insertPasskeyChallenge(db: Db, challenge: PasskeyChallenge): Promise<void> {
  await db.insertInto('passkey_challenges').values(challenge).execute();
}

/** Uses the challenge up, even where the response is refused. Whether it was one of this person's, or of nobody's, and in time. */
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
