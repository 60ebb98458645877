import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { MigrationBlocked } from '../vocabulary/store-unavailable.ts';
import type { Db, OpenDatabase } from './database.ts';
import { isLockFailure } from './sql-states.ts';
import { MAINTENANCE_MS, withStatementDeadline } from './statement-deadline.ts';

/** Indexes on tables that exist, which Postgres builds while rows are written. */
export interface ConcurrentIndexes {
  readonly indexes: readonly NewIndex[];
}

export interface NewIndex {
  readonly name: string;
  readonly unique?: boolean;
  /** What follows `on`: the table, the columns, and a condition if there is one. */
  readonly on: string;
}

/** One migration: statements in a transaction, or indexes outside of one. */
export type SchemaChange = Migration | ConcurrentIndexes;

/** By name, applied in that order. */
export type SchemaChanges = Readonly<Record<string, SchemaChange>>;

/** How a migration waits for a lock on a table that other processes use. */
export interface LockWaits {
  /** What a statement waits at most: statements of others on that table wait behind it. */
  readonly lockMs: number;
  /** Between two attempts, in which those others have their turn. */
  readonly pauseMs: number;
  readonly attempts: number;
}

export const LOCK_WAITS: LockWaits = { lockMs: 3_000, pauseMs: 2_000, attempts: 12 };

/** Kysely's own lock: processes of every version take it. */
const MIGRATION_LOCK = '3853314791062309107';
const LOCK_POLL_MS = 200;

/**
 * Applies what is pending. Returns the names applied now. On Postgres each migration is one transaction, so that no lock
 * lasts longer than one needs it, and what is complete stays if a later one fails. On the embedded database, which has no
 * other user, all are one transaction: a failed upgrade leaves it to the earlier version.
 * @throws MigrationBlocked if a lock was not free within the attempts
 */
export async function applyChanges(
  { db, kind }: Pick<OpenDatabase, 'db' | 'kind'>,
  changes: SchemaChanges,
  waits: LockWaits = LOCK_WAITS,
): Promise<string[]> {
  return withStatementDeadline(MAINTENANCE_MS, () =>
    kind === 'embedded' ? applyAtOnce(db, changes) : applyInTurn(db, changes, waits),
  );
}

/**
 * Branches are merged in any order, so a database may have a higher number before a lower one; none builds on another's
 * gap.
 */
export function migratorOf(db: Db, changes: SchemaChanges, lockMs: number | null = null): Migrator {
  const migrations = Object.entries(changes).map(([name, change]) => [name, asMigration(change, lockMs)]);
  const getMigrations = async (): Promise<Record<string, Migration>> => Object.fromEntries(migrations);
  return new Migrator({ db, provider: { getMigrations }, allowUnorderedMigrations: true });
}

/** @param lockMs null: within the transaction of a database that has no other user */
function asMigration(change: SchemaChange, lockMs: number | null): Migration {
  if ('indexes' in change) {
    return {
      up: async (db) => {
        for (const index of change.indexes) await createIndex(db, index, lockMs !== null);
      },
    };
  }
  if (lockMs === null) return change;
  return {
    up: async (db) => {
      await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(db);
      await change.up(db);
    },
  };
}

/** An interrupted build leaves an index that is not valid, and would otherwise stay so under this name. */
async function createIndex(
  db: Parameters<Migration['up']>[0],
  { name, unique = false, on }: NewIndex,
  concurrently: boolean,
): Promise<void> {
  const way = sql.raw(concurrently ? 'concurrently ' : '');
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(db);
  if (rows[0]?.valid === true) return;
  if (rows.length > 0) await sql`drop index ${way}${sql.id(name)}`.execute(db);
  await sql`create ${sql.raw(unique ? 'unique ' : '')}index ${way}${sql.id(name)} on ${sql.raw(on)}`.execute(
    db,
  );
}

async function applyAtOnce(db: Db, changes: SchemaChanges): Promise<string[]> {
  const { error, results = [] } = await migratorOf(db, changes).migrateToLatest();
  if (error !== undefined) throw error;
  return results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName);
}

