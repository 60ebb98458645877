import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Operation } from '../../../operations/operation.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { type CachedBody, etagOf, sendCached } from '../../http/cached-body.ts';
import { html } from '../../http/html.ts';
import { pageHeaders } from '../../http/page-headers.ts';
import { API_REFERENCE } from '../../text/documentation.ts';
import { describeV2 } from './description.ts';

/**
 * `GET /v2/openapi.json` (docs/api-conventions.md#versions): written once, when it is first asked for, for anyone,
 * without a key or the version header.
 */
export function registerDescription(
  server: FastifyInstance,
  {
    operations,
    publicUrl,
    limits,
  }: { readonly operations: readonly Operation[]; readonly publicUrl: string; readonly limits: Limits },
): void {
  let written: CachedBody | null = null;
  const description = (): CachedBody => {
    const body = JSON.stringify(describeV2(operations, publicUrl, limits));
    return { etag: etagOf(body), type: 'application/json; charset=utf-8', body };
  };
  server.get('/v2/openapi.json', async (request, reply) => {
    reply.header('request-id', request.id).header('access-control-allow-origin', '*');
    written ??= description();
    return sendCached(request, reply, written);
  });
}

/** Everything is asked for relative to the page, so that it works below a sub-path and under any name of the host. */
const REFERENCE_PAGE = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${API_REFERENCE.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/reference.css">
</head>
<body>
<noscript><p>${API_REFERENCE.needsScript}</p></noscript>
<p><a href="docs/guides">${API_REFERENCE.guides}</a> <a href="docs/errors">${API_REFERENCE.errors}</a> <a href="v2/openapi.json">${API_REFERENCE.description}</a></p>
<div id="reference"></div>
<script src="docs/swagger-ui.js"></script>
<script src="docs/reference.js"></script>
</body>
</html>
`.text;

/** A key typed into the page is kept by the page alone and forgotten with it. */
const REFERENCE_SCRIPT = `'use strict';
(async () => {
  const base = new URL('./', document.baseURI);
  const answer = await fetch(new URL('v2/openapi.json', base));
  const spec = await answer.json();
  spec.servers = [{ url: base.href.replace(/\\/$/, '') }];
  SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: false,
    showExtensions: true,
    tryItOutEnabled: true,
    validatorUrl: null,
  });
})().catch((error) => {
  document.getElementById('reference').textContent = ${JSON.stringify(API_REFERENCE.failed)} + error.message;
});
`;

/** Nothing from outside and no inline script; pictures are those inside the style sheet. */
const REFERENCE_HEADERS = pageHeaders({
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
});

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** `GET /docs`: the description to read and to try, and the three files it is made of. None comes from elsewhere. */
export function registerReference(server: FastifyInstance): void {
  const files: Readonly<Record<string, () => Promise<CachedBody>>> = {
    '/docs': async () => cached(HTML, REFERENCE_PAGE),
    '/docs/reference.js': async () => cached(SCRIPT, REFERENCE_SCRIPT),
    '/docs/reference.css': async () => cached(STYLE, await asset('swagger-ui-dist/swagger-ui.css')),
    '/docs/swagger-ui.js': async () => cached(SCRIPT, await asset('swagger-ui-dist/swagger-ui-bundle.js')),
  };
  for (const [path, load] of Object.entries(files)) {
    let loaded: Promise<CachedBody> | null = null;
    server.get(path, async (request, reply) => {
      loaded ??= load();
      return sendCached(request, reply.headers(REFERENCE_HEADERS), await loaded);
    });
  }
  server.get('/docs/', async (_request, reply) => reply.code(308).header('location', '../docs').send());
}

function cached(type: string, body: string | Buffer): CachedBody {
  return { type, body, etag: etagOf(body) };
}

/** A file of a package, read when someone first asks: most processes never show the page. */
function asset(name: string): Promise<Buffer> {
  return readFile(fileURLToPath(import.meta.resolve(name)));
}
