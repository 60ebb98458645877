import { TOKENS } from '../http/design-tokens.ts';
import { BRAND_STYLE } from '../http/page-style.ts';

export const DOCS_STYLE = `${TOKENS}${BRAND_STYLE}
.top { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; padding: .5rem 1.25rem; border-bottom: 1px solid var(--line); }
.top nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.top nav a { padding: .625rem 0; color: var(--muted); font-weight: 500; text-decoration: none; }
.top nav a:hover { color: var(--text); }
main { max-width: 52rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.25; letter-spacing: -.01em; }
h2 { margin-top: 2.5rem; }
code { font: .875em ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--sunken); }
.table { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid var(--line); padding: .375rem .75rem .375rem 0; text-align: left; vertical-align: top; }
th { color: var(--muted); font-weight: 550; }
:target { background: var(--warn-soft); color: var(--text); }
`;
