import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionSecretIn } from '../../features/sign-in/session-cookie.ts';
import { APP_PATHS } from '../../vocabulary/page-paths.ts';
import { type CachedBody, etagOf, sendCached } from '../http/cached-body.ts';
import { type Html, html } from '../http/html.ts';
import { brand, htmlDocument, themeIn } from '../http/html-document.ts';
import { inlineSource, pageHeaders } from '../http/page-headers.ts';
import { inShell } from '../http/shell.ts';
import { DOCUMENTATION } from '../text/documentation.ts';
import { DOCS_STYLE } from './docs-style.ts';

/** What is shown below the tabs. */
export interface DocsPage {
  readonly title: string;
  /** With its heading of the first level. */
  readonly body: Html;
  /** A navigation beside it. */
  readonly contents?: Html;
}

/** Where a page is, and how it was asked for. */
interface Shown {
  /** The address below the root of the service, without a leading slash: `docs`, `docs/guides`. */
  readonly address: string;
  readonly tab: 'reference' | 'guides' | 'errors' | null;
  /** Null for a page that is different for each request, which no cache keeps. */
  readonly cached: 'cached' | null;
}

interface DocumentsOptions {
  readonly cookies: Parameters<typeof sessionSecretIn>[1];
  /** Whether there is a web application whose frame the pages can have. */
  readonly hasApp: boolean;
}

const HEADERS = {
  ...pageHeaders({
    'style-src': inlineSource(DOCS_STYLE),
    'img-src': 'data:',
    'form-action': "'self'",
  }),
  // With no referrer at all, browsers would not say whose form it is that signs out.
  'referrer-policy': 'same-origin',
} as const;

/** Documents with their encodings: those asked for last. There are several hundred pages, each in six forms. */
const MOST_KEPT = 150;

/**
 * Sends pages of the documentation: in the frame of the web application to browsers with a session, with a header of
 * their own to everyone else. They contain no one's data, so a cookie that only looks like a session is enough.
 * Addresses are relative, so the pages work below a sub-path.
 */
export class Documents {
  readonly #options: DocumentsOptions;
  readonly #kept = new Map<string, Promise<CachedBody>>();

  constructor(options: DocumentsOptions) {
    this.#options = options;
  }

  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    { address, tab, cached }: Shown,
    page: () => Promise<DocsPage>,
  ): Promise<FastifyReply> {
    const theme = themeIn(request.headers.cookie);
    const signedIn =
      this.#options.hasApp && sessionSecretIn(request.headers.cookie, this.#options.cookies) !== null;
    const make = async (): Promise<CachedBody> => {
      const { title, body, contents } = await page();
      const root = rootFrom(address);
      const inner = html`${tabs(root, tab)}
<div class="${contents === undefined ? 'page' : 'page-with-contents'}">${contents ?? html``}<article>${body}</article></div>`;
      const text = htmlDocument({
        title: DOCUMENTATION.pageTitle(title),
        theme,
        style: DOCS_STYLE,
        head: html`<link rel="icon" href="data:,">`,
        body: signedIn
          ? inShell({
              root,
              here: tab === 'reference' ? APP_PATHS.apiKeys : null,
              main: html`<main class="content" id="content" tabindex="-1">${inner}</main>`,
            })
          : html`<header class="top">${brand(root)}<a class="back" href="${root}sign-in">${DOCUMENTATION.signIn}</a></header>
<main class="content">${inner}</main>`,
      });
      return { type: 'text/html; charset=utf-8', body: text, etag: etagOf(text), varies: ['cookie'] };
    };
    reply.headers(HEADERS);
    if (cached === null) {
      const { type, body } = await make();
      return reply.header('cache-control', 'no-store').type(type).send(body);
    }
    return sendCached(request, reply, await this.#keep(`${address} ${theme} ${signedIn}`, make));
  }

  /** What was made under this key, or what `make` makes; a failure is not kept. */
  #keep(key: string, make: () => Promise<CachedBody>): Promise<CachedBody> {
    const made = this.#kept.get(key) ?? make();
    // Moved to the end, so that the first is the one that was requested longest ago.
    this.#kept.delete(key);
    this.#kept.set(key, made);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    made.catch(() => this.#kept.delete(key));
    return made;
  }
}

function rootFrom(address: string): string {
  return '../'.repeat(address.split('/').length - 1) || './';
}

function tabs(root: string, here: Shown['tab']): Html {
  const { reference, guides, errors, description } = DOCUMENTATION;
  const all = [
    { tab: 'reference', name: reference, path: 'docs' },
    { tab: 'guides', name: guides, path: 'docs/guides' },
    { tab: 'errors', name: errors, path: 'docs/errors' },
    { tab: 'description', name: description, path: 'v2/openapi.json' },
  ];
  return html`<nav class="tabs" aria-label="${DOCUMENTATION.navigation}">${all.map(
    ({ tab, name, path }) =>
      html`<a href="${root}${path}"${tab === here ? html` aria-current="true"` : html``}>${name}</a>`,
  )}</nav>`;
}
