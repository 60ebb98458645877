import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type {
  AuthenticationResponse,
  RegistrationResponse,
} from '../../src/features/sign-in/passkey-ceremonies.ts';

/** Bits of an authenticator's answer (WebAuthn Level 3, section 6.1): someone was there, was verified, made a key. */
const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40];

/** What a test has go wrong. */
interface Said {
  /** Where the browser says it is. */
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly counter?: number;
  readonly verified?: boolean;
}

/** An authenticator with one passkey (ES256), and the browser between it and the service. */
export class VirtualAuthenticator {
  readonly #origin: string;
  readonly #rpId: string;
  readonly #id = randomBytes(16);
  readonly #keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
  #handle = '';
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
    this.#rpId = new URL(origin).hostname;
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  /** Makes the passkey for what the service asks. */
  create(
    asked: { readonly challenge: string; readonly user: { readonly id: string } },
    said: Said = {},
  ): RegistrationResponse {
    this.#handle = asked.user.id;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const key = Buffer.concat([Buffer.alloc(16), length, this.#id, this.#coseKey()]);
    const data = Buffer.concat([this.#data(ATTESTED, said), key]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.from([0xa0]),
      text('authData'),
      bytes(data),
    ]);
    return {
      ...this.#outer(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', asked.challenge, said).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** Signs what the service asks. */
  get(asked: { readonly challenge: string }, said: Said = {}): AuthenticationResponse {
    const clientData = this.#clientData('webauthn.get', asked.challenge, said);
    const data = this.#data(0, said);
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    return {
      ...this.#outer(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(this.#keys.privateKey).toString('base64url'),
        ...(this.#handle !== '' && { userHandle: this.#handle }),
      },
    };
  }

  #outer() {
    const id = this.#id.toString('base64url');
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string, said: Said): Buffer {
    const origin = said.origin ?? this.#origin;
    return Buffer.from(
      JSON.stringify({ type, challenge: said.challenge ?? challenge, origin, crossOrigin: false }),
    );
  }

  #data(flags: number, { rpId = this.#rpId, counter, verified = true }: Said): Buffer {
    this.counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? this.counter);
    const all = flags | PRESENT | (verified ? VERIFIED : 0);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([all]), count]);
  }

  /** The public key in COSE form (RFC 9053, section 7.1.1): kty EC2, alg ES256, crv P-256, x, y. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      bytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      bytes(Buffer.from(y, 'base64url')),
    ]);
  }
}

/** A short text in CBOR (RFC 8949). */
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
}

/** Bytes in CBOR. */
function bytes(value: Buffer): Buffer {
  const head = value.length < 256 ? [0x58, value.length] : [0x59, value.length >> 8, value.length & 0xff];
  return Buffer.concat([Buffer.from(head), value]);
}
