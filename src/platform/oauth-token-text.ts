import { hash, randomBytes } from 'node:crypto';

/**
 * The prefixes of tokens: they distinguish a token from an API key and show its purpose, before anything is looked up.
 */
export const OAUTH_TOKEN_PREFIXES = { access_token: 'trib_oat_', refresh_token: 'trib_ort_' } as const;

export type PrefixedTokenKind = keyof typeof OAUTH_TOKEN_PREFIXES;

const RANDOM_BYTES = 32;
const ACCESS_TOKEN = new RegExp(`^${OAUTH_TOKEN_PREFIXES.access_token}[\\w-]{43}$`);

/** A new token: its prefix and 256 random bits. */
export function newOAuthToken(kind: PrefixedTokenKind): string {
  return OAUTH_TOKEN_PREFIXES[kind] + randomBytes(RANDOM_BYTES).toString('base64url');
}

/** Whether the text has the form of an access token; checked before looking it up. */
export function looksLikeAccessToken(text: string): boolean {
  return ACCESS_TOKEN.test(text);
}

/** SHA-256 of a token, a code or the id of a request: what is stored and looked up. */
export function oauthTokenHash(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The same digest as text, to cache whose token it is without keeping the token. */
export function oauthTokenDigest(secret: string): string {
  return hash('sha256', secret, 'base64');
}
