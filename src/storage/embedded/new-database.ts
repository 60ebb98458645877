import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { replaceKeyFile } from '../../platform/key-file.ts';
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
  await settleRestores(location);
  if (isDatabase(location)) return;
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
 * A restored database that is about to take its place has a path that begins so, and its key file the same path with
 * KEY_SUFFIX, if it has one of its own.
 */
export function restoredPrefix(location: string): string {
  return `${location}-restored-`;
}

export const KEY_SUFFIX = '.key';

/**
 * Settles what interrupted restores left, which contains databases. Drafts are deleted, and so is a restored database
 * whose predecessor is still in its place. If that has been put aside, the restore is completed, with its key file. The
 * caller holds the lock.
 * @throws Error if several restored databases claim the place
 */
export async function settleRestores(location: string): Promise<void> {
  for (const folder of await siblings(location, draftPrefix(location))) await remove(folder);
  const beside = await restoredBeside(location);
  if (isDatabase(location)) {
    for (const folder of beside) {
      // First, as a key file without its database would be put into use.
      await remove(folder + KEY_SUFFIX);
      await remove(folder);
    }
  } else {
    const complete = beside.filter(isDatabase);
    if (complete.length > 1)
      throw new Error(
        `There is no database at ${location}, and several restored ones beside it: ${complete.join(', ')}. ` +
          'Give the right one that name, and delete the others.',
      );
    for (const folder of complete) await rename(folder, location);
  }
  await installRestoredKey(location);
}

/** Puts the key file of a restored database into the data directory, once the database is in its place. */
export async function installRestoredKey(location: string): Promise<void> {
  const files = (await siblings(location, restoredPrefix(location))).filter((path) =>
    path.endsWith(KEY_SUFFIX),
  );
  for (const file of files) {
    if (existsSync(file.slice(0, -KEY_SUFFIX.length))) continue;
    await replaceKeyFile(dirname(location), await readFile(file, 'utf8'));
    await remove(file);
  }
}

/** Whether the next start completes a restore. */
export async function isRestoreUnfinished(location: string): Promise<boolean> {
  // None in a directory that does not exist yet, or cannot be read.
  const left = await siblings(location, restoredPrefix(location)).catch(() => []);
  if (left.length === 0) return false;
  return isDatabase(location)
    ? left.some((path) => path.endsWith(KEY_SUFFIX) && !existsSync(path.slice(0, -KEY_SUFFIX.length)))
    : (await restoredBeside(location)).some(isDatabase);
}

async function restoredBeside(location: string): Promise<readonly string[]> {
  return (await siblings(location, restoredPrefix(location))).filter((path) => !path.endsWith(KEY_SUFFIX));
}

function isDatabase(path: string): boolean {
  return existsSync(join(path, 'PG_VERSION'));
}

function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}

async function siblings(location: string, prefix: string): Promise<readonly string[]> {
  const names = (await readdir(dirname(location))).filter((name) => name.startsWith(basename(prefix)));
  return names.map((name) => join(dirname(location), name));
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
