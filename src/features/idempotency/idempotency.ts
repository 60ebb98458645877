import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { keyedMac, sameBytes } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Log } from '../../platform/log.ts';
import { Sealer } from '../../platform/sealing.ts';
import { actorColumns } from '../../storage/actor-columns.ts';
import { tookOver } from '../../storage/api-keys.ts';
import type { Db } from '../../storage/database.ts';
import {
  findIdempotencyKey,
  freeAllKeys,
  freeKey,
  type KeyIdentity,
  type KeyTimes,
  keepAnswer,
  lockIdempotencyKey,
  pruneIdempotencyKeys,
  renewKey,
  reserveKey,
  settleKey,
} from '../../storage/idempotency-keys.ts';
import { asOneTransaction } from '../../storage/unit-of-work.ts';
import { CALLER_KINDS, type CallerKind } from '../../vocabulary/caller-kinds.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';

/** How long an operation that reaches out is not repeated after its process died during it. */
const LEASE_MS = 10_000;
const DAY_MS = 86_400_000;

/** `commits`: the work writes to our database only. `reaches_out`: it also acts elsewhere, and may be repeated. */
export type RepeatableEffect = 'commits' | 'reaches_out';

export interface Answered {
  readonly answer: StoredAnswer;
  /** Whether it is a stored answer of an earlier attempt. */
  readonly replayed: boolean;
}

/**
 * Idempotency keys (docs/api-conventions.md#idempotency): work that was done under a key is not repeated; its answer
 * is. For races and deaths of processes, see docs/decisions/0007-idempotency.md.
 */
export class Idempotency {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #limits: Limits;
  readonly #log: Log;
  readonly #secrets: IdempotencySecrets;
  /** Keys in progress in this process, by their lock. */
  readonly #running = new Set<bigint>();

  constructor(deps: { db: Db; clock: Clock; limits: Limits; log: Log; keyring: Keyring }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#limits = deps.limits;
    this.#log = deps.log;
    this.#secrets = new IdempotencySecrets(deps.keyring);
  }

