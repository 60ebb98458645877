import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, mkdir, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Name of the key file inside the data directory. */
export const KEY_FILE_NAME = 'encryption.key';

const KEY_FILE_MODE = 0o600;
const GROUP_AND_OTHER = 0o077;
const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK']);

type KeyFile = { path: string; text: string } | { path: string; refusal: string };

/**
 * Reads the key file of a data directory; if there is none, creates one that holds `newEntry()`. Of several processes
 * that start at once, one creates the file and all read the same key. A file that group or others may read is refused:
 * its key may already be known to them.
 */
export async function loadKeyFile(dataDir: string, newEntry: () => string): Promise<KeyFile> {
  const path = join(dataDir, KEY_FILE_NAME);
  const existing = await readKeyFile(dataDir);
  if (existing !== null) return existing;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await createKeyFile(dataDir, path, `${newEntry()}\n`);
  const created = await readKeyFile(dataDir);
  if (created === null) throw new Error(`${path} disappeared while it was being created.`);
  return created;
}

/**
 * The text of the key file of a data directory, or null when there is none. For a process that has already checked it.
 */
export function rereadKeyFile(dataDir: string): string | null {
  try {
    return readFileSync(join(dataDir, KEY_FILE_NAME), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Replaces the key file in one step: after a crash it holds either the old text or the new. */
export async function replaceKeyFile(dataDir: string, text: string): Promise<void> {
  const draft = draftPath(dataDir);
  await writeKeyFile(draft, text);
  await rename(draft, join(dataDir, KEY_FILE_NAME));
  await syncDirectory(dataDir);
}

/**
 * Writes what is in the key file to a new file beside it, for its owner only, if it is another text than `text`. Returns
 * its path; null if there is no key file, or nothing else in it.
 */
export async function keepOtherKeyFile(
  dataDir: string,
  text: string,
  keptAs: string,
): Promise<string | null> {
  const present = rereadKeyFile(dataDir);
  if (present === null || present.trim() === text.trim()) return null;
  const kept = join(dataDir, keptAs);
  await writeKeyFile(kept, present);
  await syncDirectory(dataDir);
  return kept;
}

/** The key file of a data directory, or why it is refused; null when there is none. */
export async function readKeyFile(dataDir: string): Promise<KeyFile | null> {
  const path = join(dataDir, KEY_FILE_NAME);
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const { mode } = await file.stat();
    if (process.platform !== 'win32' && (mode & GROUP_AND_OTHER) !== 0) {
      const shown = (mode & 0o777).toString(8).padStart(4, '0');
      return {
        path,
        refusal:
          `${path} has mode ${shown}: other users of this machine can reach the encryption key. ` +
          `Run: chmod 600 ${path} (and rotate the key if someone could have read it).`,
      };
    }
    return { path, text: await file.readFile('utf8') };
  } finally {
    await file.close();
  }
}

/** The file appears whole or not at all, and never replaces one that is there: a lost key loses every secret. */
async function createKeyFile(dataDir: string, path: string, text: string): Promise<void> {
  const draft = draftPath(dataDir);
  await writeKeyFile(draft, text);
  try {
    await link(draft, path);
  } catch (error) {
    const code = errorCode(error);
    if (code !== undefined && NO_HARD_LINKS.has(code)) await createWithoutLinks(path, text);
    else if (code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  await syncDirectory(dataDir);
}

async function createWithoutLinks(path: string, text: string): Promise<void> {
  try {
    await writeKeyFile(path, text);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

function draftPath(dataDir: string): string {
  return join(dataDir, `.${KEY_FILE_NAME}.${randomUUID()}`);
}

/** Writes a new file for its owner only, which survives a power cut once its name does. */
export async function writeKeyFile(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', KEY_FILE_MODE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the new name survive a power cut. Windows cannot open a directory and needs no such step. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
