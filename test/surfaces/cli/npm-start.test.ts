import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { takeDataLock } from '../../../src/platform/data-lock.ts';
import { madeDataDir, temporaryDirectory } from './temporary-directory.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ENDS_WITHIN_MS = 20_000;

test('SIGTERM to npm start stops the server, which gives port and lock back', async (t) => {
  const dataDir = await madeDataDir(t);
  const npm = spawn('npm', ['start', '--', '--json'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: dataDir, DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.after(() => npm.kill('SIGKILL'));
  let said = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  while (!said.includes('"url"') && npm.exitCode === null) await pause();
  const ended = once(npm, 'exit');
  npm.kill('SIGTERM');
  await ended;
  const url = /"url":"([^"]+)"/.exec(said)?.[1] ?? assert.fail(said);
  const deadline = performance.now() + ENDS_WITHIN_MS;
  let lock = await takeDataLock(dataDir);
  while (lock === null && performance.now() < deadline) {
    await pause();
    lock = await takeDataLock(dataDir);
  }
  assert.ok(lock !== null, 'the server still holds its data directory');
  lock.release();
  await assert.rejects(fetch(`${url}/healthz`), 'the server still answers');
});

test('Without the Node it needs, npm start says in one sentence what is missing', async (t) => {
  const directory = await temporaryDirectory(t);
  await mkdir(join(directory, 'bin'));
  await copyFile(join(ROOT, 'bin/tributary.js'), join(directory, 'bin/tributary.js'));
  await copyFile(join(ROOT, 'package.json'), join(directory, 'package.json'));
  await mkdir(join(directory, 'scripts'));
  await copyFile(join(ROOT, 'scripts/prepare.js'), join(directory, 'scripts/prepare.js'));
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`;
  const child = spawn(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(old)}`,
      join(directory, 'bin/tributary.js'),
      'serve',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 1);
  assert.match(said, /^Tributary needs Node 24 or newer and this is Node 20\.20\.2: [^\n]*npm ci[^\n]*\n$/);

  // What `npm ci --omit=dev` and `npm start` run before; npm would report a failure of either with a page of text.
  const { prepare, prestart } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).scripts;
  for (const script of [prepare, prestart]) {
    const [node, ...args] = script.split(' ');
    assert.equal(node, 'node');
    const before = spawn(
      process.execPath,
      [
        '--no-experimental-strip-types',
        '--import',
        `data:text/javascript,${encodeURIComponent(old)}`,
        ...args,
      ],
      { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const [status] = await once(before, 'close');
    assert.equal(status, 0, script);
  }

  await mkdir(join(directory, 'node_modules/node/bin'), { recursive: true });
  await symlink('/bin/echo', join(directory, 'node_modules/node/bin/node'));
  const brought = spawn(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(old)}`,
      join(directory, 'bin/tributary.js'),
      'serve',
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let echoed = '';
  brought.stdout.setEncoding('utf8').on('data', (text: string) => {
    echoed += text;
  });
  await once(brought, 'close');
  assert.match(echoed, /bin\/tributary\.js serve\n$/, 'the Node that npm ci brought takes over');
});

test('The scripts that start Tributary leave no shell between npm and it', async () => {
  const manifest = await readFile(join(ROOT, 'package.json'), 'utf8');
  for (const script of ['start', 'demo'])
    assert.match(manifest, new RegExp(`"${script}": "exec node (?:--[a-z-]+=\\d+ )?bin/tributary\\.js `));
});

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
