import { createHash } from 'node:crypto';
import { keyedMac, sameBytes } from '../platform/keyed-mac.ts';
import type { Keyring } from '../platform/keyring.ts';
import { Sealer } from '../platform/sealing.ts';
import type { KeyIdentity } from '../storage/idempotency-keys.ts';
import type { RowId } from '../vocabulary/ids.ts';
import { ServiceError } from '../vocabulary/service-error.ts';

const PURPOSE = 'idempotency-key';
/** Far above what any operation answers with: what is larger is a mistake of ours, and keeping it would multiply it. */
const ANSWER_BYTES = 4 * 1024 * 1024;

/** What a caller sent. */
export interface SentKey {
  readonly owner: RowId<'account_record'>;
  /** A key's answers are its own: they may hold a secret that another key must not see. */
  readonly apiKey: RowId<'api_key'> | null;
  /** The connection it is about, where it is about one. */
  readonly connection: RowId<'connection'> | null;
  /** The header. */
  readonly key: string;
  /** The whole request in one form, for comparison. */
  readonly request: string;
}

/** What is answered again: everything but the headers every answer has. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}

/** A sent key as storage knows it. */
export interface IdentifiedKey {
  readonly row: KeyIdentity;
  /** The ids it may be stored under: one for each encryption key, the row's own first. */
  readonly ids: readonly Uint8Array[];
  /** The same in every process, whichever encryption keys it has. */
  readonly lock: bigint;
  readonly fingerprint: Buffer;
}

/** What is kept of idempotency keys: MACs that tell nothing, and sealed answers. */
export class IdempotencySecrets {
  readonly #keyring: Keyring;
  readonly #sealer: Sealer;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
    this.#sealer = new Sealer(keyring, PURPOSE);
  }

  identify(sent: SentKey): IdentifiedKey {
    const sender = sent.apiKey === null ? `account_record:${sent.owner}` : `api_key:${sent.apiKey}`;
    const mac = (keyId: string) => keyedMac(this.#keyring.derive(PURPOSE, keyId), sender, sent.key);
    return {
      row: {
        id: mac(this.#keyring.primary.id),
        account_record: sent.owner,
        api_key: sent.apiKey,
        connection: sent.connection,
      },
      ids: this.#keyring.ids.map(mac),
      lock: createHash('sha256')
        .update(JSON.stringify([sender, sent.key]))
        .digest()
        .readBigInt64BE(),
      fingerprint: createHash('sha256').update(sent.request).digest(),
    };
  }

  /** Raises TypeError for an answer that is too large to keep. */
  seal(key: IdentifiedKey, answer: StoredAnswer): Buffer {
    const { status, headers, text } = answer;
    const fingerprint = key.fingerprint.toString('base64');
    const sealed = this.#sealer.seal(
      JSON.stringify({ fingerprint, status, headers, text }),
      contextOf(key.row.id),
    );
    if (sealed.length > ANSWER_BYTES) throw new TypeError('an answer is too large to be kept for repeats');
    return sealed;
  }

  /** Raises `idempotency_key_reused` when it answered another request. @throws UnsealError */
  open(key: IdentifiedKey, id: Uint8Array, sealed: Uint8Array): StoredAnswer {
    const kept: unknown = JSON.parse(this.#sealer.open(Buffer.from(sealed), contextOf(id)).toString('utf8'));
    if (!isKept(kept)) throw new TypeError('a kept answer lacks a member');
    if (!sameBytes(Buffer.from(kept.fingerprint, 'base64'), key.fingerprint)) {
      throw new ServiceError('idempotency_key_reused');
    }
    const { status, headers, text } = kept;
    return { status, headers, text };
  }
}

function contextOf(id: Uint8Array): string {
  return `idempotency_keys/${Buffer.from(id).toString('hex')}/answer`;
}

function isKept(value: unknown): value is StoredAnswer & { readonly fingerprint: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'fingerprint' in value &&
    typeof value.fingerprint === 'string' &&
    'status' in value &&
    typeof value.status === 'number' &&
    'headers' in value &&
    Array.isArray(value.headers) &&
    'text' in value &&
    typeof value.text === 'string'
  );
}
