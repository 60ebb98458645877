import { hash } from 'node:crypto';
import { randomBase62 } from './random-text.ts';

const USER_LENGTH = 32;
const PASSWORD_LENGTH = 40;
const TOKEN_LENGTH = 40;
const TOKEN = new RegExp(`^[0-9A-Za-z]{${TOKEN_LENGTH}}$`);
const CREDENTIALS = new RegExp(`^[0-9A-Za-z]{${USER_LENGTH}}:[0-9A-Za-z]{${PASSWORD_LENGTH}}$`);
/** Twice as long as ours; anything longer is not worth decoding. */
const BASIC = /^basic +([A-Za-z0-9+/_-]{1,200}={0,2})$/i;

/** What an app of the bridge sends with every request. */
export interface BridgeCredentials {
  readonly user: string;
  readonly password: string;
}

/**
 * New credentials of letters and digits alone: apps take an access URL apart at `:`, `/` and `@` without decoding
 * anything. The password carries 238 random bits.
 */
export function newBridgeCredentials(): BridgeCredentials {
  return { user: randomBase62(USER_LENGTH), password: randomBase62(PASSWORD_LENGTH) };
}

/** A new token for the address that an app claims once; 238 random bits. */
export function newSetupToken(): string {
  return randomBase62(TOKEN_LENGTH);
}

/** Whether the text has the form of a token; checked before looking it up. */
export function looksLikeSetupToken(text: string): boolean {
  return TOKEN.test(text);
}

/** User name, colon and password of an `Authorization: Basic …` header (RFC 7617); null if it cannot be ours. */
export function basicCredentials(authorization: string): string | null {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('latin1');
  return CREDENTIALS.test(text) ? text : null;
}

/** Both, joined as they are hashed and sent. */
export function joinedCredentials({ user, password }: BridgeCredentials): string {
  return `${user}:${password}`;
}

/** SHA-256 of a token or of joined credentials: what is stored and looked up. Their random bits need no slow hash. */
export function bridgeSecretHash(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The same digest as text, to cache whose it is without keeping the secret. */
export function bridgeSecretDigest(secret: string): string {
  return hash('sha256', secret, 'base64');
}
