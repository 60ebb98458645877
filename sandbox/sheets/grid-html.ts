import { escapeHtml } from '../shared/html.ts';

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

/** A page that is as wide as the window, for tables. */
export function gridPage(title: string, body: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>` +
    `<p class="note">Sandbox spreadsheets. Nothing here is real.</p>${body}</main></body></html>`
  );
}
