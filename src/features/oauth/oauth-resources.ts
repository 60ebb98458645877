import { OAUTH_SCOPE_NAMES, type OAuthScope } from '../../vocabulary/oauth-scopes.ts';

/** Where the endpoints are, below the address of the application. */
export const OAUTH_PATHS = {
  metadata: '/.well-known/oauth-authorization-server',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  consent: '/oauth/consent',
} as const;

/** What a token can be issued for (RFC 8707); it is valid for nothing else. */
export interface OAuthResource {
  readonly name: 'mcp' | 'v2';
  /** What a client sends as `resource`. */
  readonly identifier: string;
  /** Where its metadata is (RFC 9728, section 3.1). */
  readonly metadataUrl: string;
  /** What can be granted on it. */
  readonly scopes: readonly OAuthScope[];
  /** Its name on the consent page. */
  readonly title: string;
}

/** Addresses without a trailing slash. */
export interface OAuthAddresses {
  readonly publicUrl: string;
  readonly appUrl: string;
  readonly mcpUrl: string;
}

/** Below this address of a host is the metadata of the resources on it. */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The two protected resources. */
export class OAuthResources {
  /** The default of a request that names no resource, because clients that send none are agents. */
  readonly mcp: OAuthResource;
  readonly v2: OAuthResource;
  readonly #addresses: OAuthAddresses;

  constructor(addresses: OAuthAddresses) {
    this.#addresses = addresses;
    this.mcp = {
      name: 'mcp',
      identifier: `${addresses.mcpUrl}/mcp`,
      metadataUrl: `${addresses.mcpUrl}${RESOURCE_METADATA_PATH}/mcp`,
      scopes: OAUTH_SCOPE_NAMES,
      title: 'The MCP server, for assistants and agents',
    };
    this.v2 = {
      name: 'v2',
      identifier: `${addresses.publicUrl}/v2`,
      metadataUrl: `${addresses.publicUrl}${RESOURCE_METADATA_PATH}/v2`,
      scopes: OAUTH_SCOPE_NAMES.filter((scope) => scope !== 'mcp:read'),
      title: 'The REST API',
    };
  }

  find(identifier: string): OAuthResource | null {
    return [this.mcp, this.v2].find((resource) => resource.identifier === identifier) ?? null;
  }

  /** RFC 9728, section 2. */
  metadataOf({ identifier, scopes, title }: OAuthResource): Readonly<Record<string, unknown>> {
    const { appUrl, publicUrl } = this.#addresses;
    return {
      resource: identifier,
      authorization_servers: [appUrl],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      resource_name: `Tributary: ${title}`,
      resource_documentation: `${publicUrl}/docs/oauth`,
    };
  }
}
