import { chmod, lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

const SOCKET_NAME = 'control.sock';
/** Contains the path of the socket if it is not in the data directory. */
const POINTER_NAME = 'control.path';
const SHORT_PREFIX = 'tributary-';
/** A socket's address can have 104 bytes on macOS and 108 on Linux, including the terminating zero. */
const LONGEST_PATH_BYTES = 100;

/**
 * Where a server that has the data lock listens, after removing what an earlier one left behind. If the path is too
 * long for a socket's address, a private directory in the system's temporary directory is used, and `control.path` in
 * the data directory names it.
 */
export async function prepareControlPath(dataDir: string, temporary: string = tmpdir()): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await removeControlPath(dataDir);
  const direct = resolve(dataDir, SOCKET_NAME);
  if (Buffer.byteLength(direct) <= LONGEST_PATH_BYTES) return direct;
  const short = join(await mkdtemp(join(temporary, SHORT_PREFIX)), SOCKET_NAME);
  await chmod(dirname(short), 0o700);
  await writeFile(join(dataDir, POINTER_NAME), short, { mode: 0o600 });
  return short;
}

/** Where a running server would be listening. */
export async function findControlPath(dataDir: string): Promise<string> {
  return (await pointer(dataDir)) ?? resolve(dataDir, SOCKET_NAME);
}

/** Removes the socket and everything created for it. Only the holder of the data lock may call it. */
export async function removeControlPath(dataDir: string): Promise<void> {
  const short = await pointer(dataDir);
  await rm(join(dataDir, SOCKET_NAME), { force: true });
  await rm(join(dataDir, POINTER_NAME), { force: true });
  if (short !== null && (await isOurs(dirname(short)))) {
    await rm(dirname(short), { recursive: true, force: true });
  }
}

async function pointer(dataDir: string): Promise<string | null> {
  try {
    const text = await readFile(join(dataDir, POINTER_NAME), 'utf8');
    return basename(text) === SOCKET_NAME ? text : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Whether the directory was created by this user's server; nothing else is ever removed. */
async function isOurs(directory: string): Promise<boolean> {
  if (!basename(directory).startsWith(SHORT_PREFIX)) return false;
  try {
    const found = await lstat(directory);
    return found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid());
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
