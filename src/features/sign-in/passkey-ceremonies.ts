import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Clock } from '../../platform/clock.ts';
import { opaqueSecretHash } from '../../platform/random-text.ts';
import type { Db } from '../../storage/database.ts';
import { insertPasskeyChallenge, takePasskeyChallenge } from '../../storage/passkeys.ts';
import type { RowId } from '../../vocabulary/ids.ts';

const BYTES = 32;
/** As long as browsers give a person to find their authenticator. */
export const CHALLENGE_MS = 300_000;

/** The challenges that authenticators sign: each valid once, for a short time, and for one person. */
export class PasskeyChallenges {
  readonly #db: Db;
  readonly #clock: Clock;

  constructor(deps: { readonly db: Db; readonly clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  /** `user`: the person who registers a passkey; null for signing in. */
  async issue(user: RowId<'user'> | null): Promise<Uint8Array<ArrayBuffer>> {
    const challenge = Uint8Array.from(randomBytes(BYTES));
    await insertPasskeyChallenge(this.#db, {
      challenge_hash: opaqueSecretHash(Buffer.from(challenge).toString('base64url')),
      user_id: user,
      expires_at: new Date(this.#clock.now() + CHALLENGE_MS),
    });
    return challenge;
  }

  /**
   * Uses up the challenge, even if the rest of the response is wrong. Whether it was issued for this person and has not
   * expired.
   */
  take(challenge: string, user: RowId<'user'> | null): Promise<boolean> {
    return takePasskeyChallenge(this.#db, opaqueSecretHash(challenge), user, new Date(this.#clock.now()));
  }
}

const Base64Url = Type.String({ pattern: '^[\\w-]{1,8192}$' });
const outer = {
  id: Base64Url,
  rawId: Base64Url,
  type: Type.Literal('public-key'),
  // No extensions are requested, so their results are not read.
  clientExtensionResults: Type.Object({}),
};
const RegistrationResponse = Type.Object({
  ...outer,
  response: Type.Object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 })),
  }),
});
const AuthenticationResponse = Type.Object({
  ...outer,
  response: Type.Object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Type.Optional(Base64Url),
  }),
});

/** What a browser returns when a passkey was created (WebAuthn Level 3, section 5.1.8, `RegistrationResponseJSON`). */
export type RegistrationResponse = Type.Static<typeof RegistrationResponse>;
/** What a browser returns when a passkey was used (`AuthenticationResponseJSON`). */
export type AuthenticationResponse = Type.Static<typeof AuthenticationResponse>;

export function isRegistrationResponse(value: unknown): value is RegistrationResponse {
  return Value.Check(RegistrationResponse, value);
}

export function isAuthenticationResponse(value: unknown): value is AuthenticationResponse {
  return Value.Check(AuthenticationResponse, value);
}

/** Whom browsers name as the user of a passkey (WebAuthn Level 3, section 5.1.2). */
export interface RelyingParty {
  /** The host of the web application, the only one for which a passkey works. */
  readonly id: string;
  readonly origin: string;
}

/** Null if browsers offer no passkeys: for an IP address, and over http to another machine. */
export function relyingParty(appUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(appUrl);
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return null;
  const secure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return secure ? { id: hostname, origin } : null;
}
