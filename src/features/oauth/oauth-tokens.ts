import { type AdapterPayload, errors } from 'oidc-provider';
import type { Clock } from '../../platform/clock.ts';
import { oauthTokenHash } from '../../platform/oauth-token-text.ts';
import type { Db } from '../../storage/database.ts';
import type { OAuthTokenKind } from '../../storage/oauth-tables.ts';
import {
  consumeOAuthToken,
  consumeRefreshToken,
  findOAuthToken,
  grantOfOAuthToken,
  insertOAuthToken,
} from '../../storage/oauth-tokens.ts';
import { rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { OAuthGrants } from './oauth-grants.ts';

/** For so long an app whose answer was lost can refresh once more with the token it has. */
const GRACE_MS = 30_000;

export interface OAuthTokenDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly grants: OAuthGrants;
}

/** Codes and tokens of one kind. Of the token itself only the hash is kept, and nothing of it in what the library keeps. */
export class OAuthTokens {
  readonly #deps: OAuthTokenDeps;
  readonly #kind: OAuthTokenKind;

  constructor(deps: OAuthTokenDeps, kind: OAuthTokenKind) {
    this.#deps = deps;
    this.#kind = kind;
  }

  async add(token: string, { jti: _token, ...payload }: AdapterPayload, seconds: number): Promise<void> {
    const { db, clock, limits } = this.#deps;
    const now = clock.now();
    const added = {
      id: oauthTokenHash(token),
      kind: this.#kind,
      grant: rowId('oauth_grant', payload.grantId ?? ''),
      scopes: (payload.scope ?? '').split(' ').filter((scope) => scope !== ''),
      generation: typeof payload.rotations === 'number' ? payload.rotations : 0,
      payload,
      expiresAt: new Date(now + seconds * 1000),
    };
    await insertOAuthToken(db, added, limits.oauth_grant_tokens, new Date(now));
  }

  async find(token: string): Promise<AdapterPayload | undefined> {
    const { db, clock } = this.#deps;
    const found = await findOAuthToken(db, this.#kind, oauthTokenHash(token), new Date(clock.now()));
    if (found === null) return undefined;
    const { payload, consumed_at: consumed } = found;
    const over =
      consumed !== null &&
      this.#kind !== 'access_token' &&
      (this.#kind !== 'refresh_token' || consumed <= this.#graceBegan());
    return { ...payload, jti: token, ...(over && { consumed: true }) };
  }

  /**
   * Of several that come with the same code at once, one goes on. The others, like anybody who comes with it later, may have
   * stolen it, as may the first: the grant is revoked. A refresh token may come again for a moment, until a token that
   * was issued for it is used. Raises `invalid_grant`.
   */
  async consume(token: string): Promise<void> {
    const { db, clock, grants } = this.#deps;
    const id = oauthTokenHash(token);
    const now = new Date(clock.now());
    const consumed =
      this.#kind === 'refresh_token'
        ? await db.transaction().execute((trx) => consumeRefreshToken(trx, id, this.#graceBegan(), now))
        : await consumeOAuthToken(db, id, now);
    if (consumed) return;
    const grant = await grantOfOAuthToken(db, id);
    if (grant !== null) await grants.revoke(grant);
    throw new errors.InvalidGrant('it was used before');
  }

  /** From the commit on it works nowhere; its grant goes on. */
  async remove(token: string): Promise<void> {
    await this.#deps.grants.removeToken(oauthTokenHash(token));
  }

  #graceBegan(): Date {
    return new Date(this.#deps.clock.now() - GRACE_MS);
  }
}
