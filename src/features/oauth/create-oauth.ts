import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../storage/database.ts';
import { deleteEndedGrants, deleteExpiredInteractions } from '../../storage/oauth-grants.ts';
import { deleteExpiredTokens } from '../../storage/oauth-tokens.ts';
import type { AuthorizationServerOptions } from './authorization-server.ts';
import { ConnectedApps } from './connected-apps.ts';
import { ConsentProofs } from './consent-proofs.ts';
import { OAuthClients } from './oauth-clients.ts';
import { OAuthGrants } from './oauth-grants.ts';
import type { OAuthOptions } from './oauth-options.ts';
import { OAuthResources } from './oauth-resources.ts';
import { OAuthTokenAuthenticator } from './oauth-token-authenticator.ts';
import type { AuthorizationServer } from './running-server.ts';

/** Connected apps: their registration, their scopes and their tokens (docs/oauth.md). */
export interface OAuthFeatures {
  readonly resources: OAuthResources;
  readonly clients: OAuthClients;
  readonly connectedApps: ConnectedApps;
  readonly consentProofs: ConsentProofs;
  readonly sweep: OAuthSweep;
  readonly v2TokenAuthenticator: OAuthTokenAuthenticator;
  readonly mcpTokenAuthenticator: OAuthTokenAuthenticator;
  /** Loads the library, which takes 45 MB of memory: to be called once, when the first request needs it. */
  readonly authorizationServer: (
    pages: Pick<AuthorizationServerOptions, 'renderError'>,
  ) => Promise<AuthorizationServer>;
}

export function createOAuth(options: OAuthOptions): OAuthFeatures {
  const resources = new OAuthResources(options);
  const clients = new OAuthClients(options);
  const grants = new OAuthGrants(options);
  return {
    resources,
    clients,
    connectedApps: new ConnectedApps({ ...options, grants }),
    consentProofs: new ConsentProofs(options.keyring),
    sweep: new OAuthSweep({ ...options, clients }),
    v2TokenAuthenticator: new OAuthTokenAuthenticator(options, resources.v2),
    mcpTokenAuthenticator: new OAuthTokenAuthenticator(options, resources.mcp),
    authorizationServer: async ({ renderError }) => {
      const { runningServer } = await import('./running-server.ts');
      return runningServer({ ...options, resources, clients, grants, renderError });
    },
  };
}

/** Rows that one statement deletes, few enough not to hold up others. */
const BATCH = 500;
/** Batches of each kind per round; the rest waits for the next round. */
const MOST_BATCHES = 40;
/** How long the list of connected apps shows those that ended. */
const SHOWN_DAYS = 30;
const DAY_MS = 86_400_000;

/** Deletes what has expired, kind by kind, in a limited number of batches. */
export class OAuthSweep {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #clients: OAuthClients;

  constructor(deps: { readonly db: Db; readonly clock: Clock; readonly clients: OAuthClients }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#clients = deps.clients;
  }

  async run(): Promise<void> {
    const now = this.#clock.now();
    const shownSince = new Date(now - SHOWN_DAYS * DAY_MS);
    await inBatches((limit) => deleteExpiredInteractions(this.#db, new Date(now), limit));
    await inBatches((limit) => deleteExpiredTokens(this.#db, new Date(now), limit));
    await inBatches((limit) => deleteEndedGrants(this.#db, shownSince, limit));
    await inBatches((limit) => this.#clients.sweep(limit));
  }
}

async function inBatches(remove: (limit: number) => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    if ((await remove(BATCH)) < BATCH) return;
  }
}
