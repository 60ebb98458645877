import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { escaped } from '../http/html.ts';
import { DOCUMENTATION } from '../text/documentation.ts';

/** A page of documentation as HTML: the text of its first heading, and everything below it. */
export interface RenderedPage {
  readonly title: string;
  readonly body: string;
}

const PAGE_LINK = /^((?:\.\.\/|[a-z0-9-]+\/)*)([a-z0-9-]+)\.md(#[\w-]+)?$/;

/**
 * Renders GitHub-flavoured Markdown. Headings carry the anchors GitHub gives them, so the same links work in both. A
 * link to a neighbouring page loses its `.md`; a link to a file that is not served becomes plain text.
 * `pages` are the names of all pages, and `name` is that of this one: `webhooks`, `decisions/0030-mcp`.
 */
export function renderMarkdown(source: string, pages: ReadonlySet<string>, name = ''): RenderedPage {
  let title = '';
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        if (depth === 1) title ||= text;
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchorOf(text)}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const inner = this.parser.parseInline(tokens);
        const target = servedAddress(href, pages, name);
        return target === null ? inner : `<a href="${escaped(target)}">${inner}</a>`;
      },
      table({ header, rows }: Tokens.Table): string {
        // A corner without text is no header: a screen reader would announce an empty one for each cell of its column.
        const cellOf = ({ text, tokens }: Tokens.TableCell, tag: string): string => {
          const kind = text === '' ? 'td' : tag;
          return `<${kind}>${this.parser.parseInline(tokens)}</${kind}>`;
        };
        const row = (cells: readonly Tokens.TableCell[], tag: string): string =>
          `<tr>${cells.map((cell) => cellOf(cell, tag)).join('')}</tr>\n`;
        return `<div class="table"><table>\n<thead>${row(header, 'th')}</thead>\n<tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>\n`;
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag): string => (text.startsWith('<!--') ? '' : escaped(text)),
    },
  });
  // First, because rendering finds the title.
  const body = marked.parse(source, { async: false });
  return { title: title || DOCUMENTATION.untitled, body };
}

/** Where a link of a page leads when the page is served, relative to it; null for files that are not served. */
function servedAddress(href: string, pages: ReadonlySet<string>, name: string): string | null {
  if (href.startsWith('#') || /^https?:\/\//.test(href)) return href;
  const [, folder = '', page, anchor = ''] = PAGE_LINK.exec(href) ?? [];
  if (page === undefined) return null;
  const target = posix.join(posix.dirname(name), folder, page);
  return pages.has(target) ? `${folder}${page}${anchor}` : null;
}

/** GitHub's anchor of a heading: lower case, spaces as hyphens, punctuation left out. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}
