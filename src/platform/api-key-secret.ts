import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { FIXED_LIMITS } from '../vocabulary/limits.ts';
import { base62Digit, randomBase62 } from './random-text.ts';

const PREFIX = 'trib_live_';
/** 32 base62 characters carry 190.5 bits. */
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SECRET_LENGTH = PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
const BASE62_BODY = /^[0-9A-Za-z]+$/;

/**
 * A new API key: `trib_live_`, 32 random base62 characters, and the CRC-32 of all that in 6 base62 characters.
 * The checksum lets a secret scanner and the authentication tell a real key from a look-alike without a lookup; it
 * protects nothing.
 */
export function newApiKeySecret(): string {
  const body = PREFIX + randomBase62(RANDOM_LENGTH);
  return body + checksum(body);
}

/** Whether the text has the form of an API key: prefix, length, alphabet and checksum. */
export function looksLikeApiKey(text: string): boolean {
  if (text.length !== SECRET_LENGTH || !text.startsWith(PREFIX)) return false;
  if (!BASE62_BODY.test(text.slice(PREFIX.length))) return false;
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** Prefix and scheme in one expression: matching the token a second time would cost as much as counting the request. */
const BEARER_API_KEY = new RegExp(`^(?i:bearer) +(${PREFIX}[\\x21-\\x7e]{1,500})$`);

/** The token of an `Authorization: Bearer …` header that begins as every API key does; null for any other header. */
export function bearerApiKey(authorization: string): string | null {
  return BEARER_API_KEY.exec(authorization)?.[1] ?? null;
}

/** SHA-256 of the secret: what is stored and looked up. 190 random bits need no slow hash. */
export function hashApiKey(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The same digest as text, to cache whose key it is without keeping the key. */
export function apiKeyDigest(secret: string): string {
  return hash('sha256', secret, 'base64');
}

/** The first 16 characters, shown so that a person can tell keys apart. */
export function apiKeyPrefix(secret: string): string {
  return secret.slice(0, FIXED_LIMITS.key_prefix_characters);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    text = base62Digit(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
