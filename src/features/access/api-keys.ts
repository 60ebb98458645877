import { apiKeyPrefix, hashApiKey, newApiKeySecret } from '../../platform/api-key-secret.ts';
import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import { lockAccountRecord } from '../../storage/account-records.ts';
import {
  type ApiKey,
  countActiveApiKeys,
  endApiKey,
  findApiKey,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
  updateApiKey,
} from '../../storage/api-keys.ts';
import type { Db, Trx } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import { inRetryableTransaction } from '../../storage/retryable-transaction.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import {
  type Metadata,
  type MetadataPatch,
  mergeMetadata,
  requireFittingMetadata,
} from '../../vocabulary/metadata.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import { LEGACY_SCOPES, type Scope } from '../../vocabulary/scopes.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';
import { API_KEY_MOVES, moveBy } from '../../vocabulary/states.ts';
import type { EventTrigger } from '../events/event-log.ts';
import {
  apiKeyStatus,
  checkedAddresses,
  checkedGrace,
  futureOrNull,
  type KeyMaker,
  refuseKeyless,
  refuseLooser,
  refuseUnheld,
} from './api-key-checks.ts';
import { requireMetadataRoom } from './metadata-room.ts';

export interface NewApiKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly legacy?: boolean;
  readonly allowedIps?: readonly string[] | null;
  readonly expiresAt?: Date | null;
  readonly metadata?: Metadata | null;
}

/** Restricted API keys (docs/authentication.md). The secret exists only in the answer that creates it. */
export class ApiKeys {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #notices: Notices;
  readonly #limits: Limits;
  readonly #events: EventTrigger;

  constructor(deps: { db: Db; clock: Clock; notices: Notices; limits: Limits; events: EventTrigger }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#notices = deps.notices;
    this.#limits = deps.limits;
    this.#events = deps.events;
  }

