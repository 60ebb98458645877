import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Encrypted } from './crdt.ts';

/** How a person encrypts a budget end to end. */
export interface EndToEnd {
  readonly keyId: string;
  readonly salt: string;
  readonly key: Buffer;
}

export function endToEnd(keyId: string, password: string): EndToEnd {
  const salt = randomBytes(32).toString('base64');
  return { keyId, salt, key: pbkdf2Sync(password, salt, 10_000, 32, 'sha512') };
}

export function encryptedBy({ key }: EndToEnd, plain: Uint8Array): Encrypted {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const data = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { iv, authTag: cipher.getAuthTag(), data };
}

/** @throws Error if it was encrypted with another key */
export function decryptedBy({ key }: EndToEnd, { iv, authTag, data }: Encrypted): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 });
  decipher.setAuthTag(authTag);
  return Buffer.concat([decipher.update(data), decipher.final()]);
}
