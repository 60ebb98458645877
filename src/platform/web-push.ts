import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  createSign,
  ECDH,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const CURVE = 'prime256v1';
const POINT_BYTES = 65;
const AUTH_BYTES = 16;
const SALT_BYTES = 16;
/** Push services take a body of 4096 bytes (RFC 8030, section 7.2); one record holds it. */
const RECORD_BYTES = 4096;
/** Every message has this length before it is encrypted, so that its size says nothing about its text. */
const MESSAGE_BYTES = 2048;
const TOKEN_MS = 12 * 3_600_000;

/** A browser's subscription at its push service: where messages go, and the keys that they are encrypted for. */
export interface PushSubscription {
  readonly endpoint: string;
  /** An uncompressed point of P-256. */
  readonly p256dh: Buffer;
  readonly auth: Buffer;
}

/** Whether these are keys of a subscription, so that a message can be encrypted for them (RFC 8291, section 2). */
export function arePushKeys({ p256dh, auth }: Pick<PushSubscription, 'p256dh' | 'auth'>): boolean {
  if (p256dh.length !== POINT_BYTES || auth.length !== AUTH_BYTES) return false;
  try {
    ECDH.convertKey(p256dh, CURVE);
    return true;
  } catch {
    return false;
  }
}

/**
 * A message of up to 2047 bytes of UTF-8, encrypted for one subscription (RFC 8291 with the encoding `aes128gcm` of
 * RFC 8188). Raises a RangeError for a longer one.
 *
 * @param chance the salt and the private key of this message, for the vectors of the RFC
 */
export function encryptedForPush(
  { p256dh, auth }: Pick<PushSubscription, 'p256dh' | 'auth'>,
  text: string,
  chance: { readonly salt?: Buffer; readonly privateKey?: Buffer; readonly messageBytes?: number } = {},
): Buffer {
  const { salt = randomBytes(SALT_BYTES), messageBytes = MESSAGE_BYTES } = chance;
  const plain = Buffer.from(text);
  if (plain.length >= messageBytes) throw new RangeError('the message is too long for web push');
  const ecdh = createECDH(CURVE);
  if (chance.privateKey === undefined) ecdh.generateKeys();
  else ecdh.setPrivateKey(chance.privateKey);
  const own = ecdh.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, own]);
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(p256dh), auth, info, 32));
  const derived = (name: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, bytes));
  const cipher = createCipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
  // 2 delimits the last record from its padding.
  const padded = Buffer.concat([plain, Buffer.from([2]), Buffer.alloc(messageBytes - plain.length - 1)]);
  const header = Buffer.alloc(5);
  header.writeUInt32BE(RECORD_BYTES);
  header.writeUInt8(own.length, 4);
  return Buffer.concat([salt, header, own, cipher.update(padded), cipher.final(), cipher.getAuthTag()]);
}

/** The key by which push services know this service (VAPID, RFC 8292). */
export class VapidKey {
  readonly #key: KeyObject;
  /** An uncompressed point of P-256 in base64url, for browsers that subscribe. */
  readonly publicKey: string;

  /** @param privateKey 32 bytes; raises where they are no private key of P-256 */
  constructor(privateKey: Buffer) {
    const ecdh = createECDH(CURVE);
    ecdh.setPrivateKey(privateKey);
    const point = ecdh.getPublicKey();
    this.publicKey = point.toString('base64url');
    this.#key = createPrivateKey({
      format: 'jwk',
      key: {
        kty: 'EC',
        crv: 'P-256',
        x: point.subarray(1, 33).toString('base64url'),
        y: point.subarray(33).toString('base64url'),
        d: Buffer.concat([Buffer.alloc(32 - privateKey.length), privateKey]).toString('base64url'),
      },
    });
  }

  /** 32 bytes that a VapidKey can be made of. */
  static generate(): Buffer {
    const ecdh = createECDH(CURVE);
    ecdh.generateKeys();
    const key = ecdh.getPrivateKey();
    return Buffer.concat([Buffer.alloc(32 - key.length), key]);
  }

  /**
   * The `Authorization` header for a message to this endpoint, good for twelve hours.
   *
   * @param contact a `mailto:` or `https:` address of the operator
   */
  authorization(endpoint: string, contact: string, now: number): string {
    const claims = {
      aud: new URL(endpoint).origin,
      exp: Math.floor((now + TOKEN_MS) / 1000),
      sub: contact,
    };
    const signed = [{ typ: 'JWT', alg: 'ES256' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = createSign('sha256')
      .update(signed)
      .sign({ key: this.#key, dsaEncoding: 'ieee-p1363' })
      .toString('base64url');
    return `vapid t=${signed}.${signature}, k=${this.publicKey}`;
  }
}
