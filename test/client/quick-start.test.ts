import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Tributary } from '#client';
import { freePort } from '../../src/platform/free-port.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { startService } from '../support/service.ts';
import { linkAll } from '../surfaces/v1/support/linked.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = join(ROOT, 'packages/client');
const DEADLINE_MS = 120_000;

test('the package that npm would publish compiles and runs the quick start of its README, in 30 lines', async (t) => {
  const folder = await scratchDirectory();
  t.after(() => rm(folder, { recursive: true, force: true }));
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? assert.fail('the README has a quick start');
  const lines = code.split('\n').filter((line) => line !== '');
  assert.ok(lines.length <= 30, `${lines.length} lines`);
  await install(folder);
  await writeFile(join(folder, 'quick-start.ts'), code);
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]);

  const service = await startService({ OUTBOUND_ALLOW: '127.0.0.0/8' });
  t.after(() => service.close());
  const owner = await service.owner();
  await linkAll(service, owner, [{ provider: 'au_banking', customer: 'salaried-household' }]);
  const port = await freePort('127.0.0.1');
  const child = spawn(process.execPath, ['quick-start.js'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      TRIBUTARY_URL: service.url,
      TRIBUTARY_API_KEY: owner.key,
      RECEIVER_URL: `http://127.0.0.1:${port}/rows`,
    },
  });
  t.after(() => child.kill());
  // A program that receives nothing ends anyway.
  const deadline = setTimeout(() => child.kill(), DEADLINE_MS);
  t.after(() => clearTimeout(deadline));
  let printed = '';
  child.stderr.on('data', (piece: Buffer) => {
    printed += piece.toString();
  });
  for await (const piece of child.stdout) {
    printed += String(piece);
    if (/^received \S+$/m.test(printed)) break;
  }
  assert.match(printed, /^\d{4}-\d{2}-\d{2} -?[\d.]+ aud \S/m, printed);
  assert.match(printed, /^received \S+$/m, printed);
  const over = once(child, 'exit');
  child.kill();
  await over;

  const { data } = await new Tributary({ url: service.url, apiKey: owner.key }).destinations.list().page();
  assert.deepEqual(
    data.map(({ name }) => name),
    ['Quick start'],
  );
});

/** Puts what `npm pack` packs where a program finds it, as `npm install` would. */
async function install(folder: string): Promise<void> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: PACKAGE });
  const [packed]: { filename: string; files: { path: string }[] }[] = JSON.parse(
    stdout.slice(stdout.indexOf('[\n')),
  );
  assert.ok(packed);
  const { filename, files } = packed;
  const paths = files.map(({ path }) => path);
  assert.ok(paths.includes('dist/index.js') && paths.includes('dist/index.d.ts'), paths.join());
  assert.deepEqual(
    paths.filter((path) => !/^dist\/|^README\.md$|^package\.json$/.test(path)),
    [],
  );
  const installed = join(folder, 'node_modules/tributary-client');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1']);
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types'])
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2024'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
  };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['quick-start.ts'] }),
  );
}
