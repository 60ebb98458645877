import type { Theme } from '../../vocabulary/themes.ts';

/**
 * The colours of server-rendered pages, light and dark. The web application has the same ones in
 * `web/src/theme/tokens.css`; a test compares the two.
 */
const COLOURS = {
  bg: ['#fbfbf9', '#121310'],
  surface: ['#ffffff', '#1a1b18'],
  sunken: ['#f4f4f0', '#161714'],
  hover: ['#f0f0eb', '#232521'],
  line: ['#e4e4dd', '#2c2e29'],
  'line-strong': ['#cfcfc5', '#43463f'],
  text: ['#1b1d19', '#ecede8'],
  muted: ['#5d6158', '#a5a99e'],
  accent: ['#17633a', '#1f7a4a'],
  'accent-text': ['#12552f', '#7fd3a1'],
  'good-soft': ['#e4f1e8', '#17301f'],
  'good-text': ['#12552f', '#7fd3a1'],
  'warn-soft': ['#fcf0d9', '#352708'],
  'warn-text': ['#774600', '#efc06a'],
  'bad-soft': ['#fdebe9', '#3d1916'],
  'bad-text': ['#a3211a', '#f7a49b'],
  focus: ['#1d6fd8', '#6cabff'],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>;

const COLUMN = { light: 0, dark: 1 } as const satisfies Readonly<Record<Theme, 0 | 1>>;

function scheme(theme: Theme): string {
  const variables = Object.entries(COLOURS).map(([name, value]) => `--${name}: ${value[COLUMN[theme]]};`);
  return [`color-scheme: ${theme};`, ...variables].join(' ');
}

/** The tokens as CSS variables, and the base styles: the chosen theme, or else that of the device, and the typeface. */
export const TOKENS = `
:root { ${scheme('light')} }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { ${scheme('dark')} } }
:root[data-theme=dark] { ${scheme('dark')} }
:root { font: 100%/1.5 "Inter", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
body { margin: 0; background: var(--bg); color: var(--text); }
a { color: var(--accent-text); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
`;
