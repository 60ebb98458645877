import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { Html, html } from './html.ts';

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

/**
 * No script, no frame, nothing loaded from anywhere. Forms may lead on to the bank's and the caller's pages, because
 * browsers hold the redirect after a form to the same rule.
 */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self' https: http:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
} as const;

export interface PageContent {
  readonly title: string;
  readonly body: Html;
  /** Seconds after which the browser asks again by itself. */
  readonly refreshSeconds?: number;
}

export function sendPage(reply: FastifyReply, status: number, content: PageContent): FastifyReply {
  return reply.code(status).headers(HEADERS).send(document(content).text);
}

/** Sends the browser on. The address carries no referrer: ours holds the session's token. */
export function sendOn(reply: FastifyReply, url: string): FastifyReply {
  return reply
    .code(303)
    .headers({ location: url, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
    .send();
}

function document({ title, body, refreshSeconds }: PageContent): Html {
  const refresh =
    refreshSeconds === undefined
      ? html``
      : html`<meta http-equiv="refresh" content="${String(refreshSeconds)}">`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh}
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}
