import { OAUTH_SCOPE_NAMES } from '../../vocabulary/oauth-scopes.ts';
import { OAUTH_PATHS, type OAuthAddresses, type OAuthResources } from './oauth-resources.ts';

/** How a client authenticates at the token endpoint. */
export const CLIENT_AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const;
export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;

/**
 * The metadata of the authorization server (RFC 8414). Not the library's own document, which describes an OpenID
 * provider, with keys that are not used here.
 */
export function serverMetadata(
  { appUrl, publicUrl }: OAuthAddresses,
  resources: OAuthResources,
): Readonly<Record<string, unknown>> {
  return {
    issuer: appUrl,
    authorization_endpoint: `${appUrl}${OAUTH_PATHS.authorize}`,
    token_endpoint: `${appUrl}${OAUTH_PATHS.token}`,
    registration_endpoint: `${appUrl}${OAUTH_PATHS.register}`,
    revocation_endpoint: `${appUrl}${OAUTH_PATHS.revoke}`,
    scopes_supported: OAUTH_SCOPE_NAMES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: GRANT_TYPES,
    token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: [resources.mcp.identifier, resources.v2.identifier],
    service_documentation: `${publicUrl}/docs/oauth`,
  };
}
