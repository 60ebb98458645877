import pg from 'pg';
import { parseKeyring } from '../../../src/platform/keyring.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { migrate } from '../../../src/storage/migrator.ts';
import { fill } from './fill.ts';

/** A database with account records in it, on a server of one's own. */
export interface FilledDatabase {
  readonly records: number;
  readonly url: string;
}

/**
 * The database of that many account records: made and filled, unless an earlier call left it. Everything is sealed under
 * the key.
 */
export async function filledDatabase(
  server: string,
  records: number,
  key: string,
  name = `tributary_scale_${records}`,
): Promise<FilledDatabase> {
  const url = new URL(server);
  url.pathname = `/${name}`;
  const isNew = await withClient(server, async (client) => {
    const found = await client.query('select from pg_database where datname = $1', [name]);
    if (found.rows.length > 0) return false;
    await client.query(`create database ${name}`);
    return true;
  });
  const database = await openDatabase({ kind: 'postgres', url: url.href });
  await migrate(database).finally(() => database.close());
  if (isNew) {
    const keyring = parseKeyring(key, 'the key of the filled database');
    await withClient(url.href, (client) => fill(client, records, keyring));
  }
  return { records, url: url.href };
}

/** Removes it, and who uses it. */
export async function dropDatabase(server: string, { url }: FilledDatabase): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`));
}

/** Raises what the server raises. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
