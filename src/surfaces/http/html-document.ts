import { cookieOf } from '../../platform/cookies.ts';
import { THEME_COOKIE, THEMES, type Theme } from '../../vocabulary/themes.ts';
import { FRAME } from '../text/frame.ts';
import { Html, html } from './html.ts';

const MARK = html`<svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#17633a"/><path d="M8 8c0 7 8 6 8 13v4M24 8c0 7-8 6-8 13M16 7v8" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>`;

/** The logo and the name, linked to the home page if the page knows its address. */
export function brand(home: string | null): Html {
  return home === null
    ? html`<span class="brand">${MARK} ${FRAME.product}</span>`
    : html`<a class="brand" href="${home}">${MARK} ${FRAME.product}</a>`;
}

/** The parts of a document. `style` is inlined, so that nothing has to be loaded. */
export interface DocumentParts {
  readonly title: string;
  /** The theme that the person chose; null to follow the device. */
  readonly theme: Theme | null;
  readonly style: string;
  /** Further elements of the head. */
  readonly head?: Html;
  /** Includes the `main` landmark. */
  readonly body: Html;
}

/** A whole HTML document, in English. */
export function htmlDocument({ title, theme, style, head = html``, body }: DocumentParts): string {
  const document = html`<!doctype html>
<html lang="en"${theme === null ? html`` : html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return document.text;
}

/** The theme in a `Cookie` header; null if none was chosen, so that the page follows the device. */
export function themeIn(header: string | undefined): Theme | null {
  const value = cookieOf(header, THEME_COOKIE);
  return THEMES.find((theme) => theme === value) ?? null;
}
