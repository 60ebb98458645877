import type { Theme } from '../../vocabulary/themes.ts';
import { Html, html } from './html.ts';

/** What a document is made of. `style` goes into the page as it is, so that nothing has to be loaded. */
export interface DocumentParts {
  readonly title: string;
  /** The one that the person chose; null to follow the device. */
  readonly theme: Theme | null;
  readonly style: string;
  /** Further elements of the head. */
  readonly head?: Html;
  /** With its `main` landmark. */
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
