import { createCipheriv, createDecipheriv, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(pbkdf2);

/** As Actual derives keys: the salt is taken as the text that the server keeps. */
const ITERATIONS = 10_000;
const KEY_BYTES = 32;
const IV_BYTES = 12;
const ALGORITHM = 'aes-256-gcm';

export interface Encrypted {
  readonly iv: Uint8Array;
  readonly authTag: Uint8Array;
  readonly data: Uint8Array;
}

/** The key of a budget that is encrypted end to end. */
export class BudgetKey {
  readonly id: string;
  readonly #bytes: Buffer;

  private constructor(id: string, bytes: Buffer) {
    this.id = id;
    this.#bytes = bytes;
  }

  static async derive(id: string, password: string, salt: string): Promise<BudgetKey> {
    return new BudgetKey(id, await derive(password, salt, ITERATIONS, KEY_BYTES, 'sha512'));
  }

  encrypt(plain: Uint8Array): Encrypted {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#bytes, iv);
    const data = Buffer.concat([cipher.update(plain), cipher.final()]);
    return { iv, authTag: cipher.getAuthTag(), data };
  }

  /** Null where another key, and so another password, encrypted it. */
  decrypt({ iv, authTag, data }: Encrypted): Buffer | null {
    try {
      const decipher = createDecipheriv(ALGORITHM, this.#bytes, iv, { authTagLength: 16 });
      decipher.setAuthTag(authTag);
      return Buffer.concat([decipher.update(data), decipher.final()]);
    } catch {
      return null;
    }
  }
}
