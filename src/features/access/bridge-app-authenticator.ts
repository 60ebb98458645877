import { basicCredentials, bridgeSecretDigest } from '../../platform/bridge-credentials.ts';
import type { Clock } from '../../platform/clock.ts';
import { findOpenAccountRecord } from '../../storage/account-records.ts';
import type { Db } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import { findSimplefinAppByHash, touchSimplefinApps } from '../../storage/simplefin-apps.ts';
import { impliedScopes } from '../../vocabulary/scopes.ts';
import {
  type Authenticator,
  type CredentialHeaders,
  LastUses,
  type Refusal,
  RememberedCallers,
} from './authentication.ts';
import type { BridgeAppCaller } from './caller.ts';
import { APP_SCOPES } from './simplefin-apps.ts';

/** Authenticates apps of the bridge by user name and password. A revoked one is refused at once, by every process. */
export class BridgeAppAuthenticator implements Authenticator {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #callers: RememberedCallers<BridgeAppCaller>;
  readonly #uses: LastUses<string>;

  constructor(deps: { readonly db: Db; readonly clock: Clock; readonly notices: Notices }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#callers = new RememberedCallers(deps.notices, 'simplefin_app');
    this.#uses = new LastUses((used) => touchSimplefinApps(deps.db, used));
  }

  credentialIn({ authorization }: CredentialHeaders): string | null {
    return authorization === undefined ? null : basicCredentials(authorization);
  }

  /** Refuses with `api_key_invalid`. The `allowed_ips` of API keys do not concern apps (docs/simplefin.md). */
  identify(credentials: string): BridgeAppCaller | Refusal | Promise<BridgeAppCaller | Refusal> {
    const digest = bridgeSecretDigest(credentials);
    const known = this.#callers.recall(digest);
    if (known !== null) return this.#admit(known);
    return this.#callers
      .find(digest, () => this.#find(digest))
      .then((caller) => (caller === null ? 'api_key_invalid' : this.#admit(caller)));
  }

  /** Writes `last_used_at` of the apps used since the last call. */
  flushLastUsed(): Promise<void> {
    return this.#uses.flush();
  }

  #admit(caller: BridgeAppCaller): BridgeAppCaller {
    this.#uses.note(caller.id, this.#clock.now());
    return caller;
  }

  async #find(digest: string): Promise<BridgeAppCaller | null> {
    const app = await findSimplefinAppByHash(this.#db, Buffer.from(digest, 'base64'));
    if (app === null || app.revoked_at !== null) return null;
    const accountRecord = await findOpenAccountRecord(this.#db, app.account_record);
    if (accountRecord === null) return null;
    const { id, two_decimals: twoDecimals, leave_out_extra: leaveOutExtra } = app;
    const scopes = impliedScopes(APP_SCOPES);
    return { kind: 'bridge_app', id, accountRecord, scopes, twoDecimals, leaveOutExtra };
  }
}
