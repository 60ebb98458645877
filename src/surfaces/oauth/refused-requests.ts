import type Provider from 'oidc-provider';
import { redirectPlace } from '../../features/oauth/redirect-rules.ts';
import { themeIn } from '../http/chosen-theme.ts';
import { html } from '../http/html.ts';
import { type PageContent, pageText } from '../http/page.ts';
import { APP_REFUSALS } from '../text/consent.ts';

type Middleware = Parameters<Provider['use']>[0];

/**
 * A request for authorization that is refused says so on a page of ours, with a link to the app. The library would send
 * the browser on at once, and anybody can register an app: that would make this server a redirector to anywhere, for
 * links that people trust (RFC 9700, section 4.11.2). `origin`: that of the issuer.
 */
export function showRefusedRequests(origin: string): Middleware {
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
  // Where an answer would come in a fragment, so does the refusal.
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
