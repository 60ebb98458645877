import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { MAINTENANCE_MS, withStatementDeadline } from '../statement-deadline.ts';

const LOG_FOLDER = 'pg_wal';
/** Folders whose contents are of no use to a copy, or are made again when it is opened. */
const EMPTIED: ReadonlySet<string> = new Set([
  LOG_FOLDER,
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const OMITTED = /^(?:postmaster\.(?:pid|opts)|pgsql_tmp.*|backup_label|tablespace_map)$/;
const FIRST_LOG_FILE = /^START WAL LOCATION: .*\(file ([0-9A-F]{24})\)$/m;
const ATTEMPTS = 3;
/** Databases that are being copied: a checkpoint would remove what the copy needs of the log (upkeep.ts). */
const COPYING = new WeakSet<Db>();

/** Whether the database is being copied, so that checkpoints have to wait. */
export function isBeingCopied(db: Db): boolean {
  return COPYING.has(db);
}

/**
 * Copies the files of the embedded database to the folder `to` while it is used, by Postgres's low-level backup
 * (PostgreSQL documentation, 25.3.3): statements wait for a checkpoint at the beginning, and not for the files. What
 * changes while they are copied is in the write-ahead log, which is copied last, and applied when the copy is opened.
 *
 * @param from where the database is
 * @throws StoreUnavailableError, an error of the file system, or the reason of `signal`; `to` is incomplete then
 */
export async function copyOnline(db: Db, from: string, to: string, signal: AbortSignal): Promise<void> {
  COPYING.add(db);
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      await rm(to, { recursive: true, force: true });
      if (await copied(db, from, to, signal)) return;
    }
  } finally {
    COPYING.delete(db);
  }
  throw new Error('Checkpoints removed parts of the write-ahead log while the database was copied.');
}

/** False if a checkpoint has removed what the copy needs of the log. */
async function copied(db: Db, from: string, to: string, signal: AbortSignal): Promise<boolean> {
  // One that could not be ended before would refuse this one; without one it fails, which is fine.
  await stopped(db).catch(() => null);
  await withStatementDeadline(MAINTENANCE_MS, () =>
    sql`select pg_backup_start('tributary', true)`.execute(db),
  );
  let label = '';
  try {
    await copyFolder(from, to, signal);
  } finally {
    label = await stopped(db);
  }
  const [, first] = FIRST_LOG_FILE.exec(label) ?? [];
  if (first === undefined) throw new Error('Postgres did not say where the log of the backup begins.');
  const log = join(from, LOG_FOLDER);
  await copyFolder(log, join(to, LOG_FOLDER), signal);
  await writeFile(join(to, 'backup_label'), label);
  // Files of the log are recycled in order: while the first one is there, so are all others.
  return existsSync(join(log, first)) && existsSync(join(to, LOG_FOLDER, first));
}

/** Ends a backup; its label. */
async function stopped(db: Db): Promise<string> {
  const { rows } = await withStatementDeadline(MAINTENANCE_MS, () =>
    sql<{ labelfile: string }>`
      select labelfile from pg_backup_stop(wait_for_archive => false)`.execute(db),
  );
  return rows[0]?.labelfile ?? '';
}

async function copyFolder(from: string, to: string, signal: AbortSignal): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    signal.throwIfAborted();
    if (OMITTED.test(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (EMPTIED.has(entry.name)) await mkdir(target, { mode: 0o700 });
    else if (entry.isDirectory()) await copyFolder(source, target, signal);
    else if (entry.isFile()) await copyFile(source, target, constants.COPYFILE_FICLONE).catch(unlessGone);
  }
}

/** Postgres deletes the files of a table that is rewritten; the log has what replaced them. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
