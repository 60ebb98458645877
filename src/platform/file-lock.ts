import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

/** The right that a lock file protects; one holder has it at a time. */
export interface FileLock {
  release(): void;
}

/**
 * Takes the lock of this file, which is created if needed, or returns null while another holder has it. A symbolic link
 * in its place is refused.
 *
 * A lock file with a process id cannot be taken over without a moment in which two processes both believe that the old
 * holder is dead. The lock here is the operating system's own record lock on an empty file, reached through SQLite
 * because Node has no call for it: it is granted to one process and ends with that process, even on SIGKILL or a power
 * cut, so a stale lock cannot exist.
 */
export async function takeFileLock(path: string): Promise<FileLock | null> {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  const file = await open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  await file.chmod(0o600);
  await file.close();
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

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