async function applyInTurn(db: Db, changes: SchemaChanges, waits: LockWaits): Promise<string[]> {
  return db.connection().execute(async (connection) => {
    await takeMigrationLock(connection);
    try {
      const applied: string[] = [];
      for (const name of await pendingOf(connection, changes)) {
        await applyNext(db, connection, { name, changes, waits });
        applied.push(name);
      }
      return applied;
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(MIGRATION_LOCK)}::bigint)`.execute(connection);
    }
  });
}

/** Names of migrations that are not applied yet, in the order in which they will be. */
export async function pendingOf(db: Db, changes: SchemaChanges): Promise<string[]> {
  return (await migratorOf(db, changes).getMigrations())
    .filter(({ executedAt }) => executedAt === undefined)
    .map(({ name }) => name);
}

/**
 * Asked for again and again: a statement that waits for it would have a snapshot, for whose end the concurrent build of
 * an index waits, while the process that builds it has the lock.
 */
async function takeMigrationLock(connection: Db): Promise<void> {
  const end = performance.now() + MAINTENANCE_MS;
  for (;;) {
    const { rows } = await sql<{ taken: boolean }>`
      select pg_try_advisory_lock(${sql.lit(MIGRATION_LOCK)}::bigint) as taken`.execute(connection);
    if (rows[0]?.taken === true) return;
    if (performance.now() >= end) {
      throw new MigrationBlocked(
        'Another process has been migrating the database for ten minutes. Wait for it to end, and start again.',
      );
    }
    await pause(LOCK_POLL_MS);
  }
}

interface Step {
  readonly name: string;
  readonly changes: SchemaChanges;
  readonly waits: LockWaits;
}

async function applyNext(db: Db, connection: Db, { name, changes, waits }: Step): Promise<void> {
  const change = changes[name];
  const disableTransactions = change !== undefined && 'indexes' in change;
  const migrator = migratorOf(connection, changes, waits.lockMs);
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
  const pid = rows[0]?.pid ?? 0;
  await using watch = new BlockerWatch(db, pid, waits.lockMs / 4);
  for (let attempt = 1; ; attempt++) {
    const { error } = await migrator.migrateUp({ disableTransactions });
    if (error === undefined) return;
    if (!isLockFailure(error)) throw error;
    if (attempt >= waits.attempts) throw blocked(name, waits, watch.found, error);
    await pause(waits.pauseMs);
  }
}

function blocked(
  name: string,
  { lockMs, attempts }: LockWaits,
  blockers: readonly string[],
  cause: unknown,
): MigrationBlocked {
  const by = blockers.length === 0 ? 'a session that has ended since' : blockers.join(' and ');
  return new MigrationBlocked(
    `The migration "${name}" did not get a lock that it needs, in ${attempts} attempts of ${lockMs / 1000} s each: it is ` +
      `blocked by ${by}. Wait for that session or end it (select pg_terminate_backend(…)), and start again. What was ` +
      'applied before it stays, and running processes are not affected.',
    { cause },
  );
}

/** Looks for the sessions that a session waits for, on a connection of its own. */
class BlockerWatch implements AsyncDisposable {
  readonly #db: Db;
  readonly #pid: number;
  readonly #over = new AbortController();
  readonly #watching: Promise<void>;
  /** Those of the last wait, each in words. */
  found: readonly string[] = [];

  constructor(db: Db, pid: number, everyMs: number) {
    this.#db = db;
    this.#pid = pid;
    this.#watching = this.#watch(everyMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#watching;
  }

  async #watch(everyMs: number): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      await pause(everyMs, signal);
      // A migration does not fail because nothing can be said about what it waits for.
      if (!signal.aborted) await withStatementDeadline(null, () => this.#look()).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const { rows } = await sql<{
      pid: number;
      program: string;
      state: string | null;
      seconds: number | null;
    }>`
      select pid, application_name as program, state, extract(epoch from now() - xact_start)::int as seconds
      from pg_stat_activity where pid = any(pg_blocking_pids(${this.#pid}))`.execute(this.#db);
    if (rows.length === 0) return;
    this.found = rows.map(
      ({ pid, program, state, seconds }) =>
        `session ${pid} of the server (${[program === '' ? 'unnamed program' : program, state ?? 'state unknown'].join(', ')}` +
        `${seconds === null ? '' : `, in a transaction for ${seconds} s`})`,
    );
  }
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done, { once: true });
  });
}
