import { chmod, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const LOCK_FILE = 'lock';
const SQLITE_BUSY = 5;
const RETRY_MS = 50;

/** The right to open a data directory's embedded database; one process has it at a time. */
export interface DataLock {
  release(): void;
}

/**
 * Takes the data directory for this process, or returns null while another process has it.
 *
 * A lock file with a process id cannot be taken over without a moment in which two processes both believe that the
 * old holder is dead. The lock here is the operating system's own record lock on an empty file, reached through
 * SQLite because Node has no call for it: it is granted to one process and ends with the process however it ends,
 * SIGKILL and power cuts included, so that there is nothing stale to take over.
 */
export async function takeDataLock(dataDir: string): Promise<DataLock | null> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, LOCK_FILE);
  await (await open(path, 'a', 0o600)).close();
  await chmod(path, 0o600);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return { release: () => database.close() };
}

/**
 * Like takeDataLock, but asks again until `deadlineMs` have passed or `isHopeless` says that the holder stays: a short
 * command lets go by itself, a server does not.
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

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
