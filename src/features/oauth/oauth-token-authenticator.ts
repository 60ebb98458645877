import type { Clock } from '../../platform/clock.ts';
import {
  looksLikeAccessToken,
  OAUTH_TOKEN_PREFIXES,
  oauthTokenDigest,
} from '../../platform/oauth-token-text.ts';
import { findOpenAccountRecord } from '../../storage/account-records.ts';
import type { Db } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import { touchOAuthGrants } from '../../storage/oauth-grants.ts';
import { findOAuthAccess, noteAccessTokenUse } from '../../storage/oauth-tokens.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { isOAuthScope } from '../../vocabulary/oauth-scopes.ts';
import {
  type Authenticator,
  bearerToken,
  type CredentialHeaders,
  LastUses,
  type Refusal,
  RememberedCallers,
} from '../access/authentication.ts';
import type { OAuthTokenCaller } from '../access/caller.ts';
import { heldScopes } from './oauth-grants.ts';
import type { OAuthResource } from './oauth-resources.ts';

interface KnownToken extends Pick<OAuthTokenCaller, 'id' | 'accountRecord'> {
  readonly caller: OAuthTokenCaller;
  readonly resource: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * Authenticates access tokens issued for one resource, and refuses those for another. If the grant is revoked, or the
 * person is no longer a member, the token is refused at once in every process.
 */
export class OAuthTokenAuthenticator implements Authenticator {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #resource: OAuthResource;
  readonly #callers: RememberedCallers<KnownToken>;
  readonly #uses: LastUses<RowId<'oauth_grant'> | string>;

  constructor(
    deps: { readonly db: Db; readonly clock: Clock; readonly notices: Notices },
    resource: OAuthResource,
  ) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#resource = resource;
    this.#callers = new RememberedCallers(deps.notices, 'oauth_grant');
    this.#uses = new LastUses((used) => touchOAuthGrants(deps.db, used));
  }

  /** Refresh tokens too, so that the error says that it is not a key. */
  credentialIn(headers: CredentialHeaders): string | null {
    const token = bearerToken(headers);
    if (token === null) return null;
    return Object.values(OAUTH_TOKEN_PREFIXES).some((prefix) => token.startsWith(prefix)) ? token : null;
  }

  /** Refuses with `oauth_token_invalid`. */
  identify(token: string): OAuthTokenCaller | Refusal | Promise<OAuthTokenCaller | Refusal> {
    const digest = oauthTokenDigest(token);
    const known = this.#callers.recall(digest);
    if (known !== null) return this.#admit(known);
    if (!looksLikeAccessToken(token)) return 'oauth_token_invalid';
    return this.#callers
      .find(digest, () => this.#find(digest))
      .then((found) => (found === null ? 'oauth_token_invalid' : this.#admit(found)));
  }

  /** Writes `last_used_at` of the grants used since the last call. */
  flushLastUsed(): Promise<void> {
    return this.#uses.flush();
  }

  #admit({ caller, resource, expiresAt }: KnownToken): OAuthTokenCaller | Refusal {
    const now = this.#clock.now();
    if (resource !== this.#resource.identifier || expiresAt <= now) return 'oauth_token_invalid';
    this.#uses.note(caller.id, now);
    return caller;
  }

  async #find(digest: string): Promise<KnownToken | null> {
    const token = Buffer.from(digest, 'base64');
    const now = new Date(this.#clock.now());
    const access = await findOAuthAccess(this.#db, token, now);
    const accountRecord =
      access === null ? null : await findOpenAccountRecord(this.#db, access.accountRecord);
    if (access === null || accountRecord === null) return null;
    // Before it is accepted: from then on, the refresh token for which it was issued is no longer valid.
    if (!access.used) await noteAccessTokenUse(this.#db, token, now);
    const { grant: id, resource } = access;
    const granted = access.issued.filter(isOAuthScope).filter((scope) => access.granted.includes(scope));
    const caller: OAuthTokenCaller = {
      kind: 'oauth_token',
      id,
      accountRecord,
      ...heldScopes(granted, access.role),
    };
    return { id, accountRecord, caller, resource, expiresAt: access.expiresAt.getTime() };
  }
}
