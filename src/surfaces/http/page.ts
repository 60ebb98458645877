import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceError } from '../../vocabulary/service-error.ts';
import type { Theme } from '../../vocabulary/themes.ts';
import { FRAME } from '../text/frame.ts';
import { locationOf } from './header-values.ts';
import { type Html, html } from './html.ts';
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
  // With no referrer at all, browsers would not say whose form it is either.
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
} as const;

const SCRIPTED_HEADERS = {
  ...HEADERS,
  ...pageHeaders({ ...POLICY, 'script-src': "'self'", 'connect-src': "'self'" }),
  'referrer-policy': 'same-origin',
} as const;

/** A page that another one leads to. */
export interface PageLink {
  readonly name: string;
  readonly path: string;
  readonly here: boolean;
}

export interface PageContent {
  readonly title: string;
  readonly body: Html;
  /** The path of a script of ours, which may then ask this service. */
  readonly script?: string;
  /**
   * Where a form may lead on to beside this service, because browsers hold the redirect after a form to the page's
   * policy: the origin of an address, or anywhere, for a vendor that sends people on to a bank of theirs.
   */
  readonly formLeadsTo?: URL | 'anywhere';
  /**
   * Whether the address may hold a secret, such as the token of a link: not even our own pages may learn it as the
   * referrer. Every page says, so that none forgets.
   */
  readonly secretAddress: boolean;
  /** Seconds after which the browser asks again on its own. */
  readonly refreshSeconds?: number;
  /** An address of ours that the browser goes on to on its own, at once. */
  readonly goesOnTo?: string;
  /** The path of the web application, where the page is one of those that lead back to it. */
  readonly home?: string;
  /** The pages beside this one. Its parts are then cards of their own. */
  readonly nav?: readonly PageLink[];
  /** The e-mail address of the person who is signed in, on pages that do not say so themselves. */
  readonly person?: string;
  /** The place of the web application that the page belongs to. It is then inside the application's frame. */
  readonly place?: `/${string}`;
}

/**
 * A page that the browser asks for again by itself once the service says that it may: after too many requests. The form
 * of a page is not sent again.
 */
export function returning(
  page: PageContent,
  { status, retryAfterSeconds }: ServiceError,
  { method }: Pick<FastifyRequest, 'method'>,
): PageContent {
  if (status !== 429 || retryAfterSeconds === null || method !== 'GET') return page;
  return { ...page, refreshSeconds: Math.ceil(retryAfterSeconds) };
}

/** Sends a page of a few paragraphs and buttons, for one person and one moment: nothing keeps or indexes it. */
export function sendPage(reply: FastifyReply, status: number, content: PageContent): FastifyReply {
  const { headers, text } = pageText(content, themeIn(reply.request.headers.cookie));
  return reply.code(status).headers(headers).send(text);
}

/** The same for a page that someone else sends. */
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
  }${script === undefined ? html`` : html`<script src="${script}" defer></script>`}`;
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
    // The origin alone is still said, or forms would not show whose they are.
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

/** Sends the browser on. The address carries no referrer: ours may hold a secret. */
export function sendOn(reply: FastifyReply, url: string): FastifyReply {
  return reply
    .code(303)
    .headers({
      location: locationOf(url),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      // The framework says so for GET alone, and HEAD must not differ.
      'content-length': '0',
    })
    .send();
}
