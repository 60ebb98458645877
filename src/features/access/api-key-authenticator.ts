import { apiKeyDigest, bearerApiKey, looksLikeApiKey } from '../../platform/api-key-secret.ts';
import type { Clock } from '../../platform/clock.ts';
import { cidrHolds, parseAddress, parseCidr, plainAddress } from '../../platform/network-addresses.ts';
import { findOpenAccountRecord } from '../../storage/account-records.ts';
import type { ApiKey } from '../../storage/api-keys.ts';
import { findApiKeyByHash, touchApiKeys } from '../../storage/api-keys.ts';
import type { Db } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { impliedScopes, LEGACY_SCOPES } from '../../vocabulary/scopes.ts';
import type { ApiKeyStatus } from '../../vocabulary/states.ts';
import {
  type Authenticator,
  type CredentialHeaders,
  LastUses,
  type Refusal,
  RememberedCallers,
} from './authentication.ts';
import type { ApiKeyCaller } from './caller.ts';

/** Authenticates API keys. A change or revocation applies at once, in every process. */
export class ApiKeyAuthenticator implements Authenticator {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #callers: RememberedCallers<ApiKeyCaller>;
  readonly #uses: LastUses<RowId<'api_key'>>;

  constructor(deps: { readonly db: Db; readonly clock: Clock; readonly notices: Notices }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#callers = new RememberedCallers(deps.notices, 'api_key');
    this.#uses = new LastUses((used) => touchApiKeys(deps.db, used));
  }

  credentialIn({ authorization }: CredentialHeaders): string | null {
    return authorization === undefined ? null : bearerApiKey(authorization);
  }

  /** Refuses with `api_key_invalid` and `ip_not_allowed`. */
  identify(secret: string, address: string): ApiKeyCaller | Refusal | Promise<ApiKeyCaller | Refusal> {
    const digest = apiKeyDigest(secret);
    const known = this.#callers.recall(digest);
    if (known !== null) return this.#admit(known, address);
    if (!looksLikeApiKey(secret)) return 'api_key_invalid';
    return this.#callers
      .find(digest, () => this.#find(digest))
      .then((caller) => (caller === null ? 'api_key_invalid' : this.#admit(caller, address)));
  }

  #admit(caller: ApiKeyCaller, address: string): ApiKeyCaller | Refusal {
    const now = this.#clock.now();
    const status = apiKeyStatus(caller.key, now);
    if (status === 'revoked' || status === 'expired') return 'api_key_invalid';
    if (!addressAllowed(caller.key.allowed_ips, address)) return 'ip_not_allowed';
    this.#uses.note(caller.id, now);
    return caller;
  }

  /** Writes `last_used_at` of the keys used since the last call: at intervals, not for each request. */
  flushLastUsed(): Promise<void> {
    return this.#uses.flush();
  }

  async #find(digest: string): Promise<ApiKeyCaller | null> {
    const key = await findApiKeyByHash(this.#db, Buffer.from(digest, 'base64'));
    const accountRecord = key === null ? null : await findOpenAccountRecord(this.#db, key.account_record);
    if (key === null || accountRecord === null) return null;
    const scopes = impliedScopes(key.legacy ? LEGACY_SCOPES : key.scopes);
    return { kind: 'api_key', id: key.id, accountRecord, scopes, key };
  }
}

/** The status of a key at a moment (docs/states.md#api-key): computed, so time alone can end a key. */
export function apiKeyStatus(
  key: Pick<ApiKey, 'revoked_at' | 'expires_at' | 'expiring_at'>,
  now: number,
): ApiKeyStatus {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at !== null && key.expires_at.getTime() <= now) return 'expired';
  if (key.expiring_at === null) return 'active';
  return key.expiring_at.getTime() <= now ? 'expired' : 'expiring';
}

/** Whether a key limited to `allowed` may be used from `address`. */
function addressAllowed(allowed: readonly string[] | null, address: string): boolean {
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
