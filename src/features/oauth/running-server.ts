import type Provider from 'oidc-provider';
import { AppRequests } from './app-requests.ts';
import { type AuthorizationServerOptions, authorizationServer } from './authorization-server.ts';
import { ClientDocuments } from './client-documents.ts';
import { libraryStorage, OpenRequests } from './library-storage.ts';
import type { OAuthClients } from './oauth-clients.ts';
import type { OAuthGrants } from './oauth-grants.ts';
import type { OAuthOptions } from './oauth-options.ts';
import type { OAuthResources } from './oauth-resources.ts';

/** The library and its dependencies. */
export interface AuthorizationServer {
  readonly provider: Provider;
  readonly appRequests: AppRequests;
}

export interface RunningServerOptions extends OAuthOptions, Pick<AuthorizationServerOptions, 'renderError'> {
  readonly resources: OAuthResources;
  readonly clients: OAuthClients;
  readonly grants: OAuthGrants;
}

/** Everything that needs the library of the authorization server, which is loaded with this file. */
export function runningServer(options: RunningServerOptions): AuthorizationServer {
  const provider = authorizationServer({
    ...options,
    issuer: options.appUrl,
    documents: new ClientDocuments(options.http),
    storage: libraryStorage({ ...options, requests: new OpenRequests(options) }),
  });
  return { provider, appRequests: new AppRequests({ ...options, provider }) };
}
