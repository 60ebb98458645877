import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { openDatabase } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrator.ts';
import {
  applyChanges,
  LOCK_WAITS,
  MIGRATION_LOCK,
  type SchemaChanges,
} from '../../src/storage/schema-changes.ts';
import { explain } from '../../src/surfaces/cli/explain.ts';
import { MigrationBlocked } from '../../src/vocabulary/store-unavailable.ts';
import { openTestDatabase, serverUrlOf, type TestDatabase } from '../support/database.ts';

const TABLE = 'account_records';
/** What the database has applied already, and has to know. */
async function withApplied({ db }: TestDatabase, changes: SchemaChanges): Promise<SchemaChanges> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const nothing = { up: async () => undefined };
  return { ...Object.fromEntries(rows.map(({ name }) => [name, nothing])), ...changes };
}

const ONE = {
  up: async (db) => void (await sql`alter table account_records add column one text`.execute(db)),
} satisfies SchemaChanges[string];
const TWO = {
  up: async (db) => void (await sql`alter table account_records add column two text`.execute(db)),
} satisfies SchemaChanges[string];
const BROKEN = {
  up: async (db) => {
    await sql`alter table account_records add column three text`.execute(db);
    throw new Error('it is broken');
  },
} satisfies SchemaChanges[string];
const INDEX = {
  indexes: [{ name: 'account_records_note', on: `${TABLE} (created) where timezone is null` }],
};

async function columnsOf({ db }: TestDatabase): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname::text as name from pg_attribute
    where attrelid = ${TABLE}::regclass and attname in ('one', 'two', 'three') order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

async function opened(t: TestContext): Promise<TestDatabase> {
  const database = await openTestDatabase();
  t.after(database.close);
  return database;
}

/** Another program in the middle of a transaction that has read the table. */
async function reader(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'a long report' });
  await client.connect();
  await client.query(`begin; select count(*) from ${TABLE}`);
  return client;
}

async function onServer(t: TestContext) {
  const url = await serverUrlOf(t);
  if (url === null) return null;
  const database = await openDatabase({ kind: 'postgres', url });
  t.after(() => database.close());
  const { db } = database;
  return { url, test: { database, db, close: async () => undefined } };
}

test('The page on upgrading says how long a migration waits for a lock', async () => {
  const page = await readFile(new URL('../../docs/upgrading.md', import.meta.url), 'utf8');
  const { lockMs, pauseMs, attempts } = LOCK_WAITS;
  assert.match(
    page,
    new RegExp(
      `waits ${lockMs / 1000} seconds at most .* up to ${attempts} attempts that are ${pauseMs / 1000} seconds apart`,
    ),
  );
});

test('Of migrations of which one fails, those before it stay on Postgres, and none on the embedded database', async (t) => {
  const test = await opened(t);
  const changes = await withApplied(test, { '9001-one': ONE, '9002-broken': BROKEN, '9003-two': TWO });
  await assert.rejects(applyChanges(test.database, changes), /it is broken/);
  const stays = test.database.kind === 'postgres';
  assert.deepEqual(await columnsOf(test), stays ? ['one'] : []);
  const corrected = { ...changes, '9002-broken': { up: async () => undefined } };
  const left = ['9002-broken', '9003-two'];
  assert.deepEqual(await applyChanges(test.database, corrected), stays ? left : ['9001-one', ...left]);
  assert.deepEqual(await applyChanges(test.database, corrected), []);
  assert.deepEqual(await columnsOf(test), ['one', 'two']);
});

test('An index on a table that exists is built, and again after a build that was interrupted', async (t) => {
  const test = await opened(t);
  const changes = await withApplied(test, { '9001-index': INDEX });
  assert.deepEqual(await applyChanges(test.database, changes), ['9001-index']);
  const { rows } = await sql<{ valid: boolean; id: number }>`
    select indisvalid as valid, indexrelid::int as id from pg_index
    where indexrelid = 'account_records_note'::regclass`.execute(test.db);
  assert.equal(rows[0]?.valid, true);
  await sql`delete from kysely_migration where name = '9001-index'`.execute(test.db);
  await sql`update pg_index set indisvalid = false where indexrelid = 'account_records_note'::regclass`.execute(
    test.db,
  );
  assert.deepEqual(await applyChanges(test.database, changes), ['9001-index']);
  const again = await sql<{ valid: boolean; id: number }>`
    select indisvalid as valid, indexrelid::int as id from pg_index
    where indexrelid = 'account_records_note'::regclass`.execute(test.db);
  assert.equal(again.rows[0]?.valid, true);
  assert.notEqual(again.rows[0]?.id, rows[0]?.id);
});

