import { TOKENS } from './design-tokens.ts';

export const BRAND_STYLE = `
.brand { display: inline-flex; align-items: center; gap: .5rem; min-height: 2.25rem; color: var(--text); font-size: .9375rem; font-weight: 650;
  letter-spacing: -.01em; text-decoration: none; }
`;

export const TABS_STYLE = `
.tabs { display: flex; flex-wrap: wrap; gap: .25rem; margin-bottom: 1.5rem; border-bottom: 1px solid var(--line); }
.tabs a { box-sizing: border-box; padding: .625rem .75rem; border-bottom: 2px solid transparent; color: var(--muted); font-weight: 500; text-decoration: none; }
.tabs a:hover { color: var(--text); }
.tabs a[aria-current] { border-bottom-color: var(--accent); color: var(--text); font-weight: 600; }
@media (width < 48rem) { .tabs a { display: inline-flex; align-items: center; min-height: 2.75rem; } }
`;

/**
 * The frame of the web application (`web/src/shell/shell.module.css`) around pages that work without script. On phones,
 * the navigation is at the bottom, and the places behind "More" open above it.
 */
export const SHELL_STYLE = `
.skip { position: fixed; z-index: 10; top: .5rem; left: .5rem; padding: .5rem 1rem; border-radius: .5rem; background: var(--accent); color: #fff; font-weight: 550; }
.skip:not(:focus) { transform: translateY(-200%); }
.shell { display: grid; min-height: 100dvh; grid-template: "bar bar" 3.25rem "navigation content" 1fr / 13.5rem minmax(0, 1fr); }
.bar ul, .navigation ul { padding: 0; margin: 0; list-style: none; }
.bar { position: sticky; z-index: 5; top: 0; display: flex; grid-area: bar; align-items: center; justify-content: space-between; padding: 0 1rem; border-bottom: 1px solid var(--line); background: var(--bg); }
.menu { position: relative; }
.menu > summary { display: flex; align-items: center; gap: .5rem; box-sizing: border-box; min-height: 2.25rem; padding: 0 .5rem; border-radius: .5rem; color: var(--muted); font-size: .875rem; list-style: none; cursor: pointer; }
.menu > summary:hover, .menu[open] > summary { background: var(--hover); color: var(--text); }
summary::-webkit-details-marker { display: none; }
.menu > ul, .more ul { position: absolute; z-index: 6; right: 0; box-sizing: border-box; width: 13.75rem; padding: .25rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--surface); font-size: .875rem; }
.menu a, .menu button { display: flex; align-items: center; box-sizing: border-box; width: 100%; min-height: 2.25rem; padding: 0 .75rem; border: 0; border-radius: .375rem; background: none; color: var(--text); font: inherit; text-align: left; text-decoration: none; justify-content: flex-start; cursor: pointer; }
.menu a:hover, .menu button:hover { background: var(--hover); }
.navigation { position: sticky; top: 3.25rem; grid-area: navigation; align-self: start; padding: 1rem .75rem; font-size: .875rem; }
.navigation > ul { display: grid; gap: .125rem; }
.group:not(:first-child) { margin-top: .75rem; }
.more { display: none; }
.place { display: flex; align-items: center; gap: .75rem; min-height: 2.125rem; padding: 0 .75rem; border-radius: .5rem; color: var(--muted); font-weight: 500; text-decoration: none; list-style: none; cursor: pointer; }
.place:hover { background: var(--hover); color: var(--text); }
.place[aria-current], .place[data-here] { background: var(--hover); color: var(--text); font-weight: 600; }
.place[aria-current] > svg, .place[data-here] > svg { color: var(--accent-text); }
main.content { grid-area: content; box-sizing: border-box; width: 100%; min-width: 0; max-width: 64rem; padding: 1.5rem 2rem 3rem; margin: 0 auto; border: 0; background: none; }
.ways { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; list-style: none; }
.ways a { display: inline-flex; align-items: center; min-height: 2.75rem; }
@media (width < 48rem) {
  .shell { grid-template: "bar" 3.25rem "content" 1fr / minmax(0, 1fr); }
  .menu > summary { min-width: 2.75rem; min-height: 2.75rem; justify-content: center; }
  .menu > summary > span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .menu a, .menu button { min-height: 2.75rem; }
  .navigation { position: fixed; z-index: 5; top: auto; right: 0; bottom: 0; left: 0; padding: .25rem 0 calc(.25rem + env(safe-area-inset-bottom)); border-top: 1px solid var(--line); background: var(--bg); }
  .navigation > ul { grid-auto-columns: 1fr; grid-auto-flow: column; }
  .group:not(:first-child) { margin-top: 0; }
  .navigation > ul > .behind { display: none; }
  .more { position: relative; display: block; }
  .more ul { right: .5rem; bottom: 3.5rem; }
  .navigation > ul > li > .place, .more summary { flex-direction: column; justify-content: center; gap: .125rem; min-height: 3.25rem; padding: 0; font-size: .6875rem; letter-spacing: -.01em; }
  .more ul .place { min-height: 2.75rem; }
  main.content { padding: 1.5rem 1rem 6rem; }
}
`;

