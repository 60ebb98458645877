import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { withStatementDeadline } from './statement-deadline.ts';

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

type Connection = Parameters<Migration['up']>[0];

/**
 * How long a concurrent build may take: it reads the table twice and waits for every older snapshot, so that a build
 * which is cut short begins from nothing at the next start. It delays no one meanwhile.
 */
const BUILD_MS = 24 * 3_600_000;

/**
 * Builds an index unless it is there and valid. An interrupted build leaves an index that is not valid, which would stay
 * so under this name, and which enforces a `unique` on writes nevertheless: it is dropped, at once if the build fails.
 */
export async function createIndex(db: Connection, index: NewIndex, concurrently: boolean): Promise<void> {
  if (concurrently) return withStatementDeadline(BUILD_MS, () => createConcurrently(db, index));
  const valid = await isValid(db, index);
  if (valid === false) await sql`drop index ${sql.id(index.name)}`.execute(db);
  if (valid !== true)
    await sql`create ${what(index)} ${sql.id(index.name)} on ${sql.raw(index.on)}`.execute(db);
}

async function createConcurrently(db: Connection, index: NewIndex): Promise<void> {
  const name = sql.id(index.name);
  const drop = () => sql`drop index concurrently if exists ${name}`.execute(db);
  const valid = await isValid(db, index);
  if (valid === true) return;
  if (valid === false) await drop();
  try {
    await sql`create ${what(index)} concurrently ${name} on ${sql.raw(index.on)}`.execute(db);
  } catch (error) {
    // If it cannot be dropped, such as on a broken connection, the next build drops it.
    await drop().catch(() => undefined);
    throw error;
  }
}

/** Null if there is no such index. */
async function isValid(db: Connection, { name }: NewIndex): Promise<boolean | null> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(db);
  return rows[0]?.valid ?? null;
}

function what({ unique = false }: NewIndex) {
  return sql.raw(unique ? 'unique index' : 'index');
}