test('Of two processes that migrate at once one applies everything, an index among it, and the other waits', async (t) => {
  const server = await onServer(t);
  if (server === null) return;
  const changes = await withApplied(server.test, { '9001-one': ONE, '9002-index': INDEX });
  const both = await Promise.all([1, 2].map(() => applyChanges(server.test.database, changes)));
  assert.deepEqual(
    both.toSorted((a, b) => a.length - b.length),
    [[], ['9001-one', '9002-index']],
  );
});

test('A process waits for another that migrates as long as that one has the lock, and says which it is', async (t) => {
  const server = await onServer(t);
  if (server === null) return;
  const changes = await withApplied(server.test, { '9001-one': ONE });
  const holder = new pg.Client({ connectionString: server.url, application_name: 'the first process' });
  await holder.connect();
  await holder.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
  let shiftMs = 0;
  const now = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => now() + shiftMs);
  const said: string[] = [];
  const waiting = applyChanges(server.test.database, changes, { onWait: (text) => said.push(text) });
  waiting.catch(() => undefined);
  await pause(500);
  assert.deepEqual(said, []);
  shiftMs = 3_600_000;
  await pause(500);
  await holder.end();
  assert.deepEqual(await waiting, ['9001-one']);
  assert.equal(said.length, 1);
  assert.match(said[0] ?? '', /waits for session \d+ of the server \(the first process, idle\)\.$/);
});

test('A process that waited for one of a newer version refuses what that one made', async (t) => {
  const server = await onServer(t);
  if (server === null) return;
  const { db, database } = server.test;
  await sql`delete from kysely_migration where name = '0111-event-batches'`.execute(db);
  const newer = new pg.Client({ connectionString: server.url });
  await newer.connect();
  await newer.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
  const waiting = migrate(database).catch((raised: unknown) => raised);
  await pause(500);
  await newer.query(
    "insert into kysely_migration values ('0111-event-batches', '2030'), ('0999-newer', '2031')",
  );
  await newer.end();
  assert.match(String(await waiting), /does not know "0999-newer"/);
});

test('A migration that waits for a long reader lets other statements of the table through, and is applied once it ends', async (t) => {
  const server = await onServer(t);
  if (server === null) return;
  const changes = await withApplied(server.test, { '9001-one': ONE });
  const waits = { ...LOCK_WAITS, lockMs: 300, pauseMs: 300, attempts: 100 };
  const long = await reader(server.url);
  const migrating = applyChanges(server.test.database, changes, { waits });
  const other = new pg.Client({ connectionString: server.url });
  await other.connect();
  try {
    // Longer than the migration waits at a time, and than it pauses in between.
    let queued = 0;
    let isOver = false;
    void migrating
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    for (let statements = 0; !isOver && (queued < 2 || statements < 20); statements++) {
      await other.query(`set statement_timeout = 10000; select count(*) from ${TABLE}`);
      const { rows } = await other.query(
        `select from pg_locks join pg_database on pg_database.oid = database
         where datname = current_database() and relation = '${TABLE}'::regclass and not granted`,
      );
      queued += rows.length;
    }
    assert.equal(isOver, false, 'the migration was still waiting');
  } finally {
    await other.end();
    await long.query('rollback');
    await long.end();
  }
  assert.deepEqual(await migrating, ['9001-one']);
});

test('A migration that never gets its lock says which session has it, and ends with the exit code of a failure', async (t) => {
  const server = await onServer(t);
  if (server === null) return;
  const changes = await withApplied(server.test, { '9001-one': ONE });
  const long = await reader(server.url);
  try {
    const waits = { ...LOCK_WAITS, lockMs: 400, pauseMs: 10, attempts: 4 };
    const error: unknown = await applyChanges(server.test.database, changes, { waits }).catch(
      (raised) => raised,
    );
    assert.ok(error instanceof MigrationBlocked);
    const { rows } = await long.query<{ pid: number }>('select pg_backend_pid() as pid');
    const { message, exitCode } = explain(error, true);
    assert.match(
      message,
      new RegExp(`blocked by session ${rows[0]?.pid} of the server \\(a long report, idle in`),
    );
    assert.equal(exitCode, 1, 'systemd starts it again');
  } finally {
    await long.query('rollback');
    await long.end();
  }
  assert.deepEqual(await columnsOf(server.test), []);
});
