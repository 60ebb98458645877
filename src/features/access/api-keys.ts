import { apiKeyPrefix, hashApiKey, newApiKeySecret } from '../../platform/api-key-secret.ts';
import type { Clock } from '../../platform/clock.ts';
import { cidrHolds, parseAddress, parseCidr, plainAddress } from '../../platform/network-addresses.ts';
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
import { CALLER_KINDS, type CallerKind } from '../../vocabulary/caller-kinds.ts';
import { parseDuration } from '../../vocabulary/durations.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import {
  type Metadata,
  type MetadataPatch,
  mergeMetadata,
  requireFittingMetadata,
} from '../../vocabulary/metadata.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import { impliedScopes, LEGACY_SCOPES, type Scope } from '../../vocabulary/scopes.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import { API_KEY_MOVES, moveBy } from '../../vocabulary/states.ts';
import type { EventTrigger } from '../events/event-log.ts';
import { apiKeyStatus } from './api-key-authenticator.ts';
import { requireMetadataRoom } from './metadata-room.ts';

const DAY_MS = 86_400_000;

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
   * `maker` is null for the operator. Raises `scope_not_held` for rights that the maker does not have,
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
   * A replacement that takes over everything but the secret; the old key keeps working for `grace` (`30m`, `12h`, `7d`;
   * null: LIMIT_KEY_GRACE_DAYS), never past its own end. Raises `resource_missing`, `key_revoked`,
   * `key_already_rotated`, `key_expired`, `scope_not_held`, `key_limit_reached`, `parameter_invalid` (`grace`) and
   * `api_key_rotate_failed`.
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
      // It was made since there are scopes, so it names its own.
      scopes: old.legacy ? [...LEGACY_SCOPES] : old.scopes,
      legacy: false,
      last_used_at: null,
      rotated_from: old.id,
      created: new Date(now),
      updated: new Date(now),
    };
  }

  /** An owner at the limit may still rotate every key, but not accumulate keys that are all in their grace period. */
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

  /** From the commit on, the key works nowhere. Revoking it again changes nothing. Raises `resource_missing`. */
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

/** A rotated key stays rotated, even if its replacement was revoked. */
function refuseRotation(key: ApiKey, now: number): void {
  if (key.revoked_at !== null) throw new ServiceError('key_revoked');
  if (key.expiring_at !== null) throw new ServiceError('key_already_rotated');
  if (apiKeyStatus(key, now) === 'expired') throw new ServiceError('key_expired');
}

function sooner(end: Date, other: Date | null): Date {
  return other === null || end.getTime() <= other.getTime() ? end : other;
}

/** Raises `scope_not_held` for a kind of caller that makes no keys, whatever its scopes (docs/callers.md). */
function refuseKeyless(maker: KeyMaker): void {
  const { makesKeys, label } = CALLER_KINDS[maker.kind];
  if (makesKeys) return;
  throw new ServiceError('scope_not_held', {
    message: `A ${label} cannot create or rotate API keys; use an API key that holds keys:write.`,
  });
}

/**
 * Raises `scope_not_held` for scopes that the maker does not hold, implied ones included; `param` names where they were
 * given.
 */
export function refuseUnheld(scopes: readonly Scope[], maker: KeyMaker, param: string | null): void {
  const unheld = [...impliedScopes(scopes)].filter((scope) => !maker.scopes.has(scope));
  if (unheld.length === 0) return;
  throw new ServiceError('scope_not_held', {
    param,
    message: `The calling ${CALLER_KINDS[maker.kind].label} does not hold ${unheld.join(', ')}, so it cannot grant ${unheld.length === 1 ? 'it' : 'them'}.`,
  });
}

/** The caller that makes a key, as far as that bounds what the key may do. */
export type KeyMaker = { readonly scopes: ReadonlySet<Scope> } & (
  | { readonly kind: 'api_key'; readonly key: KeyBounds }
  | { readonly kind: Exclude<CallerKind, 'api_key'> }
);

/** From which addresses a key may be used, and until when; null for any address and no end. */
type KeyBounds = Pick<ApiKey, 'allowed_ips' | 'expires_at'>;

/**
 * Raises `scope_not_held` for a key that could be used from more addresses or for longer than the key that makes it:
 * otherwise its holder could get around its limits. `param` names the member to change.
 */
function refuseLooser(made: KeyBounds, maker: KeyMaker): void {
  if (maker.kind !== 'api_key') return;
  const { allowed_ips: allowed, expires_at: end } = maker.key;
  if (!within(made.allowed_ips, allowed)) {
    throw new ServiceError('scope_not_held', {
      param: 'allowed_ips',
      message:
        'The calling key is restricted by allowed_ips; a key it creates or rotates must be restricted to a subset of them.',
    });
  }
  if (end !== null && (made.expires_at === null || made.expires_at > end)) {
    throw new ServiceError('scope_not_held', {
      param: 'expires_at',
      message: `The calling key expires at ${end.toISOString()}; a key it creates or rotates must expire by then.`,
    });
  }
}

/** Whether each network is within one of the others. One that only two of them cover together is not recognised. */
function within(made: KeyBounds['allowed_ips'], allowed: KeyBounds['allowed_ips']): boolean {
  if (allowed === null || allowed.length === 0) return true;
  if (made === null || made.length === 0) return false;
  const networks = allowed.map(parseCidr).filter((network) => network !== null);
  return made.every((entry) => {
    const inner = parseCidr(entry);
    return inner !== null && networks.some((outer) => inner[1] >= outer[1] && cidrHolds(outer, inner[0]));
  });
}

/**
 * IPv4 addresses or CIDR ranges and exact IPv6 addresses (docs/authentication.md#allow-lists). Raises
 * `parameter_invalid`.
 */
function checkedAddresses(entries: readonly string[] | null, most: number): string[] | null {
  if (entries === null) return null;
  if (entries.length > most)
    throw invalidParameter('allowed_ips', `A key can have at most ${most} addresses.`);
  for (const [at, entry] of entries.entries()) {
    const network = parseCidr(entry);
    const exact = parseAddress(entry) !== null;
    // IPv4 callers are compared by their IPv4 address, even if the socket has a mapped one: a mapped entry would never
    // match.
    const mapped = plainAddress(entry) !== entry;
    if (network === null || mapped || (network[0].kind() === 'ipv6' && !exact)) {
      throw invalidParameter(
        `allowed_ips[${at}]`,
        'Give an IPv4 address, an IPv4 range such as 203.0.113.0/24, or an exact IPv6 address.',
      );
    }
  }
  return [...entries];
}

/** Raises `parameter_invalid` for an end that has passed at `now`, epoch ms. */
function futureOrNull(moment: Date | null, now: number): Date | null {
  if (moment !== null && moment.getTime() <= now)
    throw invalidParameter('expires_at', 'expires_at must be in the future.');
  return moment;
}

/** How long a rotated key keeps working, in milliseconds. Raises `parameter_invalid` (`grace`). */
function checkedGrace(text: string | null, mostDays: number): number {
  const most = mostDays * DAY_MS;
  if (text === null) return most;
  const grace = parseDuration(text);
  if (grace === null || grace > most) {
    throw invalidParameter(
      'grace',
      `grace must be a duration such as 30m, 12h or 7d, at most ${mostDays}d; 0 revokes the old key immediately.`,
    );
  }
  return grace;
}
