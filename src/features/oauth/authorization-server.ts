import { generateKeyPairSync } from 'node:crypto';
import Provider, {
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  type ResourceServer,
} from 'oidc-provider';
import { newOAuthToken } from '../../platform/oauth-token-text.ts';
import { randomBase62 } from '../../platform/random-text.ts';
import { FIXED_LIMITS, type Limits } from '../../vocabulary/limits.ts';
import { OAUTH_SCOPE_NAMES } from '../../vocabulary/oauth-scopes.ts';
import { CLIENT_DOCUMENT_BYTES, type ClientDocuments } from './client-documents.ts';
import { normaliseClient } from './client-metadata.ts';
import type { libraryStorage } from './library-storage.ts';
import { OAUTH_PATHS, type OAuthResources } from './oauth-resources.ts';
import { CLIENT_AUTH_METHODS } from './server-metadata.ts';

const DAY_SECONDS = 86_400;
const CLIENT_ID_LENGTH = 24;
const CLIENT_SECRET_LENGTH = 43;
/** How long a client's document may be cached at most, in seconds, whatever its headers say. */
const DOCUMENT_SECONDS = { min: 300, max: DAY_SECONDS };

export interface AuthorizationServerOptions {
  /** The address of the application, which is exactly the issuer. */
  readonly issuer: string;
  readonly limits: Limits;
  readonly resources: OAuthResources;
  readonly documents: ClientDocuments;
  readonly storage: ReturnType<typeof libraryStorage>;
  readonly renderError: (ctx: KoaContextWithOIDC, error: string) => void;
}

/**
 * The library that speaks OAuth 2.1, set up to do no more than that (docs/oauth.md): the code grant with PKCE, rotated
 * refresh tokens, opaque access tokens for one resource each, registration, client documents and revocation.
 */
export function authorizationServer(options: AuthorizationServerOptions): Provider {
  const provider = new Provider(options.issuer, configurationOf(options));
  // The library builds every address in a response from the request's host, which the surface sets to that of the
  // issuer.
  provider.proxy = true;
  // RFC 7009 requires no body, but clients that parse every response as JSON fail without one.
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.route === 'revocation' && ctx.status === 200) ctx.body = {};
  });
  prefixTokens(provider);
  return provider;
}

function configurationOf(options: AuthorizationServerOptions): Configuration {
  const { issuer, limits, resources, documents, storage, renderError } = options;
  return {
    adapter: storage,
    // Nothing is signed: access tokens are looked up, and there are no ID tokens. The library requires a key
    // nevertheless.
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    scopes: OAUTH_SCOPE_NAMES,
    responseTypes: ['code'],
    clientAuthMethods: [...CLIENT_AUTH_METHODS],
    pkce: { required: () => true },
    routes: {
      authorization: OAUTH_PATHS.authorize,
      token: OAUTH_PATHS.token,
      registration: OAUTH_PATHS.register,
      revocation: OAUTH_PATHS.revoke,
    },
    cookies: { names: cookieNames(issuer) },
    ttl: {
      AccessToken: limits.oauth_token_minutes * 60,
      AuthorizationCode: limits.oauth_code_seconds,
      Interaction: limits.oauth_consent_minutes * 60,
      RefreshToken: limits.oauth_refresh_days * DAY_SECONDS,
      Session: limits.oauth_consent_minutes * 60,
      Grant: limits.oauth_refresh_days * DAY_SECONDS,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      deviceFlow: { enabled: false },
      introspection: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      registration: {
        enabled: true,
        initialAccessToken: false,
        issueRegistrationAccessToken: false,
        idFactory: () => randomBase62(CLIENT_ID_LENGTH),
        secretFactory: () => randomBase62(CLIENT_SECRET_LENGTH),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? resources.mcp.identifier,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, identifier) => resourceServer(resources, identifier, limits),
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: DOCUMENT_SECONDS,
        allowFetch: (_ctx, id) => id.length <= FIXED_LIMITS.url_characters && documents.admit(id),
      },
    },
    extraClientMetadata: {
      properties: ['application_type'],
      validator: (_ctx, _key, _value, metadata) => normaliseClient(metadata),
    },
    fetch: documents.fetch,
    fetchResponseBodyLimits: { 'client_id metadata document': CLIENT_DOCUMENT_BYTES },
    interactions: {
      policy: [consentEveryTime()],
      url: (_ctx, { uid }) => `${OAUTH_PATHS.consent}/${uid}`,
    },
    findAccount: (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    loadExistingGrant: async ({ oidc }) => {
      const id = oidc.result?.consent?.grantId;
      return id === undefined ? undefined : oidc.provider.Grant.find(id);
    },
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    // An app that revokes an access token keeps the rest (RFC 7009, section 2.1); a refresh token ends the grant.
    revokeGrantPolicy: ({ oidc }) => oidc.route !== 'revocation' || oidc.entities.AccessToken === undefined,
    clientBasedCORS: () => true,
    renderError: (ctx, out) => renderError(ctx, `${out.error}: ${out.error_description ?? ''}`),
    discovery: {},
  };
}

/**
 * Over https, browsers guarantee that no page over http has set a cookie with these prefixes (RFC 6265bis, section
 * 4.1.3). The cookies of a request are limited to the paths of its pages, which `__Host-` forbids.
 */
function cookieNames(issuer: string): Record<'session' | 'interaction' | 'resume', string> {
  const secure = issuer.startsWith('https:');
  return {
    session: `${secure ? '__Host-' : ''}oauth_session`,
    interaction: `${secure ? '__Secure-' : ''}oauth_request`,
    resume: `${secure ? '__Secure-' : ''}oauth_resume`,
  };
}

function resourceServer(resources: OAuthResources, identifier: string, limits: Limits): ResourceServer {
  const resource = resources.find(identifier);
  if (resource === null) throw new errors.InvalidTarget('this server issues no tokens for the resource');
  return {
    scope: resource.scopes.join(' '),
    audience: identifier,
    accessTokenFormat: 'opaque',
    accessTokenTTL: limits.oauth_token_minutes * 60,
  };
}

/**
 * The person is asked at every request, whatever they decided before: an app on the loopback interface or with a
 * private-use scheme can be any program on the machine (RFC 8252, section 8.6), and scopes are chosen again each time.
 */
function consentEveryTime(): interactionPolicy.Prompt {
  const { Check, Prompt } = interactionPolicy;
  return new Prompt(
    { name: 'consent', requestable: true },
    new Check('unanswered', 'the person has to be asked', 'consent_required', ({ oidc }) => {
      if (Array.isArray(oidc.params?.resource)) {
        throw new errors.InvalidTarget('a token is issued for one resource');
      }
      return oidc.result?.consent === undefined;
    }),
  );
}

/** Access and refresh tokens are recognised by their prefix, for which the library has no setting. */
function prefixTokens({ AccessToken, RefreshToken }: Provider): void {
  Object.defineProperty(AccessToken.prototype, 'generateTokenId', {
    value(this: { format?: string }): string {
      this.format = 'opaque';
      return newOAuthToken('access_token');
    },
  });
  Object.defineProperty(RefreshToken.prototype, 'generateTokenId', {
    value: (): string => newOAuthToken('refresh_token'),
  });
}
