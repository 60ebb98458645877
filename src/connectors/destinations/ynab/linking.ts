import type { AuthorizationCallback } from '../../../vocabulary/authorization.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import type { AuthorizationOutcome, DestinationLinking } from '../destination-contract.ts';
import { freshAccess } from '../kit/fresh-access.ts';
import type { OAuth, OAuthVendor } from '../kit/oauth.ts';
import { writeGrant } from '../kit/oauth-grant.ts';
import type { VendorClient } from '../kit/vendor-client.ts';
import { ynabRead } from './read-failures.ts';
import { YnabApi } from './ynab-api.ts';

/** YNAB ends no grant over its API: people do that in its settings. Without a scope, a grant may write. */
export function oauthVendor(settings: {
  readonly oauthUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}): OAuthVendor {
  const { oauthUrl, tokenUrl, clientId, clientSecret } = settings;
  return {
    name: 'YNAB',
    authorizeUrl: `${oauthUrl.replace(/\/+$/, '')}/oauth/authorize`,
    tokenUrl: `${tokenUrl.replace(/\/+$/, '')}/oauth/token`,
    revokeUrl: null,
    clientId,
    clientSecret,
    credentialsIn: 'body',
    bodies: 'form',
    scope: null,
    pkce: false,
    parameters: {},
  };
}

/** Signs people in. The grant names the user, whose calls YNAB counts. */
export function ynabLinking(oauth: OAuth, client: VendorClient, limits: Limits): DestinationLinking {
  return {
    begin: async (request) => oauth.page(request),
    complete: (callback, signal) => completed({ oauth, client, limits }, callback, signal),
  };
}

async function completed(
  parts: { readonly oauth: OAuth; readonly client: VendorClient; readonly limits: Limits },
  callback: AuthorizationCallback,
  signal: AbortSignal,
): Promise<AuthorizationOutcome> {
  const tokens = await parts.oauth.exchange(callback, signal);
  if (typeof tokens === 'string') return { kind: 'refused', reason: tokens };
  const { access, refresh, expires } = tokens;
  const unnamed = writeGrant({ access, refresh, expires, holder: '' });
  const api = new YnabApi(parts.client, freshAccess(unnamed), parts.limits, 'as a person');
  const holder = await ynabRead(() => api.user(signal), signal);
  return { kind: 'linked', grant: writeGrant({ access, refresh, expires, holder }), name: 'YNAB' };
}
