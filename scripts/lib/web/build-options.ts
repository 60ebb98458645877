import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';
import { ENGLISH, LANGUAGE_CODES } from '../../../src/vocabulary/languages.ts';

const WEB = fileURLToPath(new URL('../../../web/', import.meta.url));

/** Positions what opens above the page, and of which the first page needs nothing. */
const MENUS =
  /\/node_modules\/(@floating-ui\/|@mantine\/core\/esm\/(components\/(Popover|Menu|Combobox)|utils\/Floating)\/)/;

/**
 * What is put into one file, in the order in which the page names their styles. Left to itself, Rolldown makes a file of
 * each module that two pages share, and a page waits for dozens of requests, six at a time.
 */
const GROUPS = [
  // Styles of parts come after those of the theme, which they may change.
  { name: 'theme', test: /\/web\/src\/theme\// },
  // What the script of a language needs, apart from the application, which has to start after it.
  {
    name: 'language',
    test: /\/web\/src\/(format\/(locale|numbers)|text\/translated)\.ts$|\/src\/vocabulary\/languages\.ts$/,
  },
  // Many pages name a limit, and home none: in the file below, every page would wait for the table.
  { name: 'limits', test: /\/src\/vocabulary\/limits\.ts$/ },
  // Fewer pages would mean fewer files to wait for, and more script that some pages do not need.
  { name: 'shared', minShareCount: 6, test: (id: string) => !MENUS.test(id) },
  // Both are small and shared by the pages of transactions, which wait for many files.
  { name: 'steps', test: /\/web\/src\/parts\/(use-)?steps\.ts$|\/src\/vocabulary\/text-folding\.ts$/ },
] as const;

/** How Vite builds the web application into `outDir`, or into `web/dist`. */
export function buildOptions({ outDir = 'dist', watch = false } = {}): InlineConfig {
  return {
    root: WEB,
    configFile: false,
    envDir: false,
    // Relative, so that the same build works below any path (APP_URL).
    base: './',
    logLevel: watch ? 'info' : 'warn',
    build: {
      outDir,
      emptyOutDir: true,
      // The content security policy allows no data: addresses.
      assetsInlineLimit: 0,
      // The polyfill is a script inside the page, and every browser that runs the rest preloads modules.
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      manifest: 'manifest.json',
      target: 'baseline-widely-available',
      watch: watch ? {} : null,
      rolldownOptions: {
        // Each language but English is a script of its own, which the service puts into the page (docs/web.md#languages).
        input: {
          index: `${WEB}index.html`,
          ...Object.fromEntries(
            LANGUAGE_CODES.filter((code) => code !== ENGLISH).map((code) => [
              `words-${code}`,
              `${WEB}languages/${code}/index.ts`,
            ]),
          ),
        },
        // The package does not say so itself, and money is formatted without it.
        treeshake: { moduleSideEffects: (id) => !/\/node_modules\/big\.js\//.test(id) },
        output: { codeSplitting: { groups: [...GROUPS] } },
        // Packages mark what runs in browsers, for frameworks that render on servers as well.
        onLog: (level, log, handle) => {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
        },
      },
    },
  };
}
