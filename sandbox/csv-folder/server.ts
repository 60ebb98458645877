import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { escapeHtml } from '../shared/html.ts';
import type { PreparedSimulator, SimulatorPorts } from '../shared/simulator.ts';
import { SimulatorTools, type StartedSimulator, startSimulator } from '../shared/start-simulator.ts';
import { CsvFolderControl, filePath, type ShownFile } from './control.ts';

export const ROWS_OF_A_PAGE = 200;

const STYLE = `
:root{color-scheme:light dark;--ink:#1b2427;--soft:#5d6c72;--line:#d3dde0;--paper:#fff;--back:#edf2f4;--lead:#235a7c}
@media(prefers-color-scheme:dark){:root{--ink:#e7edef;--soft:#a2b0b5;--line:#354247;--paper:#161d20;--back:#0c1113;--lead:#7fbfe6}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
main{max-width:84rem;margin:1.5rem auto;padding:1.25rem 1.5rem;background:var(--paper);border:1px solid var(--line);border-radius:14px}
h1{font-size:1.4rem;margin:.25rem 0 .75rem;overflow-wrap:anywhere}.note{color:var(--soft)}a{color:var(--lead)}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
thead th{font-size:.85rem;color:var(--soft)}td{white-space:pre-wrap;overflow-wrap:break-word;min-width:6rem;max-width:26rem}nav{display:flex;gap:1rem;margin:.75rem 0}
`;

/** Creates the folder, and serves pages of its files and the control API. */
export async function startCsvFolder(options: {
  readonly root: string;
  /** Where browsers reach the pages, if something else serves them; default the bound address. No trailing slash. */
  readonly pagesUrl?: string | undefined;
  /** Default: any that are free. */
  readonly ports?: SimulatorPorts | undefined;
}): Promise<StartedSimulator<CsvFolderControl>> {
  await mkdir(options.root, { recursive: true, mode: 0o700 });
  const control = new CsvFolderControl(options.root);
  const tools = new SimulatorTools(options);
  return startSimulator(tools, {
    routes: async (request, response) => {
      const { status, html } = page(control, tools.pagesUrl(), request.url ?? '/');
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html);
    },
    // The files themselves survive a restart.
    state: { kept: null, saved: 'at_once' },
    control: {
      actions: control,
      routes: [['GET', /^\/rows$/, (received) => ({ rows: received.rows() })]],
    },
  });
}

/** The simulator. A destination has no people to link. */
export function prepareCsvFolder(): PreparedSimulator {
  return {
    demoPeople: () => [],
    start: async ({ pagesUrl, stateFile, ports }) => {
      // DATA_DIR may be relative, and the setting may not.
      const root = resolve(stateFile.replace(/\.json$/, ''));
      const simulator = await startCsvFolder({ root, pagesUrl, ports });
      const { control, url, controlUrl } = simulator;
      return {
        url,
        controlUrl,
        settings: { CSV_FOLDER_ROOT: root },
        people: null,
        received: control,
        control,
        close: () => simulator.close(),
      };
    },
  };
}

interface PageReply {
  readonly status: number;
  readonly html: string;
}

/** The page at this path with its query, such as `/files/acc_…/Money/…/2026-03.csv?page=2`. */
function page(control: CsvFolderControl, pagesUrl: string, path: string): PageReply {
  const link = (to: string) => escapeHtml(`${new URL(pagesUrl).pathname.replace(/\/$/, '')}${to}`);
  const url = new URL(path, 'http://sandbox');
  const files = control.files();
  if (url.pathname === '/') return { status: 200, html: whole('Files', list(files, link)) };
  const file = files.find((one) => filePath(one) === url.pathname);
  const back = `<a href="${link('/')}">All files</a>`;
  if (file === undefined) return { status: 404, html: whole('No such file', `<p>${back}</p>`) };
  const asked = Number.parseInt(url.searchParams.get('page') ?? '1', 10) || 1;
  return { status: 200, html: whole(file.path, table(file, asked, back, link(filePath(file)))) };
}

function list(files: readonly ShownFile[], link: (to: string) => string): string {
  if (files.length === 0) return '<p class="note">Nothing was written yet.</p>';
  const rows = files.map(
    (file) =>
      `<tr><th scope="row"><a href="${link(filePath(file))}">${escapeHtml(file.path)}</a></th>` +
      `<td>${file.lines.length - 1}</td></tr>`,
  );
  return (
    '<div class="wide" tabindex="0" role="region" aria-label="Files"><table>' +
    `<thead><tr><th>File</th><th>Rows</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
  );
}

function table({ lines }: ShownFile, asked: number, back: string, address: string): string {
  const [columns = [], ...rows] = lines;
  const last = Math.max(1, Math.ceil(rows.length / ROWS_OF_A_PAGE));
  const number = Math.min(last, Math.max(1, asked));
  const shown = rows.slice((number - 1) * ROWS_OF_A_PAGE, number * ROWS_OF_A_PAGE);
  const to = (other: number, text: string) => `<a href="${address}?page=${other}">${text}</a>`;
  const nav = (where: string) =>
    `<nav aria-label="Pages, ${where}">${number > 1 ? to(number - 1, 'Before') : ''} <span>Page ${number} of ${last}</span> ${number < last ? to(number + 1, 'Next') : ''}</nav>`;
  const head = columns.map((column) => `<th>${escapeHtml(column)}</th>`).join('');
  const body = shown.map(
    (cells) =>
      `<tr>${columns.map((_, at) => `<td><bdi>${escapeHtml(cells[at] ?? '')}</bdi></td>`).join('')}</tr>`,
  );
  return (
    `<p>${back} · ${rows.length} rows</p>${nav('above')}` +
    `<div class="wide" tabindex="0" role="region" aria-label="Rows"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>${nav('below')}`
  );
}

function whole(title: string, body: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escapeHtml(title)} – simulated folder</title><style>${STYLE}</style></head><body><main>` +
    `<p class="note">Simulated folder of CSV files. Nothing here is real.</p><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
  );
}
