import type { AuthorizationServerOptions } from './authorization-server.ts';
import { ConnectedApps } from './connected-apps.ts';
import { ConsentProofs } from './consent-proofs.ts';
import { OAuthClients } from './oauth-clients.ts';
import { OAuthGrants } from './oauth-grants.ts';
import type { OAuthOptions } from './oauth-options.ts';
import { OAuthResources } from './oauth-resources.ts';
import { OAuthSweep } from './oauth-sweep.ts';
import { OAuthTokenAuthenticator } from './oauth-token-authenticator.ts';
import type { AuthorizationServer } from './running-server.ts';

/** Apps that people let in: who they are, what they may do, and the tokens with which they do it (docs/oauth.md). */
export interface OAuthFeatures {
  readonly resources: OAuthResources;
  readonly clients: OAuthClients;
  readonly connectedApps: ConnectedApps;
  readonly consentProofs: ConsentProofs;
  readonly sweep: OAuthSweep;
  readonly v2TokenAuthenticator: OAuthTokenAuthenticator;
  readonly mcpTokenAuthenticator: OAuthTokenAuthenticator;
  /** Loads the library, which takes 45 MB, into the process: to be called once, when the first request needs it. */
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