/** For printing: hides what is useful only on a screen. */
export const PRINT_STYLE = `
@media print {
  .skip, .bar, .navigation, .top, .tabs, form, .actions, .back, .ways, .contents { display: none !important; }
  .shell { display: block; min-height: 0; }
  main, main.content, main.wide { max-width: none; padding: 0; margin: 0; border: 0; background: none; }
  body { background: #fff; color: #000; }
  .card, tr, li, pre, h2, h3 { break-inside: avoid; }
  h1, h2, h3 { break-after: avoid; }
  .table, pre { overflow: visible; white-space: pre-wrap; }
  thead { display: table-header-group; }
}
`;

/** The styles of server-rendered pages, on which people sign in, link a bank and change settings. */
export const PAGE_STYLE = `${TOKENS}${BRAND_STYLE}${TABS_STYLE}
body { font-size: .9375rem; }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; padding: .5rem 1.25rem; border-bottom: 1px solid var(--line); }
.top nav { display: flex; flex-wrap: wrap; gap: .25rem; }
.top nav a { box-sizing: border-box; padding: .5rem .75rem; border-radius: .5rem; color: var(--muted); font-weight: 500; text-decoration: none; }
.top nav a:hover { background: var(--hover); color: var(--text); }
.top nav a[aria-current] { background: var(--hover); color: var(--text); font-weight: 600; }
main { box-sizing: border-box; max-width: 34rem; margin: 2.5rem auto; padding: 1.75rem 2rem 2rem; border: 1px solid var(--line);
  border-radius: .75rem; background: var(--surface); }
main.wide { max-width: 48rem; padding: 0; border: 0; background: none; }
main.content > .parts { max-width: 48rem; }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.3; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { margin: 1.75rem 0 .5rem; font-size: 1rem; line-height: 1.4; }
p, ul { margin: .75rem 0; }
ul { padding-left: 1.25rem; }
small, .hint { color: var(--muted); font-size: .8125rem; }
code { font: .875em ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: fit-content(40%) 1fr; gap: .5rem 1.25rem; padding: .875rem 1rem; margin: 1rem 0;
  border-radius: .5rem; background: var(--sunken); }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
[role=alert], p[role=status]:not(:empty) { padding: .75rem 1rem; border-radius: .5rem; }
[role=alert] { background: var(--bad-soft); color: var(--bad-text); }
p[role=status]:not(:empty) { background: var(--good-soft); color: var(--good-text); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
button, .button { display: inline-flex; align-items: center; justify-content: center; box-sizing: border-box; min-height: 2.5rem; padding: .5rem 1rem; border: 1px solid var(--line-strong);
  border-radius: .5rem; background: var(--surface); color: var(--text); font: inherit; font-weight: 550; line-height: 1.4;
  text-decoration: none; cursor: pointer; }
[hidden] { display: none !important; }
button:hover, .button:hover { background: var(--hover); }
.main { border-color: var(--accent); background: var(--accent); color: #fff; }
.main:hover { background: var(--accent); filter: brightness(.92); }
.danger { border-color: var(--bad-text); color: var(--bad-text); }
.row { display: inline; }
.row button { min-height: 2rem; padding: .2rem .6rem; font-size: .8125rem; }
label { display: block; margin-top: 1rem; font-weight: 550; }
input, select, textarea { box-sizing: border-box; width: 100%; min-height: 2.5rem; padding: .5rem .75rem; margin-top: .25rem;
  border: 1px solid var(--line-strong); border-radius: .5rem; background: var(--surface); color: var(--text); font: inherit; }
fieldset { padding: .75rem 1rem 1rem; margin: 1rem 0; border: 1px solid var(--line); border-radius: .5rem; }
legend { padding: 0 .25rem; font-weight: 550; }
.choice { display: flex; gap: .625rem; align-items: baseline; margin-top: .5rem; font-weight: normal; }
.choice input { flex: none; width: 1.125rem; min-height: 0; height: 1.125rem; margin: 0; accent-color: var(--accent); align-self: start; margin-top: .2rem; }
.card { padding: 1.25rem 1.5rem 1.5rem; margin-bottom: 1rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--surface); }
.card > h2:first-child { margin-top: 0; }
.lines { padding: 0; list-style: none; }
.lines > li { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; padding: .625rem 0; }
.lines > li + li { border-top: 1px solid var(--line); }
.lines > li > :first-child { flex: 1 1 14rem; min-width: 0; overflow-wrap: anywhere; }
main.wide > form, .parts > form { margin-bottom: 1rem; }
.card form { max-width: 30rem; }
.card form.row, .card form.wide { max-width: none; }
.back { display: inline-flex; align-items: center; min-height: 2.75rem; margin-left: auto; color: var(--muted); text-decoration: none; }
.back:hover { color: var(--text); }
.dangerous { border-color: var(--bad-text); }
.badge { flex: none; padding: .125rem .5rem; border-radius: 1rem; background: var(--sunken); font-size: .8125rem; font-weight: 550; }
.badge.ok { background: var(--good-soft); color: var(--good-text); }
.badge.warn { background: var(--warn-soft); color: var(--warn-text); }
.badge.fail { background: var(--bad-soft); color: var(--bad-text); }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: 0 1rem; }
.columns label { text-transform: capitalize; }
.table { position: relative; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--muted); font-weight: 550; }
tbody th { color: var(--text); }
th .hint { font-weight: normal; }
.kinds thead th { white-space: nowrap; }
.kinds td { width: 4.5rem; }
.kinds .choice { margin-top: 0; }
td.figure, th.figure { text-align: right; font-variant-numeric: tabular-nums; }
@media (width >= 40rem) {
  .kinds .choice span { display: none; }
}
@media (width < 40rem) {
  .kinds thead { position: absolute; clip-path: inset(50%); }
  .kinds tr { display: flex; flex-wrap: wrap; column-gap: 1.25rem; padding: .625rem 0 .25rem; border-bottom: 1px solid var(--line); }
  .kinds th, .kinds td { width: auto; padding: 0; border: 0; }
  .kinds th { flex-basis: 100%; }
  .kinds td:empty { display: none; }
  main { margin: 0; padding: 1.5rem 1.25rem 2.5rem; border: 0; border-radius: 0; background: none; }
  main.wide { padding: 1.5rem 1rem 2.5rem; }
  .back { order: 1; }
  .top nav { order: 2; width: 100%; margin: 0 -.75rem; }
  .card { padding: 1rem 1.25rem 1.25rem; }
  .row button, button, .button, .top nav a, .tabs a, .brand, input, select { min-height: 2.75rem; }
  .top nav a, .tabs a { display: inline-flex; align-items: center; }
  .choice { min-height: 2.75rem; align-items: center; margin-top: 0; }
  .choice input { align-self: center; margin-top: 0; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd + dt { margin-top: .5rem; }
}
${SHELL_STYLE}${PRINT_STYLE}`;
