import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keyring } from './keyring.ts';

const FORMAT_VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';

/** Sealed bytes could not be opened: altered, cut, sealed for another context, or under an unknown key. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError';
}

type Sealed = { keyId: string; header: Buffer; nonce: Buffer; ciphertext: Buffer; tag: Buffer };

/**
 * Authenticated encryption of secrets at rest: AES-256-GCM (NIST SP 800-38D) under a subkey per purpose, with a random
 * 96-bit nonce.
 *
 * Layout: version (1 byte), length of the key id (1 byte), key id, nonce (12), ciphertext, tag (16). Header and context
 * are authenticated, so a secret sealed for one row cannot be moved to another.
 */
export class Sealer {
  readonly #keyring: Keyring;
  readonly #purpose: string;

  constructor(keyring: Keyring, purpose: string) {
    this.#keyring = keyring;
    this.#purpose = `seal:${purpose}`;
  }

  /** @param context where the secret belongs, such as table, row id and column; `open` needs the same */
  seal(plaintext: Buffer | string, context: string): Buffer {
    const keyId = Buffer.from(this.#keyring.primary.id, 'latin1');
    const header = Buffer.concat([Buffer.from([FORMAT_VERSION, keyId.length]), keyId]);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#keyring.derive(this.#purpose), nonce);
    cipher.setAAD(associatedData(header, context));
    const first = typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext);
    return Buffer.concat([header, nonce, first, cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws UnsealError */
  open(sealed: Buffer, context: string): Buffer {
    const { keyId, header, nonce, ciphertext, tag } = parseSealed(sealed);
    if (this.#keyring.find(keyId) === undefined) {
      throw new UnsealError(
        `The secret was sealed under encryption key "${keyId}", which is not configured. ` +
          'Add that key to ENCRYPTION_KEY after the primary key.',
      );
    }
    const key = this.#keyring.derive(this.#purpose, keyId);
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(associatedData(header, context));
    decipher.setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
    } catch {
      throw new UnsealError('The sealed secret was altered or belongs somewhere else.');
    }
  }

  /** Like seal, as base64url text. */
  sealToken(plaintext: Buffer | string, context: string): string {
    return this.seal(plaintext, context).toString('base64url');
  }

  /** Like open, for the text form. @throws UnsealError */
  openToken(token: string, context: string): Buffer {
    const sealed = Buffer.from(token, 'base64url');
    if (sealed.toString('base64url') !== token) throw new UnsealError('The sealed token is not base64url.');
    return this.open(sealed, context);
  }

  /** Whether the bytes were sealed under a key that is no longer the primary. @throws UnsealError */
  needsReseal(sealed: Buffer): boolean {
    return parseSealed(sealed).keyId !== this.#keyring.primary.id;
  }
}

function associatedData(header: Buffer, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context)]);
}

function parseSealed(sealed: Buffer): Sealed {
  if (sealed[0] !== FORMAT_VERSION) throw new UnsealError('The sealed secret has an unknown format.');
  const headerEnd = 2 + (sealed[1] ?? 0);
  const nonceEnd = headerEnd + NONCE_BYTES;
  const tagStart = sealed.length - TAG_BYTES;
  if (tagStart < nonceEnd) throw new UnsealError('The sealed secret is cut short.');
  return {
    keyId: sealed.toString('latin1', 2, headerEnd),
    header: sealed.subarray(0, headerEnd),
    nonce: sealed.subarray(headerEnd, nonceEnd),
    ciphertext: sealed.subarray(nonceEnd, tagStart),
    tag: sealed.subarray(tagStart),
  };
}
