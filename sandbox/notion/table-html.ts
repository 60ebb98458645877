import { escapeHtml } from '../shared/html.ts';

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

/** A page of the simulated vendor on which a person looks at what arrived. */
export function viewPage(title: string, body: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>` +
    `<p class="note">Simulated Notion. Nothing here is real.</p><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
  );
}

/** How a cell looks. */
export type CellKind = 'number' | 'option' | 'day' | 'text';

export function cellHtml(kind: CellKind, text: string, link: string | null = null): string {
  if (text === '') return '<td class="empty"></td>';
  const shown = kind === 'option' ? `<span class="option">${escapeHtml(text)}</span>` : escapeHtml(text);
  const inner = link === null ? shown : `<a href="${escapeHtml(link)}">${shown}</a>`;
  return kind === 'number' || kind === 'day' ? `<td class="${kind}">${inner}</td>` : `<td>${inner}</td>`;
}

export function tableHtml(
  heads: readonly { text: string; kind: CellKind }[],
  rows: readonly string[],
): string {
  const head = heads
    .map(
      ({ text, kind }) =>
        `<th scope="col"${kind === 'number' ? ' class="number"' : ''}>${escapeHtml(text)}</th>`,
    )
    .join('');
  const body = rows.map((cells) => `<tr>${cells}</tr>`).join('');
  return `<div class="wide" tabindex="0" role="region" aria-label="Rows"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}
