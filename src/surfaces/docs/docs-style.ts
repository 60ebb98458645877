import { TOKENS } from '../http/design-tokens.ts';
import { BRAND_STYLE, PRINT_STYLE, SHELL_STYLE, TABS_STYLE } from '../http/page-style.ts';

export const DOCS_STYLE = `${TOKENS}${BRAND_STYLE}${TABS_STYLE}
body { font-size: .9375rem; }
.top { display: flex; align-items: center; justify-content: space-between; gap: 1.5rem; min-height: 3.25rem; padding: 0 1.25rem; border-bottom: 1px solid var(--line); }
.back { display: inline-flex; align-items: center; min-height: 2.75rem; color: var(--muted); text-decoration: none; }
.back:hover { color: var(--text); }
article { max-width: 52rem; overflow-wrap: break-word; }
.page-with-contents { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 0 2.5rem; align-items: start; }
.contents { position: sticky; top: 4.25rem; max-height: calc(100dvh - 5rem); overflow-y: auto; font-size: .875rem; }
.contents ul { padding: 0 0 .5rem; margin: 0; list-style: none; }
.contents summary { padding: .375rem .5rem; font-weight: 600; cursor: pointer; }
.contents a { display: block; padding: .25rem .5rem .25rem 1.375rem; border-radius: .375rem; color: var(--muted); text-decoration: none; }
.contents a:hover { background: var(--hover); color: var(--text); }
.contents a[aria-current] { background: var(--hover); color: var(--text); font-weight: 600; }
h1, h2, h3 { line-height: 1.25; letter-spacing: -.01em; }
h1 { margin-top: 0; font-size: 1.625rem; }
h2 { margin-top: 2.5rem; font-size: 1.1875rem; }
h3 { font-size: 1rem; }
code { font: .875em ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--sunken); white-space: pre-wrap; overflow-wrap: anywhere; }
.table { position: relative; }
table { width: 100%; border-collapse: collapse; }
th, td { border-bottom: 1px solid var(--line); padding: .375rem .75rem .375rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--muted); font-weight: 550; }
small, .muted { color: var(--muted); font-size: .8125rem; }
:target { background: var(--warn-soft); color: var(--text); scroll-margin-top: 4rem; }
.search { max-width: 34rem; margin: 1rem 0; }
.search label { display: block; margin-bottom: .25rem; font-weight: 550; }
.search > div { display: flex; gap: .5rem; }
.search input, .search button { box-sizing: border-box; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--line-strong); border-radius: .5rem; background: var(--surface); color: var(--text); font: inherit; }
.search input { flex: 1; min-width: 0; }
.search button { font-weight: 550; cursor: pointer; }
.groups { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0 2rem; }
.groups h2 { margin-top: 1.5rem; }
.groups ul { padding: 0; list-style: none; }
.groups a { display: inline-flex; align-items: center; min-height: 2.25rem; }
.card { padding: 1rem 1.25rem 1.25rem; margin: 1rem 0; border: 1px solid var(--line); border-radius: .75rem; background: var(--surface); overflow: clip; }
.card > h2 { margin: 0 0 .5rem; }
.operations { padding: 0; margin: 0 -1.25rem -1.25rem; list-style: none; }
.operations a { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr) auto; align-items: center; gap: 0 .75rem; min-height: 3.25rem; padding: .5rem 1.25rem; border-top: 1px solid var(--line); color: inherit; text-decoration: none; }
.operations a:hover { background: var(--hover); }
.operations span > code { display: block; color: var(--muted); }
.scope { color: var(--muted); }
.method { display: inline-block; padding: 0 .5rem; border-radius: .5rem; background: var(--warn-soft); color: var(--warn-text); font: 600 .75rem/1.5rem ui-monospace, "SF Mono", Menlo, Consolas, monospace; text-align: center; }
.method.get { background: var(--good-soft); color: var(--good-text); }
.method.delete { background: var(--bad-soft); color: var(--bad-text); }
.required { color: var(--warn-text); font-size: .75rem; font-weight: 550; }
dl { display: grid; grid-template-columns: fit-content(40%) 1fr; gap: .5rem 1.25rem; padding: .875rem 1rem; border-radius: .5rem; background: var(--sunken); }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
.fields, .errors { padding: 0; margin: 0; list-style: none; }
.fields > li + li, .errors > li + li { border-top: 1px solid var(--line); }
.fields > li { padding: .5rem 0; }
.fields p { margin: 0; }
.fields .fields { padding-left: 1rem; border-left: 2px solid var(--line); }
summary { min-height: 1.75rem; cursor: pointer; }
.card summary { color: var(--accent-text); font-size: .8125rem; line-height: 1.75rem; }
.errors > li { display: grid; grid-template-columns: 3rem minmax(0, 17rem) minmax(0, 1fr); gap: 0 .75rem; padding: .5rem 0; }
@media (width < 64rem) {
  .page-with-contents { display: block; }
  .contents { position: static; max-height: none; margin-bottom: 1.5rem; padding-bottom: .5rem; border-bottom: 1px solid var(--line); }
}
@media (width < 48rem) {
  .operations a { grid-template-columns: 4.5rem minmax(0, 1fr); }
  .operations .scope { grid-column: 2; }
  .errors > li { grid-template-columns: 3rem minmax(0, 1fr); }
  .errors > li > :last-child { grid-column: 2; }
  .contents a, .contents summary, .card summary, .groups a { min-height: 2.75rem; line-height: 2.75rem; padding-top: 0; padding-bottom: 0; }
  table, tbody, tr, td, th { overflow-wrap: anywhere; }
}
${SHELL_STYLE}${PRINT_STYLE}`;
