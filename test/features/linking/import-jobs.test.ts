import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { sql } from 'kysely';
import { importOnce } from '../../../src/background/account-import.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { openWorld, signal, type World } from './world.ts';

const REFRESHES = 40;

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

/** Jobs of any queue that wait for the connection. */
async function waiting(connection: RowId<'connection'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from jobs
    where payload->>'connection' = ${connection} and lease_until is null`.execute(world.db);
  return rows[0]?.count ?? 0;
}

test('One listing of accounts waits for a connection, however often its refresh is asked for', async () => {
  const owner = await world.person();
  const id = await world.link(owner);
  for (let count = 0; count < REFRESHES; count++) await world.linking.connections.refresh(owner.id, id);
  assert.equal(await waiting(id), 1);
});

test('Listings that found no account yet are all followed by one', async (t) => {
  mock.method(world.gateway, 'listAccounts', async () => []);
  t.after(() => mock.restoreAll());
  const owner = await world.person();
  const id = await world.link(owner);
  const { db, clock, jobs, log, linking } = world;
  const options = { db, clock, jobs, log, accountImport: linking.accountImport };
  for (let count = 0; count < 3; count++) assert.equal(await importOnce(options, id, signal()), false);
  assert.equal(await waiting(id), 1);
});
