import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { systemClock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { takeDataLock } from '../../platform/data-lock.ts';
import { KEY_FILE_NAME, keepOtherKeyFile, writeKeyFile } from '../../platform/key-file.ts';
import { parseKeyring } from '../../platform/keyring.ts';
import { openDatabase } from '../../storage/database.ts';
import {
  draftPrefix,
  installRestoredKey,
  KEY_SUFFIX,
  restoredPrefix,
  settleRestores,
} from '../../storage/embedded/new-database.ts';
import { type KeySource, migratedKeyring } from '../encryption/open-keyring.ts';
import { UnreadableBackup, unpackBackup } from './backup-file.ts';
import { BACKUP_RECORD, DATABASE_FOLDER } from './backups.ts';
import { wrongInput, wrongState } from './refusal.ts';

const BackupRecord = Type.Object({ v: Type.Literal(1), created: Type.String({ format: 'date-time' }) });

export interface Restored {
  /** When the backup was made. */
  readonly created: Date;
  /** Where the database that was there is now; null if there was none. */
  readonly left: string | null;
  /** Where the key file that was there is now; null if it is still in use, or there was none. */
  readonly leftKey: string | null;
}

/** What is restored, and how. */
export interface Restoring {
  readonly file: string;
  /** Undefined: that of the configuration. */
  readonly passphrase: string | undefined;
  /** Whether a database that exists is put aside. */
  readonly replace: boolean;
  /** The text that becomes the key file, once it has opened the backup; undefined: that of the installation stays. */
  readonly keys: string | undefined;
}

/** What errors call `keys`. */
const KEYS = 'the copy of the key file';

/**
 * Puts the database of a backup into the data directory, completely or not at all. It is opened there once, with the
 * encryption key of this installation or the copy of a key file, before it takes its place. What an interrupted restore
 * leaves, the next one or the next start deletes, or puts in place if the earlier database was aside already.
 * @param signal ends it with nothing changed, until the databases change places; then raises its reason
 * @throws OperatorRefusal while another process uses the directory, on Postgres, if there is a database and `replace`
 * is false, and for a file that is no backup or has another passphrase; KeyringError if the key does not open it;
 * SchemaError if a later version has made it
 */
export async function restoreBackup(
  config: Config,
  { file, passphrase, replace, keys }: Restoring,
  signal?: AbortSignal,
): Promise<Restored> {
  const { dataDir } = config;
  const secret = passphrase ?? config.backupPassphrase;
  if (secret === null) throw wrongInput('passphrase_file', 'A backup is opened with its passphrase.');
  if (config.databaseUrl !== null)
    throw wrongState('DATABASE_URL is set, and a backup of the embedded database goes into DATA_DIR.');
  if (keys !== undefined && config.encryptionKey !== undefined)
    throw wrongInput(
      'key_file',
      'ENCRYPTION_KEY is set, and would be used instead. Put the key into it, or unset it.',
    );
  if (keys !== undefined) parseKeyring(keys, KEYS);
  if (!existsSync(file)) throw wrongInput(null, `There is no file ${file}.`);
  const lock = await takeDataLock(dataDir);
  if (lock === null)
    throw wrongState(`Another process is using the data directory ${dataDir}. Stop it first.`);
  const place = join(dataDir, DATABASE_FOLDER);
  let draft = '';
  try {
    await settleRestores(place);
    draft = await mkdtemp(draftPrefix(place));
    const exists = existsSync(join(place, 'PG_VERSION'));
    if (exists && !replace)
      throw wrongState(`There is a database in ${dataDir} already. Confirm that it is to be replaced.`);
    const created = await unpacked(file, draft, secret, signal);
    await opened(draft, keys === undefined ? config : { dataDir, encryptionKey: keys, origin: KEYS });
    const draftOfKey = join(draft, KEY_FILE_NAME);
    if (keys !== undefined) await writeKeyFile(draftOfKey, keys);
    signal?.throwIfAborted();
    const leftKey = keys === undefined ? null : await keepOtherKeyFile(dataDir, keys, keptKeyName());
    const suffix = draft.slice(draft.lastIndexOf('-') + 1);
    // From here on the next start completes what a crash interrupts, once the database that is there has been put aside.
    const restored = `${restoredPrefix(place)}${suffix}`;
    await rename(join(draft, DATABASE_FOLDER), restored);
    if (keys !== undefined) await rename(draftOfKey, restored + KEY_SUFFIX);
    const left = exists ? `${place}-before-restore-${suffix}` : null;
    if (left !== null) await rename(place, left);
    else await rm(place, { recursive: true, force: true });
    await rename(restored, place);
    await installRestoredKey(place);
    return { created, left, leftKey };
  } finally {
    if (draft !== '') await rm(draft, { recursive: true, force: true });
    lock.release();
  }
}

/** Never a name that is taken: a key that is lost loses every secret. */
function keptKeyName(): string {
  const time = new Date(systemClock.now()).toISOString().replaceAll(/[-:.]/g, '');
  return `${KEY_FILE_NAME}-before-restore-${time}`;
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
async function opened(folder: string, keys: KeySource): Promise<void> {
  const database = await openDatabase({ kind: 'embedded', dataDir: folder });
  try {
    await migratedKeyring(database, keys);
  } finally {
    await database.close();
  }
}
