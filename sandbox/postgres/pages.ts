import { escapeHtml } from '../shared/html.ts';
import type { Cluster, ShownTable } from './cluster.ts';

const ROWS_OF_A_PAGE = 200;

const STYLE = `
:root{color-scheme:light dark;--ink:#1b2427;--soft:#5d6c72;--line:#d3dde0;--paper:#fff;--back:#edf2f4;--lead:#235a7c}
@media(prefers-color-scheme:dark){:root{--ink:#e7edef;--soft:#a2b0b5;--line:#354247;--paper:#161d20;--back:#0c1113;--lead:#7fbfe6}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
main{max-width:84rem;margin:1.5rem auto;padding:1.25rem 1.5rem;background:var(--paper);border:1px solid var(--line);border-radius:14px}
h1{font-size:1.4rem;margin:.25rem 0 .75rem}.note{color:var(--soft)}a{color:var(--lead)}code{overflow-wrap:anywhere}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
thead th{font-size:.85rem;color:var(--soft)}td{white-space:pre-wrap;overflow-wrap:break-word;min-width:6rem;max-width:26rem}nav{display:flex;gap:1rem;margin:.75rem 0}
`;

interface PageReply {
  readonly status: number;
  readonly html: string;
}

/** Pages that show the contents of the tables that were written to. */
export class TablePages {
  readonly #cluster: Cluster;
  readonly #pagesUrl: () => string;
  readonly #secret: () => string;

  constructor(cluster: Cluster, pagesUrl: () => string, secret: () => string) {
    this.#cluster = cluster;
    this.#pagesUrl = pagesUrl;
    this.#secret = secret;
  }

  /** The page at this path with its query, such as `/tables/money/bank?page=2`. */
  async page(path: string): Promise<PageReply> {
    const tables = await this.#cluster.allTables();
    const url = new URL(path, 'http://sandbox');
    if (url.pathname === '/') return { status: 200, html: this.#list(tables) };
    const table = tables.find((one) => tablePath(one) === url.pathname);
    if (table === undefined) {
      return {
        status: 404,
        html: whole('No such table', `<p><a href="${this.#link('/')}">All tables</a></p>`),
      };
    }
    return {
      status: 200,
      html: this.#table(table, Number.parseInt(url.searchParams.get('page') ?? '1', 10) || 1),
    };
  }

  #list(all: readonly ShownTable[]): string {
    const rows = all.map(
      (table) =>
        `<tr><th scope="row"><a href="${this.#link(tablePath(table))}">${escapeHtml(`${table.schema}.${table.name}`)}</a></th>` +
        `<td>${table.rows.length}</td></tr>`,
    );
    const tables =
      rows.length === 0
        ? '<p class="note">Nothing was written yet.</p>'
        : `<table><thead><tr><th>Table</th><th>Rows</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
    return whole(
      'Tables',
      `<p>Connect it with this secret: <code>${escapeHtml(this.#secret())}</code></p>${tables}`,
    );
  }

  #table(table: ShownTable, asked: number): string {
    const { schema, name, columns, rows } = table;
    const last = Math.max(1, Math.ceil(rows.length / ROWS_OF_A_PAGE));
    const page = Math.min(last, Math.max(1, asked));
    const shown = rows.slice((page - 1) * ROWS_OF_A_PAGE, page * ROWS_OF_A_PAGE);
    const to = (number: number, text: string) =>
      `<a href="${this.#link(tablePath(table))}?page=${number}">${text}</a>`;
    const nav = (where: string) =>
      `<nav aria-label="Pages, ${where}">${page > 1 ? to(page - 1, 'Before') : ''} <span>Page ${page} of ${last}</span> ${page < last ? to(page + 1, 'Next') : ''}</nav>`;
    const head = columns.map((column) => `<th>${escapeHtml(column)}</th>`).join('');
    const body = shown.map(
      (values) =>
        `<tr>${columns.map((column) => `<td><bdi>${escapeHtml(values[column] ?? '')}</bdi></td>`).join('')}</tr>`,
    );
    return whole(
      `${schema}.${name}`,
      `<p><a href="${this.#link('/')}">All tables</a> · ${rows.length} rows</p>${nav('above')}` +
        `<div class="wide" tabindex="0" role="region" aria-label="Rows"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>${nav('below')}`,
    );
  }

  #link(path: string): string {
    return escapeHtml(`${new URL(this.#pagesUrl()).pathname.replace(/\/$/, '')}${path}`);
  }
}

export function tablePath({ schema, name }: Pick<ShownTable, 'schema' | 'name'>): string {
  return `/tables/${encodeURIComponent(schema)}/${encodeURIComponent(name)}`;
}

function whole(title: string, body: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escapeHtml(title)} – simulated Postgres</title><style>${STYLE}</style></head><body><main>` +
    `<p class="note">Simulated database server. Nothing here is real.</p><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
  );
}
