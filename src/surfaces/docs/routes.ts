import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Theme } from '../../vocabulary/themes.ts';
import { type CachedBody, etagOf, sendCached } from '../http/cached-body.ts';
import { Html, html } from '../http/html.ts';
import { brand, htmlDocument, themeIn } from '../http/html-document.ts';
import { inlineSource, pageHeaders } from '../http/page-headers.ts';
import { DOCUMENTATION } from '../text/documentation.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { renderMarkdown } from './markdown.ts';

const FOLDER = new URL('../../../docs/', import.meta.url);

const HEADERS = pageHeaders({ 'style-src': inlineSource(DOCS_STYLE), 'img-src': 'data:' });

/** The list of all pages; the other addresses below `/docs` are named after their files. */
const INDEX = 'guides';

/**
 * `GET /docs/{page}`: the pages of `docs/` as HTML, and `GET /docs/guides`, the list of them. `doc_url` of every error
 * points into `/docs/errors`. Each page is rendered on first use. Addresses are relative, so the pages work below a
 * sub-path.
 */
export function registerDocs(server: FastifyInstance): void {
  let names: Promise<ReadonlySet<string>> | null = null;
  const rendered = new Map<string, Promise<CachedBody>>();
  server.get<{ Params: { page: string } }>(
    '/docs/:page',
    async (request: FastifyRequest<{ Params: { page: string } }>, reply: FastifyReply) => {
      const { page } = request.params;
      names ??= pageNames();
      const pages = await names;
      if (page !== INDEX && !pages.has(page)) return reply.callNotFound();
      const theme = themeIn(request.headers.cookie);
      const key = `${page} ${theme}`;
      const body = rendered.get(key) ?? (page === INDEX ? indexOf(pages, theme) : pageOf(page, pages, theme));
      rendered.set(key, body);
      return sendCached(request, reply.headers(HEADERS), await body);
    },
  );
}

async function pageNames(): Promise<ReadonlySet<string>> {
  const files = await readdir(FOLDER);
  return new Set(
    files
      .filter((file) => file.endsWith('.md'))
      .map((file) => basename(file, '.md'))
      .toSorted(),
  );
}

async function pageOf(page: string, pages: ReadonlySet<string>, theme: Theme | null): Promise<CachedBody> {
  const { title, body } = renderMarkdown(await sourceOf(page), pages);
  return documentOf(title, theme, new Html(body));
}

async function indexOf(pages: ReadonlySet<string>, theme: Theme | null): Promise<CachedBody> {
  const titles = await Promise.all(
    [...pages].map(async (page) => ({
      page,
      title: renderMarkdown(await sourceOf(page), pages).title,
    })),
  );
  const items = titles.map(({ page, title }) => html`<li><a href="${page}">${title}</a></li>\n`);
  return documentOf(DOCUMENTATION.guides, theme, html`<h1>${DOCUMENTATION.guides}</h1>\n<ul>\n${items}</ul>`);
}

function sourceOf(page: string): Promise<string> {
  return readFile(new URL(`${page}.md`, FOLDER), 'utf8');
}

function documentOf(title: string, theme: Theme | null, body: Html): CachedBody {
  const text = htmlDocument({
    title: DOCUMENTATION.pageTitle(title),
    theme,
    style: DOCS_STYLE,
    head: html`<link rel="icon" href="data:,">`,
    body: html`<header class="top">${brand('../')}<nav aria-label="${DOCUMENTATION.navigation}"><a href="../docs">${DOCUMENTATION.reference}</a> <a href="${INDEX}">${DOCUMENTATION.guides}</a></nav></header>
<main>${body}</main>`,
  });
  return { type: 'text/html; charset=utf-8', body: text, etag: etagOf(text), varies: 'cookie' };
}
