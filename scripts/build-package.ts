import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { buildEmptyDatabase } from './lib/package/empty-database.ts';
import { installedLock, packageManifest } from './lib/package/manifest.ts';
import { serviceBuild } from './lib/package/service-build.ts';
import { bundledLicences } from './lib/release/licences.ts';
import { buildOptions } from './lib/web/build-options.ts';

/**
 * `npm run package`: everything that an installation needs in build/package, or in the folder named, ready for
 * `npm pack` there. Node does not
 * take types out of files below node_modules, and reads a few large files faster than many small ones, so the service
 * is bundled as JavaScript in dist/; what it reads as files lies beside it as in the repository.
 */
const ROOT = new URL('../', import.meta.url);
const PACKAGE = pathToFileURL(
  `${resolve(process.argv[2] ?? fileURLToPath(new URL('build/package', ROOT)))}/`,
);
const COPIED = [
  'bin',
  'docs',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'LICENSE',
  // One by one: a folder in which the service runs may have passwords beside them.
  'deploy/Caddyfile',
  'deploy/compose.yaml',
  'deploy/grafana/dashboard.json',
  'deploy/kubernetes.yaml',
  'deploy/postgres/create-owner.sh',
  'deploy/prometheus/alerts.yaml',
  'deploy/tributary.service',
] as const;

await rm(PACKAGE, { recursive: true, force: true });
await mkdir(PACKAGE, { recursive: true });
await build(serviceBuild(fileURLToPath(new URL('dist/', PACKAGE))));
await build(buildOptions({ outDir: fileURLToPath(new URL('web/dist/', PACKAGE)) }));
await buildEmptyDatabase(new URL('build/empty-database.br', PACKAGE));
for (const name of COPIED) await cp(new URL(name, ROOT), new URL(name, PACKAGE), { recursive: true });
const lock: unknown = JSON.parse(await readFile(new URL('package-lock.json', ROOT), 'utf8'));
const manifest: unknown = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8'));
await writeFile(new URL('THIRD-PARTY-LICENCES.txt', PACKAGE), bundledLicences());
await writeJson('package.json', packageManifest(manifest));
await writeJson('npm-shrinkwrap.json', installedLock(lock));

async function writeJson(name: string, value: unknown): Promise<void> {
  await writeFile(new URL(name, PACKAGE), `${JSON.stringify(value, null, 2)}\n`);
}
