import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type KyselyPlugin, sql } from 'kysely';
import { serveInstallation } from '../../../src/app/installation.ts';
import { readConfig } from '../../../src/app/read-config.ts';
import { moveToPostgres } from '../../../src/features/operator/move-to-postgres.ts';
import { createLog } from '../../../src/platform/log.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { Receiver } from '../../features/sync-engine/support/receiver.ts';
import { createServerDatabase } from '../../support/database.ts';
import { type V2Client, v2Client } from '../../support/v2-client.ts';
import { startTributary, tributary, tributaryInProcess } from './run-tributary.ts';
import { madeDataDir } from './temporary-directory.ts';

const log = createLog({ level: 'silent' });
const ENVIRONMENT = { PORT: '0', OUTBOUND_ALLOW: '127.0.0.0/8' };

test('An installation moved to Postgres keeps its keys and connections, and its sync sends no row twice', async (t) => {
  const server = await createServerDatabase();
  if (server === null) return t.skip('DATABASE_URL is not set');
  t.after(() => server.drop());
  const dataDir = await madeDataDir(t);
  const receiver = await new Receiver().open();
  t.after(() => receiver.close());

  const before = await serveInstallation(readConfig({ DATA_DIR: dataDir, ...ENVIRONMENT }), log, true);
  const { account = '', secret } = before.welcome.first ?? {};
  assert.ok(secret);
  const linked = await tributaryInProcess(
    ['link', '--account', account, '--provider', 'au_banking', '--persona', 'rows:700', '--json'],
    { DATA_DIR: dataDir },
  );
  assert.equal(linked.code, 0, linked.stderr);
  const v2 = v2Client(before.running.url, secret);
  const accounts = await accountIds(v2);
  const destination = await v2('POST', '/v2/destinations', {
    type: 'webhook',
    name: 'Mine',
    target: { url: receiver.url },
  });
  receiver.secrets = [destination.body.config.signing_secret];
  const sync = await v2('POST', '/v2/syncs', {
    type: 'transactions',
    name: 'All',
    destination: destination.body.id,
    accounts,
    mapping_mode: 'bulk',
  });
  const first = await ended(v2, sync.body.id);
  assert.deepEqual([first.status, first.counts.added], ['succeeded', 700]);

  const refused = await tributaryInProcess(['move-to-postgres'], {
    DATA_DIR: dataDir,
    DATABASE_URL: server.url,
  });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /server is running .*Stop it first/);
  await before.close();

  const otherKey = await tributary(['move-to-postgres'], {
    DATA_DIR: dataDir,
    DATABASE_URL: server.url,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  });
  assert.equal(otherKey.code, 1);
  assert.match(otherKey.stderr, /The database holds secrets sealed under/);
  assert.ok(existsSync(join(dataDir, 'database')));

  // An earlier move has left its own.
  await mkdir(join(dataDir, 'database-before-postgres/base'), { recursive: true });
  const moved = await tributary(['move-to-postgres'], { DATA_DIR: dataDir, DATABASE_URL: server.url });
  assert.equal(moved.code, 0, moved.stderr);
  assert.match(moved.stdout, /left in \S+\/database-before-postgres-2;/);
  assert.ok(existsSync(join(dataDir, 'database-before-postgres-2/PG_VERSION')));
  assert.ok(!existsSync(join(dataDir, 'database')));

  const after = await serveInstallation(
    readConfig({ DATA_DIR: dataDir, DATABASE_URL: server.url, ...ENVIRONMENT }),
    log,
    true,
  );
  t.after(() => after.close());
  const again = v2Client(after.running.url, secret);
  assert.deepEqual(await accountIds(again), accounts);
  assert.equal((await again('POST', `/v2/syncs/${sync.body.id}/run`)).status, 202);
  const second = await ended(again, sync.body.id);
  assert.deepEqual([second.status, second.counts.added, second.counts.updated], ['succeeded', 0, 0]);
});

test('A move whose embedded database cannot be put aside says that the move is complete, and what to rename', async (t) => {
  const server = await createServerDatabase();
  if (server === null) return t.skip('DATABASE_URL is not set');
  t.after(() => server.drop());
  const dataDir = await madeDataDir(t);
  const created = await tributaryInProcess(['account', 'create', '--email', 'kea@example.test'], {
    DATA_DIR: dataDir,
  });
  assert.equal(created.code, 0, created.stderr);
  const target = await openDatabase({ kind: 'postgres', url: server.url });
  t.after(() => target.close());
  // The name was free when it was chosen.
  const blocking: KyselyPlugin = {
    transformQuery: ({ node }) => {
      mkdirSync(join(dataDir, 'database-before-postgres/base'), { recursive: true });
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: server.url });
  const database = { ...target, db: target.db.withPlugin(blocking) };
  await assert.rejects(
    moveToPostgres({ config, database }, true),
    /^OperatorRefusal: The move is complete: .* Rename it to \S+database-before-postgres yourself/,
  );
  const { rows } = await sql`select email from account_records`.execute(target.db);
  assert.deepEqual(rows, [{ email: 'kea@example.test' }]);
});

test('Without Postgres to move to, the command says what to set and changes nothing', async (t) => {
  const dataDir = await madeDataDir(t);
  const { child, ended: end } = startTributary(['move-to-postgres'], { DATA_DIR: dataDir });
  t.after(() => child.kill('SIGKILL'));
  const { code, stderr } = await end;
  assert.equal(code, 1);
  assert.match(stderr, /Set DATABASE_URL/);
  assert.ok(existsSync(join(dataDir, 'database')));
});

async function accountIds(v2: V2Client): Promise<string[]> {
  const { body } = await v2('GET', '/v2/accounts');
  return body.data.map(({ id }: { id: string }) => id);
}

async function ended(v2: V2Client, sync: string) {
  for (;;) {
    const { body } = await v2('GET', `/v2/syncs/${sync}/runs?limit=1`);
    const [run] = body.data;
    if (run !== undefined && !['queued', 'running'].includes(run.status)) return run;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
