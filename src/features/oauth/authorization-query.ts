import { isOAuthScope, OAUTH_SCOPES } from '../../vocabulary/oauth-scopes.ts';
import type { OAuthResource, OAuthResources } from './oauth-resources.ts';

/** The supported parameters of an authorization request; RFC 6749, section 3.1, requires that others are ignored. */
const KNOWN: ReadonlySet<string> = new Set([
  'response_type',
  'response_mode',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'resource',
  'code_challenge',
  'code_challenge_method',
]);

/**
 * The query of an authorization request as passed to the library: without parameters that it would take for OpenID
 * Connect, with the default resource and scopes if the request names none, and only with scopes that can be granted. A
 * repeated parameter is kept, and refused by the library.
 */
export function authorizationQuery(sent: URLSearchParams, resources: OAuthResources): URLSearchParams {
  const query = new URLSearchParams([...sent].filter(([name]) => KNOWN.has(name)));
  const resource = query.get('resource');
  if (resource === null) query.set('resource', resources.mcp.identifier);
  if (query.getAll('scope').length < 2) {
    const meant = resource === null ? resources.mcp : resources.find(resource);
    query.set('scope', scopeOf(query.get('scope'), meant ?? resources.mcp));
  }
  return query;
}

/**
 * Unknown scopes are ignored, because clients ask for those of other services. If none is left, the read scopes are
 * meant.
 */
function scopeOf(sent: string | null, resource: OAuthResource): string {
  const asked = new Set((sent ?? '').split(' '));
  const known = resource.scopes.filter((scope) => asked.has(scope));
  const reads = resource.scopes.filter((scope) => OAUTH_SCOPES[scope].group === 'reads');
  return (known.length > 0 ? known : reads).filter(isOAuthScope).join(' ');
}
