import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { type OpenDatabase, openDatabase } from '../../src/storage/database.ts';
import { applyChanges, LOCK_WAITS, type SchemaChanges } from '../../src/storage/schema-changes.ts';
import { MigrationBlocked } from '../../src/vocabulary/store-unavailable.ts';
import { serverUrlOf } from '../support/database.ts';

const INDEX = 'numbers_value';
const CHANGES: SchemaChanges = {
  '9001-index': { indexes: [{ name: INDEX, unique: true, on: 'numbers (value)' }] },
};

/** A database with one table and no list of migrations. */
async function numbers(t: TestContext) {
  const url = await serverUrlOf(t);
  if (url === null) return null;
  const database = await openDatabase({ kind: 'postgres', url });
  t.after(() => database.close());
  await sql`drop schema public cascade`.execute(database.db);
  await sql`create schema public`.execute(database.db);
  await sql`create table numbers (value int)`.execute(database.db);
  return { url, database };
}

async function connected(t: TestContext, connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: 'a long report' });
  // The database is dropped first.
  client.on('error', () => undefined);
  await client.connect();
  t.after(() => client.end());
  return client;
}

/** Whether each index of the table is valid. */
async function indexes({ db }: OpenDatabase): Promise<readonly boolean[]> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indrelid = 'numbers'::regclass`.execute(db);
  return rows.map(({ valid }) => valid);
}

/** The session that builds the index, once it waits for a transaction to end. */
async function builder(client: pg.Client): Promise<number> {
  for (;;) {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and query like 'create unique index%'
       and wait_event = 'virtualxid'`,
    );
    const [found] = rows;
    if (found !== undefined) return found.pid;
    await pause(20);
  }
}

test('The build of an index waits for a long snapshot beyond the deadline of migrations, and says what it waits for', async (t) => {
  const opened = await numbers(t);
  if (opened === null) return;
  const long = await connected(t, opened.url);
  const other = await connected(t, opened.url);
  await long.query('begin isolation level repeatable read; select count(*) from pg_class');
  const waits = { ...LOCK_WAITS, lockMs: 100, reportMs: 100, statementMs: 500 };
  const said: string[] = [];
  const building = applyChanges(opened.database, CHANGES, { waits, onWait: (text) => said.push(text) });
  building.catch(() => undefined);
  const pid = await builder(other);
  const { rows } = await other.query<{ query: string }>('select query from pg_stat_activity where pid = $1', [
    pid,
  ]);
  assert.match(rows[0]?.query ?? '', /concurrently/);
  await pause(2_000);
  await long.query('commit');
  assert.deepEqual(await building, ['9001-index']);
  assert.match(
    said[0] ?? '',
    /^The migration "9001-index" waits for session \d+ of the server \(a long report, idle in/,
  );
  assert.deepEqual(await indexes(opened.database), [true]);
});

test('A build that is cancelled while it waits says for whom, and leaves no index that is not valid', async (t) => {
  const opened = await numbers(t);
  if (opened === null) return;
  const long = await connected(t, opened.url);
  const other = await connected(t, opened.url);
  await long.query('begin isolation level repeatable read; select count(*) from pg_class');
  const waits = { ...LOCK_WAITS, lockMs: 100 };
  const failed = applyChanges(opened.database, CHANGES, { waits }).catch((raised: unknown) => raised);
  const pid = await builder(other);
  await pause(300);
  await other.query('select pg_cancel_backend($1)', [pid]);
  const error = await failed;
  assert.ok(error instanceof MigrationBlocked, String(error));
  assert.match(error.message, /waited for session \d+ of the server \(a long report, idle in/);
  assert.deepEqual(await indexes(opened.database), []);
  await other.query('insert into numbers values (1), (1)');
});

test('A unique index that cannot be built because of duplicates is removed, and duplicates can still be written', async (t) => {
  const opened = await numbers(t);
  if (opened === null) return;
  const { db } = opened.database;
  await sql`insert into numbers values (1), (1)`.execute(db);
  await assert.rejects(applyChanges(opened.database, CHANGES), /could not create unique index/);
  assert.deepEqual(await indexes(opened.database), []);
  await sql`insert into numbers values (2), (2)`.execute(db);
});
