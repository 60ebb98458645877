import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '../../platform/config.ts';
import { takeDataLock } from '../../platform/data-lock.ts';
import { openDatabase } from '../../storage/database.ts';
import { draftPrefix, removeDrafts } from '../../storage/embedded/new-database.ts';
import { migratedKeyring } from '../encryption/open-keyring.ts';
import { UnreadableBackup, unpackBackup } from './backup-file.ts';
import { BACKUP_RECORD, DATABASE_FOLDER } from './backups.ts';
import { wrongInput, wrongState } from './refusal.ts';

const BackupRecord = Type.Object({ v: Type.Literal(1), created: Type.String({ format: 'date-time' }) });

export interface Restored {
  /** When the backup was made. */
  readonly created: Date;
  /** Where the database that was there is now; null if there was none. */
  readonly left: string | null;
}

/** What is restored, and how. */
export interface Restoring {
  readonly file: string;
  /** Undefined: that of the configuration. */
  readonly passphrase: string | undefined;
  /** Whether a database that exists is put aside. */
  readonly replace: boolean;
}

/**
 * Puts the database of a backup into the data directory, completely or not at all. It is opened there once, with the
 * encryption key of this installation, before it takes its place. What an interrupted restore leaves of it, the next one
 * or the next start deletes.
 * @param signal ends it with nothing changed, until the databases change places; then raises its reason
 * @throws OperatorRefusal while another process uses the directory, on Postgres, if there is a database and `replace`
 * is false, and for a file that is no backup or has another passphrase; KeyringError if the key does not open it;
 * SchemaError if a later version has made it
 */
export async function restoreBackup(
  config: Config,
  { file, passphrase, replace }: Restoring,
  signal?: AbortSignal,
): Promise<Restored> {
  const { dataDir } = config;
  const secret = passphrase ?? config.backupPassphrase;
  if (secret === null) throw wrongInput('passphrase_file', 'A backup is opened with its passphrase.');
  if (config.databaseUrl !== null)
    throw wrongState('DATABASE_URL is set, and a backup of the embedded database goes into DATA_DIR.');
  if (!existsSync(file)) throw wrongInput(null, `There is no file ${file}.`);
  const lock = await takeDataLock(dataDir);
  if (lock === null)
    throw wrongState(`Another process is using the data directory ${dataDir}. Stop it first.`);
  const place = join(dataDir, DATABASE_FOLDER);
  let draft = '';
  try {
    await removeDrafts(place);
    draft = await mkdtemp(draftPrefix(place));
    const exists = existsSync(join(place, 'PG_VERSION'));
    if (exists && !replace)
      throw wrongState(`There is a database in ${dataDir} already. Confirm that it is to be replaced.`);
    const created = await unpacked(file, draft, secret, signal);
    await opened(draft, config);
    signal?.throwIfAborted();
    const suffix = draft.slice(draft.lastIndexOf('-'));
    // Under a name that no start deletes, so that a crash between the two renames loses neither of them.
    const restored = `${place}-restored${suffix}`;
    await rename(join(draft, DATABASE_FOLDER), restored);
    const left = exists ? `${place}-before-restore${suffix}` : null;
    if (left !== null) await rename(place, left);
    else await rm(place, { recursive: true, force: true });
    await rename(restored, place);
    return { created, left };
  } finally {
    if (draft !== '') await rm(draft, { recursive: true, force: true });
    lock.release();
  }
}

/** When it was made. */
async function unpacked(file: string, into: string, passphrase: string, signal?: AbortSignal): Promise<Date> {
  try {
    await unpackBackup(file, into, passphrase, signal);
    const record: unknown = JSON.parse(await readFile(join(into, BACKUP_RECORD), 'utf8'));
    return new Date(Value.Parse(BackupRecord, record).created);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof UnreadableBackup) throw wrongInput(null, error.message);
    throw wrongInput(null, `${file} is not a backup that this version can read.`);
  }
}

/** Postgres applies the log that the backup holds; then its schema is brought up to date, and every secret checked. */
async function opened(folder: string, config: Config): Promise<void> {
  const database = await openDatabase({ kind: 'embedded', dataDir: folder });
  try {
    await migratedKeyring(database, config);
  } finally {
    await database.close();
  }
}
