import { hash, randomBytes } from 'node:crypto';

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

/** SHA-256 of the secret: what is stored and looked up. So many random bits need no slow hash. */
export function opaqueSecretHash(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
