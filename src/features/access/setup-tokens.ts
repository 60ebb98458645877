import {
  type BridgeCredentials,
  bridgeSecretHash,
  joinedCredentials,
  looksLikeSetupToken,
  newBridgeCredentials,
  newSetupToken,
} from '../../platform/bridge-credentials.ts';
import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import { findOpenAccountRecord, lockAccountRecord } from '../../storage/account-records.ts';
import type { Db } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import { inRetryableTransaction } from '../../storage/retryable-transaction.ts';
import {
  claimSetupToken,
  countActiveSimplefinApps,
  revokeSimplefinApp,
} from '../../storage/simplefin-apps.ts';
import {
  countOpenSetupTokens,
  findSetupToken,
  findSetupTokenByHash,
  insertSetupToken,
  listSetupTokens,
  revokeSetupToken,
  type SimplefinSetupToken,
} from '../../storage/simplefin-setup-tokens.ts';
import { CALLER_KINDS } from '../../vocabulary/caller-kinds.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { SimplefinSetupTokenStatus } from '../../vocabulary/states.ts';
import { type KeyMaker, refuseUnheld } from './api-keys.ts';
import { requireGate } from './plan-gates.ts';
import { APP_SCOPES } from './simplefin-apps.ts';

/** Status of a setup token at `now`, epoch ms; computed, never stored (docs/states.md#simplefin-setup-token). */
export function setupTokenStatus(
  token: Pick<SimplefinSetupToken, 'revoked_at' | 'claimed_at' | 'expires_at'>,
  now: number,
): SimplefinSetupTokenStatus {
  if (token.revoked_at !== null) return 'revoked';
  if (token.claimed_at !== null) return 'claimed';
  return token.expires_at.getTime() <= now ? 'expired' : 'open';
}

const DAY_MS = 86_400_000;

export interface SetupTokensDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly notices: Notices;
  readonly limits: Limits;
}

/** What the app that claims a token is to be. */
export interface NewApp {
  readonly name: string;
  readonly twoDecimals: boolean;
  readonly leaveOutExtra: boolean;
}

/** Tokens that a person gives to an app, which claims one once (docs/simplefin.md#setup-tokens). */
export class SetupTokens {
  readonly #deps: SetupTokensDependencies;

  constructor(deps: SetupTokensDependencies) {
    this.#deps = deps;
  }

  /**
   * A token for an app of this name and form; `secret` exists only in the answer. `maker` is null for the operator.
   * Raises `scope_not_held` if the app could do more than the maker, `key_limit_reached` and
   * `simplefin_setup_token_create_failed`.
   */
  async create(
    owner: OwnerId,
    { name, twoDecimals, leaveOutExtra }: NewApp,
    maker: KeyMaker | null,
  ): Promise<{ readonly token: SimplefinSetupToken; readonly secret: string }> {
    if (maker !== null) refuseOutdone(maker);
    const { db, clock, limits } = this.#deps;
    const now = clock.now();
    const secret = newSetupToken();
    const token: SimplefinSetupToken = {
      id: rowId('simplefin_setup_token', newRowId(clock)),
      account_record: owner,
      name,
      two_decimals: twoDecimals,
      leave_out_extra: leaveOutExtra,
      token_hash: bridgeSecretHash(secret),
      expires_at: new Date(now + limits.setup_token_days * DAY_MS),
      claimed_at: null,
      app: null,
      revoked_at: null,
      created: new Date(now),
      updated: new Date(now),
    };
    await inRetryableTransaction(db, 'simplefin_setup_token_create_failed', async (trx) => {
      await lockAccountRecord(trx, owner);
      const open = await countOpenSetupTokens(trx, owner, new Date(now));
      const most = limits.simplefin_apps;
      if (open + (await countActiveSimplefinApps(trx, owner)) >= most) {
        throw new ServiceError('key_limit_reached', {
          message: `There are ${most} active apps and open setup tokens; revoke one first.`,
        });
      }
      await insertSetupToken(trx, token);
    });
    return { token, secret };
  }

  /** Raises `resource_missing`. */
  async find(owner: OwnerId, id: RowId<'simplefin_setup_token'>): Promise<SimplefinSetupToken> {
    const token = await findSetupToken(this.#deps.db, owner, id);
    if (token === null) throw missing('setup token');
    return token;
  }

  list(owner: OwnerId, request: PageRequest): Promise<Page<SimplefinSetupToken>> {
    return listSetupTokens(this.#deps.db, owner, request);
  }

  /**
   * From the commit on, it cannot be claimed. An app that has claimed it is revoked as well: a person who revokes an
   * intercepted token need not know whether it was used. Raises `resource_missing`.
   */
  async revoke(owner: OwnerId, id: RowId<'simplefin_setup_token'>): Promise<SimplefinSetupToken> {
    const { db, clock, notices } = this.#deps;
    const token = await db.transaction().execute(async (trx) => {
      const now = new Date(clock.now());
      const revoked = await revokeSetupToken(trx, owner, id, now);
      if (revoked === null) throw missing('setup token');
      if (revoked.app === null) return revoked;
      await revokeSimplefinApp(trx, owner, revoked.app, now);
      await notices.publish(trx, { kind: 'simplefin_app', id: revoked.app });
      return revoked;
    });
    if (token.app !== null) notices.deliver({ kind: 'simplefin_app', id: token.app });
    return token;
  }

  /**
   * Credentials for the first app that claims the token before it expires; null for any other, and for an unknown
   * token. Raises `plan_upgrade_required` if the owner's plan has no bridge; the token then stays open.
   */
  async claim(secret: string): Promise<ClaimedToken | null> {
    if (!looksLikeSetupToken(secret)) return null;
    const { db, clock } = this.#deps;
    const hash = bridgeSecretHash(secret);
    const now = clock.now();
    const token = await findSetupTokenByHash(db, hash);
    if (token === null || setupTokenStatus(token, now) !== 'open') return null;
    const record = await findOpenAccountRecord(db, token.account_record);
    if (record === null) return null;
    requireGate('api_access', record, now);
    const credentials = newBridgeCredentials();
    const app = {
      id: rowId('simplefin_app', newRowId(clock)),
      credentialsHash: bridgeSecretHash(joinedCredentials(credentials)),
    };
    const claimed = await claimSetupToken(db, hash, app, new Date(now));
    return claimed === null ? null : { credentials, owner: token.account_record, app: app.id };
  }
}

/** The credentials of an app that claimed a token, with its id and owner. */
export interface ClaimedToken {
  readonly credentials: BridgeCredentials;
  readonly owner: OwnerId;
  readonly app: RowId<'simplefin_app'>;
}

/** An app may read from any address until it is revoked, so its maker must be allowed to as well. */
function refuseOutdone(maker: KeyMaker): void {
  const { makesKeys, label } = CALLER_KINDS[maker.kind];
  if (!makesKeys) {
    throw new ServiceError('scope_not_held', { message: `A ${label} cannot create setup tokens.` });
  }
  refuseUnheld(APP_SCOPES, maker, null);
  if (maker.kind !== 'api_key') return;
  const { allowed_ips: allowed, expires_at: end } = maker.key;
  if (end === null && (allowed === null || allowed.length === 0)) return;
  throw new ServiceError('scope_not_held', {
    message:
      'The calling key is restricted by allowed_ips or expires_at, and an app is not; use a key without these restrictions.',
  });
}
