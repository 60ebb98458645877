import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { type OpenDatabase, openDatabase } from '../../src/storage/database.ts';
import { Notices } from '../../src/storage/notices.ts';
import { knownProcesses } from '../../src/storage/processes.ts';
import { serverUrlOf } from '../support/database.ts';

const NOW = new Date('2026-03-01T00:00:00Z');

async function opened(t: TestContext, url: string): Promise<OpenDatabase> {
  const database = await openDatabase({ kind: 'postgres', url });
  t.after(() => database.close());
  return database;
}

/** A process that serves, as far as its connection for notices goes. */
async function serving(t: TestContext, url: string): Promise<Notices> {
  const notices = new Notices(await opened(t, url));
  await notices.start();
  t.after(() => notices.stop());
  assert.ok(notices.connected);
  return notices;
}

/** The connection for notices of version 1.0.0. */
async function earlier(t: TestContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'tributary' });
  // The database is dropped first.
  client.on('error', () => undefined);
  await client.connect();
  t.after(() => client.end());
  await client.query('listen tributary_notices');
  return client;
}

function renamed(url: string, name: string): string {
  const address = new URL(url);
  address.searchParams.set('application_name', name);
  return address.href;
}

test('A process whose address names its connections is counted by its connection for notices', async (t) => {
  const url = await serverUrlOf(t);
  if (url === null) return;
  const { db } = await opened(t, url);
  assert.deepEqual(await knownProcesses(db, NOW), { listening: 0, working: 0, unclear: 0 });
  await serving(t, renamed(url, 'x'));
  assert.deepEqual(await knownProcesses(db, NOW), { listening: 1, working: 0, unclear: 0 });
});

test('A process of version 1.0.0 may be another process, before and after its first heartbeat, whatever its name', async (t) => {
  const url = await serverUrlOf(t);
  if (url === null) return;
  const { db } = await opened(t, url);
  const before = await earlier(t, url);
  assert.equal((await knownProcesses(db, NOW)).unclear, 1);
  await before.query('select 1');
  assert.equal((await knownProcesses(db, NOW)).unclear, 1);
  await before.query('select 2');
  assert.equal((await knownProcesses(db, NOW)).unclear, 0);
  const named = await earlier(t, renamed(url, 'x'));
  await named.query('select 1');
  assert.equal((await knownProcesses(db, NOW)).unclear, 1);
});

test('A session whose details the role may not see may be another process', async (t) => {
  const url = await serverUrlOf(t);
  if (url === null) return;
  const admin = await opened(t, url);
  const [role, password] = [
    `tributary_test_${randomBytes(6).toString('hex')}`,
    randomBytes(12).toString('hex'),
  ];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `create role ${role} login password '${password}'; grant select on worker_processes to ${role}`,
  );
  const address = new URL(url);
  [address.username, address.password] = [role, password];
  const limited = await opened(t, address.href);
  try {
    // The client's own, and none of the limited role.
    assert.equal((await knownProcesses(limited.db, NOW)).unclear, 1);
    await serving(t, url);
    const { listening, unclear } = await knownProcesses(limited.db, NOW);
    assert.equal(listening, 1, 'the name is seen by every role');
    assert.ok(unclear >= 1);
    assert.equal((await knownProcesses(admin.db, NOW)).unclear, 0);
  } finally {
    await limited.close();
    await client.query(`drop owned by ${role}; drop role ${role}`);
    await client.end();
  }
});
