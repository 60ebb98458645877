import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, type Transaction as KyselyTransaction, PGliteDialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import { INT8 } from './embedded/conversions.ts';
import { EmbeddedPostgres } from './embedded/embedded-postgres.ts';
import type { Tables } from './tables.ts';
import { withUnits } from './unit-driver.ts';

/** Whatever a repository function runs its statements on: the database or a transaction of it. */
export type Db = Kysely<Tables>;
export type Trx = KyselyTransaction<Tables>;

/** What we remember (design section 3): Postgres when an address is given, else PGlite in the data directory. */
export type DatabaseSource =
  | { readonly kind: 'postgres'; readonly url: string; readonly schema?: string }
  | { readonly kind: 'embedded'; readonly dataDir: string | null };

/** What the service needs of an embedded Postgres: one in its own thread, or in tests PGlite itself. */
export interface Embedded
  extends Pick<
    EmbeddedPostgres,
    'query' | 'transaction' | 'exec' | 'close' | 'closed' | 'ready' | 'waitReady'
  > {
  listen(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>>;
}

export interface OpenDatabase {
  readonly db: Db;
  readonly kind: 'postgres' | 'embedded';
  /** Present for the embedded database: the queue shares the one connection. */
  readonly pglite: Embedded | null;
  readonly pool: pg.Pool | null;
  close(): Promise<void>;
}

/**
 * Opens the database. `dataDir: null` keeps an embedded database in memory, for tests.
 * Raises what the driver raises when the server cannot be reached.
 */
export async function openDatabase(source: DatabaseSource): Promise<OpenDatabase> {
  return source.kind === 'postgres' ? openPostgres(source) : openEmbedded(source.dataDir);
}

async function openEmbedded(dataDir: string | null): Promise<OpenDatabase> {
  let location = 'memory://';
  if (dataDir !== null) {
    location = join(dataDir, 'database');
    await mkdir(location, { recursive: true, mode: 0o700 });
  }
  return openEmbeddedInstance(await EmbeddedPostgres.open(location));
}

/** Wraps a running embedded instance; closing the database closes it. */
export function openEmbeddedInstance(pglite: Embedded): OpenDatabase {
  const db = new Kysely<Tables>({ dialect: withUnits(new PGliteDialect({ pglite }), true) });
  return { db, kind: 'embedded', pglite, pool: null, close: () => db.destroy() };
}

async function openPostgres(source: { url: string; schema?: string }): Promise<OpenDatabase> {
  const pool = new pg.Pool({
    connectionString: source.url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'tributary',
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) },
    ...(source.schema === undefined ? {} : { options: `-c search_path=${source.schema}` }),
  });
  // A connection that breaks fails its query, and the pool drops it. It also emits an error, on the pool while idle and
  // on itself while lent out; one that nobody listens to would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Tables>({ dialect: withUnits(new PostgresDialect({ pool }), false) });
  return { db, kind: 'postgres', pglite: null, pool, close: () => db.destroy() };
}
