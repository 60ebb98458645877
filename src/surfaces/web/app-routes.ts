import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sessionSecretIn } from '../../features/sign-in/session-cookie.ts';
import { type CachedBody, etagOf, sendCached } from '../http/cached-body.ts';
import { escaped } from '../http/html.ts';
import { outsideSurfaces } from '../http/outside.ts';
import { sendOn } from '../http/page.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { searchOf } from '../http/request-url.ts';
import type { Surfaces } from '../http/surfaces.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** The application loads its own files and asks its own origin, and nothing else: no script or style is inline. */
const HEADERS = {
  ...pageHeaders({
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self'",
    'connect-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'self'",
  }),
  // The sign-out form says whose it is.
  'referrer-policy': 'same-origin',
} as const;

const FILE_HEADERS = { 'x-content-type-options': 'nosniff' } as const;

/** Stands in the page as Vite wrote it: every address in it is relative to where browsers reach the application. */
const BASE = '<base href="/">';
/** Stands there likewise: the integrations that the sandbox simulates, so that the tour is offered where it can be done. */
const SIMULATED = '<meta name="simulated" content="" />';

/**
 * The web application: its page at every address it has pages at, and the files the page loads (docs/web.md). Answers
 * the handler for `/`.
 */
export function registerApp(
  server: FastifyInstance,
  surfaces: Surfaces,
  { page, files }: AppFiles,
  {
    appUrl,
    cookies,
    log,
    simulated,
  }: Pick<WebOptions, 'appUrl' | 'cookies' | 'log'> & { readonly simulated: readonly string[] },
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const text = filledIn(page, {
    [BASE]: `<base href="${escaped(pathOf(appUrl, '/'))}">`,
    [SIMULATED]: `<meta name="simulated" content="${escaped(simulated.join(' '))}">`,
  });
  const start: CachedBody = { type: 'text/html; charset=utf-8', body: text, etag: etagOf(text) };

  const open = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // Whether the session is still good is for v2 to say; without any, the application need not be loaded to find out.
    if (sessionSecretIn(request.headers.cookie, cookies) === null) {
      return sendOn(
        reply,
        `${pathOf(appUrl, '/sign-in')}?next=${encodeURIComponent(addressOf(request, appUrl))}`,
      );
    }
    return sendCached(request, reply.headers(HEADERS), start);
  };

  const prefixes = new Set(['/assets', '/static', ...APP_PATHS.map(firstPart)] as const);
  surfaces.mount(server, { prefixes: [...prefixes], ...outsideSurfaces(log) }, (scope) => {
    for (const path of APP_PATHS) scope.get(path, open);
    for (const [name, body] of files) {
      scope.get(`/${name}`, (request, reply) => sendCached(request, reply.headers(FILE_HEADERS), body));
    }
  });
  return open;
}

function filledIn(page: string, places: Readonly<Record<string, string>>): string {
  return Object.entries(places).reduce((text, [place, written]) => {
    if (!text.includes(place)) throw new TypeError(`the page of the web application lacks ${place}`);
    return text.replace(place, () => written);
  }, page);
}

function firstPart(path: `/${string}`): `/${string}` {
  return `/${path.split('/')[1] ?? ''}`;
}

/** Where the person wants to be, as their browser reaches it. */
function addressOf(request: FastifyRequest, appUrl: string): string {
  const path = request.url.split('?')[0] ?? '/';
  const search = searchOf(request);
  return `${pathOf(appUrl, `/${path.slice(1)}`)}${search === '' ? '' : `?${search}`}`;
}

/** The web application as it was built. */
export interface AppFiles {
  /** The page it starts from. */
  readonly page: string;
  /** What the page loads, by path from the page: `assets/main-Bq3x.js`. */
  readonly files: ReadonlyMap<string, CachedBody>;
}

/** Folders of the build, and whether the names in them change with what they hold. */
const FOLDERS = { assets: true, static: false } as const;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads what Vite built into the folder. Null where nothing was built: an installation may serve the API alone. */
export async function readAppFiles(folder: URL): Promise<AppFiles | null> {
  const page = await readFile(new URL('index.html', folder), 'utf8').catch(missing);
  if (page === null) return null;
  const files = new Map<string, CachedBody>();
  for (const [name, immutable] of Object.entries(FOLDERS)) {
    for (const file of (await readdir(new URL(name, folder)).catch(missing)) ?? []) {
      const type = TYPES[extname(file)];
      if (type === undefined)
        throw new TypeError(`${name}/${file} of the web application is of no known type`);
      const body = await readFile(new URL(`${name}/${file}`, folder));
      files.set(`${name}/${file}`, { type, body, etag: etagOf(body), immutable });
    }
  }
  return { page, files };
}

function missing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}

/**
 * The addresses below which the web application has pages of its own, besides `/`. Each answers with the page it starts
 * from, and the application shows what lies there (`web/src/routing/paths.ts`; a test compares the two).
 */
export const APP_PATHS = [
  '/connections',
  '/connections/new',
  '/connections/:id',
  '/transactions',
  '/categories',
  '/rulesets',
  '/rulesets/:id',
  '/syncs',
  '/syncs/new',
  '/syncs/:id',
  '/sync-runs/:id',
  '/destinations',
  '/destinations/new',
  '/destinations/:id',
  '/holdings',
  '/trades',
  '/welcome',
  '/developer',
  '/developer/keys/new',
  '/developer/keys/:id',
  '/developer/events',
  '/developer/events/:id',
  '/developer/event-destinations',
  '/developer/event-destinations/new',
  '/developer/event-destinations/:id',
  '/developer/reference',
  '/developer/reference/:operation',
  '/developer/agents',
  '/developer/apps',
  '/developer/simplefin',
] as const satisfies readonly `/${string}`[];
