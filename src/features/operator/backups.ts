import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { Temporal } from 'temporal-polyfill';
import type { Clock } from '../../platform/clock.ts';
import type { BackupSchedule } from '../../platform/config.ts';
import { PASSPHRASE_CHARACTERS } from '../../platform/config-values.ts';
import type { Log } from '../../platform/log.ts';
import type { OpenDatabase } from '../../storage/database.ts';
import { databaseIdentifier } from '../../storage/embedded/empty-database.ts';
import { copyOnline } from '../../storage/embedded/online-copy.ts';
import { draftOf } from './backup-file.ts';
import { wrongInput, wrongState } from './refusal.ts';

const PACKER = fileURLToPath(new URL('./pack-process.ts', import.meta.url));
/** The folder of the copy in the data directory, until it is packed. */
const COPY_PREFIX = '.backup-copy-';
const COPY = /^\.backup-copy-[A-Za-z0-9]{6}$/;
/** What is in a backup beside the folder of the database. */
export const BACKUP_RECORD = 'backup.json';
export const DATABASE_FOLDER = 'database';
/** A scheduled backup: the identifier of its database, since installations may share a folder, and when it was made. */
const NAME = /^tributary-([0-9a-f]{16})-(\d{8}T\d{6})Z\.tar\.gz\.age$/;
const HOUR_MS = 3_600_000;
/** How much more than the database and its log has to be free for a copy: it must not take the last of the disk. */
const ROOM = 1.5;
const MOST_REASON_CHARACTERS = 500;

export interface Backup {
  readonly file: string;
  readonly bytes: number;
  readonly created: Date;
}

/** Backups of the embedded database, made while it is used (docs/self-hosting.md#backup-and-restore). */
export class Backups {
  readonly #database: OpenDatabase;
  readonly #dataDir: string;
  readonly #schedule: BackupSchedule | null;
  readonly #clock: Clock;
  readonly #log: Log;
  #running = false;
  /** Epoch ms. */
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(deps: {
    readonly database: OpenDatabase;
    readonly config: { readonly dataDir: string; readonly backups: BackupSchedule | null };
    readonly clock: Clock;
    readonly log: Log;
  }) {
    this.#database = deps.database;
    this.#dataDir = deps.config.dataDir;
    this.#schedule = deps.config.backups;
    this.#clock = deps.clock;
    this.#log = deps.log;
  }

