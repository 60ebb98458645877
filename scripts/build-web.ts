import { existsSync } from 'node:fs';
import { buildOptions } from './lib/web/build-options.ts';

/**
 * Builds the web application into web/dist. `npm ci` runs it, so it must not fail if Vite is not installed: the service
 * then serves only the API and its own pages. Options: `--if-missing` builds only if there is no build yet, `--watch`
 * rebuilds after each change.
 */
const BUILT = new URL('../web/dist/index.html', import.meta.url);

if (!process.argv.includes('--if-missing') || !existsSync(BUILT)) await buildWeb();

async function buildWeb(): Promise<void> {
  const vite = await import('vite').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  });
  if (vite === null) {
    process.stderr.write(
      'The web application is not built: Vite, a development dependency, is not installed.\n',
    );
    return;
  }
  await vite.build(buildOptions({ watch: process.argv.includes('--watch') }));
}