  /**
   * The stored answer to the request, or that of `work`, which is then stored; what `work` raises is passed on, and
   * nothing is stored. Raises `idempotency_key_reused`, and `idempotency_key_in_use` at once while another attempt is
   * in progress, in this or another process.
   */
  async answer(
    sent: SentKey,
    effect: RepeatableEffect,
    work: () => Promise<StoredAnswer>,
  ): Promise<Answered> {
    const key = this.#secrets.identify(sent);
    const stored = this.#running.has(key.lock) ? await this.#stored(key) : null;
    if (stored !== null) return { answer: stored, replayed: true };
    if (this.#running.has(key.lock)) throw new ServiceError('idempotency_key_in_use');
    this.#running.add(key.lock);
    try {
      const earlier = await this.#stored(key);
      if (earlier !== null) return { answer: earlier, replayed: true };
      return await (effect === 'commits' ? this.#commit(key, work) : this.#reachOut(key, work));
    } finally {
      this.#running.delete(key.lock);
    }
  }

  /** For the start of the only process on the database: no other attempt can be in progress. */
  async freeAll(): Promise<void> {
    await freeAllKeys(this.#db);
  }

  /** Deletes keys that have expired. */
  async prune(): Promise<void> {
    await pruneIdempotencyKeys(this.#db, this.#times());
  }

  async #commit(key: IdentifiedKey, work: () => Promise<StoredAnswer>): Promise<Answered> {
    const inUse = new ServiceError('idempotency_key_in_use');
    const enter = async (): Promise<void> => {
      if (!(await lockIdempotencyKey(this.#db, key.lock))) throw inUse;
      // While the encryption key is being changed, a process with another primary key has its row under another id.
      if (key.manyKeys && (await this.#stored(key)) !== null) throw inUse;
    };
    try {
      const answer = await asOneTransaction(enter, async () => {
        const fresh = await work();
        const sealed = this.#secrets.seal(key, fresh);
        if (!(await keepAnswer(this.#db, key.row, sealed, this.#times()))) throw inUse;
        return fresh;
      });
      return { answer, replayed: false };
    } catch (error) {
      // It may have failed because another process has done it: then this is a repeat. Looking it up also settles a
      // commit whose outcome was lost.
      const earlier = await this.#stored(key);
      if (earlier !== null) return { answer: earlier, replayed: true };
      throw error;
    }
  }

  async #reachOut(key: IdentifiedKey, work: () => Promise<StoredAnswer>): Promise<Answered> {
    const holder = randomUUID();
    const { id } = key.row;
    if (!(await reserveKey(this.#db, key.row, { holder, until: this.#leaseEnd() }, this.#times()))) {
      const earlier = await this.#stored(key);
      if (earlier !== null) return { answer: earlier, replayed: true };
      throw new ServiceError('idempotency_key_in_use');
    }
    const over = new AbortController();
    const renewing = this.#renew(id, holder, over.signal);
    try {
      const answer = await work();
      const now = new Date(this.#clock.now());
      await settleKey(this.#db, id, holder, this.#secrets.seal(key, answer), now);
      return { answer, replayed: false };
    } catch (error) {
      await freeKey(this.#db, id, holder).catch((cause: unknown) => {
        this.#log.warn('An idempotency key stays locked until its lease ends.', {}, cause);
      });
      throw error;
    } finally {
      over.abort();
      await renewing;
    }
  }

  async #renew(id: Uint8Array, holder: string, over: AbortSignal): Promise<void> {
    for (;;) {
      const slept = await this.#clock.sleep(LEASE_MS / 3, over).then(
        () => true,
        () => false,
      );
      if (!slept) return;
      try {
        await renewKey(this.#db, id, { holder, until: this.#leaseEnd() });
      } catch (error) {
        this.#log.warn('Failed to renew the lease of an idempotency key.', {}, error);
      }
    }
  }

  /** Null when no attempt has an answer. Raises `idempotency_key_reused`, `idempotency_key_in_use`. */
  async #stored(key: IdentifiedKey): Promise<StoredAnswer | null> {
    const { now, since } = this.#times();
    const row = await findIdempotencyKey(this.#db, key.row.account_record, key.ids, since);
    if (row === null) return null;
    if (row.answer === null) {
      if (row.lease_until !== null && row.lease_until > now) throw new ServiceError('idempotency_key_in_use');
      return null;
    }
    const answer = this.#secrets.open(key, row.id, row.answer);
    if (key.secret) await this.#requireSameAsker(key, row);
    return answer;
  }

  /**
   * The answer shows a secret: raises `idempotency_key_reused` for any caller but the first one. An API key that
   * replaced the first one counts as the same.
   */
  async #requireSameAsker({ row }: IdentifiedKey, stored: KeyIdentity): Promise<void> {
    const { api_key: asked, actor_kind, actor_id } = stored;
    if (row.api_key === asked && row.actor_kind === actor_kind && row.actor_id === actor_id) return;
    if (row.api_key !== null && asked !== null) {
      if (await tookOver(this.#db, row.account_record, row.api_key, asked)) return;
    }
    const [other, alone] = asked === null ? ['caller', 'caller'] : ['API key', 'key'];
    throw new ServiceError('idempotency_key_reused', {
      message: `Another ${other} of this account sent this Idempotency-Key, and the answer holds a secret that only that ${alone} may see again. The request was carried out once; use a new Idempotency-Key to repeat it.`,
    });
  }

  #leaseEnd(): Date {
    return new Date(this.#clock.now() + LEASE_MS);
  }

  #times(): KeyTimes {
    const now = this.#clock.now();
    return { now: new Date(now), since: new Date(now - this.#limits.idempotency_days * DAY_MS) };
  }
}

const PURPOSE = 'idempotency-key';
/** Far above any operation's answer: a larger one is a bug, and storing it would make it worse. */
const ANSWER_BYTES = 4 * 1024 * 1024;

/** Sealed values name their version; those without one have the first. */
const KEPT_VERSION = 1;

/** Who sent it; for an API key, also the one it replaced. */
type SendingCaller =
  | {
      readonly kind: 'api_key';
      readonly id: RowId<'api_key'>;
      readonly key: { readonly rotated_from: RowId<'api_key'> | null };
    }
  | { readonly kind: Exclude<CallerKind, 'api_key'>; readonly id: string };

/** What a caller sent. */
interface SentKey {
  readonly owner: OwnerId;
  readonly caller: SendingCaller;
  /**
   * Whether the answer may hold a secret, which only the API key that sent the request, or its replacement, may see.
   */
  readonly secret: boolean;
  /** The connection it is about, if any. */
  readonly connection: RowId<'connection'> | null;
  /** The header. */
  readonly key: string;
  /** The whole request in a canonical form, for comparison. */
  readonly request: string;
}

/** What is repeated: everything but the headers that every answer has. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}

/** A sent key as storage knows it. */
interface IdentifiedKey {
  readonly row: KeyIdentity;
  /** The ids it may be stored under: one for each encryption key, the row's own first. */
  readonly ids: readonly Uint8Array[];
  /** Whether a process with another primary encryption key would store it under another id. */
  readonly manyKeys: boolean;
  readonly secret: boolean;
  /** The same in every process, whichever encryption keys it has. */
  readonly lock: bigint;
  readonly fingerprint: Buffer;
}

/** What is stored of idempotency keys: MACs that reveal nothing, and sealed responses. */
class IdempotencySecrets {
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
    const mac = (keyId: string) => this.#mac(keyId, sender, sent.key);
    return {
      row: {
        id: mac(this.#keyring.primary.id),
        account_record: owner,
        api_key: caller.kind === 'api_key' ? caller.id : null,
        ...actorColumns(caller),
        connection,
      },
      ids: this.#keyring.macKeyIds(PURPOSE).map(mac),
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

  /** Raises `idempotency_key_reused` if it answered another request. @throws UnsealError */
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
    'v' in value &&
    value.v === KEPT_VERSION &&
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
