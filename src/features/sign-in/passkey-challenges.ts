import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { opaqueSecretHash } from '../../platform/opaque-secret.ts';
import type { Db } from '../../storage/database.ts';
import { insertPasskeyChallenge, takePasskeyChallenge } from '../../storage/passkey-challenges.ts';
import type { RowId } from '../../vocabulary/ids.ts';

const BYTES = 32;
/** As long as browsers wait for a person to find their authenticator. */
export const CHALLENGE_MS = 300_000;

/** What authenticators are asked to sign: each once, soon, and for the person it was made for. */
export class PasskeyChallenges {
  readonly #db: Db;
  readonly #clock: Clock;

  constructor(deps: { readonly db: Db; readonly clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  /** `user`: who registers a passkey; null for somebody who signs in. */
  async issue(user: RowId<'user'> | null): Promise<Uint8Array<ArrayBuffer>> {
    const challenge = Uint8Array.from(randomBytes(BYTES));
    await insertPasskeyChallenge(this.#db, {
      challenge_hash: opaqueSecretHash(Buffer.from(challenge).toString('base64url')),
      user_id: user,
      expires_at: new Date(this.#clock.now() + CHALLENGE_MS),
    });
    return challenge;
  }

  /** Uses the challenge up, whatever else the answer comes to. Whether it was issued for this person and is in time. */
  take(challenge: string, user: RowId<'user'> | null): Promise<boolean> {
    return takePasskeyChallenge(this.#db, opaqueSecretHash(challenge), user, new Date(this.#clock.now()));
  }
}
