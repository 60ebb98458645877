import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sessionSecretIn } from '../../features/sign-in/session-cookie.ts';
import { cookieOf } from '../../platform/cookies.ts';
import { type ExchangeRate, exchangeRateText } from '../../vocabulary/exchange-rates.ts';
import { ENGLISH, LANGUAGE_CODES, LANGUAGE_COOKIE } from '../../vocabulary/languages.ts';
import { APP_PATHS, routeOf } from '../../vocabulary/page-paths.ts';
import { type CachedBody, etagOf, sendCached } from '../http/cached-body.ts';
import { preferredLanguage } from '../http/header-values.ts';
import { escaped, html, scriptElement } from '../http/html.ts';
import { outsideSurfaces } from '../http/outside.ts';
import { pageText, sendOn } from '../http/page.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { searchOf } from '../http/request-url.ts';
import type { Surfaces } from '../http/surfaces.ts';
import { OFFLINE_PAGE } from '../text/frame.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** The application loads only its own files and calls only its own origin; no script or style is inline. */
const HEADERS = {
  ...pageHeaders({
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self'",
    'connect-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'self'",
    'manifest-src': "'self'",
    'worker-src': "'self'",
  }),
  // The sign-out form names the session's person.
  'referrer-policy': 'same-origin',
} as const;

const FILE_HEADERS = { 'x-content-type-options': 'nosniff' } as const;

/** Answers navigation when the service cannot be reached; it may ask this service alone, like the pages it answers for. */
const WORKER = 'static/service-worker.js';
const OFFLINE = '/offline';

/** In the page as Vite wrote it; every address in it is relative to where browsers reach the application. */
const BASE = '<base href="/">';
/** Replaced by what the operator's settings say of the whole installation (docs/web.md). */
const SIMULATED = '<meta name="simulated" content="" />';

/** The script of a language, which runs before the one that starts the application. */
const WORDS = /^assets\/words-([a-z]{2})-.+\.js$/;
const START = '<script type="module"';

/**
 * The web application: its document at the address of every page, and the files it loads (docs/web.md). Returns the
 * handler for `/`.
 */
export function registerApp(
  server: FastifyInstance,
  surfaces: Surfaces,
  { page, files }: AppFiles,
  {
    appUrl,
    cookies,
    failures,
    simulated,
    notOffered,
    exchangeRates,
  }: Pick<WebOptions, 'appUrl' | 'cookies' | 'failures'> & {
    readonly simulated: readonly string[];
    /** Types of destination that need set-up by the operator, which is missing. */
    readonly notOffered: readonly string[];
    readonly exchangeRates: readonly ExchangeRate[];
  },
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const text = filledIn(page, {
    [BASE]: `<base href="${escaped(pathOf(appUrl, '/'))}">`,
    [SIMULATED]:
      meta('simulated', simulated) +
      meta('not-offered', notOffered) +
      meta('exchange-rates', exchangeRates.map(exchangeRateText)),
  });
  const english = startPage(text);
  const others = translatedPages(text, [...files.keys()]);
  const startOf = ({ headers }: FastifyRequest): CachedBody => {
    const chosen = cookieOf(headers.cookie, LANGUAGE_COOKIE);
    const language =
      LANGUAGE_CODES.find((code) => code === chosen) ??
      preferredLanguage(headers['accept-language'], LANGUAGE_CODES) ??
      ENGLISH;
    return others.get(language) ?? english;
  };

  const open = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // v2 decides whether the session is still valid; without one, the application need not be loaded to find out.
    if (sessionSecretIn(request.headers.cookie, cookies) === null) {
      return sendOn(
        reply,
        `${pathOf(appUrl, '/sign-in')}?next=${encodeURIComponent(addressOf(request, appUrl))}`,
      );
    }
    return sendCached(request, reply.headers(HEADERS), startOf(request));
  };

  const routes = Object.values(APP_PATHS)
    .filter((path) => path !== APP_PATHS.home)
    .map(routeOf);
  const prefixes = new Set(['/assets', '/static', OFFLINE, ...routes.map(firstPart)] as const);
  surfaces.mount(
    server,
    { prefixes: [...prefixes], ...outsideSurfaces(failures, pathOf(appUrl, '/')) },
    (scope) => {
      for (const route of routes) scope.get(route, open);
      const offline = offlinePage();
      scope.get(OFFLINE, (request, reply) =>
        sendCached(request, reply.headers(offline.headers), offline.body),
      );
      for (const [name, body] of files) {
        if (name === WORKER) continue;
        scope.get(`/${name}`, (request, reply) => sendCached(request, reply.headers(FILE_HEADERS), body));
      }
      const worker = files.get(WORKER);
      if (worker === undefined) return;
      const script = filledIn(worker.body.toString(), {
        '{{offline-page}}': offline.body.etag.replaceAll('"', ''),
        '{{places}}': [...new Set(['/', ...routes.map(firstPart)])].join(' '),
      });
      const headers = {
        ...pageHeaders({ 'connect-src': "'self'" }),
        ...FILE_HEADERS,
        // It is not beside the pages it answers for.
        'service-worker-allowed': pathOf(appUrl, '/'),
      };
      const body: CachedBody = { type: worker.type, body: script, etag: etagOf(script) };
      scope.get(`/${WORKER}`, (request, reply) => sendCached(request, reply.headers(headers), body));
    },
  );
  return open;
}

function startPage(body: string): CachedBody {
  return {
    type: 'text/html; charset=utf-8',
    body,
    etag: etagOf(body),
    varies: ['cookie', 'accept-language'],
  };
}

/** The document in each other language that was built. */
function translatedPages(english: string, paths: readonly string[]): ReadonlyMap<string, CachedBody> {
  return new Map(
    paths.flatMap((path): [string, CachedBody][] => {
      const code = WORDS.exec(path)?.[1];
      if (code === undefined) return [];
      const script = scriptElement(`./${path}`, 'type="module" crossorigin').text;
      const page = filledIn(english, {
        '<html lang="en">': `<html lang="${code}">`,
        [START]: script + START,
      });
      return [[code, startPage(page)]];
    }),
  );
}

/** Shown by the browser in place of a page of the application, at its address; a link requests that page again. */
function offlinePage(): { readonly headers: Readonly<Record<string, string>>; readonly body: CachedBody } {
  const { title, text: words, again } = OFFLINE_PAGE;
  const body = html`<p>${words}</p>
<div class="actions"><a class="button main" href="">${again}</a></div>`;
  const { headers, text } = pageText({ title, secretAddress: false, body }, null);
  return { headers, body: { type: 'text/html; charset=utf-8', body: text, etag: etagOf(text) } };
}

function meta(name: string, values: readonly string[]): string {
  return `<meta name="${name}" content="${escaped(values.join(' '))}">`;
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

/** The page the person wants, as their browser reaches it. */
function addressOf(request: FastifyRequest, appUrl: string): string {
  const path = request.url.split('?')[0] ?? '/';
  const search = searchOf(request);
  return `${pathOf(appUrl, `/${path.slice(1)}`)}${search === '' ? '' : `?${search}`}`;
}

/** The built web application. */
export interface AppFiles {
  /** The document that starts it. */
  readonly page: string;
  /** What the page loads, by path from the page: `assets/main-Bq3x.js`. */
  readonly files: ReadonlyMap<string, CachedBody>;
}

/** Folders of the build, and whether the names in them change with the contents. */
const FOLDERS = { assets: true, static: false } as const;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** Reads what Vite built into the folder. Null if nothing was built, since an installation may serve only the API. */
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
