import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileLock, takeFileLock } from '../platform/file-lock.ts';

/** Name of the lock file inside the data directory. */
export const LOCK_FILE = 'lock';
const RETRY_MS = 50;

/** The right to open a data directory's embedded database; one process has it at a time. */
export type DataLock = FileLock;

/** Takes the data directory for this process, or returns null while another process has it. */
export async function takeDataLock(dataDir: string): Promise<DataLock | null> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  return takeFileLock(join(dataDir, LOCK_FILE));
}

/**
 * Like takeDataLock, but tries again until `deadlineMs` have passed or `isHopeless` says that the holder will keep it:
 * a short command releases it soon, a server does not.
 */
export async function waitForDataLock(
  dataDir: string,
  deadlineMs: number,
  isHopeless: () => Promise<boolean> = async () => false,
): Promise<DataLock | null> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const lock = await takeDataLock(dataDir);
    if (lock !== null || performance.now() >= end || (await isHopeless())) return lock;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
