import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely';
import pg from 'pg';
import { DEFAULT_LIMITS } from '../vocabulary/limits.ts';
import type { OnAvailability } from './availability.ts';
import { EmbeddedDialect } from './embedded/embedded-dialect.ts';
import { EmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { INT8 } from './embedded/messages.ts';
import { DeadlinePool } from './postgres/deadline-pool.ts';
import type { Tables } from './tables.ts';
import { withUnits } from './unit-driver.ts';

/** What a repository function runs its statements on: the database or a transaction. */
export type Db = Kysely<Tables>;
export type Trx = KyselyTransaction<Tables>;

/** Connections of one process to a Postgres server, without the one that receives notices. */
export const POOL_CONNECTIONS = 10;

/** The database: Postgres when an address is given, else PGlite in the data directory. */
export type DatabaseSource =
  | { readonly kind: 'postgres'; readonly url: string; readonly schema?: string }
  | { readonly kind: 'embedded'; readonly dataDir: string | null };

/** What the service needs from an embedded Postgres: one in its own thread, or in tests PGlite itself. */
export interface Embedded
  extends Pick<
    EmbeddedPostgres,
    'query' | 'transaction' | 'exec' | 'close' | 'closed' | 'ready' | 'waitReady'
  > {
  listen(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>>;
  /** Absent if the database cannot become unreachable. */
  onReopened?(callback: () => void): void;
  hurry?(ms: number): void;
}

export interface OpenDatabase {
  readonly db: Db;
  readonly kind: 'postgres' | 'embedded';
  /** Present for the embedded database: the queue shares the one connection. */
  readonly pglite: Embedded | null;
  readonly pool: DeadlinePool | null;
  /** For a service that is stopping: no statement, including those running, may take longer than `ms` from now on. */
  hurry(ms: number): void;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** How long an ordinary statement may take, in milliseconds (`statement_deadline_ms`). */
  readonly statementMs?: number;
  readonly onAvailability?: OnAvailability;
}

/**
 * Opens the database. `dataDir: null` keeps an embedded database in memory, for tests. Raises what the driver raises if
 * the embedded database cannot be opened; a server is not contacted before it is used.
 */
export async function openDatabase(
  source: DatabaseSource,
  options: DatabaseOptions = {},
): Promise<OpenDatabase> {
  if (source.kind === 'postgres') return openPostgres(source, options);
  return openEmbeddedInstance(await EmbeddedPostgres.openIn(source.dataDir, options), options);
}

/** Wraps a running embedded instance; closing the database closes it. */
export function openEmbeddedInstance(pglite: Embedded, options: DatabaseOptions = {}): OpenDatabase {
  const waitMs = options.statementMs ?? DEFAULT_LIMITS.statement_deadline_ms;
  const db = new Kysely<Tables>({ dialect: withUnits(new EmbeddedDialect(pglite), { waitMs }) });
  const close = async (): Promise<void> => {
    await db.destroy();
    // Kysely only closes what it has used.
    if (!pglite.closed) await pglite.close();
  };
  return { db, kind: 'embedded', pglite, pool: null, hurry: (ms) => pglite.hurry?.(ms), close };
}

function openPostgres(source: { url: string; schema?: string }, options: DatabaseOptions): OpenDatabase {
  const { statementMs = DEFAULT_LIMITS.statement_deadline_ms, onAvailability } = options;
  const pool = new DeadlinePool({
    config: {
      connectionString: source.url,
      max: POOL_CONNECTIONS,
      application_name: 'tributary',
      types: {
        getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
      },
      ...(source.schema === undefined ? {} : { options: `-c search_path=${source.schema}` }),
    },
    statementMs,
    ...(onAvailability && { onAvailability }),
  });
  const db = new Kysely<Tables>({ dialect: withUnits(new PostgresDialect({ pool }), null) });
  const close = async (): Promise<void> => {
    await db.destroy();
    // Kysely ends only a pool that it has used.
    if (!pool.ended) await pool.end();
  };
  return { db, kind: 'postgres', pglite: null, pool, hurry: (ms) => pool.hurry(ms), close };
}
