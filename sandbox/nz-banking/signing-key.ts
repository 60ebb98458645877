import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** The key pair by which the vendor signs notifications: made when it is first needed, replaced on demand. */
export class SigningKey {
  #id: number;
  #pair: KeyObject | null = null;

  /** @param id above every one that was in use before */
  constructor(id: number) {
    this.#id = id;
  }

  get id(): number {
    return this.#id;
  }

  /** The public key as the vendor hands it out. */
  get pem(): string {
    return createPublicKey(this.#private()).export({ type: 'pkcs1', format: 'pem' }).toString();
  }

  /** Base64, over the bytes that are sent. */
  sign(body: string | Buffer): string {
    return sign('sha256', typeof body === 'string' ? Buffer.from(body) : body, this.#private()).toString(
      'base64',
    );
  }

  /** Takes the next key; the one before is not known any more. */
  rotate(): void {
    this.#id += 1;
    this.#pair = null;
  }

  #private(): KeyObject {
    this.#pair ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    return this.#pair;
  }
}
