import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedBy, VARIABLES } from './lib/suites/changed-by.ts';
import { entryOf } from './lib/suites/entry.ts';
import { groupsOf } from './lib/suites/groups.ts';

/**
 * `npm run suites`: every test file, or those below the paths named, in groups that share a process
 * (lib/suites/groups.ts); with `--browser` those that need a browser. On servers, or with more cases, it leaves out the
 * files that would do what they do without (lib/suites/changed-by.ts), unless paths are named. Other options go to
 * `node --test`. Exit code 0 only when every test passed.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const BROWSER = '--browser';
/** For a test that hangs: a machine that does much else takes five times as long as one at rest. */
const TEST_MS = 600_000;

/** Few, so that two processes, each with a browser of its own, end at about the same time. */
const BROWSER_FILES = 3;

const given = process.argv.slice(2);
const browser = given.includes(BROWSER);
const options = given.filter((argument) => argument.startsWith('-') && argument !== BROWSER);
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
    `No test file is below ${below.join(', ')}. Name paths from the root, such as test/cli.\n`,
  );
  process.exit(2);
}
process.exitCode = await runAll(chosen);

async function runAll(paths: readonly string[]): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'tributary-suites-'));
  try {
    const entries = groupsOf(paths, browser ? BROWSER_FILES : undefined).map(({ name, paths: members }) => ({
      file: join(directory, `${name}.mjs`),
      text: entryOf(members),
    }));
    for (const { file, text } of entries) await writeFile(file, text);
    return await nodeTest(entries.map(({ file }) => file));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function nodeTest(entries: readonly string[]): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--test', `--test-concurrency=${processes}`, `--test-timeout=${TEST_MS}`, ...options, ...entries],
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
