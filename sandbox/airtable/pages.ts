import { escapeHtml } from '../shared/html.ts';
import { htmlReply, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import type { Cell, SimulatedField, SimulatedRecord, SimulatedTable } from './table.ts';
import type { SimulatedBase, Workspace } from './workspace.ts';

const ROWS_A_PAGE = 200;
/** The most characters of a text that are shown; fewer if a page would become too large. */
const CUTS = [200, 60, 20];
const PAGE_BYTES = 240 * 1024;

/** Pages of the bases: their tables as grids, newest records last. */
export class GridPages {
  readonly #workspace: Workspace;
  readonly #pagesUrl: () => string;

  /** @param pagesUrl where browsers reach the pages, without a trailing slash */
  constructor(workspace: Workspace, pagesUrl: () => string) {
    this.#workspace = workspace;
    this.#pagesUrl = pagesUrl;
  }

  /** `GET /bases` */
  list(bases: readonly SimulatedBase[]): Reply {
    return htmlReply(200, basesPage(this.#path(), bases));
  }

  /** `GET /{base}`: its first table. */
  base({ params, query }: SimulatedRequest): Reply {
    const base = this.#workspace.base(params.base ?? '');
    const [table] = base?.tables ?? [];
    return base === null ? this.#missing() : this.#grid(base, table ?? null, query);
  }

  /** `GET /{base}/{table}` */
  table({ params, query }: SimulatedRequest): Reply {
    const base = this.#workspace.base(params.base ?? '');
    const table = base?.tables.find(({ id }) => id === params.table);
    return base === null || table === undefined ? this.#missing() : this.#grid(base, table, query);
  }

  #grid(base: SimulatedBase, table: SimulatedTable | null, query: URLSearchParams): Reply {
    const pages = Math.max(1, Math.ceil((table?.size ?? 0) / ROWS_A_PAGE));
    const page = Math.min(pages, Math.max(1, Math.trunc(Number(query.get('page') ?? '1')) || 1));
    const begin = (page - 1) * ROWS_A_PAGE;
    const records = [...(table?.records ?? [])].slice(begin, begin + ROWS_A_PAGE);
    const drawn = (cut: number): string =>
      gridPage({ path: this.#path(), base, table, records, begin, page, pages, cut });
    const sizes = CUTS.map(drawn);
    const html = sizes.find((one) => Buffer.byteLength(one) <= PAGE_BYTES) ?? sizes.at(-1) ?? '';
    return htmlReply(200, html);
  }

  #missing(): Reply {
    return htmlReply(404, missingPage(this.#path()));
  }

  #path(): string {
    return new URL(this.#pagesUrl()).pathname.replace(/\/$/, '');
  }
}

const STYLE = `
:root{color-scheme:light dark;--ink:#1d1f25;--soft:#616670;--line:#dcdfe4;--paper:#fff;--back:#f4f5f7;--head:#eef0f3;--lead:#1b61c9}
@media(prefers-color-scheme:dark){:root{--ink:#eceef2;--soft:#a3a9b4;--line:#393e47;--paper:#1b1e24;--back:#121418;--head:#242830;--lead:#7fb0f5}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
header,main{padding:1rem 1.25rem}header{background:var(--paper);border-bottom:1px solid var(--line)}
h1{font-size:1.3rem;margin:.15rem 0}p{margin:.4rem 0}.note,small{color:var(--soft)}a{color:var(--lead)}
nav{display:flex;flex-wrap:wrap;gap:.4rem .6rem;margin:.6rem 0 0}nav a{padding:.3rem .7rem;border:1px solid var(--line);border-radius:8px;text-decoration:none}
nav a[aria-current]{background:var(--lead);border-color:var(--lead);color:var(--paper);font-weight:600}
ul.bases{list-style:none;margin:0;padding:0;display:grid;gap:.7rem;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr))}
ul.bases li{background:var(--paper);border:1px solid var(--line);border-radius:12px;padding:.9rem 1rem}ul.bases a{font-weight:600}
.grid{overflow:auto;max-height:82vh;border:1px solid var(--line);border-radius:10px;background:var(--paper)}
table{border-collapse:separate;border-spacing:0;min-width:100%}th,td{padding:.4rem .65rem;border-right:1px solid var(--line);border-bottom:1px solid var(--line);text-align:left;vertical-align:top;max-width:16rem;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;unicode-bidi:isolate}
thead th{position:sticky;top:0;background:var(--head);font-weight:600;white-space:nowrap}td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.row{color:var(--soft);text-align:right}td.empty{background:repeating-linear-gradient(135deg,transparent 0 6px,var(--head) 6px 7px)}
td.date{white-space:nowrap}span.choice{display:inline-block;padding:0 .55rem;border-radius:999px;background:var(--head);border:1px solid var(--line)}
`;

function whole(title: string, head: string, body: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><header>` +
    `<p class="note">Sandbox Airtable. Nothing here is real.</p>${head}</header><main>${body}</main></body></html>`
  );
}

/** The list of bases. @param path of the pages, without a trailing slash */
function basesPage(path: string, bases: readonly SimulatedBase[]): string {
  const items = bases.map(({ id, name, permission, tables }) => {
    const records = tables.reduce((sum, table) => sum + table.size, 0);
    return (
      `<li><a href="${escapeHtml(`${path}/${id}`)}">${escapeHtml(name)}</a>` +
      `<p>${counted(tables.length, 'table')}, ${counted(records, 'record')}</p>` +
      `<small>${permission === 'create' || permission === 'edit' ? 'can be written to' : 'can only be read'}</small></li>`
    );
  });
  const list = items.length === 0 ? '<p>There is no base.</p>' : `<ul class="bases">${items.join('')}</ul>`;
  return whole('Bases', '<h1>Bases</h1>', list);
}

interface Grid {
  readonly path: string;
  readonly base: SimulatedBase;
  readonly table: SimulatedTable | null;
  readonly records: readonly SimulatedRecord[];
  /** How many records precede these. */
  readonly begin: number;
  readonly page: number;
  readonly pages: number;
  /** The most characters that are shown of a text. */
  readonly cut: number;
}

/** A table of a base as a grid. */
function gridPage(grid: Grid): string {
  const { path, base, table } = grid;
  const home = `${path}/${base.id}`;
  const tabs = base.tables.map(
    ({ id, name }) =>
      `<a href="${escapeHtml(`${home}/${id}`)}"${id === table?.id ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a>`,
  );
  const head =
    `<p><a href="${escapeHtml(`${path}/bases`)}">All bases</a></p><h1>${escapeHtml(base.name)}</h1>` +
    `<nav aria-label="Tables">${tabs.join('')}</nav>`;
  if (table === null) return whole(base.name, head, '<p>This base has no table.</p>');
  const { fields } = table;
  const columns = fields.map((field) => `<th scope="col"${classOf(field)}>${escapeHtml(field.name)}</th>`);
  const rows = grid.records.map((record, at) => {
    const cells = fields.map((field) => cellHtml(field, record.cells.get(field.id), grid.cut));
    return `<tr><td class="row">${grid.begin + at + 1}</td>${cells.join('')}</tr>`;
  });
  const about = table.description === null ? '' : `<p class="note">${escapeHtml(table.description)}</p>`;
  const body =
    `${about}<p>${counted(table.size, 'record')}${grid.pages > 1 ? `, page ${grid.page} of ${grid.pages}` : ''}</p>` +
    `<div class="grid" tabindex="0" role="region" aria-label="${escapeHtml(table.name)}"><table><thead><tr><th scope="col">#</th>${columns.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>` +
    turning(`${home}/${table.id}`, grid.page, grid.pages);
  return whole(`${table.name} – ${base.name}`, head, body);
}

function missingPage(path: string): string {
  return whole(
    'Not found',
    '<h1>There is no such base or table</h1>',
    `<p><a href="${escapeHtml(`${path}/bases`)}">All bases</a></p>`,
  );
}

function turning(address: string, page: number, pages: number): string {
  if (pages === 1) return '';
  const to = (number: number, label: string): string =>
    number < 1 || number > pages ? '' : `<a href="${escapeHtml(`${address}?page=${number}`)}">${label}</a>`;
  return `<nav aria-label="Pages">${to(page - 1, 'Earlier records')}${to(page + 1, 'Later records')}</nav>`;
}

const isNumber = ({ type }: SimulatedField): boolean => type === 'number' || type === 'currency';
const classOf = (field: SimulatedField): string => (isNumber(field) ? ' class="number"' : '');

function cellHtml(field: SimulatedField, cell: Cell | undefined, cut: number): string {
  if (cell === undefined) return '<td class="empty"></td>';
  if (isNumber(field)) return `<td class="number">${escapeHtml(shownNumber(field, cell))}</td>`;
  if (field.type === 'date') return `<td class="date">${escapeHtml(String(cell))}</td>`;
  if (cell === true) return '<td>✓</td>';
  if (field.type === 'singleSelect' || field.type === 'multipleSelects') {
    const chosen = typeof cell === 'object' ? cell : [String(cell)];
    return `<td>${chosen.map((one) => `<span class="choice">${escapeHtml(one)}</span>`).join(' ')}</td>`;
  }
  const text = String(cell);
  return `<td>${escapeHtml(text.length > cut ? `${text.slice(0, cut)}…` : text)}</td>`;
}

/** With the decimals of the column, or more if the figure has more: the vendor would round here. */
function shownNumber({ options }: SimulatedField, cell: Cell): string {
  const precision = options?.precision;
  const digits = typeof precision === 'number' ? precision : 0;
  const text = String(cell);
  const [whole = '', fraction = ''] = text.split('.');
  return /^-?\d+(?:\.\d+)?$/.test(text) && digits > 0 ? `${whole}.${fraction.padEnd(digits, '0')}` : text;
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
