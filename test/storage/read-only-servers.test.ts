import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { openDatabase } from '../../src/storage/database.ts';
import { isStoreUnavailable } from '../../src/vocabulary/store-unavailable.ts';
import { createServerDatabase } from '../support/database.ts';
import { eventually } from '../support/patience.ts';

const skip = (process.env.DATABASE_URL ?? '') === '' ? 'needs a Postgres server in DATABASE_URL' : false;

/** A database whose new connections are like those to a standby, as long as `readOnly(true)`. */
async function openSwitched() {
  const server = await createServerDatabase();
  assert.ok(server !== null);
  const name = new URL(server.url).pathname.slice(1);
  const readOnly = async (on: boolean): Promise<void> => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query('set transaction_read_only = off');
    await client.query(
      `begin read write; alter database ${name} set default_transaction_read_only = ${on}; commit`,
    );
    await client.end();
  };
  const said: (string | null)[] = [];
  const database = await openDatabase(
    { kind: 'postgres', url: server.url },
    { onAvailability: (reason) => said.push(reason?.message ?? null) },
  );
  const close = async (): Promise<void> => {
    await database.close();
    await server.drop();
  };
  const write = () => sql`create table if not exists written (at timestamptz)`.execute(database.db);
  const read = () => sql`select 1`.execute(database.db);
  return { database, readOnly, said, close, write, read };
}

describe('a server that takes no writes, such as the standby of a cluster', {
  skip,
  timeout: 120_000,
}, () => {
  test('is unreachable for us, also for reads, until it is the primary', async (t) => {
    const { readOnly, said, close, write, read } = await openSwitched();
    t.after(close);
    await readOnly(true);
    await assert.rejects(read(), isStoreUnavailable);
    await eventually(() => said.length > 0);
    assert.match(said[0] ?? '', /only reads/);
    await readOnly(false);
    await eventually(() => said.at(-1) === null);
    await write();
  });

  test('loses its connections once it has refused a write, and they are not given to others', async (t) => {
    const { database, said, close, write } = await openSwitched();
    t.after(close);
    // Where a proxy keeps the connection, nothing else shows that the server has been demoted.
    await sql`set default_transaction_read_only = on`.execute(database.db);
    await assert.rejects(write(), isStoreUnavailable);
    await write();
    assert.deepEqual(said, []);
  });
});
