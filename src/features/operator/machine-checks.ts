import { constants, existsSync } from 'node:fs';
import { access, chmod, readdir, readFile, stat, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Config, Environment } from '../../platform/config.ts';
import { LOCK_FILE } from '../../platform/data-lock.ts';
import { KEY_FILE_NAME } from '../../platform/key-file.ts';
import { EMPTY_DATABASE } from '../../storage/embedded/empty-database.ts';
import { FIRST_START_MIB, isRestoreUnfinished } from '../../storage/embedded/new-database.ts';
import { DATABASE_FOLDER, databaseCreated, identifierIn, madeIn } from './backups.ts';
import { type Finding, fail, findingsFrom, fixable, ok, reasonOf, warn } from './finding.ts';

/** What the checks ask of this machine, beyond its files. */
export interface Machine {
  now(): number;
  /** Bytes that this process may use. */
  memory(): number;
  /** How many files and sockets this process may have open; null if unknown. */
  openFiles(): Promise<number | null>;
  /** The file system that a path is on. `type` is that of statfs(2). */
  disk(path: string): Promise<{ readonly free: number; readonly size: number; readonly type: number }>;
}

export const thisMachine = (now: () => number): Machine => ({
  now,
  memory: () => {
    const limit = process.constrainedMemory();
    return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  },
  openFiles: async () => {
    const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return soft === undefined ? null : Number(soft);
  },
  disk: async (path) => {
    const { bavail, blocks, bsize, type } = await statfs(path);
    return { free: bavail * bsize, size: blocks * bsize, type };
  },
});

const GROUP_AND_OTHER = 0o077;
/** The first release's date: an earlier clock is certainly wrong. */
const EARLIEST = Date.UTC(2026, 9, 1);
const MIB = 2 ** 20;
/** docs/self-hosting.md#memory: of a restart and a sync, which is more than a first start. Postgres has its own. */
const LEAST_MEMORY = { embedded: 435 * MIB, postgres: 400 * MIB };
const LEAST_OPEN_FILES = 1024;
const LEAST_FREE_BYTES = 2e9;
const LEAST_FREE_SHARE = 0.1;
const HOUR_MS = 3_600_000;
/** The values of `f_type` in statfs(2). */
const FILE_SYSTEMS: ReadonlyMap<number, { readonly name: string; readonly fate: string }> = new Map(
  [
    { type: 0x01_02_19_94, name: 'tmpfs', fate: 'a restart of the machine empties it' },
    { type: 0x85_84_58_f6, name: 'ramfs', fate: 'a restart of the machine empties it' },
    { type: 0x69_69, name: 'NFS', fate: 'locks over the network cannot be relied on' },
    { type: 0xff_53_4d_42, name: 'CIFS', fate: 'locks over the network cannot be relied on' },
    { type: 0xfe_53_4d_42, name: 'SMB', fate: 'locks over the network cannot be relied on' },
  ].map(({ type, ...system }) => [type, system]),
);

/** What the data directory contains so far. */
export type DataDirectory = {
  readonly exists: boolean;
  readonly keyFile: boolean;
  readonly database: boolean;
  /** The next start completes a restore that was interrupted. */
  readonly unfinishedRestore: boolean;
};

export async function lookAt(config: Config): Promise<DataDirectory> {
  const [exists, keyFile, database] = await Promise.all(
    ['', KEY_FILE_NAME, DATABASE_FOLDER].map((name) => isThere(join(config.dataDir, name))),
  );
  return {
    exists: exists === true,
    keyFile: keyFile === true,
    database: database === true,
    unfinishedRestore: await isRestoreUnfinished(join(config.dataDir, DATABASE_FOLDER)),
  };
}

/** The clock, memory and limits of this machine, and the disks that the service writes to. */
export async function checkMachine(
  config: Config,
  env: Environment,
  machine: Machine,
): Promise<readonly Finding[]> {
  return findingsFrom([
    ['clock', () => checkClock(machine.now())],
    ['time zone', () => checkTimeZone(env.TZ)],
    ['memory', () => checkMemory(config, machine.memory())],
    ['open files', async () => checkOpenFiles(await machine.openFiles())],
    ['data directory', () => checkDataDirectory(config)],
    ['file system', () => checkFileSystem(config, machine)],
    ['disk space', () => checkDisks(config, machine)],
  ]);
}

function checkClock(now: number): Finding {
  const shown = new Date(now).toISOString();
  return now > EARLIEST
    ? ok('clock', `${shown}`)
    : fail('clock', `${shown} is before this software was made`);
}

/** Node takes an unknown zone for UTC without a word. */
function checkTimeZone(zone: string | undefined): Finding[] {
  if (zone === undefined || zone === '') return [];
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return [];
  } catch {
    return [warn('time zone', 'TZ is not the name of a time zone, so new account records get UTC')];
  }
}

