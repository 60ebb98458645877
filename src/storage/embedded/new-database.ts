import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EMPTY_DATABASE, unpackEmptyDatabase } from './empty-database.ts';

const MAKER = fileURLToPath(new URL('./make-database.ts', import.meta.url));
const RUNTIME_OPTIONS = [
  // Optimised code is not worth compiling in a process that runs for three seconds.
  '--liftoff-only',
  // The memory of Postgres is outside V8's heap, so without a bound V8 would let its heap grow in addition.
  '--max-semi-space-size=1',
  '--max-old-space-size=64',
];
/** Without the archive: for both processes together, as in docs/benchmarks.md. */
export const FIRST_START_MIB = 640;
const MOST_REASON_CHARACTERS = 2000;

/**
 * Creates an empty database at `location` unless one exists: a copy of the one that was made with the program, with an
 * identity of its own, or else by a child process. That takes more memory than Postgres ever needs again, and only the
 * end of a process frees all of it. The database is created under another name
 * first, so that one at `location` is always complete. The caller holds the lock on the data directory.
 */
export async function ensureDatabase(location: string, archive = EMPTY_DATABASE): Promise<void> {
  await mkdir(location, { recursive: true, mode: 0o700 });
  await removeDrafts(location);
  if (existsSync(join(location, 'PG_VERSION')) || (await completeRestore(location))) return;
  const draft = await mkdtemp(draftPrefix(location));
  try {
    if (!(await unpackEmptyDatabase(draft, archive))) await makeDatabase(draft);
    await rename(draft, location);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Drafts of a database, and of a restore, are folders whose paths begin so. */
export function draftPrefix(location: string): string {
  return `${location}.new-`;
}

/**
 * A restored database that is about to take its place has a path that begins so: a restore that is interrupted when the
 * earlier one has been put aside already is completed by the next start.
 */
export function restoredPrefix(location: string): string {
  return `${location}-restored-`;
}

/** Whether there was a restored database to put in the place of the one that is missing. */
async function completeRestore(location: string): Promise<boolean> {
  const [restored] = await siblings(location, restoredPrefix(location));
  if (restored === undefined) return false;
  await rename(restored, location);
  return true;
}

/** Deletes what an interrupted restore left, if the database that it would have replaced is still in its place. */
export async function removeRestored(location: string): Promise<void> {
  if (!existsSync(join(location, 'PG_VERSION'))) return;
  for (const folder of await siblings(location, restoredPrefix(location)))
    await rm(folder, { recursive: true, force: true });
}

async function siblings(location: string, prefix: string): Promise<readonly string[]> {
  const names = (await readdir(dirname(location))).filter((name) => name.startsWith(basename(prefix)));
  return names.map((name) => join(dirname(location), name));
}

/** Deletes drafts that an interrupted process left, which contain a database. The caller holds the lock. */
export async function removeDrafts(location: string): Promise<void> {
  for (const folder of await siblings(location, draftPrefix(location)))
    await rm(folder, { recursive: true, force: true });
}

/**
 * Creates an empty database in an empty folder, by `initdb` in a child process.
 * @param preload what that process loads first
 */
export async function makeDatabase(directory: string, preload: URL | null = null): Promise<void> {
  const first = preload === null ? [] : ['--import', preload.href];
  const child = spawn(process.execPath, [...RUNTIME_OPTIONS, ...first, MAKER, directory], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {},
  });
  const abandon = (): void => void child.kill('SIGKILL');
  process.once('exit', abandon);
  let reason = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    reason = (reason + text).slice(-MOST_REASON_CHARACTERS);
  });
  try {
    const [code, signal] = await once(child, 'close');
    if (signal === 'SIGKILL') {
      throw new Error(
        'The process that makes the embedded database was killed, as Linux does when memory runs out. ' +
          `It takes up to ${FIRST_START_MIB} MiB for a few seconds: give it that much, or set DATABASE_URL to a ` +
          'Postgres database. See docs/self-hosting.md#memory.',
      );
    }
    if (code !== 0)
      throw new Error(`The embedded database could not be created (${code ?? signal}): ${reason}`);
  } finally {
    process.off('exit', abandon);
  }
}
