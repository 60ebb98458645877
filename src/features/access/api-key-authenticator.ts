import { apiKeyDigest, bearerApiKey, looksLikeApiKey } from '../../platform/api-key-secret.ts';
import { cidrHolds, parseAddress, parseCidr } from '../../platform/cidr.ts';
import { plainAddress } from '../../platform/client-network.ts';
import type { Clock } from '../../platform/clock.ts';
import { findAccountRecord } from '../../storage/account-records.ts';
import { findApiKeyByHash, touchApiKeys } from '../../storage/api-keys.ts';
import type { Db } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { impliedScopes, LEGACY_SCOPES } from '../../vocabulary/scopes.ts';
import { apiKeyStatus } from './api-key-status.ts';
import type { Authenticator, CredentialHeaders, Refusal } from './authenticator.ts';
import type { ApiKeyCaller } from './caller.ts';

const MAX_REMEMBERED = 10_000;

/**
 * Knows API keys. They are remembered in the process, because looking one up costs more than most requests; a notice
 * from whichever process revoked or changed a key removes it at once, and while notices may be missed nothing is
 * remembered at all.
 */
export class ApiKeyAuthenticator implements Authenticator {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #notices: Notices;
  readonly #callers = new Map<string, ApiKeyCaller>();
  #used = new Map<RowId<'api_key'>, number>();
  #generation = 0;

  constructor(deps: { readonly db: Db; readonly clock: Clock; readonly notices: Notices }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#notices = deps.notices;
    deps.notices.onLost(() => this.#forget(() => true));
    deps.notices.onNotice(({ kind, id }) => {
      if (kind === 'api_key') this.#forget((caller) => caller.id === id);
      if (kind === 'account_record') this.#forget((caller) => caller.accountRecord.id === id);
    });
  }

  credentialIn({ authorization }: CredentialHeaders): string | null {
    return authorization === undefined ? null : bearerApiKey(authorization);
  }

  /** Refuses with `api_key_invalid` and `ip_not_allowed`. */
  identify(secret: string, address: string): ApiKeyCaller | Refusal | Promise<ApiKeyCaller | Refusal> {
    const digest = apiKeyDigest(secret);
    const known = this.#callers.get(digest);
    if (known !== undefined) return this.#admit(known, address);
    if (!looksLikeApiKey(secret)) return 'api_key_invalid';
    return this.#find(digest).then((caller) =>
      caller === null ? 'api_key_invalid' : this.#admit(caller, address),
    );
  }

  #admit(caller: ApiKeyCaller, address: string): ApiKeyCaller | Refusal {
    const now = this.#clock.now();
    const status = apiKeyStatus(caller.key, now);
    if (status === 'revoked' || status === 'expired') return 'api_key_invalid';
    if (!addressAllowed(caller.key.allowed_ips, address)) return 'ip_not_allowed';
    this.#used.set(caller.id, now);
    return caller;
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

  async #find(digest: string): Promise<ApiKeyCaller | null> {
    const generation = this.#generation;
    const key = await findApiKeyByHash(this.#db, Buffer.from(digest, 'base64'));
    const accountRecord = key === null ? null : await findAccountRecord(this.#db, key.account_record);
    if (key === null || accountRecord === null) return null;
    const scopes = impliedScopes(key.legacy ? LEGACY_SCOPES : key.scopes);
    const caller: ApiKeyCaller = { kind: 'api_key', id: key.id, accountRecord, scopes, key };
    if (this.#notices.connected && generation === this.#generation) {
      if (this.#callers.size >= MAX_REMEMBERED) this.#callers.clear();
      this.#callers.set(digest, caller);
    }
    return caller;
  }

  #forget(of: (caller: ApiKeyCaller) => boolean): void {
    this.#generation += 1;
    for (const [slot, caller] of this.#callers) if (of(caller)) this.#callers.delete(slot);
  }
}

/** Whether a key limited to `allowed` may be used from `address`. */
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
