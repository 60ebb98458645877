import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { systemClock } from '../platform/clock.ts';
import { MigrationBlocked } from '../vocabulary/store-unavailable.ts';
import { advisoryHolders, BlockerWatch, type OnWait } from './blockers.ts';
import type { Db, OpenDatabase } from './database.ts';
import { type ConcurrentIndexes, createIndex } from './index-builds.ts';
import { isCancelled, isLockFailure } from './sql-states.ts';
import { MAINTENANCE_MS, withStatementDeadline } from './statement-deadline.ts';

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
  /** How often a longer wait is reported. */
  readonly reportMs: number;
  /** What a statement may take in all, except the build of an index. */
  readonly statementMs: number;
}

export const LOCK_WAITS: LockWaits = {
  lockMs: 3_000,
  pauseMs: 2_000,
  attempts: 12,
  reportMs: 60_000,
  statementMs: MAINTENANCE_MS,
};

export interface ApplyOptions {
  readonly waits?: LockWaits;
  readonly onWait?: OnWait;
  /**
   * Called once no other process migrates, and before anything is applied: others may have migrated in the meantime.
   * What it raises leaves the database as it is.
   */
  readonly whenAlone?: () => Promise<void>;
}

/** Kysely's own lock: processes of every version take it. */
export const MIGRATION_LOCK = '3853314791062309107';
const LOCK_POLL_MS = 200;

/**
 * Applies what is pending. Returns the names applied now. On Postgres each migration is one transaction, so that no lock
 * lasts longer than one needs it, and what is complete stays if a later one fails. On the embedded database, which has no
 * other user, all are one transaction: a failed upgrade leaves it to the earlier version.
 * @throws MigrationBlocked if a lock was not free within the attempts, or the build of an index was cancelled
 */
export async function applyChanges(
  { db, kind }: Pick<OpenDatabase, 'db' | 'kind'>,
  changes: SchemaChanges,
  { waits = LOCK_WAITS, onWait = () => undefined, whenAlone = async () => undefined }: ApplyOptions = {},
): Promise<string[]> {
  if (kind === 'postgres') {
    const options = { waits, onWait, whenAlone };
    return withStatementDeadline(waits.statementMs, () => applyInTurn(db, changes, options));
  }
  await whenAlone();
  return withStatementDeadline(waits.statementMs, () => applyAtOnce(db, changes));
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

async function applyAtOnce(db: Db, changes: SchemaChanges): Promise<string[]> {
  const { error, results = [] } = await migratorOf(db, changes).migrateToLatest();
  if (error !== undefined) throw error;
  return results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName);
}

async function applyInTurn(
  db: Db,
  changes: SchemaChanges,
  { whenAlone, ...options }: Required<ApplyOptions>,
): Promise<string[]> {
  return db.connection().execute(async (connection) => {
    await takeMigrationLock(connection, options);
    try {
      await whenAlone();
      const applied: string[] = [];
      for (const name of await pendingOf(connection, changes)) {
        await applyNext(db, connection, { ...options, name, changes });
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
 * an index waits, while the process that builds it has the lock. Without an end, because an index of a large table may
 * take hours, and the lock ends with the session of a process that dies.
 */
async function takeMigrationLock(connection: Db, { waits, onWait }: Waiting): Promise<void> {
  let reported = performance.now();
  for (;;) {
    const { rows } = await sql<{ taken: boolean }>`
      select pg_try_advisory_lock(${sql.lit(MIGRATION_LOCK)}::bigint) as taken`.execute(connection);
    if (rows[0]?.taken === true) return;
    if (performance.now() - reported >= waits.reportMs) {
      reported = performance.now();
      const by = inWords(await advisoryHolders(connection, MIGRATION_LOCK));
      onWait(`Another process migrates the database; this one waits for ${by}.`);
    }
    await systemClock.sleep(LOCK_POLL_MS);
  }
}

type Waiting = Pick<Required<ApplyOptions>, 'waits' | 'onWait'>;

interface Step extends Waiting {
  readonly name: string;
  readonly changes: SchemaChanges;
}

async function applyNext(db: Db, connection: Db, { name, changes, waits, onWait }: Step): Promise<void> {
  const change = changes[name];
  const disableTransactions = change !== undefined && 'indexes' in change;
  const migrator = migratorOf(connection, changes, waits.lockMs);
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
  await using watch = new BlockerWatch(db, {
    pid: rows[0]?.pid ?? 0,
    everyMs: waits.lockMs / 4,
    reportMs: waits.reportMs,
    onBlocked: (blockers) => onWait(`The migration "${name}" waits for ${inWords(blockers)}.`),
  });
  for (let attempt = 1; ; attempt++) {
    const { error } = await migrator.migrateUp({ disableTransactions });
    if (error === undefined) return;
    if (disableTransactions && isCancelled(error)) throw cancelled(name, watch.found, error);
    if (!isLockFailure(error)) throw error;
    if (attempt >= waits.attempts) throw blocked(name, waits, watch.found, error);
    await systemClock.sleep(waits.pauseMs);
  }
}

function blocked(
  name: string,
  { lockMs, attempts }: LockWaits,
  blockers: readonly string[],
  cause: unknown,
): MigrationBlocked {
  return new MigrationBlocked(
    `The migration "${name}" did not get a lock that it needs, in ${attempts} attempts of ${lockMs / 1000} s each: it is ` +
      `blocked by ${inWords(blockers)}. ${ADVICE}`,
    { cause },
  );
}

function cancelled(name: string, blockers: readonly string[], cause: unknown): MigrationBlocked {
  const waited =
    blockers.length === 0 ? 'It did not wait for another session' : `It waited for ${inWords(blockers)}`;
  return new MigrationBlocked(
    `The migration "${name}" builds an index, and the server cancelled that. ${waited}. ${ADVICE}`,
    { cause },
  );
}

const ADVICE =
  'Wait for that session or end it (select pg_terminate_backend(…)), and start again. What was applied before it stays, ' +
  'and running processes are not affected.';

function inWords(sessions: readonly string[]): string {
  return sessions.length === 0 ? 'a session that has ended since' : sessions.join(' and ');
}