  /**
   * Writes a backup to a new file, without the encryption key.
   * @throws OperatorRefusal on Postgres, while another backup is made, if the file exists or its folder does not, and
   * for a passphrase that is too short
   */
  async create(file: string, passphrase: string, signal: AbortSignal): Promise<Backup> {
    if (this.#database.kind !== 'embedded')
      throw wrongState('The database is on a Postgres server. Back it up by its own tools, such as pg_dump.');
    if (passphrase.length < PASSPHRASE_CHARACTERS)
      throw wrongInput('passphrase_file', `A passphrase has at least ${PASSPHRASE_CHARACTERS} characters.`);
    if (existsSync(file)) throw wrongInput(null, `${file} exists already.`);
    if (!existsSync(dirname(file))) throw wrongInput(null, `There is no folder ${dirname(file)}.`);
    if (this.#running) throw wrongState('Another backup is being made. Wait for it to end.');
    this.#running = true;
    try {
      return await this.#make(file, passphrase, signal);
    } finally {
      this.#running = false;
    }
  }

  /**
   * The backup that is due by the schedule, if one is; then deletes those beyond the number to keep. Backups from the
   * future, which a wrong clock left, count for nothing. After a failure the next attempt is an hour later.
   */
  async scheduled(signal: AbortSignal): Promise<void> {
    const schedule = this.#schedule;
    if (this.#running || this.#clock.now() < this.#notBefore) return;
    if (this.#database.kind === 'embedded') await this.#tidy();
    if (schedule === null) return;
    if (this.#database.kind !== 'embedded') {
      this.#log.warn('BACKUP_FOLDER has no effect on Postgres: back it up by its own tools');
      this.#notBefore = Number.POSITIVE_INFINITY;
      return;
    }
    const { folder, passphrase, everyHours, keep } = schedule;
    const now = this.#clock.now();
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const id = await identifierIn(this.#dataDir);
      if (id === null) throw new Error(`The database in ${this.#dataDir} cannot be read.`);
      const latest = (await madeIn(folder, id, now)).at(-1);
      if (latest !== undefined && now - latest.at < everyHours * HOUR_MS) return;
      for (const name of await readdir(folder))
        if (isDraftOf(id, name)) await rm(join(folder, name), { force: true });
      const { bytes } = await this.create(join(folder, nameOf(id, now)), passphrase, signal);
      this.#log.info('Backup written', { bytes });
      for (const { name } of (await madeIn(folder, id, now)).slice(0, -keep))
        await rm(join(folder, name), { force: true });
    } catch (error) {
      this.#notBefore = now + HOUR_MS;
      throw error;
    }
  }

  /**
   * Seconds since the last backup of the schedule; if there is none, or its folder cannot be read, since the database was
   * created, so that a schedule that never worked is noticed too. Null without a schedule.
   */
  async age(): Promise<number | null> {
    if (this.#schedule === null || this.#database.kind !== 'embedded') return null;
    const now = this.#clock.now();
    const id = await identifierIn(this.#dataDir);
    const made = id === null ? [] : await madeIn(this.#schedule.folder, id, now).catch(() => []);
    const since = made.at(-1)?.at ?? (await databaseCreated(this.#dataDir)) ?? now;
    return Math.max(0, now - since) / 1000;
  }

  /** Copies that a killed process left. */
  async #tidy(): Promise<void> {
    for (const name of await readdir(this.#dataDir))
      if (COPY.test(name)) await rm(join(this.#dataDir, name), { recursive: true, force: true });
  }

  async #requireRoom(): Promise<void> {
    const { rows } = await sql<{ bytes: number }>`
      select pg_database_size(current_database()) + (select coalesce(sum(size), 0) from pg_ls_waldir())::bigint
        as bytes`.execute(this.#database.db);
    const { bavail, bsize } = await statfs(this.#dataDir);
    const needed = Math.ceil((rows[0]?.bytes ?? 0) * ROOM);
    if (bavail * bsize < needed)
      throw wrongState(
        `A backup needs ${Math.ceil(needed / 1e6)} MB of free space in ${this.#dataDir} for a while.`,
      );
  }

  async #make(file: string, passphrase: string, signal: AbortSignal): Promise<Backup> {
    await this.#tidy();
    await this.#requireRoom();
    const copy = await mkdtemp(join(this.#dataDir, COPY_PREFIX));
    try {
      const created = new Date(this.#clock.now());
      const from = join(this.#dataDir, DATABASE_FOLDER);
      await copyOnline(this.#database.db, from, join(copy, DATABASE_FOLDER), signal);
      await writeFile(join(copy, BACKUP_RECORD), JSON.stringify({ v: 1, created: created.toISOString() }));
      await pack(copy, file, passphrase, signal);
      return { file, bytes: (await stat(file)).size, created };
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  }
}

/** In a process of its own, which ends with the signal. */
async function pack(folder: string, file: string, passphrase: string, signal: AbortSignal): Promise<void> {
  const child = fork(PACKER, [folder, file], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], signal });
  let reason = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    reason = (reason + text).slice(-MOST_REASON_CHARACTERS);
  });
  child.once('message', () => child.send(passphrase));
  const exit = Promise.withResolvers<number | null>();
  child.once('exit', exit.resolve);
  // One that was ended by the signal has an exit as well; one that could not be started has not.
  child.on('error', (error) => {
    if (child.pid !== undefined) return;
    reason = error.message;
    exit.resolve(null);
  });
  if ((await exit.promise) === 0) return;
  // What the signal ended removes nothing itself.
  await rm(draftOf(file), { force: true });
  signal.throwIfAborted();
  throw new Error(`Failed to write ${basename(file)}: ${reason}`);
}

/** Epoch ms at which the embedded database was made: this file of it is written once. Null if there is none. */
export async function databaseCreated(dataDir: string): Promise<number | null> {
  const version = await stat(join(dataDir, DATABASE_FOLDER, 'PG_VERSION')).catch(() => null);
  return version === null ? null : version.mtimeMs;
}

interface MadeBackup {
  readonly name: string;
  readonly at: number;
}

/** The identifier in the names of scheduled backups of this data directory; null if it has no embedded database. */
export function identifierIn(dataDir: string): Promise<string | null> {
  return databaseIdentifier(join(dataDir, DATABASE_FOLDER));
}

/** Those of the schedule of one installation until `now`, the oldest first. */
export async function madeIn(folder: string, id: string, now: number): Promise<readonly MadeBackup[]> {
  return (await readdir(folder))
    .flatMap((name) => {
      const [, of, time] = NAME.exec(name) ?? [];
      return time === undefined || of !== id
        ? []
        : [{ name, at: Temporal.Instant.from(`${time}Z`).epochMilliseconds }];
    })
    .filter(({ at }) => at <= now)
    .toSorted((a, b) => a.at - b.at);
}

function isDraftOf(id: string, name: string): boolean {
  return name.startsWith(`tributary-${id}-`) && name.endsWith(draftOf(''));
}

function nameOf(id: string, at: number): string {
  return `tributary-${id}-${new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar.gz.age`;
}
