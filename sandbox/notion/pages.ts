import { escapeHtml } from '../shared/html.ts';
import { htmlReply, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { cellText } from './cells.ts';
import type { DatabaseRecord, PropertyRecord, RowRecord, SourceRecord } from './records.ts';
import type { Workspace } from './workspace.ts';

const PAGE_ROWS = 200;
/**
 * Characters shown of a cell in a table: the row's own page shows all of it. The second is for tables of long texts.
 */
const CELL_LENGTHS = [160, 30] as const;
/** The service passes on pages up to a certain size. */
const PAGE_BYTES = 240_000;

/** The databases as a person sees them, without a log-in, since it is a sandbox. */
export class TablePages {
  readonly #workspace: Workspace;
  readonly #pagesUrl: () => string;

  constructor(workspace: Workspace, pagesUrl: () => string) {
    this.#workspace = workspace;
    this.#pagesUrl = pagesUrl;
  }

  /** `GET /databases` */
  list(): Reply {
    const rows = [...this.#workspace.databases.values()]
      .filter(({ id, inTrash }) => !inTrash && !this.#workspace.isBelowTrash(id))
      .map((database) => {
        const count = this.#rowsOf(database).length;
        const page = this.#workspace.pages.get(database.parent)?.title ?? '';
        const link = this.#link(`/databases/${database.id}`);
        return (
          cellHtml('text', database.title || 'Untitled', link) +
          cellHtml('text', page) +
          cellHtml('option', this.#workspace.isShared(database.id) ? 'shared' : 'not shared') +
          cellHtml('number', String(count))
        );
      });
    const heads = [
      { text: 'Database', kind: 'text' },
      { text: 'On the page', kind: 'text' },
      { text: 'Sharing', kind: 'option' },
      { text: 'Rows', kind: 'number' },
    ] as const;
    return htmlReply(200, viewPage('Databases', tableHtml(heads, rows)));
  }

  /** `GET /databases/{id}?page=` */
  table({ params, query }: SimulatedRequest): Reply {
    const database = this.#workspace.databases.get(params.id ?? '');
    if (database === undefined) return missing('There is no such database.');
    const [source] = database.sources.flatMap((id) => this.#workspace.sources.get(id) ?? []);
    const rows = this.#rowsOf(database);
    const last = Math.max(1, Math.ceil(rows.length / PAGE_ROWS));
    const asked = Number(query.get('page') ?? '1');
    const page = Number.isInteger(asked) ? Math.min(Math.max(asked, 1), last) : 1;
    const shown = rows.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS);
    const trash = database.inTrash || this.#workspace.isBelowTrash(database.id) ? ' It is in the trash.' : '';
    const back = `<nav><a href="${escapeHtml(this.#link('/databases'))}">All databases</a></nav>`;
    const note = `<p class="note">${rows.length} row${rows.length === 1 ? '' : 's'}.${trash}</p>`;
    const heads = (source?.properties ?? []).map((property) => ({
      text: property.name,
      kind: kindOf(property),
    }));
    let body = '';
    for (const most of CELL_LENGTHS) {
      const lines = shown.map((row) => this.#line(row, most));
      body = back + note + tableHtml(heads, lines) + this.#turns(database, page, last);
      if (Buffer.byteLength(body) <= PAGE_BYTES) break;
    }
    return htmlReply(200, viewPage(database.title || 'Untitled', body));
  }

  /** `GET /pages/{id}`: one row with everything in it. */
  row({ params }: SimulatedRequest): Reply {
    const row = this.#workspace.rows.get(params.id ?? '');
    const source = this.#workspace.sources.get(row?.source ?? '');
    if (row === undefined || source === undefined) return missing('There is no such page.');
    const lines = source.properties.map(
      (property) =>
        cellHtml('text', property.name) +
        cellHtml(kindOf(property), cellText(property, row.cells[property.id])),
    );
    const heads = [
      { text: 'Property', kind: 'text' },
      { text: 'Value', kind: 'text' },
    ] as const;
    const back = `<nav><a href="${escapeHtml(this.#link(`/databases/${source.database}`))}">Back to the table</a></nav>`;
    const trash = row.inTrash ? '<p class="note">In the trash.</p>' : '';
    return htmlReply(
      200,
      viewPage(titleOf(source, row) || 'Untitled', back + trash + tableHtml(heads, lines)),
    );
  }

  #line(row: RowRecord, most: number): string {
    const source = this.#workspace.sources.get(row.source);
    return (source?.properties ?? [])
      .map((property) => {
        const text = cellText(property, row.cells[property.id]);
        const cut = text.length > most ? `${text.slice(0, most)}…` : text;
        return property.type === 'title'
          ? cellHtml('text', cut || 'Untitled', this.#link(`/pages/${row.id}`))
          : cellHtml(kindOf(property), cut);
      })
      .join('');
  }

  #turns({ id }: DatabaseRecord, page: number, last: number): string {
    if (last === 1) return '';
    const to = (number: number, text: string): string =>
      number < 1 || number > last
        ? ''
        : `<a href="${escapeHtml(this.#link(`/databases/${id}?page=${number}`))}">${text}</a>`;
    return `<nav>${to(page - 1, 'Previous')}<span>Page ${page} of ${last}</span>${to(page + 1, 'Next')}</nav>`;
  }

  #rowsOf({ sources }: DatabaseRecord): RowRecord[] {
    return sources.flatMap((id) => this.#workspace.rowsOf(id).filter(({ inTrash }) => !inTrash));
  }

  /** Relative to the address at which browsers reach the pages. */
  #link(path: string): string {
    return `${new URL(this.#pagesUrl()).pathname.replace(/\/$/, '')}${path}`;
  }
}

function titleOf({ properties }: SourceRecord, { cells }: RowRecord): string {
  const title = properties.find(({ type }) => type === 'title');
  return title === undefined ? '' : cellText(title, cells[title.id]).slice(0, 100);
}

function kindOf({ type }: PropertyRecord): CellKind {
  if (type === 'number') return 'number';
  if (type === 'date') return 'day';
  return type === 'select' ? 'option' : 'text';
}

function missing(text: string): Reply {
  return htmlReply(404, viewPage('Not found', `<p>${escapeHtml(text)}</p>`));
}

const STYLE = `
:root{color-scheme:light dark;--ink:#24292d;--soft:#66696d;--line:#e3e4e6;--paper:#fff;--back:#f7f7f6;--tint:#eceff1;--blue:#245e9c}
@media(prefers-color-scheme:dark){:root{--ink:#e6e7e8;--soft:#9a9fa4;--line:#34383c;--paper:#1d2023;--back:#15171a;--tint:#2a2e32;--blue:#7db3ea}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:120rem;margin:0 auto;padding:1.5rem}h1{font-size:1.6rem;margin:.25rem 0}a{color:var(--blue)}
.note{color:var(--soft);margin:.25rem 0 1rem}.wide{overflow-x:auto;border:1px solid var(--line);border-radius:10px;background:var(--paper)}
table{border-collapse:collapse;min-width:100%}th,td{padding:.4rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);border-right:1px solid var(--line);max-width:16rem;white-space:pre;overflow:hidden;text-overflow:ellipsis}
th{position:sticky;top:0;background:var(--paper);color:var(--soft);font-weight:500;white-space:nowrap}tr:last-child td{border-bottom:0}th:last-child,td:last-child{border-right:0}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.empty{color:var(--soft)}td.empty::after{content:"—"}.day{white-space:nowrap;font-variant-numeric:tabular-nums}
.option{background:var(--tint);border-radius:4px;padding:0 .4rem;white-space:nowrap}nav{display:flex;gap:1rem;margin:1rem 0}
`;

/** A page of the simulated vendor that shows what arrived. */
function viewPage(title: string, body: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>` +
    `<p class="note">Simulated Notion. Nothing here is real.</p><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
  );
}

/** How a cell looks. */
type CellKind = 'number' | 'option' | 'day' | 'text';

function cellHtml(kind: CellKind, text: string, link: string | null = null): string {
  if (text === '') return '<td class="empty"></td>';
  const shown = kind === 'option' ? `<span class="option">${escapeHtml(text)}</span>` : escapeHtml(text);
  const inner = link === null ? shown : `<a href="${escapeHtml(link)}">${shown}</a>`;
  return kind === 'number' || kind === 'day' ? `<td class="${kind}">${inner}</td>` : `<td>${inner}</td>`;
}

function tableHtml(heads: readonly { text: string; kind: CellKind }[], rows: readonly string[]): string {
  const head = heads
    .map(
      ({ text, kind }) =>
        `<th scope="col"${kind === 'number' ? ' class="number"' : ''}>${escapeHtml(text)}</th>`,
    )
    .join('');
  const body = rows.map((cells) => `<tr>${cells}</tr>`).join('');
  return `<div class="wide" tabindex="0" role="region" aria-label="Rows"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}
