import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { oauthTokenHash } from '../../platform/oauth-token-text.ts';
import { Sealer } from '../../platform/sealing.ts';
import type { OAuthTokenKind } from '../../storage/app-tables.ts';
import type { Db } from '../../storage/database.ts';
import {
  deleteOAuthInteraction,
  findOAuthInteraction,
  putOAuthInteraction,
} from '../../storage/oauth-grants.ts';
import {
  consumeOAuthToken,
  consumeRefreshToken,
  findOAuthToken,
  grantOfOAuthToken,
  insertOAuthToken,
} from '../../storage/oauth-tokens.ts';
import { type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { asking } from './asking.ts';
import { OAUTH_SEAL, type OAuthClients, TOO_MANY_REGISTRATIONS } from './oauth-clients.ts';
import type { OAuthGrants } from './oauth-grants.ts';

/** The library's names for what it stores, and ours. */
const TOKEN_KINDS = {
  AuthorizationCode: 'authorization_code',
  AccessToken: 'access_token',
  RefreshToken: 'refresh_token',
} as const;

export interface LibraryStorageDeps extends OAuthTokenDeps {
  readonly clients: OAuthClients;
  readonly requests: OpenRequests;
  readonly grants: OAuthGrants;
}

/** The library's storage, by the name of the model. */
export function libraryStorage(deps: LibraryStorageDeps): (model: string) => Adapter {
  return (model) => {
    if (isTokenModel(model)) return tokens(new OAuthTokens(deps, TOKEN_KINDS[model]));
    switch (model) {
      case 'Client':
        return clients(deps.clients);
      case 'Grant':
        return grants(deps.grants);
      case 'Interaction':
        return requests(deps.requests);
      default:
        // Above all its sessions: the web application is asked at every request who is signed in.
        return NOTHING;
    }
  };
}

/** Stores nothing and finds nothing. */
const NOTHING: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

/** Tokens need not be revoked one by one, because they are valid only with their grant, which is revoked with them. */
function tokens(kept: OAuthTokens): Adapter {
  return {
    ...NOTHING,
    upsert: (token, payload, seconds) => kept.add(token, payload, lifetime(seconds)),
    find: (token) => kept.find(token),
    consume: (token) => kept.consume(token),
    destroy: (token) => kept.remove(token),
  };
}

function clients(kept: OAuthClients): Adapter {
  return {
    ...NOTHING,
    upsert: async (id, metadata) => {
      const added = await kept.add(id, metadata, asking.getStore()?.address ?? '');
      if (!added) throw new TooManyRegistrations();
    },
    find: (id) => kept.find(id),
  };
}

/**
 * The same refusal as the surface gives before it reads a registration; the library reports it in the format that
 * clients expect.
 */
class TooManyRegistrations extends errors.TemporarilyUnavailable {
  override readonly statusCode = 429;

  constructor() {
    super(TOO_MANY_REGISTRATIONS);
  }
}

function grants(kept: OAuthGrants): Adapter {
  return {
    ...NOTHING,
    upsert: () => Promise.reject(new TypeError('a grant is made on the consent page')),
    find: (id) => kept.find(id),
    destroy: (id) => kept.revoke(rowId('oauth_grant', id)),
  };
}

function requests(kept: OpenRequests): Adapter {
  return {
    ...NOTHING,
    upsert: (id, payload, seconds) => kept.put(id, payload, lifetime(seconds)),
    find: (id) => kept.find(id),
    destroy: (id) => kept.remove(id),
  };
}

function isTokenModel(model: string): model is keyof typeof TOKEN_KINDS {
  return Object.hasOwn(TOKEN_KINDS, model);
}

function lifetime(seconds: number | undefined): number {
  if (seconds === undefined) throw new TypeError('it has to end');
  return seconds;
}

/** How long an app whose response was lost can refresh again with the token it has. */
const GRACE_MS = 30_000;

export interface OAuthTokenDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly grants: OAuthGrants;
}

/**
 * Codes and tokens of one kind. Only the hash of the token is stored; the library's payload does not contain it either.
 */
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
   * Of concurrent requests with the same code, one succeeds. The others, like any later one, mean that the code was
   * stolen, possibly by the first, so the grant is revoked. A refresh token may be used again for a short time, until a
   * token that was issued for it is used. Raises `invalid_grant`.
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

  /** From the commit on, it is refused in every process; its grant continues. */
  async remove(token: string): Promise<void> {
    await this.#deps.grants.removeToken(oauthTokenHash(token));
  }

  #graceBegan(): Date {
    return new Date(this.#deps.clock.now() - GRACE_MS);
  }
}

export interface OpenRequestDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly limits: Limits;
}

/** Authorization requests that wait for a particular signed-in person. */
export class OpenRequests {
  readonly #deps: OpenRequestDeps;
  readonly #sealer: Sealer;

  constructor(deps: OpenRequestDeps) {
    this.#deps = deps;
    this.#sealer = new Sealer(deps.keyring, OAUTH_SEAL);
  }

  async put(id: string, payload: AdapterPayload, seconds: number): Promise<void> {
    const { db, clock, limits } = this.#deps;
    const user = askingUser();
    if (user === null) throw new TypeError('no one is signed in to answer the request');
    const now = clock.now();
    const hash = oauthTokenHash(id);
    const row = {
      id: hash,
      user_id: user,
      payload: this.#sealer.seal(JSON.stringify(payload), contextOf(hash)),
      expires_at: new Date(now + seconds * 1000),
      created: new Date(now),
    };
    await putOAuthInteraction(db, row, limits.oauth_open_consents);
  }

  /** Undefined for one of another person, as for one that has ended. */
  async find(id: string): Promise<AdapterPayload | undefined> {
    const { db, clock } = this.#deps;
    const hash = oauthTokenHash(id);
    const row = await findOAuthInteraction(db, hash, new Date(clock.now()));
    if (row === null || row.user_id !== askingUser()) return undefined;
    return JSON.parse(this.#sealer.open(Buffer.from(row.payload), contextOf(hash)).toString('utf8'));
  }

  async remove(id: string): Promise<void> {
    await deleteOAuthInteraction(this.#deps.db, oauthTokenHash(id));
  }
}

function askingUser(): RowId<'user'> | null {
  return asking.getStore()?.user ?? null;
}

function contextOf(hash: Buffer): string {
  return `oauth_interactions/${hash.toString('hex')}/payload`;
}
