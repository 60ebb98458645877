import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { publicId, rowId } from '../../../vocabulary/ids.ts';
import { UnusableFile } from './failures.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** A month of rows takes far less; a file is held in memory while it is changed. */
const MOST_BYTES = 64 * 1024 * 1024;
const TEMPORARY = /^\..+\.[0-9a-f]{12}\.tmp$/;
/**
 * Starts with a letter or a digit and contains no separator, so that no name is `..`, hidden or an option of a command.
 */
const FOLDER_NAME = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._-]*[\p{L}\p{M}\p{N}_-])?$/u;
const NAME_BYTES = 120;

/** Whether a folder may have this name. */
export function isFolderName(name: string): boolean {
  return FOLDER_NAME.test(name) && Buffer.byteLength(name) <= NAME_BYTES;
}

/** The calls that change something. Each is atomic, even if the machine stops in the middle. */
export interface FileChanges {
  replace(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
}

export const DISK: FileChanges = { replace, remove };

/**
 * Folders and files below the operator's folder. Every path is built here from names that were checked, and no folder
 * or file in it may be a symbolic link.
 */
export class FolderClient {
  readonly #root: string;
  readonly #changes: FileChanges;

  constructor(root: string, changes: FileChanges) {
    this.#root = root;
    this.#changes = changes;
  }

  /** The folder of an account record, created if needed. @throws UnusableFile if the operator's folder is missing */
  async ofOwner(owner: string): Promise<string> {
    const root = await realpath(this.#root).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      throw new UnusableFile('The folder of this service is missing. Ask its operator.');
    });
    return this.made(root, publicId('account_record', rowId('account_record', owner)));
  }

  /** The folder of this name in another; null if there is none. @throws UnusableFile */
  async inside(parent: string, name: string): Promise<string | null> {
    const path = join(parent, name);
    const found = await lstat(path).catch(orNull);
    if (found === null) return null;
    if (!found.isDirectory() || (await realpath(path)) !== path) {
      throw new UnusableFile(`${name} is no folder, or a link to one. Replace it with a folder.`);
    }
    return path;
  }

  /** The same, created if needed. */
  async made(parent: string, name: string): Promise<string> {
    await mkdir(join(parent, name), { mode: 0o750 }).catch((error: unknown) => {
      if (!isThere(error)) throw error;
    });
    return (await this.inside(parent, name)) ?? join(parent, name);
  }

  /** Names of the entries of a folder, sorted. */
  async names(folder: string): Promise<readonly string[]> {
    return (await readdir(folder)).toSorted();
  }

  /** Names of the folders in a folder that can be a target; not links. */
  async folders(folder: string): Promise<readonly string[]> {
    const found = await readdir(folder, { withFileTypes: true });
    return found
      .filter((one) => one.isDirectory() && isFolderName(one.name))
      .map(({ name }) => name)
      .toSorted();
  }

  /** Renames a folder. False if the name is taken. */
  async moved(parent: string, from: string, to: string): Promise<boolean> {
    try {
      await rename(join(parent, from), join(parent, to));
      await synced(parent);
      return true;
    } catch (error) {
      if (isThere(error)) return false;
      throw error;
    }
  }

  /** The text of a file; null if there is none. @throws UnusableFile for a link, another kind of file or a huge file */
  async text(folder: string, name: string): Promise<string | null> {
    const file = await open(join(folder, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(
      (error: unknown) => {
        if (!isLink(error)) return orNull(error);
        throw new UnusableFile(`${name} is a link. Replace it with a file.`);
      },
    );
    if (file === null) return null;
    try {
      const found = await file.stat();
      if (!found.isFile()) throw new UnusableFile(`${name} is no file. Remove it.`);
      if (found.size > MOST_BYTES) throw new UnusableFile(`${name} is larger than 64 MiB. Remove it.`);
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  }

  /** Replaces a file with this text. */
  replace(folder: string, name: string, text: string): Promise<void> {
    return this.#changes.replace(join(folder, name), text);
  }

  remove(folder: string, name: string): Promise<void> {
    return this.#changes.remove(join(folder, name));
  }

  /** Removes what a process that died while writing left. Only for the holder of the folder's lock. */
  async tidy(folder: string): Promise<void> {
    for (const name of await readdir(folder)) if (TEMPORARY.test(name)) await unlink(join(folder, name));
  }
}

async function replace(path: string, text: string): Promise<void> {
  const [folder, name] = [join(path, '..'), path.slice(path.lastIndexOf('/') + 1)];
  const temporary = join(folder, `.${name}.${randomBytes(6).toString('hex')}.tmp`);
  const file = await open(temporary, 'wx', 0o640);
  try {
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(orNull);
    throw error;
  }
  await synced(folder);
}

async function remove(path: string): Promise<void> {
  await unlink(path).catch(orNull);
  await synced(join(path, '..'));
}

/** A new name is on disk once its folder is. */
async function synced(folder: string): Promise<void> {
  const handle = await open(folder, O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function orNull(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

const wordOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
const isMissing = (error: unknown): boolean => wordOf(error) === 'ENOENT';
const isLink = (error: unknown): boolean => wordOf(error) === 'ELOOP';
const isThere = (error: unknown): boolean =>
  ['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(String(wordOf(error)));
