import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InlineConfig, Plugin } from 'vite';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The program, and what it starts as threads and processes of its own. */
const ENTRIES: Readonly<Record<string, string>> = {
  main: `${ROOT}src/main.ts`,
  thread: `${ROOT}src/storage/embedded/thread.ts`,
  'make-database': `${ROOT}src/storage/embedded/make-database.ts`,
  'pack-process': `${ROOT}src/features/operator/pack-process.ts`,
};
/**
 * Packages that are in the bundle: 940 small files, half of what a start has to find and read. They stay dependencies
 * with exact versions, so that their licences and versions are seen (docs/decisions/0044-published-package.md).
 */
const INSIDE = /^(?:typebox|kysely)(?:\/|$)/;
const FILE_ADDRESS = /new URL\(\s*'(\.{1,2}\/[^']*)',\s*import\.meta\.url\s*\)/g;

/** How the service is bundled into `outDir`, which lies beside what it reads as files. Packages stay packages. */
export function serviceBuild(outDir: string): InlineConfig {
  return {
    root: ROOT,
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    plugins: [fileAddresses()],
    ssr: { external: true, noExternal: ['typebox', 'kysely'], target: 'node' },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      copyPublicDir: false,
      target: 'esnext',
      minify: false,
      sourcemap: false,
      rolldownOptions: {
        input: { ...ENTRIES },
        external: (id) => !/^[./#]/.test(id) && !INSIDE.test(id),
        output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  };
}

/**
 * Files that a module finds relative to itself are found relative to the bundle: its own entries beside it, and others,
 * such as docs/ and web/dist/, one folder above.
 */
function fileAddresses(): Plugin {
  return {
    name: 'file-addresses',
    // Before types are taken out, which rewrites quotes.
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(ROOT) || !code.includes('import.meta.url')) return null;
      return code.replace(FILE_ADDRESS, (_, path: string) => {
        const target = resolve(dirname(id), path);
        const entry = Object.entries(ENTRIES).find(([, file]) => file === target)?.[0];
        if (entry === undefined && target.endsWith('.ts')) this.error(`${target} is no entry of the bundle.`);
        const slash = path.endsWith('/') ? '/' : '';
        const address = entry === undefined ? `../${relative(ROOT, target)}${slash}` : `./${entry}.js`;
        return `new URL('${address}', import.meta.url)`;
      });
    },
  };
}
