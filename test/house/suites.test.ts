import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { changedBy, VARIABLES } from '../../scripts/lib/suites/changed-by.ts';
import { entryOf } from '../../scripts/lib/suites/entry.ts';
import { groupsOf } from '../../scripts/lib/suites/groups.ts';
import { OWN_PROCESS } from '../../scripts/lib/suites/own-process.ts';
import { failedFiles, reportersTo } from '../../scripts/lib/suites/retries.ts';
import { codeOnly } from './code-only.ts';
import { ROOT, readText, readTree } from './tree.ts';

const files = new Map([...readTree('test')].filter(([path]) => path.endsWith('.test.ts')));
/** Measures the whole process, or changes it for whatever runs in it afterwards. */
const OF_THE_PROCESS =
  /\bprocess\.(?:memoryUsage|cpuUsage|resourceUsage)\b|\bmonitorEventLoopDelay\b|\bsetFlagsFromString\b|\bslowness\(|\bprocess\.env(?:\.\w+|\[\w+\])? = |\bprocess\.chdir\(|\bsetGlobalDispatcher\(/;

test('every test file runs in exactly one group', () => {
  const grouped = groupsOf([...files.keys()]).flatMap(({ paths }) => paths);
  assert.deepEqual(grouped.toSorted(), [...files.keys()].toSorted());
});

test('a test file that measures or changes its process does not share it', () => {
  for (const path of OWN_PROCESS.keys()) assert.ok(existsSync(join(ROOT, path)), path);
  const affecting = [...files].filter(([, source]) => OF_THE_PROCESS.test(codeOnly(source)));
  assert.ok(affecting.length >= 5);
  assert.deepEqual(
    affecting.map(([path]) => path).filter((path) => !OWN_PROCESS.has(path)),
    [],
  );
});

test('a run on servers has every file that opens a database or a service, and none that would do the same without', () => {
  const paths = [...files.keys()];
  assert.deepEqual(changedBy([], paths, ROOT), paths);
  const chosen = new Set(changedBy(['DATABASE_URL'], paths, ROOT));
  const opens = /^import (?!type )[^;]*from '[./]+\/support\/(?:database|service)\.ts'/m;
  const opening = [...files].filter(([, source]) => opens.test(source)).map(([path]) => path);
  assert.ok(opening.length > 150);
  assert.deepEqual(
    opening.filter((path) => !chosen.has(path)),
    [],
  );
  assert.ok(chosen.has('test/conformance/operations.test.ts'), 'through several modules');
  assert.ok(!chosen.has('test/vocabulary/money.test.ts'));
  assert.ok(!chosen.has('test/surfaces/cli/installation.test.ts'), 'of the embedded database alone');
  assert.ok(changedBy(['THOROUGH'], paths, ROOT).includes('test/storage/earlier-schemas.test.ts'));
});

test('.ci/run sets no other variable for its suites than those by which files are chosen', () => {
  const command = readText('.ci/run').match(/^.*npm run suites -- --retry$/m)?.[0] ?? '';
  const set = [...command.matchAll(/\b([A-Z_]+)=/g)].map(([, name = '']) => name);
  assert.deepEqual(set.toSorted(), [...VARIABLES].toSorted());
});

test('npm test checks lint and types and hands its options to the suites', () => {
  const { test: command } = JSON.parse(readText('package.json')).scripts;
  assert.match(command, /scripts\/suites\.ts --check$/);
});

const PASSING = `import { beforeEach, test } from 'node:test';
let prepared = 0;
beforeEach(() => { prepared += 1; });
test('first', () => { if (prepared !== 1) throw new Error(\`prepared \${prepared} times\`); });`;
const FAILING = `import { test } from 'node:test';
test('of the failing file', () => { throw new Error('no'); });`;
const STRAY = `import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
test('before the stray error', async () => {
  setTimeout(() => { throw new Error('of nobody'); }, 1);
  await sleep(50);
});`;
/** The id of what runs after an `await` is 0 unless someone follows promises. */
const UNFOLLOWED = `import { executionAsyncId } from 'node:async_hooks';
import { describe, test } from 'node:test';
describe('a suite', () => {
  test('of which no promise is followed', async (t) => {
    await t.test('inside', async () => {
      await null;
      if (executionAsyncId() !== 0) throw new Error('promises are followed');
    });
  });
});`;
const LEFT_OPEN = `import { createServer } from 'node:http';
import { test } from 'node:test';
test('which fails before it closes its server', async () => {
  await new Promise((resolve) => createServer().listen(0, '127.0.0.1', resolve));
  throw new Error('too early');
});`;
const LEFT_TO_OTHERS = `import { createServer } from 'node:http';
import { test } from 'node:test';
import { closeAfterLastFile } from ${JSON.stringify(new URL('../../scripts/lib/suites/shared-by-files.ts', import.meta.url).href)};
test('which leaves its server to the files that follow', async () => {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  if (!closeAfterLastFile(() => new Promise((resolve) => server.close(resolve)))) throw new Error('nobody closes it');
});`;
const SLOW = `import { test } from 'node:test';
test('which takes longer than a process may stay open', async () => {
  const nothing = setInterval(() => undefined, 1_000);
  await new Promise((resolve) => setTimeout(resolve, 600));
  clearInterval(nothing);
});`;
const BROKEN = `throw new Error('cannot be imported');`;
const DRAWING = `import { integer, sample } from ${JSON.stringify(import.meta.resolve('fast-check'))};
import { test } from 'node:test';
test('drew ' + sample(integer(), 3).join(), () => undefined);`;

/** Runs files of these texts, and a passing file before and after them, in one process. */
const runGroup = (t: TestContext, ...texts: readonly string[]) => runGroupWith(t, {}, texts);

async function runGroupWith(t: TestContext, more: Record<string, string>, texts: readonly string[]) {
  const directory = await mkdtemp(join(tmpdir(), 'tributary-group-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const paths = [PASSING, ...texts, PASSING].map((text, at) => ({
    text,
    path: join(directory, `${at}.mjs`),
  }));
  for (const { path, text } of paths) await writeFile(path, text);
  const entry = join(directory, 'group.mjs');
  await writeFile(
    entry,
    entryOf(
      paths.map(({ path }) => path),
      200,
    ),
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const results = join(directory, 'results.tap');
  const { status, stdout } = spawnSync(process.execPath, ['--test', ...reportersTo(results), entry], {
    env: { ...env, ...more },
    encoding: 'utf8',
  });
  const failed = failedFiles(
    await readFile(results, 'utf8'),
    paths.map(({ path }) => path),
  );
  return { status, stdout, failed, path: (at: number) => join(directory, `${at}.mjs`) };
}

test('files in one process keep their hooks to themselves', async (t) => {
  const { status, stdout } = await runGroup(t);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /tests 2\n.*suites 2\n.*pass 2\n.*fail 0\n/);
});

test('a failing file fails the run, is named, and does not stop those after it', async (t) => {
  const { status, stdout, path } = await runGroup(t, FAILING);
  assert.equal(status, 1, stdout);
  assert.match(stdout, /pass 2\n.*fail 1\n/);
  assert.ok(stdout.includes(`✖ ${path(1)}`) && stdout.includes(`✔ ${path(2)}`), stdout);
  assert.match(stdout, /of the failing file/);
});

test('a file that cannot be imported fails the run and is named', async (t) => {
  const { status, stdout, path } = await runGroup(t, BROKEN);
  assert.equal(status, 1, stdout);
  assert.ok(stdout.includes(`✖ ${path(1)}`) && stdout.includes(`✔ ${path(2)}`), stdout);
  assert.match(stdout, /cannot be imported/);
});

test('an error that no one catches fails the run and is shown', async (t) => {
  const { status, stdout, path } = await runGroup(t, STRAY);
  assert.equal(status, 1, stdout);
  assert.match(stdout, /Error: of nobody/);
  assert.ok(stdout.includes(`✔ ${path(2)}`), stdout);
});

test('a process that works on is not ended', async (t) => {
  const { status, stdout } = await runGroup(t, SLOW);
  assert.equal(status, 0, stdout);
});

test('a file that leaves a server open fails the run, which ends and shows every result', async (t) => {
  const { status, stdout, path } = await runGroup(t, LEFT_OPEN);
  assert.equal(status, 1, stdout);
  assert.match(stdout, /too early/);
  assert.match(stdout, /Tests of this process left something open: TCPServerWrap\n/);
  assert.ok(stdout.includes(`✔ ${path(2)}`), stdout);
});

test('what a file leaves to the files that follow is closed after the last', async (t) => {
  const { status, stdout } = await runGroup(t, LEFT_TO_OTHERS);
  assert.equal(status, 0, stdout);
});

test('a few files that failed are retried, but not many, and not a process that failed', async (t) => {
  const { failed, path } = await runGroup(t, FAILING, BROKEN);
  assert.deepEqual(failed, [path(1), path(2)]);
  assert.deepEqual((await runGroup(t)).failed, []);
  assert.deepEqual((await runGroup(t, FAILING, FAILING, FAILING, FAILING)).failed, []);
  assert.deepEqual((await runGroup(t, FAILING, STRAY)).failed, []);
});

test('two processes with the same PROPERTY_SEED draw the same cases, and with another seed others', async (t) => {
  const drawn = async (seed: string): Promise<string | undefined> => {
    const { stdout } = await runGroupWith(t, { PROPERTY_SEED: seed }, [DRAWING]);
    return stdout.match(/drew (.+?) \(/)?.[1];
  };
  const first = await drawn('12345678');
  assert.match(first ?? '', /^-?\d+,-?\d+,-?\d+$/);
  assert.equal(await drawn('12345678'), first);
  assert.notEqual(await drawn('12345679'), first);
  assert.equal(await drawn('abc'), undefined, 'which is not a number');
});

test('the test runner follows promises only while tests are declared', async (t) => {
  const { status, stdout } = await runGroup(t, UNFOLLOWED, UNFOLLOWED);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /pass 6\n/);
});