  /**
   * `maker` is null for the operator. Raises `scope_not_held` for more than the maker may do itself,
   * `parameter_invalid` (allowed_ips, expires_at, metadata) and `key_limit_reached`.
   */
  async create(
    owner: OwnerId,
    input: NewApiKey,
    maker: KeyMaker | null,
  ): Promise<{ key: ApiKey; secret: string }> {
    if (maker !== null) refuseKeyless(maker);
    const scopes = input.legacy === true ? [...LEGACY_SCOPES] : [...new Set(input.scopes)];
    if (maker !== null) refuseUnheld(scopes, maker, 'scopes');
    requireFittingMetadata(input.metadata, this.#limits.metadata_pairs);
    const now = this.#clock.now();
    const secret = newApiKeySecret();
    const key: ApiKey = {
      id: rowId('api_key', newRowId(this.#clock)),
      account_record: owner,
      name: input.name,
      secret_hash: hashApiKey(secret),
      prefix: apiKeyPrefix(secret),
      scopes,
      legacy: input.legacy ?? false,
      allowed_ips: checkedAddresses(input.allowedIps ?? null, this.#limits.allowed_ips),
      expires_at: futureOrNull(input.expiresAt ?? null, now),
      expiring_at: null,
      last_used_at: null,
      rotated_from: null,
      revoked_at: null,
      metadata: input.metadata ?? null,
      created: new Date(now),
      updated: new Date(now),
    };
    if (maker !== null) refuseLooser(key, maker);
    await inRetryableTransaction(this.#db, 'api_key_create_failed', async (trx) => {
      await lockAccountRecord(trx, owner);
      if ((await countActiveApiKeys(trx, owner, new Date(now))) >= this.#limits.api_keys) {
        throw new ServiceError('key_limit_reached');
      }
      await insertApiKey(trx, key);
      const sizes = { before: null, after: key.metadata };
      await requireMetadataRoom(
        trx,
        this.#limits,
        { table: 'api_keys', owner, now: this.#clock.now() },
        sizes,
      );
    });
    return { key, secret };
  }

  /**
   * A replacement that takes over everything but the secret; the old key goes on for `grace` (`30m`, `12h`, `7d`; null:
   * LIMIT_KEY_GRACE_DAYS), never past its own end. Raises `resource_missing`, `key_revoked`, `key_already_rotated`,
   * `key_expired`, `scope_not_held`, `key_limit_reached`, `parameter_invalid` (`grace`) and `api_key_rotate_failed`.
   */
  async rotate(
    owner: OwnerId,
    id: RowId<'api_key'>,
    grace: string | null,
    maker: KeyMaker | null,
  ): Promise<{ key: ApiKey; secret: string }> {
    if (maker !== null) refuseKeyless(maker);
    const graceMs = checkedGrace(grace, this.#limits.key_grace_days);
    const secret = newApiKeySecret();
    const key = await inRetryableTransaction(this.#db, 'api_key_rotate_failed', async (trx) => {
      await lockAccountRecord(trx, owner);
      const old = await findApiKey(trx, owner, id);
      if (old === null) throw missing('API key');
      const now = this.#clock.now();
      const replacement = this.#replacement(old, secret, now);
      refuseRotation(old, now);
      if (maker !== null) {
        refuseUnheld(replacement.scopes, maker, null);
        refuseLooser(replacement, maker);
      }
      await this.#requireRoomBeside(trx, old, graceMs, now);
      await endApiKey(trx, owner, id, sooner(new Date(now + graceMs), old.expires_at), new Date(now));
      await insertApiKey(trx, replacement);
      await this.#events(trx, owner, moveBy(API_KEY_MOVES, 'rotated').emits, id);
      await this.#notices.publish(trx, { kind: 'api_key', id });
      return replacement;
    });
    this.#notices.deliver({ kind: 'api_key', id });
    return { key, secret };
  }

  #replacement(old: ApiKey, secret: string, now: number): ApiKey {
    return {
      ...old,
      id: rowId('api_key', newRowId(this.#clock)),
      secret_hash: hashApiKey(secret),
      prefix: apiKeyPrefix(secret),
      // It was made in the days of scopes, so it names the ones it has.
      scopes: old.legacy ? [...LEGACY_SCOPES] : old.scopes,
      legacy: false,
      last_used_at: null,
      rotated_from: old.id,
      created: new Date(now),
      updated: new Date(now),
    };
  }

  /** A full house may still rotate every key it has, but not pile up keys that all go on for their grace. */
  async #requireRoomBeside(trx: Trx, old: ApiKey, graceMs: number, now: number): Promise<void> {
    const most = 2 * this.#limits.api_keys;
    if (graceMs === 0 || (await countActiveApiKeys(trx, old.account_record, new Date(now))) < most) return;
    throw new ServiceError('key_limit_reached', {
      message: `${most} keys are still valid, including expiring ones; revoke some, or rotate with grace 0.`,
    });
  }

  /** Raises `resource_missing`. */
  async find(owner: OwnerId, id: RowId<'api_key'>): Promise<ApiKey> {
    const key = await findApiKey(this.#db, owner, id);
    if (key === null) throw missing('API key');
    return key;
  }

  async list(owner: OwnerId, request: PageRequest): Promise<Page<ApiKey>> {
    return listApiKeys(this.#db, owner, request);
  }

  /** Name and metadata; scopes never change. Raises `resource_missing`, `parameter_invalid` (metadata). */
  async update(
    owner: OwnerId,
    id: RowId<'api_key'>,
    change: { name?: string; metadata?: MetadataPatch },
  ): Promise<ApiKey> {
    const updated = await this.#db.transaction().execute(async (trx) => {
      await lockAccountRecord(trx, owner);
      const key = await findApiKey(trx, owner, id);
      if (key === null) throw missing('API key');
      const metadata =
        change.metadata === undefined ? undefined : mergeMetadata(key.metadata, change.metadata);
      requireFittingMetadata(metadata, this.#limits.metadata_pairs);
      const changed = await updateApiKey(
        trx,
        owner,
        id,
        {
          ...(change.name === undefined ? {} : { name: change.name }),
          ...(metadata === undefined ? {} : { metadata }),
        },
        new Date(this.#clock.now()),
      );
      if (changed === null) throw missing('API key');
      const sizes = { before: key.metadata, after: metadata };
      await requireMetadataRoom(
        trx,
        this.#limits,
        { table: 'api_keys', owner, now: this.#clock.now() },
        sizes,
      );
      await this.#notices.publish(trx, { kind: 'api_key', id });
      return changed;
    });
    this.#notices.deliver({ kind: 'api_key', id });
    return updated;
  }

  /** From the commit on the key works nowhere. Revoking twice is the same as once. Raises `resource_missing`. */
  async revoke(owner: OwnerId, id: RowId<'api_key'>): Promise<ApiKey> {
    const key = await this.#db.transaction().execute(async (trx) => {
      const revoked = await revokeApiKey(trx, owner, id, new Date(this.#clock.now()));
      if (revoked === null) throw missing('API key');
      await this.#notices.publish(trx, { kind: 'api_key', id });
      return revoked;
    });
    this.#notices.deliver({ kind: 'api_key', id });
    return key;
  }
}

/** A key that was rotated stays rotated, whatever became of its replacement. */
function refuseRotation(key: ApiKey, now: number): void {
  if (key.revoked_at !== null) throw new ServiceError('key_revoked');
  if (key.expiring_at !== null) throw new ServiceError('key_already_rotated');
  if (apiKeyStatus(key, now) === 'expired') throw new ServiceError('key_expired');
}

function sooner(end: Date, other: Date | null): Date {
  return other === null || end.getTime() <= other.getTime() ? end : other;
}
