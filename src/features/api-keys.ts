import { apiKeyPrefix, hashApiKey, newApiKeySecret } from '../platform/api-key-secret.ts';
import { parseAddress, parseCidr } from '../platform/cidr.ts';
import type { Clock } from '../platform/clock.ts';
import { newRowId } from '../platform/row-id.ts';
import { lockAccountRecord } from '../storage/account-records.ts';
import {
  type ApiKey,
  countActiveApiKeys,
  findApiKey,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
  updateApiKey,
} from '../storage/api-keys.ts';
import type { Db } from '../storage/database.ts';
import type { Notices } from '../storage/notices.ts';
import { writeWhole } from '../storage/whole-write.ts';
import { type RowId, rowId } from '../vocabulary/ids.ts';
import type { Limits } from '../vocabulary/limits.ts';
import {
  type Metadata,
  type MetadataPatch,
  mergeMetadata,
  requireFittingMetadata,
} from '../vocabulary/metadata.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import { impliedScopes, LEGACY_SCOPES, type Scope } from '../vocabulary/scopes.ts';
import { invalidParameter, missing, ServiceError } from '../vocabulary/service-error.ts';

type Owner = RowId<'account_record'>;

export interface NewApiKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly legacy?: boolean;
  readonly allowedIps?: readonly string[] | null;
  readonly expiresAt?: Date | null;
  readonly metadata?: Metadata | null;
}

/** Restricted API keys (SPEC, Account and keys). The secret exists only in the answer that creates it. */
export class ApiKeys {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #notices: Notices;
  readonly #limits: Limits;

  constructor(deps: { db: Db; clock: Clock; notices: Notices; limits: Limits }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#notices = deps.notices;
    this.#limits = deps.limits;
  }

  /**
   * `held` are the scopes of whoever creates it, or null for the operator. Raises `scope_not_held`,
   * `parameter_invalid` (allowed_ips, expires_at, metadata) and `key_limit_reached`.
   */
  async create(
    owner: Owner,
    input: NewApiKey,
    held: ReadonlySet<Scope> | null,
  ): Promise<{ key: ApiKey; secret: string }> {
    const scopes = input.legacy === true ? [...LEGACY_SCOPES] : [...new Set(input.scopes)];
    if (held !== null) refuseUnheld(scopes, held);
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
    await writeWhole(this.#db, 'api_key_create_failed', async (trx) => {
      await lockAccountRecord(trx, owner);
      if ((await countActiveApiKeys(trx, owner, new Date(now))) >= this.#limits.api_keys) {
        throw new ServiceError('key_limit_reached');
      }
      await insertApiKey(trx, key);
    });
    return { key, secret };
  }

  /** Raises `resource_missing`. */
  async find(owner: Owner, id: RowId<'api_key'>): Promise<ApiKey> {
    const key = await findApiKey(this.#db, owner, id);
    if (key === null) throw missing('API key');
    return key;
  }

  async list(owner: Owner, request: PageRequest): Promise<Page<ApiKey>> {
    return listApiKeys(this.#db, owner, request);
  }

  /** Name and metadata; scopes never change. Raises `resource_missing`, `parameter_invalid` (metadata). */
  async update(
    owner: Owner,
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
      await this.#notices.publish(trx, { kind: 'api_key', id });
      return changed;
    });
    this.#notices.deliver({ kind: 'api_key', id });
    return updated;
  }

  /** From the commit on the key works nowhere. Revoking twice is the same as once. Raises `resource_missing`. */
  async revoke(owner: Owner, id: RowId<'api_key'>): Promise<ApiKey> {
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

function refuseUnheld(scopes: readonly Scope[], held: ReadonlySet<Scope>): void {
  const unheld = [...impliedScopes(scopes)].filter((scope) => !held.has(scope));
  if (unheld.length === 0) return;
  throw new ServiceError('scope_not_held', {
    param: 'scopes',
    message: `The calling key does not hold ${unheld.join(', ')}, so it cannot give ${unheld.length === 1 ? 'it' : 'them'} away.`,
  });
}

/** IPv4 addresses or CIDR ranges and exact IPv6 addresses (SPEC, api_key). */
function checkedAddresses(entries: readonly string[] | null, most: number): string[] | null {
  if (entries === null) return null;
  if (entries.length > most) throw invalidParameter('allowed_ips', `A key takes at most ${most} addresses.`);
  for (const [at, entry] of entries.entries()) {
    const network = parseCidr(entry);
    const exact = parseAddress(entry) !== null;
    // An IPv4 caller is known by its IPv4 address, however the socket spells it: a mapped entry would match nobody.
    const mapped = /^::ffff:/i.test(entry);
    if (network === null || mapped || (network[0].kind() === 'ipv6' && !exact)) {
      throw invalidParameter(
        `allowed_ips[${at}]`,
        'Give an IPv4 address, an IPv4 range such as 203.0.113.0/24, or an exact IPv6 address.',
      );
    }
  }
  return [...entries];
}

function futureOrNull(moment: Date | null, now: number): Date | null {
  if (moment !== null && moment.getTime() <= now)
    throw invalidParameter('expires_at', 'expires_at must lie in the future.');
  return moment;
}
