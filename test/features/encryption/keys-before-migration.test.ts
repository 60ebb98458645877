import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { FileMigrationProvider, Migrator } from 'kysely/migration';
import pg from 'pg';
import { unpackDirectory } from '../../../scripts/lib/data-archive.ts';
import { preparedStorage } from '../../../src/app/open-storage.ts';
import { readConfig } from '../../../src/app/read-config.ts';
import { KeyringError, newKeyEntry } from '../../../src/platform/keyring.ts';
import { type Db, type OpenDatabase, openDatabase } from '../../../src/storage/database.ts';
import { pendingMigrations } from '../../../src/storage/migrator.ts';
import { MIGRATION_LOCK } from '../../../src/storage/schema-changes.ts';
import { catalogOf } from '../../support/catalog.ts';
import { createServerDatabase } from '../../support/database.ts';
import { scratchDirectory } from '../../support/scratch.ts';

const EARLIER = new URL('../../storage/earlier/0109-service.zst', import.meta.url);
const MIGRATIONS = fileURLToPath(new URL('../../../src/storage/migrations/', import.meta.url));

const QUIET = { info: () => undefined };

async function stateOf(db: Db): Promise<unknown> {
  const { rows } = await sql`select * from kysely_migration order by name`.execute(db);
  const { rows: checks } = await sql`select * from key_checks`.execute(db);
  return { rows, checks, catalog: await catalogOf(db) };
}

/** The refused starts on a database of an earlier version, and then the one with its key. */
async function startsOf(database: OpenDatabase, ownDir: string): Promise<void> {
  const { db } = database;
  const before = await stateOf(db);
  const empty = await scratchDirectory();
  const starts = [
    { DATA_DIR: empty, ENCRYPTION_KEY: newKeyEntry() },
    { DATA_DIR: empty },
    { DATA_DIR: join(empty, 'missing') },
  ];
  for (const env of starts) {
    await assert.rejects(preparedStorage(database, readConfig(env), QUIET), KeyringError);
    assert.deepEqual(await stateOf(db), before);
    assert.ok(!existsSync(join(env.DATA_DIR, 'encryption.key')), 'no key was created');
  }
  await rm(empty, { recursive: true, force: true });
  await preparedStorage(database, readConfig({ DATA_DIR: ownDir }), QUIET);
  assert.notDeepEqual(await stateOf(db), before, 'the key of the database migrates it');
}

describe('a start whose key does not open the database leaves its schema and its list of migrations', () => {
  let dataDir = '';
  before(async () => {
    dataDir = await scratchDirectory();
    await unpackDirectory(await readFile(EARLIER), dataDir);
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  test('on Postgres', async (t) => {
    const server = await createServerDatabase();
    if (server === null) return t.skip('DATABASE_URL is not set');
    t.after(() => server.drop());
    const target = await openDatabase({ kind: 'postgres', url: server.url });
    try {
      await copySchema(dataDir, target.db);
      await startsOf(target, dataDir);
    } finally {
      await target.close();
    }
  });

  test('on Postgres, without a key check while another process migrates', async (t) => {
    const server = await createServerDatabase();
    if (server === null) return t.skip('DATABASE_URL is not set');
    t.after(() => server.drop());
    const statementMs = 500;
    const target = await openDatabase({ kind: 'postgres', url: server.url }, { statementMs });
    t.after(() => target.close());
    await copySchema(dataDir, target.db);
    const first = new pg.Client({ connectionString: server.url });
    await first.connect();
    await first.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    await first.query('begin; lock table consents in access exclusive mode');
    const second = preparedStorage(target, readConfig({ DATA_DIR: dataDir }), QUIET);
    let isOver = false;
    second.finally(() => (isOver = true)).catch(() => undefined);
    await pause(6 * statementMs);
    assert.equal(isOver, false);
    await first.query('commit');
    await first.end();
    await second;
    assert.deepEqual(await pendingMigrations(target.db), []);
  });

  test('on the embedded database', async () => {
    const database = await openDatabase({ kind: 'embedded', dataDir });
    try {
      await startsOf(database, dataDir);
    } finally {
      await database.close();
    }
  });
});

/** The schema of the earlier version, and what it says about its key. */
async function copySchema(dataDir: string, to: Db): Promise<void> {
  const from = await openDatabase({ kind: 'embedded', dataDir });
  try {
    const { rows: applied } = await sql<{ name: string }>`select name from kysely_migration`.execute(from.db);
    const { rows: checks } = await sql<{ sealed: Uint8Array }>`select sealed from key_checks`.execute(
      from.db,
    );
    const names = new Set(applied.map(({ name }) => name));
    const files = new FileMigrationProvider({ fs: { readdir }, path: { join }, migrationFolder: MIGRATIONS });
    const getMigrations = async () =>
      Object.fromEntries(Object.entries(await files.getMigrations()).filter(([name]) => names.has(name)));
    await sql`drop schema public cascade`.execute(to);
    await sql`create schema public`.execute(to);
    const { error } = await new Migrator({ db: to, provider: { getMigrations } }).migrateToLatest();
    assert.equal(error, undefined);
    for (const { sealed } of checks)
      await to.insertInto('key_checks').values({ id: 'primary', sealed }).execute();
  } finally {
    await from.close();
  }
}
