import { html } from '../../http/html.ts';
import { pageHeaders } from '../../http/page-headers.ts';
import { API_REFERENCE } from '../../text/documentation.ts';

/** Everything is asked for relative to the page, so that it works below a sub-path and under any name of the host. */
export const REFERENCE_PAGE = html`<!doctype html>
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
export const REFERENCE_SCRIPT = `'use strict';
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
export const REFERENCE_HEADERS = pageHeaders({
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
});
