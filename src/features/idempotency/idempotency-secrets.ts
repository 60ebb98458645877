import { createHash } from 'node:crypto';
import { keyedMac, sameBytes } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { Sealer } from '../../platform/sealing.ts';
import { actorColumns } from '../../storage/actor-columns.ts';
import type { KeyIdentity } from '../../storage/idempotency-keys.ts';
import { CALLER_KINDS, type CallerKind } from '../../vocabulary/caller-kinds.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';

const PURPOSE = 'idempotency-key';
/** Far above what any operation answers with: what is larger is a mistake of ours, and keeping it would multiply it. */
const ANSWER_BYTES = 4 * 1024 * 1024;

/** What is sealed says its version; without one it is the first. */
const KEPT_VERSION = 1;

/** Who sent it; of an API key, also the one it took over from. */
export type SendingCaller =
  | {
      readonly kind: 'api_key';
      readonly id: RowId<'api_key'>;
      readonly key: { readonly rotated_from: RowId<'api_key'> | null };
    }
  | { readonly kind: Exclude<CallerKind, 'api_key'>; readonly id: string };

/** What a caller sent. */
export interface SentKey {
  readonly owner: OwnerId;
  readonly caller: SendingCaller;
  /** Whether the answer may hold a secret, which only the API key that asked or its replacement may see. */
  readonly secret: boolean;
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
  /** The ids it may be stored under: for each encryption key, the row's own first, and those of earlier versions. */
  readonly ids: readonly Uint8Array[];
  /** Whether a process with another primary encryption key would store it under another id. */
  readonly manyKeys: boolean;
  readonly secret: boolean;
  /** The same in every process, whichever encryption keys it has. */
  readonly lock: bigint;
  readonly fingerprint: Buffer;
}

/** What is stored of idempotency keys: MACs that reveal nothing, and sealed responses. */
export class IdempotencySecrets {
  readonly #keyring: Keyring;
  readonly #sealer: Sealer;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
    this.#sealer = new Sealer(keyring, PURPOSE);
  }

  identify(sent: SentKey): IdentifiedKey {
    const { owner, caller, connection, secret } = sent;
    const shared = CALLER_KINDS[caller.kind].idempotencyKeys === 'account_record';
    const sender = shared ? `account_record:${owner}` : `${caller.kind}:${caller.id}`;
    const mac = (keyId: string, by: string) => this.#mac(keyId, by, sent.key);
    // Each API key used to have idempotency keys of its own; answers stored then are found until they are too old.
    const earlier =
      caller.kind === 'api_key' ? [caller.id, caller.key.rotated_from].filter((id) => id !== null) : [];
    const senders = [sender, ...earlier.map((id) => `api_key:${id}`)];
    return {
      row: {
        id: mac(this.#keyring.primary.id, sender),
        account_record: owner,
        api_key: caller.kind === 'api_key' ? caller.id : null,
        ...actorColumns(caller.kind === 'api_key' ? null : caller),
        connection,
      },
      ids: senders.flatMap((by) => this.#keyring.macKeyIds(PURPOSE).map((keyId) => mac(keyId, by))),
      manyKeys: this.#keyring.ids.length > 1,
      secret,
      lock: createHash('sha256')
        .update(JSON.stringify([sender, sent.key]))
        .digest()
        .readBigInt64BE(),
      fingerprint: createHash('sha256').update(sent.request).digest(),
    };
  }

  #mac(keyId: string, sender: string, key: string): Buffer {
    return keyedMac(
      this.#keyring.macKey(PURPOSE, keyId) ?? this.#keyring.derive(PURPOSE, keyId),
      sender,
      key,
    );
  }

  /** Raises TypeError for an answer that is too large to store. */
  seal(key: IdentifiedKey, answer: StoredAnswer): Buffer {
    const { status, headers, text } = answer;
    const fingerprint = key.fingerprint.toString('base64');
    const sealed = this.#sealer.seal(
      JSON.stringify({ v: KEPT_VERSION, fingerprint, status, headers, text }),
      contextOf(key.row.id),
    );
    if (sealed.length > ANSWER_BYTES) throw new TypeError('an answer is too large to be stored for repeats');
    return sealed;
  }

  /** Raises `idempotency_key_reused` when it answered another request. @throws UnsealError */
  open(key: IdentifiedKey, id: Uint8Array, sealed: Uint8Array): StoredAnswer {
    const stored: unknown = JSON.parse(
      this.#sealer.open(Buffer.from(sealed), contextOf(id)).toString('utf8'),
    );
    if (!isStored(stored)) throw new TypeError('a stored answer lacks a member or has an unknown version');
    if (!sameBytes(Buffer.from(stored.fingerprint, 'base64'), key.fingerprint)) {
      throw new ServiceError('idempotency_key_reused');
    }
    const { status, headers, text } = stored;
    return { status, headers, text };
  }
}

function contextOf(id: Uint8Array): string {
  return `idempotency_keys/${Buffer.from(id).toString('hex')}/answer`;
}

function isStored(value: unknown): value is StoredAnswer & { readonly fingerprint: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    (!('v' in value) || value.v === KEPT_VERSION) &&
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
