import { hash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes at or above the largest multiple of 62 are drawn again, so that every character is equally likely. */
const FAIR_BYTE_LIMIT = 248;

/** Random base62 characters, 5.95 bits each, from the system's generator. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < FAIR_BYTE_LIMIT && text.length < length) text += base62Digit(byte % 62);
    }
  }
  return text;
}

/** The base62 digit of a number from 0 to 61. */
export function base62Digit(value: number): string {
  return ALPHABET.charAt(value);
}

const BYTES = 32;
const FORM = /^[\w-]{43}$/;

/** 256 random bits in base64url: the value of a session's cookie, or the secret part of a link. */
export function newOpaqueSecret(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** Whether the text has the form of such a secret. */
export function looksLikeOpaqueSecret(text: string): boolean {
  return FORM.test(text);
}

/** SHA-256 of the secret: what is stored and looked up. With this many random bits, no slow hash is needed. */
export function opaqueSecretHash(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
