import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedBy, VARIABLES } from './lib/suites/changed-by.ts';
import { entryOf } from './lib/suites/entry.ts';
import { type Group, groupsOf } from './lib/suites/groups.ts';
import { failedFiles, reportersTo } from './lib/suites/retries.ts';

/**
 * `npm run suites`: every test file, or those below the paths named, in groups that share a process
 * (lib/suites/groups.ts); with `--browser` those that need a browser. On servers, or with more cases, it leaves out the
 * files that would do what they do without (lib/suites/changed-by.ts), unless paths are named. With `--retry`, a few
 * files that failed are retried once, separately, and those that then pass are reported as flaky
 * (lib/suites/retries.ts). Other options go to `node --test`. Exit code 0 only when every test passed.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const BROWSER = '--browser';
const RETRY = '--retry';
/** For a test that hangs: a machine that does much else takes five times as long as one at rest. */
const TEST_MS = 600_000;

/** Few, so that two processes, each with a browser of its own, end at about the same time. */
const BROWSER_FILES = 3;

const given = process.argv.slice(2);
const browser = given.includes(BROWSER);
const retry = given.includes(RETRY);
const options = given.filter((argument) => argument.startsWith('-') && ![BROWSER, RETRY].includes(argument));
/** A test file that waits for a child process leaves its core to others; a browser is several processes. */
const processes = browser
  ? Math.max(2, Math.floor(availableParallelism() / 2))
  : Math.min(availableParallelism() + 1, 8);
const below = given.filter((argument) => !argument.startsWith('-'));
const files = await Array.fromAsync(glob(`test/**/*.${browser ? 'browser' : 'test'}.ts`, { cwd: ROOT }));
const chosen =
  below.length > 0
    ? files.filter((path) => below.some((one) => path.startsWith(one)))
    : changedBy(browser ? [] : VARIABLES.filter((name) => process.env[name]), files, ROOT);
if (chosen.length === 0) {
  process.stderr.write(
    `No test file is below ${below.join(', ')}. Name paths from the root, such as test/surfaces/cli.\n`,
  );
  process.exit(2);
}
process.exitCode = await runAll(chosen);

async function runAll(paths: readonly string[]): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'tributary-suites-'));
  try {
    const groups = groupsOf(paths, browser ? BROWSER_FILES : undefined);
    if (!retry) return await nodeTest(directory, groups);
    const results = join(directory, 'results.tap');
    const code = await nodeTest(directory, groups, reportersTo(results));
    const failed = failedFiles(await readFile(results, 'utf8'), paths);
    if (code === 0 || failed.length === 0) return code;
    process.stderr.write(`Retrying ${failed.join(', ')}\n`);
    const second = await nodeTest(
      directory,
      failed.map((path, at) => ({ name: `retry-${at + 1}`, paths: [path] })),
    );
    if (second === 0) process.stderr.write(`Flaky, passed on retry: ${failed.join(', ')}\n`);
    return second;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Writes the programs of the groups into the directory and runs them. */
async function nodeTest(
  directory: string,
  groups: readonly Group[],
  more: readonly string[] = [],
): Promise<number> {
  const entries = groups.map(({ name, paths }) => ({ file: join(directory, `${name}.mjs`), paths }));
  for (const { file, paths } of entries) await writeFile(file, entryOf(paths));
  const child = spawn(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${processes}`,
      `--test-timeout=${TEST_MS}`,
      ...options,
      ...more,
      ...entries.map(({ file }) => file),
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/suites'), ...process.env },
    },
  );
  // A run that is stopped stops its tests, then removes the directory of its groups.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal));
  const [code] = await once(child, 'close');
  return typeof code === 'number' ? code : 1;
}
