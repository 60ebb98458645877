import { sql } from 'kysely';
import { type DataLock, takeDataLock } from '../../platform/data-lock.ts';
import { type Db, type OpenDatabase, openDatabase, POOL_CONNECTIONS } from '../../storage/database.ts';
import { pendingMigrations } from '../../storage/migrator.ts';
import { listeningProcesses } from '../../storage/processes.ts';
import { type Finding, fail, ok, reasonOf, warn } from './finding.ts';
import { ownedByService } from './machine-checks.ts';

/** As `server_version_num`: the version that the service is tested with. */
const OLDEST_POSTGRES = 150_000;
/** The pool, the connection for notices, and two for a moment at its start: docs/high-availability.md#settings. */
const CONNECTIONS_OF_PROCESS = POOL_CONNECTIONS + 3;
const ANSWER_MS = 5_000;

/** A Postgres server as the service will use it. Looks only: the schema is left as it is. */
export async function checkPostgres(url: string): Promise<readonly Finding[]> {
  const database = await openDatabase({ kind: 'postgres', url }, { statementMs: ANSWER_MS });
  const { db } = database;
  try {
    const settings = await settingsOf(db);
    const pending = await pendingMigrations(db);
    return [
      ok('database', 'the Postgres server answers'),
      ...checkVersion(settings.version),
      ...checkEncoding(settings.encoding),
      ...checkDurability(settings),
      ...checkRole(settings.superuser),
      ...checkConnections(settings),
      ...(await checkPooler(database)),
      checkMigrations(pending),
    ];
  } catch (error) {
    return [fail('database', `the Postgres server cannot be used: ${reasonOf(error)}`)];
  } finally {
    await database.close();
  }
}

/**
 * The embedded database that a command would open. Leaves the schema as it is; checks nothing while another process has
 * the database open, since that process has updated it.
 */
export async function checkEmbedded(dataDir: string): Promise<readonly Finding[]> {
  let lock: DataLock | null;
  try {
    lock = await takeDataLock(dataDir);
  } catch (error) {
    return [
      fail(
        'storage',
        `the lock of the data directory cannot be taken: ${reasonOf(error)}`,
        ownedByService(dataDir),
      ),
    ];
  }
  if (lock === null) return [];
  try {
    const database = await openDatabase({ kind: 'embedded', dataDir }, { statementMs: ANSWER_MS });
    try {
      return [checkMigrations(await pendingMigrations(database.db))];
    } finally {
      await database.close();
    }
  } catch (error) {
    return [fail('storage', `the embedded database cannot be opened: ${reasonOf(error)}`)];
  } finally {
    lock.release();
  }
}

function checkMigrations(pending: readonly string[]): Finding {
  return pending.length === 0
    ? ok('migrations', 'the schema is up to date')
    : fail('migrations', `pending: ${pending.length}, the first being ${pending[0]}`);
}

interface SettingsRow {
  readonly version: number;
  readonly encoding: string;
  readonly fsync: string;
  readonly pages: string;
  readonly commits: string;
  readonly superuser: boolean;
  /** Of the server, without those it keeps for superusers; of the database and of the role, -1 if they set none. */
  readonly most: number;
  readonly of_database: number;
  readonly of_role: number;
  readonly workers: number;
}

interface Settings extends SettingsRow {
  readonly processes: number;
}

async function settingsOf(db: Db): Promise<Settings> {
  const { rows: tables } = await sql<{ known: boolean }>`
    select to_regclass('worker_processes') is not null as known`.execute(db);
  const workers = tables[0]?.known === true ? sql`(select count(*)::int from worker_processes)` : sql`0`;
  const { rows } = await sql<SettingsRow>`
    select current_setting('server_version_num')::int as version, pg_encoding_to_char(encoding) as encoding,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
      current_setting('synchronous_commit') as commits, rolsuper as superuser,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
      datconnlimit as of_database, rolconnlimit as of_role, ${workers} as workers
    from pg_database, pg_roles where datname = current_database() and rolname = current_user`.execute(db);
  const [settings] = rows;
  if (settings === undefined) throw new Error('it does not say how it is set up');
  // Those that take no work are known by their connection for notices.
  return { ...settings, processes: Math.max(settings.workers, await listeningProcesses(db)) };
}

/** @param version as `server_version_num` */
export function checkVersion(version: number): Finding[] {
  const shown = Math.floor(version / 10_000);
  return version >= OLDEST_POSTGRES
    ? [ok('database version', `Postgres ${shown}`)]
    : [fail('database version', `Postgres ${shown} is older than ${OLDEST_POSTGRES / 10_000}`)];
}

function checkEncoding(encoding: string): Finding[] {
  return encoding === 'UTF8' ? [] : [fail('database encoding', `the encoding is ${encoding}`)];
}

function checkDurability({ fsync, pages, commits }: Settings): Finding[] {
  const off = Object.entries({ fsync, full_page_writes: pages, synchronous_commit: commits })
    .filter(([, value]) => value === 'off')
    .map(([name]) => name);
  return off.length === 0
    ? []
    : [warn('database durability', `${off.join(', ')} ${off.length === 1 ? 'is' : 'are'} off`)];
}

function checkRole(superuser: boolean): Finding[] {
  return superuser
    ? [
        warn(
          'database role',
          'the role in DATABASE_URL is a superuser, who can read every database of the server',
        ),
      ]
    : [];
}

function checkConnections({ most, of_database, of_role, processes, superuser }: Settings): Finding[] {
  const needed = CONNECTIONS_OF_PROCESS * Math.max(1, processes);
  const limits = [most, of_database, ...(superuser ? [] : [of_role])].filter((limit) => limit >= 0);
  const allowed = Math.min(...limits);
  if (allowed >= needed) return [];
  return [
    warn(
      'database connections',
      `${allowed} are allowed, and ${needed} are used by ${Math.max(1, processes)} processes`,
    ),
  ];
}

/** Startup refuses such a pooler as well. */
async function checkPooler({ pool }: OpenDatabase): Promise<Finding[]> {
  if (pool === null || !(await pool.sharesSessions())) return [];
  return [fail('connection pooler', 'two connections of this process share one of the server')];
}
