import { migratedKeyring } from '../features/encryption/open-keyring.ts';
import { type Config, ConfigError } from '../platform/config.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Log } from '../platform/log.ts';
import { type OpenDatabase, openDatabase, openEmbeddedInstance } from '../storage/database.ts';
import type { EmbeddedPostgres } from '../storage/embedded/embedded-postgres.ts';
import { databaseOptions } from './early-database.ts';

/**
 * Opens the database of the configuration.
 *
 * @param embedded the embedded database, if it is being opened already; closed with what this returns
 */
export async function openStorage(
  config: Config,
  log: Log,
  embedded: Promise<EmbeddedPostgres> | null = null,
): Promise<OpenDatabase> {
  const options = databaseOptions(config, log);
  if (embedded !== null) return openEmbeddedInstance(await embedded, options);
  return config.databaseUrl === null
    ? openDatabase({ kind: 'embedded', dataDir: config.dataDir }, options)
    : openDatabase({ kind: 'postgres', url: config.databaseUrl }, options);
}

/** A notice that a key was revoked would not arrive, and deadlines of one process would apply to another. */
const SHARED_SESSIONS = {
  variable: 'DATABASE_URL',
  problem:
    'leads to a connection pooler that lends connections by the transaction, with which notices between processes are ' +
    'lost. Set pool_mode = session in PgBouncer, or use the address of the server itself (docs/high-availability.md)',
};

/**
 * Migrates the schema and checks that the keys open its secrets.
 * @throws ConfigError for a database behind a pooler that cannot be used
 */
export async function preparedStorage(
  database: OpenDatabase,
  config: Config,
  log: Pick<Log, 'info'>,
): Promise<Keyring> {
  const { pool } = database;
  if (pool !== null && (await pool.sharesSessions())) throw new ConfigError([SHARED_SESSIONS]);
  return migratedKeyring(database, config, (text) => log.info(text));
}
