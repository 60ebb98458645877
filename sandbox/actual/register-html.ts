import { escapeHtml } from '../shared/html.ts';

const STYLE = `
:root{color-scheme:light dark;--ink:#201b30;--soft:#655d80;--line:#dbd5e6;--paper:#fff;--back:#f1eef7;--lead:#6a34a8}
@media(prefers-color-scheme:dark){:root{--ink:#ebe8f3;--soft:#ada3c2;--line:#403656;--paper:#1b1728;--back:#100d19;--lead:#c39aff}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
main{max-width:76rem;margin:1.5rem auto;padding:1.25rem 1.5rem;background:var(--paper);border:1px solid var(--line);border-radius:14px}
h1{font-size:1.4rem;line-height:1.25;margin:.25rem 0 .75rem}h2{font-size:1.1rem;margin:1.5rem 0 .5rem}small,.note{color:var(--soft);font-weight:400}
a{color:var(--lead)}.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
thead th{position:sticky;top:0;background:var(--paper);font-size:.85rem;color:var(--soft)}tbody th{font-weight:500}
td{white-space:pre-wrap;overflow-wrap:anywhere;min-width:6.5rem}td:nth-child(3){min-width:14rem}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.empty{color:var(--soft)}
nav{display:flex;gap:1rem;margin:.75rem 0}code{overflow-wrap:anywhere}
`;

/** A whole page of the simulator, wide enough for a register. */
export function registerPage(title: string, body: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escapeHtml(title)} – simulated Actual Budget</title><style>${STYLE}</style></head><body><main>` +
    `<p class="note">Simulated Actual Budget. Nothing here is real.</p><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
  );
}
