import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serveInstallation } from '../../../src/app/installation.ts';
import { readConfig } from '../../../src/app/read-config.ts';
import { createLog } from '../../../src/platform/log.ts';
import { COMMANDS } from '../../../src/surfaces/cli/command-table.ts';
import { BRIEF_COMMAND_NAMES } from '../../../src/surfaces/cli/record-commands.ts';
import { tributary } from './run-tributary.ts';
import { madeDataDir, temporaryDirectory } from './temporary-directory.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const [ROUNDS, MOST_ROUNDS] = [8, 40];
/** The aim is 6, and `npm run bench -- --only command-line` measures it; the rest is room for a busy machine. */
const MOST_TIMES_NODE = 8;

test('A command that a running server answers takes little longer than starting Node', async (t) => {
  const dataDir = await madeDataDir(t);
  const served = await serveInstallation(
    readConfig({ DATA_DIR: dataDir, PORT: '0' }),
    createLog({ level: 'silent' }),
    true,
  );
  const list = async (): Promise<void> => {
    const { code, stdout, stderr } = await tributary(['account', 'list'], { DATA_DIR: dataDir });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /owner@localhost/);
  };
  const bare = async (): Promise<void> => {
    const [code] = await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'close');
    assert.equal(code, 0);
  };
  const best = { list: Number.POSITIVE_INFINITY, bare: Number.POSITIVE_INFINITY };
  const tooSlow = () => best.list >= MOST_TIMES_NODE * best.bare;
  try {
    await list();
    // The best of each, and of more where the machine does something else.
    for (let round = 0; round < ROUNDS || (round < MOST_ROUNDS && tooSlow()); round++) {
      best.bare = Math.min(best.bare, await taken(bare));
      best.list = Math.min(best.list, await taken(list));
    }
  } finally {
    await served.close();
  }
  const ratio = best.list / best.bare;
  t.diagnostic(`${ratio.toFixed(2)} times node -e 0`);
  assert.ok(ratio < MOST_TIMES_NODE, `account list took ${ratio.toFixed(2)} times as long as node -e 0`);
});

test('The second command takes the program as the first one compiled it, the first file included', async () => {
  assert.equal((await tributary(['--help'])).code, 0);
  const { stderr, stdout } = await tributary(['--help'], { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' });
  const said = stderr + stdout;
  for (const file of ['src/main.ts', 'src/surfaces/cli/program.ts'])
    assert.match(
      said,
      new RegExp(`retrieving transpile cache for StrippedTypeScript \\S*/${file}\\.\\.\\.success`),
    );
});

test('What a command on the embedded database compiled is taken by the next, in its thread as well', async (t) => {
  const dataDir = await madeDataDir(t);
  assert.equal((await tributary(['account', 'list'], { DATA_DIR: dataDir })).code, 0);
  const { code, stdout, stderr } = await tributary(['account', 'list'], {
    DATA_DIR: dataDir,
    NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
  });
  assert.equal(code, 0, stderr);
  const said = stderr + stdout;
  assert.doesNotMatch(said, /was rejected/, 'the flags of V8 are the same at each start');
  for (const file of ['app/open-records.ts', 'storage/embedded/thread.ts'])
    assert.match(said, new RegExp(`transpile cache for StrippedTypeScript \\S*/src/${file}\\.\\.\\.success`));
  assert.doesNotMatch(said, /src\/app\/build\.ts/, 'the rest of the service is not loaded');
});

test('Commands for which the database is not optimised are those that need nothing else', async () => {
  const launcher = await readFile(join(ROOT, 'bin/tributary.js'), 'utf8');
  const [, list = ''] = /const BRIEF = \[([^\]]*)\]/.exec(launcher) ?? [];
  const names = [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
  assert.deepEqual(names.toSorted(), BRIEF_COMMAND_NAMES.toSorted());
  for (const name of names)
    assert.ok(
      COMMANDS.some((command) => command.name === name),
      name,
    );
});

test('Where nothing compiled can be left, commands work anyway', async (t) => {
  const directory = await temporaryDirectory(t);
  await mkdir(join(directory, 'bin'));
  await mkdir(join(directory, 'node_modules'));
  await writeFile(join(directory, 'node_modules/.cache'), 'a file where the directory belongs');
  await copyFile(join(ROOT, 'package.json'), join(directory, 'package.json'));
  await copyFile(join(ROOT, 'bin/tributary.js'), join(directory, 'bin/tributary.js'));
  await symlink(join(ROOT, 'src'), join(directory, 'src'));
  const child = spawn(process.execPath, [join(directory, 'bin/tributary.js'), '--help'], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const [code] = await once(child, 'close');
  assert.equal(code, 0, said);
  assert.match(said, /^Usage: tributary/);
});

/** In milliseconds. */
async function taken(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
