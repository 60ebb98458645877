import { escapeHtml } from '../shared/html.ts';
import { htmlReply, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import type { Book } from './book.ts';
import type { Books } from './books.ts';
import { type Cell, columnLetters, shownCell } from './cell.ts';
import type { SheetTab } from './sheet-tab.ts';

const ROWS = 200;
/** How many characters of a cell are shown: enough for most cells, and fewer if a page would become too large. */
const SHOWN = [400, 60, 20] as const;
const PAGE_CHARACTERS = 200_000;

/** Pages that show a person's spreadsheets. */
export class SpreadsheetPages {
  readonly #books: Books;
  readonly #pagesUrl: () => string;

  constructor(books: Books, pagesUrl: () => string) {
    this.#books = books;
    this.#pagesUrl = pagesUrl;
  }

  /** `GET /spreadsheets` */
  list(_request: SimulatedRequest): Reply {
    const books = this.#books.all().toSorted((a, b) => b.modified - a.modified);
    const lines = books.map((book) => {
      const rows = book.tabs.reduce((sum, tab) => sum + Math.max(0, tab.lastRow), 0);
      const state = book.trashed ? 'In the bin' : book.granted ? '' : 'Not shared with the application';
      return (
        `<tr><td class="name"><a href="${escapeHtml(this.#address(book))}">${escapeHtml(book.title)}</a></td>` +
        `<td class="number">${book.tabs.length}</td><td class="number">${rows}</td>` +
        `<td>${new Date(book.modified).toISOString().slice(0, 16).replace('T', ' ')}</td><td>${state}</td></tr>`
      );
    });
    const table =
      lines.length === 0
        ? '<p class="empty">No spreadsheet yet. One appears here as soon as a sync has written to it.</p>'
        : '<div class="grid"><table><thead><tr><th>Name</th><th class="number">Tabs</th><th class="number">Rows</th>' +
          `<th>Modified (UTC)</th><th>State</th></tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
    return htmlReply(200, gridPage('Spreadsheets', `<h1>Spreadsheets</h1>${table}`));
  }

  /** `GET /spreadsheets/d/{id}/edit?gid=&page=` */
  show({ params, query }: SimulatedRequest): Reply {
    const book = this.#books.any(params.id ?? '');
    const gid = query.get('gid');
    const tab = book?.tabs.find(({ sheetId }) => gid === null || String(sheetId) === gid);
    if (book === null || tab === undefined) {
      const text = '<h1>Not there</h1><p>This spreadsheet, or this tab of it, does not exist (any more).</p>';
      return htmlReply(404, gridPage('Not there', text));
    }
    const pages = Math.max(1, Math.ceil((tab.lastRow + 1) / ROWS));
    const page = Math.min(pages, Math.max(1, Math.trunc(Number(query.get('page') ?? 1)) || 1));
    let html = '';
    for (const shown of SHOWN) {
      html = this.#page(book, tab, page, pages, shown);
      if (html.length <= PAGE_CHARACTERS) break;
    }
    return htmlReply(200, html);
  }

  #page(book: Book, tab: SheetTab, page: number, pages: number, shown: number): string {
    const tabs = book.tabs.map((one) => {
      const current = one === tab ? ' aria-current="page"' : '';
      return `<a href="${escapeHtml(this.#address(book, one))}"${current}>${escapeHtml(one.title)}</a>`;
    });
    const turn = (to: number, text: string): string =>
      to < 1 || to > pages
        ? ''
        : `<a href="${escapeHtml(`${this.#address(book, tab)}&page=${to}`)}">${text}</a>`;
    const rows = Math.max(0, tab.lastRow);
    const bin = book.trashed ? '<p class="note">This spreadsheet is in the bin.</p>' : '';
    return gridPage(
      book.title,
      `<p><a href="${escapeHtml(`${this.#pagesUrl()}/spreadsheets`)}">All spreadsheets</a></p>` +
        `<h1>${escapeHtml(book.title)}</h1>${bin}<nav class="tabs" aria-label="Tabs">${tabs.join('')}</nav>` +
        `<p class="turn"><span>${rows} ${rows === 1 ? 'row' : 'rows'}, page ${page} of ${pages}</span>` +
        `${turn(page - 1, 'Previous')}${turn(page + 1, 'Next')}</p>` +
        gridTable(tab, (page - 1) * ROWS, shown),
    );
  }

  #address(book: Book, tab?: SheetTab): string {
    const gid = tab === undefined ? '' : `?gid=${tab.sheetId}`;
    return `${this.#pagesUrl()}/spreadsheets/d/${book.id}/edit${gid}`;
  }
}

/** The header row is on every page. */
function gridTable(tab: SheetTab, start: number, shown: number): string {
  const columns = Array.from({ length: tab.columnCount }, (_, at) => at).filter(
    (at) => !tab.hiddenColumns.has(at),
  );
  const letters = columns.map((at) => `<th class="letter">${columnLetters(at)}</th>`).join('');
  const line = (row: number, name: 'td' | 'th'): string =>
    `<tr><th class="letter">${row + 1}</th>${columns.map((at) => cellHtml(tab.cell(row, at), name, shown)).join('')}</tr>`;
  const end = Math.min(tab.lastRow + 1, start + ROWS);
  const rows: string[] = [];
  for (let row = Math.max(1, start); row < end; row++) rows.push(line(row, 'td'));
  return (
    `<div class="grid" tabindex="0" role="region" aria-label="${escapeHtml(tab.title)}"><table class="cells"><thead><tr><td class="letter"></td>${letters}</tr>${line(0, 'th')}</thead>` +
    `<tbody>${rows.join('')}</tbody></table></div>`
  );
}

function cellHtml(cell: Cell, name: 'td' | 'th', shown: number): string {
  const text = shownCell(cell);
  const cut = text.length > shown ? `${text.slice(0, shown)}…` : text;
  const kind = typeof cell.value === 'number' && name === 'td' ? ' class="number"' : '';
  return `<${name}${kind}><span dir="auto">${escapeHtml(cut)}</span></${name}>`;
}

const STYLE = `
:root{color-scheme:light dark;--ink:#17211f;--soft:#5b6b67;--line:#d5dedb;--paper:#fff;--back:#eef3f1;--head:#f6f9f8;--lead:#16504b}
@media(prefers-color-scheme:dark){:root{--ink:#e9f0ee;--soft:#a5b5b1;--line:#35423f;--paper:#182120;--back:#0e1514;--head:#1f2a28;--lead:#5cc4b8}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
main{padding:1.25rem;max-width:100%}h1{font-size:1.35rem;margin:.25rem 0 .75rem}a{color:var(--lead)}p{margin:.5rem 0}.note,.empty{color:var(--soft)}
.grid{overflow:auto;max-height:78vh;border:1px solid var(--line);border-radius:10px;background:var(--paper)}
table{border-collapse:separate;border-spacing:0;min-width:100%}
th,td{padding:.3rem .6rem;border-bottom:1px solid var(--line);border-right:1px solid var(--line);text-align:left;vertical-align:top;max-width:16rem;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.cells td,.cells th{min-width:6.5rem;height:2rem}.cells .letter{min-width:2.5rem;text-align:center}
thead{position:sticky;top:0;z-index:1}thead th{background:var(--head);font-weight:600}
.letter{background:var(--head);color:var(--soft);font-weight:400;font-size:.85em}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.name{font-weight:600}
.tabs{display:flex;flex-wrap:wrap;gap:.4rem;margin:.5rem 0}.tabs a{padding:.35rem .8rem;border:1px solid var(--line);border-radius:8px;background:var(--paper);text-decoration:none;color:var(--ink)}
.tabs a[aria-current]{border-color:var(--lead);box-shadow:inset 0 -3px var(--lead)}
.turn{display:flex;flex-wrap:wrap;gap:1rem;align-items:center;color:var(--soft)}`;

/** A full-width page, for tables. */
function gridPage(title: string, body: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>` +
    `<p class="note">Sandbox spreadsheets. Nothing here is real.</p>${body}</main></body></html>`
  );
}
