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
 * (lib/suites/retries.ts). With `--check`, lint and types are checked meanwhile, and if they fail the tests stop. Other
 * options go to `node --test`. Exit code 0 only when everything passed.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const BROWSER = '--browser';
const RETRY = '--retry';
const CHECK = '--check';
/** For a test that hangs: a machine that does much else takes five times as long as one at rest. */
const TEST_MS = 600_000;

/** Few, so that two processes, each with a browser of its own, end at about the same time. */
const BROWSER_FILES = 3;

const given = process.argv.slice(2);
const browser = given.includes(BROWSER);
const retry = given.includes(RETRY);
const options = given.filter(
  (argument) => argument.startsWith('-') && ![BROWSER, RETRY, CHECK].includes(argument),
);
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
const stopped = new AbortController();
const [code, checked] = await Promise.all([runAll(chosen), given.includes(CHECK) ? runCheck() : 0]);
process.exitCode = code === 0 ? checked : code;

async function runAll(paths: readonly string[]): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'tributary-suites-'));
  try {
    const groups = groupsOf(paths, browser ? BROWSER_FILES : undefined);
    if (!retry) return await nodeTest(directory, groups);
    const results = join(directory, 'results.tap');
    const code = await nodeTest(directory, groups, reportersTo(results));
    if (code === 0 || stopped.signal.aborted) return code;
    const failed = failedFiles(await readFile(results, 'utf8'), paths);
    if (failed.length === 0) return code;
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
  stopped.signal.addEventListener('abort', () => child.kill('SIGTERM'));
  const [code] = await once(child, 'close');
  return typeof code === 'number' ? code : 1;
}

/** `npm run check`, which uses one core of those that the tests leave idle. Says what it found only if it fails. */
async function runCheck(): Promise<number> {
  const child = spawn('npm', ['run', '--silent', 'check'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const found: Buffer[] = [];
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => found.push(chunk));
  const [code] = await once(child, 'close');
  if (code === 0) return 0;
  process.stderr.write(`${Buffer.concat(found).toString()}Lint or types failed; the tests stop.\n`);
  stopped.abort();
  return 1;
}
