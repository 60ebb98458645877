import { describe } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { sharing } from './shared-by-files.ts';
import { followPromises, leavePromisesAlone } from './tracking.ts';

const ROOT = new URL('../../../', import.meta.url);
/** Databases under test are opened often and do little: optimised code of theirs is not worth its compilation. */
const BASELINE_COMPILER = '--liftoff-only';

/**
 * Runs test files, given as paths from the root, one after another in this process: each is a suite named after its
 * path, so a failure names its file, and hooks at the top of a file apply to that file alone. A file that cannot be
 * imported fails its suite. What tests leave open for `openMs` after the last of them fails the process, which would
 * never end: a test that fails may not come to closing its server. With `PROPERTY_SEED` set, properties draw the same
 * cases every time.
 */
export async function runFiles(paths: readonly string[], openMs: number): Promise<void> {
  const seed = process.env.PROPERTY_SEED ?? '';
  if (seed !== '') await seedProperties(Number(seed));
  if (paths.length > 1) setFlagsFromString(BASELINE_COMPILER);
  await sharing(async () => {
    for (const path of paths) await runFile(path);
  });
  // A suite that is awaited is over, not declared alone.
  setTimeout(endProcess, openMs).unref();
}

async function runFile(path: string): Promise<void> {
  followPromises();
  await describe(path, async () => {
    try {
      await import(new URL(path, ROOT).href);
    } finally {
      leavePromisesAlone();
    }
  });
}

async function seedProperties(seed: number): Promise<void> {
  if (!Number.isInteger(seed)) throw new Error('PROPERTY_SEED is not a whole number.');
  const { configureGlobal, readConfigureGlobal } = await import('fast-check');
  configureGlobal({ ...readConfigureGlobal(), seed });
}

function endProcess(): void {
  const open = process.getActiveResourcesInfo().filter((kind) => kind !== 'Timeout' && kind !== 'PipeWrap');
  process.stderr.write(`Tests of this process left something open: ${open.join(', ')}\n`);
  process.exit(1);
}
