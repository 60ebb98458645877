import type Provider from 'oidc-provider';
import { REGISTRATION_RETRY_SECONDS } from '../../features/oauth/oauth-clients.ts';
import type { AuthorizationServer } from '../../features/oauth/running-server.ts';
import { storeFailure } from '../../vocabulary/store-unavailable.ts';
import { themeIn } from '../http/chosen-theme.ts';
import { pageText } from '../http/page.ts';
import type { OAuthSurfaceOptions } from './oauth-surface-options.ts';
import { refusalPage } from './refusals.ts';
import { showRefusedRequests } from './refused-requests.ts';

/** Loads the authorization server and has it answer as the rest of the service does. */
export async function loadServer(options: OAuthSurfaceOptions): Promise<AuthorizationServer> {
  const server = await options.oauth.authorizationServer({
    renderError: (ctx, error) => {
      const { headers, text } = pageText(refusalPage(error), themeIn(ctx.get('cookie')));
      ctx.set(headers);
      ctx.body = text;
    },
  });
  server.provider.use(showRefusedRequests(options.addresses.appUrl));
  logFaults(server.provider, options);
  server.provider.on('registration_create.error', (ctx) => {
    if (ctx.status === 429) ctx.set('retry-after', String(REGISTRATION_RETRY_SECONDS));
  });
  return server;
}

/** The library answers its own faults; that a store is unreachable is said as everywhere, and logged where it is noticed. */
function logFaults(provider: Provider, { log }: OAuthSurfaceOptions): void {
  provider.on('server_error', (ctx, error) => {
    const away = storeFailure(error);
    if (away === null) return log.error('A request for authorization failed.', {}, error);
    ctx.status = away.status;
    ctx.set('retry-after', String(away.retryAfterSeconds));
  });
  // What breaks while an answer is sent would go to the standard error.
  provider.silent = true;
}
