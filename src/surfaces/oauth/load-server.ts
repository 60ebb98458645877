import type Provider from 'oidc-provider';
import { REGISTRATION_RETRY_SECONDS } from '../../features/oauth/oauth-clients.ts';
import { redirectPlace } from '../../features/oauth/redirect-rules.ts';
import type { AuthorizationServer } from '../../features/oauth/running-server.ts';
import { storeFailure } from '../../vocabulary/store-unavailable.ts';
import { html } from '../http/html.ts';
import { themeIn } from '../http/html-document.ts';
import { type PageContent, pageText } from '../http/page.ts';
import { APP_REFUSALS } from '../text/consent.ts';
import type { OAuthSurfaceOptions } from './oauth-surface-options.ts';
import { DEFAULT_RETRY_SECONDS, documentsBusy, refusalPage } from './refusals.ts';

/** Loads the authorization server and makes its responses consistent with the rest of the service. */
export async function loadServer(options: OAuthSurfaceOptions): Promise<AuthorizationServer> {
  const server = await options.oauth.authorizationServer({
    renderError: (ctx, error) => {
      const { headers, text } = pageText(refusalPage(error), themeIn(ctx.get('cookie')));
      ctx.set(headers);
      ctx.body = text;
    },
  });
  server.provider.use(showRefusedRequests(options.addresses.appUrl));
  noteFaults(server.provider, options);
  server.provider.on('registration_create.error', (ctx) => {
    if (ctx.status === 429) ctx.set('retry-after', String(REGISTRATION_RETRY_SECONDS));
  });
  return server;
}

/**
 * The library reports its own faults, and as an error of the request that too many documents are being fetched; an
 * unreachable store is reported as everywhere else.
 */
function noteFaults(provider: Provider, { failures }: OAuthSurfaceOptions): void {
  provider.on('server_error', (ctx, error) => {
    failures.note(error, { id: ctx.response.get('request-id') }, 'oauth');
    const away = storeFailure(error);
    if (away === null) return;
    ctx.status = away.status;
    ctx.set('retry-after', String(away.retryAfterSeconds));
  });
  provider.on('authorization.error', (ctx, error) => {
    if (error.statusCode !== 503) return;
    failures.note(documentsBusy(error), { id: ctx.response.get('request-id') }, 'oauth');
    ctx.set('retry-after', String(DEFAULT_RETRY_SECONDS));
  });
  // Errors while a response is being sent would go to standard error.
  provider.silent = true;
}

type Middleware = Parameters<Provider['use']>[0];

/**
 * A refused authorization request is reported on a page of ours, with a link to the app. The library would redirect the
 * browser at once, and since anyone can register an app, this server would be an open redirector (RFC 9700, section
 * 4.11.2). `origin`: that of the issuer.
 */
function showRefusedRequests(origin: string): Middleware {
  return async (ctx, next) => {
    await next();
    const back = ctx.response.get('location');
    if (ctx.oidc?.route !== 'authorization' || back === '') return;
    const { origin: there } = new URL(back, origin);
    if (there === origin) return;
    const { headers, text } = pageText(refusedPage(back), themeIn(ctx.get('cookie')));
    ctx.remove('location');
    ctx.status = 400;
    ctx.set(headers);
    ctx.body = text;
  };
}

function refusedPage(back: string): PageContent {
  const { searchParams, hash } = new URL(back);
  // If a response would come in a fragment, so does the refusal.
  const inFragment = new URLSearchParams(hash.slice(1));
  const said = (name: string): string => searchParams.get(name) ?? inFragment.get(name) ?? '';
  return {
    title: APP_REFUSALS.title,
    secretAddress: true,
    body: html`<p>${APP_REFUSALS.notGranted(said('error'), said('error_description'))}</p>
<p>${APP_REFUSALS.nothingShared}</p>
<p><a class="button" href="${back}" rel="noreferrer">${APP_REFUSALS.backTo(redirectPlace(back).shown)}</a></p>`,
  };
}
