import { Kysely, PostgresDialect } from 'kysely';
import type { Db, OpenDatabase } from './database.ts';
import { DeadlinePool } from './postgres/deadline-pool.ts';
import type { Tables } from './tables.ts';

const CONNECTIONS = 4;

/** Connections for counting alone: strangers who send many requests must not take those that everything else needs. */
export interface CounterDatabase {
  readonly db: Db;
  readonly pool: Pick<DeadlinePool, 'query'>;
  close(): Promise<void>;
}

/** Null for the embedded database, which has one process. @param patienceMs after which a statement fails */
export function openCounterDatabase(database: OpenDatabase, patienceMs: number): CounterDatabase | null {
  if (database.pool === null) return null;
  const pool = new DeadlinePool({
    config: { ...database.pool.options, max: CONNECTIONS },
    statementMs: patienceMs,
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => pool.end() };
}

/** Deletes what ended before `before`: counters of past windows, and callers without a heavy request. */
export async function deletePastCounts(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('rate_counters').where('expire', '<', before.getTime()).execute();
  await db.deleteFrom('heavy_slots').where('until', '<', before).execute();
}
