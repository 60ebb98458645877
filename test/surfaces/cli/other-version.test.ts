import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { serveInstallation } from '../../../src/app/installation.ts';
import { readConfig } from '../../../src/app/read-config.ts';
import { takeDataLock } from '../../../src/platform/data-lock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { pendingMigrations } from '../../../src/storage/migrator.ts';
import { prepareControlPath } from '../../../src/surfaces/cli/control/control-path.ts';
import { serveControl } from '../../../src/surfaces/cli/control/control-server.ts';
import { createServerDatabase } from '../../support/database.ts';
import { tributaryInProcess } from './run-tributary.ts';
import { madeDataDir } from './temporary-directory.ts';

/** A running server of 1.0.0, for which the database is up to date. @returns the commands it was given */
async function earlierServer(t: TestContext, dataDir: string): Promise<readonly string[]> {
  const given: string[] = [];
  const lock = await takeDataLock(dataDir);
  const server = await serveControl(await prepareControlPath(dataDir), async ({ command }) => {
    given.push(command);
    return command === 'version'
      ? {
          ok: false,
          message:
            'The running server does not know the command "version". Restart it with the version of this command line.',
          exit_code: 1,
        }
      : { ok: true, result: {}, text: 'It is up to date.', warning: null, again: null, exit_code: 0 };
  });
  t.after(async () => {
    await server.close();
    lock?.release();
  });
  return given;
}

test('On Postgres, migrate of a new version migrates while a server of an earlier one answers commands', async (t) => {
  const server = await createServerDatabase();
  if (server === null) return t.skip('DATABASE_URL is not set');
  t.after(() => server.drop());
  const database = await openDatabase({ kind: 'postgres', url: server.url });
  t.after(() => database.close());
  const { db } = database;
  await sql`drop table event_batches`.execute(db);
  await sql`delete from kysely_migration where name = '0111-event-batches'`.execute(db);
  const dataDir = await madeDataDir(t);
  const given = await earlierServer(t, dataDir);
  const env = { DATA_DIR: dataDir, DATABASE_URL: server.url, SANDBOX: 'off' };
  const migrated = await tributaryInProcess(['migrate'], env);
  assert.equal(migrated.code, 0, migrated.stderr);
  assert.match(migrated.stdout, /^The postgres database is up to date/);
  assert.deepEqual(await pendingMigrations(db), []);
  assert.deepEqual(given, []);
});

test('On Postgres, migrate works beside a server of this version, which has the sandbox', async (t) => {
  const server = await createServerDatabase();
  if (server === null) return t.skip('DATABASE_URL is not set');
  t.after(() => server.drop());
  const dataDir = await madeDataDir(t);
  const env = { DATA_DIR: dataDir, DATABASE_URL: server.url, PORT: '0' };
  const served = await serveInstallation(readConfig(env), createLog({ level: 'silent' }), true);
  const migrated = await tributaryInProcess(['migrate'], env).finally(() => served.close());
  assert.equal(migrated.code, 0, migrated.stderr);
});

test('A command about what a version knows of the database is not given to a server of another version; others are', async (t) => {
  const dataDir = await madeDataDir(t);
  const env = { DATA_DIR: dataDir };
  assert.equal((await tributaryInProcess(['account', 'list'], env)).code, 0, 'there is a key');
  const given = await earlierServer(t, dataDir);
  for (const command of [['migrate'], ['keys', 'rotate-encryption']]) {
    const { code, stderr } = await tributaryInProcess(command, env);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /is of an earlier version, and this is version .* Restart the server with this version/,
    );
  }
  const doctor = await tributaryInProcess(['doctor'], env);
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /fail +storage +The server that runs on .* is of an earlier version/);
  assert.deepEqual([...new Set(given)], ['version']);
  const list = await tributaryInProcess(['account', 'list'], env);
  assert.deepEqual([list.code, list.stdout], [0, 'It is up to date.\n']);
});

test('A server of the same version answers migrate on the embedded database', async (t) => {
  const dataDir = await madeDataDir(t);
  const env = { DATA_DIR: dataDir, PORT: '0' };
  const served = await serveInstallation(readConfig(env), createLog({ level: 'silent' }), true);
  const migrated = await tributaryInProcess(['migrate'], { DATA_DIR: dataDir }).finally(() => served.close());
  assert.equal(migrated.code, 0, migrated.stderr);
  assert.match(migrated.stdout, /^The embedded database is up to date/);
});
