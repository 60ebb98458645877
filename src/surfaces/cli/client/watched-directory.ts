import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir, realpath, rename, stat, unlink } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { explain } from '../explain.ts';
import { CommandFailure, usageFailure } from '../failure.ts';

/** Between two looks at the directory. */
const LOOK_MS = 1_000;
/** Files taken at the same time; the service reads one of an account record at a time anyway. */
const AT_ONCE = 2;
/** Files of the directory that are remembered, and so how many are taken before some of them are moved away. */
const MOST_FILES = 10_000;
/** Names that are tried for a file whose own is in use at `done`. */
const MOST_NAMES = 1_000;
/** Hidden files, and how browsers and programs name what they have not finished writing. */
const UNFINISHED = /^\.|~$|\.(?:crdownload|download|filepart|part|partial|sw[op]|tmp)$/i;
/** Until a file is tried again that could not be taken for now, the first time; it doubles each time. */
const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 3_600_000;

export interface WatchedDirectory {
  readonly directory: string;
  /** Where taken files are moved to; null if they stay. */
  readonly done: string | null;
  /** How long a file must not have changed to be complete. */
  readonly quietMs: number;
}

/** A file is `taken`, and may be moved; `left` until it changes; or tried again, `waitMs` later at the earliest. */
export type Handled = 'taken' | 'left' | { readonly waitMs: number };

/** What a file looks like, and when it is due to be given to `take`; null if it is not. */
interface Seen {
  readonly size: number;
  readonly modified: number;
  due: number | null;
  delayMs: number;
}

/**
 * Gives each file of a directory to `take` once it no longer changes, and again when it changed, until `signal` aborts.
 * What was seen is in memory only: at the next start, `take` gets every file again.
 * @param take its signal also aborts when another file ended the watch
 * @throws CommandFailure if the directory cannot be read or is `done` as well, and what `take` raises
 */
export async function watchDirectory(
  { directory, done, quietMs }: WatchedDirectory,
  take: (path: string, signal: AbortSignal) => Promise<Handled>,
  note: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  await namesIn(directory);
  if (done !== null) {
    await mkdir(done, { recursive: true });
    if ((await realpath(done)) === (await realpath(directory)))
      throw usageFailure('--done: Name another directory than --watch.');
  }
  const failed = new AbortController();
  const within = AbortSignal.any([signal, failed.signal]);
  let seen = new Map<string, Seen>();
  let tooMany = false;
  const handle = async (name: string, file: Seen): Promise<void> => {
    const path = join(directory, name);
    const handled = await take(path, within);
    if (within.aborted) return;
    file.due = null;
    if (typeof handled === 'object') {
      file.due = performance.now() + Math.max(file.delayMs, handled.waitMs);
      file.delayMs = Math.min(2 * file.delayMs, LONGEST_DELAY_MS);
    } else if (handled === 'taken' && done !== null) await moved({ directory, name, file }, done);
  };
  try {
    while (!signal.aborted) {
      const names = await namesIn(directory);
      if (names.length > MOST_FILES && !tooMany)
        note(
          `${directory} has more than ${MOST_FILES} files. The first ${MOST_FILES} are watched; move some away.`,
        );
      tooMany = names.length > MOST_FILES;
      seen = await look(directory, names.slice(0, MOST_FILES), seen, quietMs);
      const now = performance.now();
      const queue = [...seen].filter(([, { due }]) => due !== null && due <= now).values();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const [name, file] of queue) if (!within.aborted) await handle(name, file);
        }),
      );
      await setTimeout(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    failed.abort();
  }
}

/** What the files look like now; one that changed is due once it has been quiet. */
async function look(
  directory: string,
  names: readonly string[],
  before: ReadonlyMap<string, Seen>,
  quietMs: number,
): Promise<Map<string, Seen>> {
  const now = new Map<string, Seen>();
  const at = performance.now();
  for (const name of names) {
    const file = await lookOf(join(directory, name));
    if (file === null) continue;
    const earlier = before.get(name);
    const due = file.size === 0 ? null : at + quietMs;
    const same = earlier !== undefined && isSame(earlier, file);
    now.set(name, same ? earlier : { ...file, due, delayMs: FIRST_DELAY_MS });
  }
  return now;
}

async function namesIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    throw new CommandFailure(`--watch: ${explain(error).message}`, { cause: error });
  });
  return entries
    .filter((entry) => entry.isFile() && !UNFINISHED.test(entry.name))
    .map(({ name }) => name)
    .sort();
}

type Look = Pick<Seen, 'size' | 'modified'>;

/** Null if it is gone. */
async function lookOf(path: string): Promise<Look | null> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { size, modified: mtimeMs };
  } catch {
    return null;
  }
}

function isSame(one: Look, other: Look): boolean {
  return one.size === other.size && one.modified === other.modified;
}

interface TakenFile {
  readonly directory: string;
  readonly name: string;
  readonly file: Look;
}

/**
 * Moves a file that was taken. It is renamed first, so that another one may take its name meanwhile; if it changed since
 * it was read, it has rows that were not taken, and goes back.
 */
async function moved({ directory, name, file }: TakenFile, done: string): Promise<void> {
  const aside = join(directory, `.${name}.taken`);
  try {
    await rename(join(directory, name), aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw new CommandFailure(`--done: ${explain(error).message}`, { cause: error });
  }
  const now = await lookOf(aside);
  if (now === null) return;
  await placedUnder(isSame(now, file) ? done : directory, name, aside);
}

/** Without replacing another file: under its own name, or with a number before the extension. */
async function placedUnder(directory: string, name: string, path: string): Promise<void> {
  const { name: stem, ext } = parse(name);
  for (let nth = 1; nth <= MOST_NAMES; nth += 1) {
    const target = join(directory, nth === 1 ? name : `${stem}-${nth}${ext}`);
    if (!(await placed(path, target))) continue;
    await unlink(path);
    return;
  }
  throw new CommandFailure(`--done: ${directory} has ${MOST_NAMES} files called ${name}. Move some away.`);
}

/** Whether the name was free. */
async function placed(path: string, target: string): Promise<boolean> {
  try {
    await link(path, target);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
  }
  // Another file system, or one without hard links.
  try {
    await copyFile(path, target, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw new CommandFailure(`--done: ${explain(error).message}`, { cause: error });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
