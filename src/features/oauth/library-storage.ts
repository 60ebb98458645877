import { type Adapter, errors } from 'oidc-provider';
import { rowId } from '../../vocabulary/ids.ts';
import { asking } from './asking.ts';
import { type OAuthClients, TOO_MANY_REGISTRATIONS } from './oauth-clients.ts';
import type { OAuthGrants } from './oauth-grants.ts';
import { type OAuthTokenDeps, OAuthTokens } from './oauth-tokens.ts';
import type { OpenRequests } from './open-requests.ts';

/** The library's names of what it keeps, and ours. */
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

/** Where the library keeps what, by the name of its model. */
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
        // Its sessions above all: who is signed in is asked of the web application, at every request.
        return NOTHING;
    }
  };
}

/** Keeps nothing and finds nothing. */
const NOTHING: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

/** Tokens need not be revoked one by one: they are as good as their grant, which is revoked with them. */
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

/** As the surface says it before a registration is read; the library answers it in the form that clients read. */
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