function checkMemory({ databaseUrl, dataDir }: Config, bytes: number): Finding[] {
  // Without the empty database that comes with the program, a first start makes one.
  const makesDatabase = !existsSync(EMPTY_DATABASE) && !existsSync(join(dataDir, DATABASE_FOLDER));
  const embedded = makesDatabase ? FIRST_START_MIB * MIB : LEAST_MEMORY.embedded;
  const needed = databaseUrl === null ? embedded : LEAST_MEMORY.postgres;
  if (bytes >= needed) return [];
  return [warn('memory', `${Math.floor(bytes / MIB)} MiB, and the service needs up to ${needed / MIB} MiB`)];
}

function checkOpenFiles(most: number | null): Finding[] {
  if (most === null || most >= LEAST_OPEN_FILES) return [];
  return [warn('open files', `at most ${most}, each caller and each call to a bank being one`)];
}

/** Writable by us, and closed to all other users. */
async function checkDataDirectory(config: Config): Promise<Finding> {
  const check = 'data directory';
  const path = resolve(config.dataDir);
  const parent = await nearest(path);
  if (!(await stat(parent)).isDirectory()) {
    return fail(check, `${path} cannot be created: ${parent} is a file`, 'Set DATA_DIR to a directory.');
  }
  if (parent !== path) {
    return (await isWritable(parent))
      ? ok(check, `${path} will be created on the first start`)
      : fail(
          check,
          `${path} cannot be created: ${parent} is not writable`,
          'Set DATA_DIR to a directory you can write to.',
        );
  }
  if (!(await isWritable(path))) return fail(check, `${path} is not writable`, ownedByService(path));
  const lock = join(path, LOCK_FILE);
  const problem = await problemOfLock(lock);
  if (problem !== null) return fail(check, `${lock} cannot be opened: ${problem}`, ownedByService(path));
  const { mode } = await stat(path);
  return (mode & GROUP_AND_OTHER) === 0
    ? ok(check, `${path} is writable and private`)
    : fixable(
        warn(check, `${path} has mode ${octal(mode)}: other users can look inside`, `Run: chmod 700 ${path}`),
      );
}

/** Where the key comes from, and who else could read it. Whether it opens sealed values is checked on the storage. */
export async function checkEncryptionKey(
  config: Config,
  { keyFile, database, unfinishedRestore }: DataDirectory,
): Promise<Finding> {
  const check = 'encryption key';
  if (config.encryptionKey !== undefined) return ok(check, 'given by ENCRYPTION_KEY');
  if (unfinishedRestore)
    return warn(check, 'a restore was interrupted', 'Run: tributary serve, which completes it.');
  const path = join(resolve(config.dataDir), KEY_FILE_NAME);
  if (!keyFile) {
    return database
      ? fail(
          check,
          `${path} is missing, but there is a database`,
          'Restore the key file from a backup: without it, sealed secrets cannot be opened.',
        )
      : ok(check, `${path} will be created on the first start`);
  }
  const problem = await readFile(path).then(() => null, reasonOf);
  if (problem !== null)
    return fail(check, `${path} cannot be read: ${problem}`, ownedByService(dirname(path)));
  const { mode } = await stat(path);
  return (mode & GROUP_AND_OTHER) === 0
    ? ok(check, `${path} is private`)
    : fixable(
        fail(
          check,
          `${path} has mode ${octal(mode)}: other users can read it`,
          `Run: chmod 600 ${path}. ${ROTATE_IF_READ}`,
        ),
      );
}

async function checkFileSystem(config: Config, machine: Machine): Promise<Finding[]> {
  const path = await nearest(resolve(config.dataDir));
  const system = FILE_SYSTEMS.get((await machine.disk(path)).type);
  if (system === undefined) return [];
  return [warn('file system', `${resolve(config.dataDir)} is on ${system.name}: ${system.fate}`)];
}

async function checkDisks({ dataDir, backups }: Config, machine: Machine): Promise<Finding[]> {
  const folders = [dataDir, ...(backups === null ? [] : [backups.folder])];
  const places = await Promise.all(folders.map((folder) => nearest(resolve(folder))));
  const findings: Finding[] = [];
  for (const place of new Set(places)) {
    const { free, size } = await machine.disk(place);
    if (free < LEAST_FREE_BYTES && free < size * LEAST_FREE_SHARE)
      findings.push(
        warn(
          'disk space',
          `${Math.floor(free / 1e6)} MB of ${Math.floor(size / 1e6)} MB are free at ${place}`,
        ),
      );
  }
  return findings;
}

