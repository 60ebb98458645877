import type { FastifyInstance } from 'fastify';
import { ERROR_CODES, errorAnchor, isErrorCode } from '../../vocabulary/error-codes.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1b1b1f}' +
  'code{font-size:1rem;font-weight:600}section{border-top:1px solid #ddd;padding:.5rem 0}:target{background:#fff7d6}';

/** The page every `doc_url` points into, one anchor a code, written from the table itself. */
export function registerErrorReference(server: FastifyInstance): void {
  const sections = Object.keys(ERROR_CODES)
    .filter(isErrorCode)
    .map((code) => {
      const { status, type, message } = ERROR_CODES[code];
      return `<section id="${errorAnchor(code)}"><p><code>${code}</code> &middot; ${status} &middot; ${type}</p><p>${escaped(message)}</p></section>`;
    });
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Errors</title><style>${STYLE}</style><h1>Errors</h1><p><a href="../docs">All operations</a></p>${sections.join('')}</html>`;
  server.get('/docs/errors', async (_request, reply) => {
    reply
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .type('text/html; charset=utf-8');
    return reply.send(page);
  });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
