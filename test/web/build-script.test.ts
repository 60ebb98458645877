import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../house/tree.ts';
import { scratchDirectory } from '../support/scratch.ts';

test('without Vite the build does nothing, says so and does not fail; what is built already is not built again', async (t) => {
  const folder = await scratchDirectory();
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'web/dist'), { recursive: true });
  for (const path of [
    'package.json',
    'scripts/build-web.ts',
    'scripts/lib/web/build-options.ts',
    'src/vocabulary/languages.ts',
  ]) {
    await cp(join(ROOT, path), join(folder, path));
  }
  const build = (...options: readonly string[]) =>
    spawnSync(process.execPath, [join(folder, 'scripts/build-web.ts'), ...options], { encoding: 'utf8' });
  const missing = build('--if-missing');
  assert.deepEqual([missing.status, missing.stdout], [0, '']);
  assert.match(missing.stderr, /^The web application is not built: Vite, [^\n]*not installed\.\n$/);
  await writeFile(join(folder, 'web/dist/index.html'), 'built');
  const present = build('--if-missing');
  assert.deepEqual([present.status, present.stderr], [0, '']);
  assert.equal(await readFile(join(folder, 'web/dist/index.html'), 'utf8'), 'built');
});
