import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { type CachedBody, etagOf, sendCached } from '../../http/cached-body.ts';
import { REFERENCE_HEADERS, REFERENCE_PAGE, REFERENCE_SCRIPT } from './reference-page.ts';

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

/** A file of a package, read when somebody first asks: most processes never show the page. */
function asset(name: string): Promise<Buffer> {
  return readFile(fileURLToPath(import.meta.resolve(name)));
}
