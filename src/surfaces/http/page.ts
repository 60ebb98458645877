import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceError } from '../../vocabulary/service-error.ts';
import type { Theme } from '../../vocabulary/themes.ts';
import { FRAME } from '../text/frame.ts';
import { locationOf } from './header-values.ts';
import { type Html, html, scriptElement } from './html.ts';
import { brand, htmlDocument, themeIn } from './html-document.ts';
import { inlineSource, pageHeaders, sourceOf } from './page-headers.ts';
import { PAGE_STYLE } from './page-style.ts';
import { inShell } from './shell.ts';

const POLICY = {
  'style-src': inlineSource(PAGE_STYLE),
  'form-action': "'self'",
} as const;

const HEADERS = {
  ...pageHeaders(POLICY),
  'content-type': 'text/html; charset=utf-8',
  // Without any referrer, browsers would not send the origin of a form either.
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
} as const;

const SCRIPTED_HEADERS = {
  ...HEADERS,
  ...pageHeaders({ ...POLICY, 'script-src': "'self'", 'connect-src': "'self'" }),
  'referrer-policy': 'same-origin',
} as const;

/** A link from one page to another. */
export interface PageLink {
  readonly name: string;
  readonly path: string;
  readonly here: boolean;
}

export interface PageContent {
  readonly title: string;
  readonly body: Html;
  /** The path of a script of this service, which may then send requests to it. */
  readonly script?: string;
  /**
   * Where a form may lead besides this service: to the origin of this address, or anywhere, for a vendor that redirects
   * people to one of its banks. Needed because browsers apply the page's policy to the redirect after a form as well.
   */
  readonly formLeadsTo?: URL | 'anywhere';
  /**
   * Whether the address may contain a secret, such as the token of a link: not even our own pages may then receive it
   * as the referrer. Required, so that no page forgets it.
   */
  readonly secretAddress: boolean;
  /** Seconds after which the browser reloads the page. */
  readonly refreshSeconds?: number;
  /** An address of this service to which the browser continues immediately. */
  readonly goesOnTo?: string;
  /** The path of the web application, if the page links back to it. */
  readonly home?: string;
  /** The sibling pages. The parts of the page are then shown as cards. */
  readonly nav?: readonly PageLink[];
  /** The e-mail address of the person who is signed in, for pages that do not show it themselves. */
  readonly person?: string;
  /** The place in the web application's navigation; the page is then shown in the application's frame. */
  readonly place?: `/${string}`;
}

/**
 * A page that the browser reloads automatically once `Retry-After` has passed, after too many requests. A form is not
 * sent again.
 */
export function returning(
  page: PageContent,
  { status, retryAfterSeconds }: ServiceError,
  { method }: Pick<FastifyRequest, 'method'>,
): PageContent {
  if (status !== 429 || retryAfterSeconds === null || method !== 'GET') return page;
  return { ...page, refreshSeconds: Math.ceil(retryAfterSeconds) };
}

/** Sends a page that is only for this person and this moment: it is neither cached nor indexed. */
export function sendPage(reply: FastifyReply, status: number, content: PageContent): FastifyReply {
  const { headers, text } = pageText(content, themeIn(reply.request.headers.cookie));
  return reply.code(status).headers(headers).send(text);
}

/** The headers and text of such a page, for callers that send it themselves. */
export function pageText(
  content: PageContent,
  theme: Theme | null,
): {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
} {
  const {
    title,
    body,
    refreshSeconds,
    goesOnTo,
    script,
    formLeadsTo,
    secretAddress,
    home = null,
    nav,
    person,
    place,
  } = content;
  const head = html`${
    refreshSeconds === undefined
      ? html``
      : html`<meta http-equiv="refresh" content="${String(refreshSeconds)}">`
  }${
    goesOnTo === undefined ? html`` : html`<meta http-equiv="refresh" content="0; url=${goesOnTo}">`
  }${script === undefined ? html`` : scriptElement(script, 'defer')}`;
  const signedInAs = person === undefined ? html`` : html`<p class="hint">${FRAME.signedInAs(person)}</p>`;
  const shown =
    place !== undefined && home !== null
      ? inShell({
          root: home,
          here: place,
          main: html`<main class="content" id="content" tabindex="-1">
${navigation(nav ?? [], true)}<div class="parts">
<h1>${title}</h1>
${signedInAs}
${body}
</div></main>`,
        })
      : html`<header class="top">${brand(home)}${nav === undefined ? html`` : navigation(nav)}${
          nav === undefined || home === null ? html`` : html`<a class="back" href="${home}">${FRAME.back}</a>`
        }</header>
<main${nav === undefined ? html`` : html` class="wide"`}>
<h1>${title}</h1>
${signedInAs}
${body}
</main>`;
  const headers = {
    ...(script === undefined ? HEADERS : SCRIPTED_HEADERS),
    ...(formLeadsTo !== undefined && {
      'content-security-policy': pageHeaders({
        ...POLICY,
        'form-action': `'self' ${formLeadsTo === 'anywhere' ? 'https: http:' : sourceOf(formLeadsTo)}`,
      })['content-security-policy'],
    }),
    // The origin is still sent, because forms are checked against it.
    ...(secretAddress && { 'referrer-policy': 'strict-origin' }),
  };
  return { headers, text: htmlDocument({ title, theme, style: PAGE_STYLE, head, body: shown }) };
}

function navigation(links: readonly PageLink[], asTabs = false): Html {
  return html`<nav${asTabs ? html` class="tabs"` : html``} aria-label="${FRAME.settings}">${links.map(
    ({ name, path, here }) =>
      html`<a href="${path}"${here ? html` aria-current="page"` : html``}>${name}</a>`,
  )}</nav>`;
}

/** Redirects the browser, without a referrer: our own address may contain a secret. */
export function sendOn(reply: FastifyReply, url: string): FastifyReply {
  return reply
    .code(303)
    .headers({
      location: locationOf(url),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      // The framework sets it for GET only, and HEAD must not differ.
      'content-length': '0',
    })
    .send();
}
