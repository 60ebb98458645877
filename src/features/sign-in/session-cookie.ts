import { randomBytes } from 'node:crypto';
import { cookieOf } from '../../platform/cookies.ts';
import { keyedMac, sameBytes } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { looksLikeOpaqueSecret } from '../../platform/random-text.ts';

/** What a request reveals about the browser. */
export interface Visit {
  /** Its network address. */
  readonly address: string;
  /** Its `Cookie` header. */
  readonly cookie: string | undefined;
  /** Its `User-Agent` header. */
  readonly userAgent: string | undefined;
}

/** The names of the cookies of the web application. */
export interface CookieNames {
  readonly session: string;
  readonly device: string;
  /** Their names before the service moved to https; null over plain http. They no longer sign anyone in. */
  readonly former: Pick<CookieNames, 'session' | 'device'> | null;
}

/**
 * Over https, browsers guarantee that no other host and no page over http has set a cookie with the prefix `__Host-`
 * (RFC 6265bis, section 4.1.3.2); over plain http, on one's own machine, they refuse such a cookie.
 */
export function cookieNames(appUrl: string): CookieNames {
  const plain = { session: 'tributary', device: 'tributary-device' } as const;
  if (new URL(appUrl).protocol !== 'https:') return { ...plain, former: null };
  return { session: `__Host-${plain.session}`, device: `__Host-${plain.device}`, former: plain };
}

/** The secret of the session in a `Cookie` header; null if there is no well-formed one. */
export function sessionSecretIn(
  header: string | undefined,
  names: Pick<CookieNames, 'session'>,
): string | null {
  const value = cookieOf(header, names.session);
  return value !== null && looksLikeOpaqueSecret(value) ? value : null;
}

/** A shared browser keeps the proofs of a few people. */
const MOST_PEOPLE = 4;
const NONCE_BYTES = 16;
const MAC_BYTES = 16;
const TOKEN = /^([\w-]{22})\.([\w-]{22})$/;

/**
 * Proof that a person has signed in with this browser before (docs/sign-in.md#attempts). It does not sign the person
 * in. It is not stored here, and becomes invalid when the encryption key is replaced.
 */
export class DeviceTokens {
  readonly #key: () => Buffer;
  readonly #cookie: string;

  constructor(keyring: Pick<Keyring, 'derive'>, cookies: CookieNames) {
    this.#key = () => keyring.derive('sign-in-devices');
    this.#cookie = cookies.device;
  }

  /** The browser in which this person signed in before; null if the header does not prove that. */
  deviceOf(header: string | undefined, email: string): string | null {
    for (const token of this.#tokensIn(header)) {
      const [, nonce = '', mac = ''] = TOKEN.exec(token) ?? [];
      if (nonce !== '' && sameBytes(Buffer.from(mac, 'base64url'), this.#mac(nonce, email))) return nonce;
    }
    return null;
  }

  /** The cookie's value with a proof for this person added in front of those for other people. */
  withProof(header: string | undefined, email: string): string {
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const own = `${nonce}.${this.#mac(nonce, email).toString('base64url')}`;
    const known = this.deviceOf(header, email);
    const others = this.#tokensIn(header).filter((token) => known === null || !token.startsWith(`${known}.`));
    return [own, ...others].slice(0, MOST_PEOPLE).join('~');
  }

  #tokensIn(header: string | undefined): string[] {
    const tokens = cookieOf(header, this.#cookie)?.split('~', MOST_PEOPLE) ?? [];
    return tokens.filter((token) => TOKEN.test(token));
  }

  #mac(nonce: string, email: string): Buffer {
    return keyedMac(this.#key(), nonce, email).subarray(0, MAC_BYTES);
  }
}
