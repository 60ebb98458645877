import { apiKeyDigest, looksLikeApiKey } from '../platform/api-key-secret.ts';
import { cidrHolds, parseAddress, parseCidr } from '../platform/cidr.ts';
import { plainAddress } from '../platform/client-network.ts';
import type { Clock } from '../platform/clock.ts';
import { type AccountRecord, findAccountRecord } from '../storage/account-records.ts';
import { type ApiKey, findApiKeyByHash, touchApiKeys } from '../storage/api-keys.ts';
import type { Db } from '../storage/database.ts';
import type { Notices } from '../storage/notices.ts';
import type { RowId } from '../vocabulary/ids.ts';
import { impliedScopes, LEGACY_SCOPES, type Scope } from '../vocabulary/scopes.ts';
import { ServiceError } from '../vocabulary/service-error.ts';
import { apiKeyStatus } from './api-key-status.ts';
import type { AuthAttempts } from './rate-limits/auth-attempts.ts';

/** Who asks: an account record, through one of its keys, holding scopes. */
export interface Caller {
  readonly accountRecord: AccountRecord;
  readonly key: ApiKey | null;
  readonly scopes: ReadonlySet<Scope>;
}

/** A caller that came with a key. */
type KeyCaller = Caller & { readonly key: ApiKey };

const MAX_REMEMBERED = 10_000;
const BEARER = /^bearer +([\x21-\x7e]{1,512})$/i;

/**
 * Finds the caller behind an Authorization header. Keys are remembered in the process, because looking one up costs
 * more than most requests; a notice from whichever process revoked or changed a key removes it at once, and while
 * notices may be missed nothing is remembered at all.
 */
export class Authentication {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #notices: Notices;
  readonly #attempts: AuthAttempts;
  readonly #callers = new Map<string, KeyCaller>();
  #used = new Map<RowId<'api_key'>, number>();
  #generation = 0;

  constructor(deps: { db: Db; clock: Clock; notices: Notices; attempts: AuthAttempts }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#notices = deps.notices;
    this.#attempts = deps.attempts;
    deps.notices.onLost(() => this.#forget(() => true));
    deps.notices.onNotice(({ kind, id }) => {
      if (kind === 'api_key') this.#forget((caller) => caller.key.id === id);
      if (kind === 'account_record') this.#forget((caller) => caller.accountRecord.id === id);
    });
  }

  /**
   * Raises `too_many_auth_attempts`, as a rule before it looks at the key, then `api_key_missing`, `api_key_invalid` or
   * `ip_not_allowed`, each of which spends of the budget of failures. A promise only where the database is asked or
   * processes share what they count.
   */
  authenticate(authorization: string | undefined, address: string): Caller | Promise<Caller> {
    const sent = authorization !== undefined && authorization !== '';
    const secret = sent ? (BEARER.exec(authorization)?.[1] ?? null) : null;
    const bucket = this.#attempts.arrive(address, secret ?? '');
    return bucket instanceof Promise
      ? bucket.then((counted) => this.#identify(sent, secret, address, counted))
      : this.#identify(sent, secret, address, bucket);
  }

  #identify(sent: boolean, secret: string | null, address: string, bucket: string): Caller | Promise<Caller> {
    if (secret === null) return this.#refuse(bucket, sent ? 'api_key_invalid' : 'api_key_missing');
    const digest = apiKeyDigest(secret);
    const known = this.#callers.get(digest);
    if (known !== undefined) return this.#admit(known, address, bucket);
    if (!looksLikeApiKey(secret)) return this.#refuse(bucket, 'api_key_invalid');
    return this.#find(digest).then((caller) => this.#admit(caller, address, bucket));
  }

  #admit(caller: KeyCaller | null, address: string, bucket: string): Caller | Promise<Caller> {
    const now = this.#clock.now();
    const status = caller === null ? null : apiKeyStatus(caller.key, now);
    if (caller === null || status === 'revoked' || status === 'expired')
      return this.#refuse(bucket, 'api_key_invalid');
    if (!addressAllowed(caller.key.allowed_ips, address)) return this.#refuse(bucket, 'ip_not_allowed');
    this.#used.set(caller.key.id, now);
    return caller;
  }

  #refuse(bucket: string, code: 'api_key_missing' | 'api_key_invalid' | 'ip_not_allowed'): Promise<never> {
    const refused = (): never => {
      throw new ServiceError(code);
    };
    const spent = this.#attempts.fail(bucket);
    return spent instanceof Promise ? spent.then(refused) : refused();
  }

  /** Writes `last_used_at` of the keys used since the last call: once in a while, not once a request. */
  async flushLastUsed(): Promise<void> {
    const used = this.#used;
    this.#used = new Map();
    try {
      await touchApiKeys(this.#db, new Map([...used].map(([key, at]) => [key, new Date(at)])));
    } catch (error) {
      // For the next writing, with what was used since.
      this.#used = new Map([...used, ...this.#used]);
      throw error;
    }
  }

  async #find(digest: string): Promise<KeyCaller | null> {
    const generation = this.#generation;
    const key = await findApiKeyByHash(this.#db, Buffer.from(digest, 'base64'));
    const accountRecord = key === null ? null : await findAccountRecord(this.#db, key.account_record);
    if (key === null || accountRecord === null) return null;
    const caller = { accountRecord, key, scopes: impliedScopes(key.legacy ? LEGACY_SCOPES : key.scopes) };
    if (this.#notices.connected && generation === this.#generation) {
      if (this.#callers.size >= MAX_REMEMBERED) this.#callers.clear();
      this.#callers.set(digest, caller);
    }
    return caller;
  }

  #forget(of: (caller: KeyCaller) => boolean): void {
    this.#generation += 1;
    for (const [slot, caller] of this.#callers) if (of(caller)) this.#callers.delete(slot);
  }
}

/** Whether a key limited to `allowed` may be used from `address` (SPEC, Authentication 5). */
export function addressAllowed(allowed: readonly string[] | null, address: string): boolean {
  if (allowed === null || allowed.length === 0) return true;
  const caller = parseAddress(plainAddress(address));
  return (
    caller !== null &&
    allowed.some((entry) => {
      const network = parseCidr(entry);
      return network !== null && cidrHolds(network, caller);
    })
  );
}