/** Whether there is a backup of the embedded database, and no more than there should be beside it. */
export async function checkBackups(
  { backups, databaseUrl, sandbox, dataDir, encryptionKey }: Config,
  machine: Machine,
): Promise<Finding[]> {
  if (databaseUrl !== null) {
    if (backups === null) return [];
    return [
      warn(
        'backups',
        'BACKUP_FOLDER has no effect on Postgres',
        'Back the database up by its own tools: docs/self-hosting.md#backup-and-restore.',
      ),
    ];
  }
  if (backups === null) {
    if (sandbox) return [];
    return [
      warn(
        'backups',
        'none are scheduled',
        'Set BACKUP_FOLDER and BACKUP_PASSPHRASE: docs/self-hosting.md#backup-and-restore.',
      ),
    ];
  }
  const folder = resolve(backups.folder);
  const place = await nearest(folder);
  const closed = await checkBackupFolder({ backups, databaseUrl });
  if (closed.length > 0) return closed;
  const inside = `${folder}/`.startsWith(`${resolve(dataDir)}/`)
    ? [warn('backup folder', `${folder} is inside DATA_DIR: what takes the data takes the backups`)]
    : [];
  if (place !== folder) return [...inside, ok('backups', `${folder} will be created with the first backup`)];
  const keyText = encryptionKey ?? (await readFile(join(dataDir, KEY_FILE_NAME), 'utf8').catch(() => ''));
  return [
    ...inside,
    await checkAge(folder, backups.everyHours, dataDir, machine.now()),
    ...(await checkSecretsBeside(folder, {
      passphrase: [backups.passphrase],
      'encryption key': keyText.split(/[,\n]/).map((entry) => entry.slice(entry.indexOf(':') + 1).trim()),
    })),
  ];
}

/** Whether this process could write a backup. Asked of the service too: its unit may leave it fewer folders than a shell. */
export async function checkBackupFolder({
  backups,
  databaseUrl,
}: Pick<Config, 'backups' | 'databaseUrl'>): Promise<Finding[]> {
  if (backups === null || databaseUrl !== null) return [];
  const place = await nearest(resolve(backups.folder));
  return (await isWritable(place)) ? [] : [fail('backup folder', `${place} is not writable`)];
}

async function checkAge(folder: string, everyHours: number, dataDir: string, now: number): Promise<Finding> {
  const id = await identifierIn(dataDir);
  const latest = id === null ? undefined : (await madeIn(folder, id, now)).at(-1)?.at;
  const since = latest ?? (await databaseCreated(dataDir));
  const hours = since === null ? 0 : Math.floor((now - since) / HOUR_MS);
  if (hours > 2 * everyHours)
    return latest === undefined
      ? fail('backups', `there is none in ${folder}, and the database is ${hours} hours old`)
      : fail('backups', `the last one is ${hours} hours old, and one is due every ${everyHours} hours`);
  return latest === undefined
    ? ok('backups', 'the first one is due')
    : ok('backups', `the last one is ${hours} hours old`);
}

const MOST_FILES = 200;
const MOST_SECRET_BYTES = 16_384;

/** Small files beside the backups that contain what protects them. The secrets themselves are not shown. */
async function checkSecretsBeside(
  folder: string,
  secrets: Readonly<Record<string, readonly string[]>>,
): Promise<Finding[]> {
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  const findings: Finding[] = [];
  for (const { name } of names.slice(0, MOST_FILES)) {
    const path = join(folder, name);
    if ((await stat(path)).size > MOST_SECRET_BYTES) continue;
    const text = await readFile(path, 'utf8').catch(() => '');
    for (const [what, values] of Object.entries(secrets))
      if (values.some((secret) => secret !== '' && text.includes(secret)))
        findings.push(fail('backup secrets', `${path} contains the ${what}`));
  }
  return findings;
}

/** Closes the data directory or its key file to other users. */
export async function closeToOthers(path: string, mode: 0o600 | 0o700): Promise<string> {
  await chmod(path, mode);
  return `${path} has mode ${octal(mode)} now`;
}

/** Closing the file does not take the key away from someone who has read it. */
export const ROTATE_IF_READ =
  'If someone could have read the key, replace it: tributary keys rotate-encryption, and then the same with --retire.';

/** What to do where files of another user are in the data directory, as after a start by root. */
export function ownedByService(dataDir: string): string {
  const path = resolve(dataDir);
  return `Make the user who runs the service the owner of everything in it, on a file system that is not read-only: chown -R <user> ${path}`;
}

/**
 * Why the lock file, if there is one, cannot be opened; null if it can. It is not opened here: the system ends a lock of
 * this process with the first file that the process closes.
 */
async function problemOfLock(path: string): Promise<string | null> {
  try {
    await access(path, constants.R_OK | constants.W_OK);
    return (await stat(path)).isFile() ? null : 'it is not a file';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? null : reasonOf(error);
  }
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function nearest(path: string): Promise<string> {
  return (await isThere(path)) ? path : nearest(dirname(path));
}
