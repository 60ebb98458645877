import type { FastifyReply } from 'fastify';
import { type Html, html } from './html.ts';
import { htmlDocument } from './html-document.ts';
import { inlineSource, pageHeaders } from './page-headers.ts';

const STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
main { max-width: 34rem; margin: 0 auto; padding: 2rem 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
button, .button { font: inherit; padding: .6rem 1.2rem; border-radius: .4rem; border: 1px solid CanvasText;
  background: Canvas; color: CanvasText; cursor: pointer; text-decoration: none; }
.main { background: #14532d; border-color: #14532d; color: #fff; }
:focus-visible { outline: 3px solid #2563eb; outline-offset: 2px; }
`;

const HEADERS = {
  ...pageHeaders({
    'style-src': inlineSource(STYLE),
    // Forms may lead on to other sites, because browsers hold the redirect after a form to the same rule.
    'form-action': "'self' https: http:",
  }),
  'content-type': 'text/html; charset=utf-8',
  // With no referrer at all, browsers would not say whose form it is either.
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
} as const;

export interface PageContent {
  readonly title: string;
  readonly body: Html;
  /** Seconds after which the browser asks again by itself. */
  readonly refreshSeconds?: number;
}

/** Sends a page of a few paragraphs and buttons, for one person and one moment: nothing keeps or indexes it. */
export function sendPage(reply: FastifyReply, status: number, content: PageContent): FastifyReply {
  const { title, body, refreshSeconds } = content;
  const head =
    refreshSeconds === undefined
      ? html``
      : html`<meta http-equiv="refresh" content="${String(refreshSeconds)}">`;
  const main = html`<h1>${title}</h1>
${body}`;
  return reply
    .code(status)
    .headers(HEADERS)
    .send(htmlDocument({ title, style: STYLE, head, main }));
}

/** Sends the browser on. The address carries no referrer: ours may hold a secret. */
export function sendOn(reply: FastifyReply, url: string): FastifyReply {
  return reply
    .code(303)
    .headers({ location: url, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
    .send();
}
