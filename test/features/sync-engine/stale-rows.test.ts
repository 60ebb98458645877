import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deleteStaleRowsInBatches } from '../../../src/background/expiries.ts';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { deleteStaleRows } from '../../../src/storage/delivery-streams.ts';
import { SOME_KEY } from '../../support/actors.ts';
import { posted } from './support/bank.ts';
import { runAndDie } from './support/death.ts';
import { closeDatabase, World } from './support/world.ts';

after(closeDatabase);

async function delivered(world: World, count: number): Promise<{ sync: Sync; stream: number }> {
  const account = world.account();
  world.bank.accounts.set(
    account,
    Array.from({ length: count }, (_, number) => posted(number)),
  );
  const sync = await world.sync([account]);
  await world.run(sync);
  const stream = await world.database.db
    .selectFrom('delivery_streams')
    .select('id')
    .where('sync', '=', sync.row.id)
    .executeTakeFirstOrThrow();
  return { sync, stream: stream.id };
}

async function entries(world: World, stream: number): Promise<number> {
  const found = await world.database.db
    .selectFrom('delivery_ledger')
    .select('slot')
    .where('stream', '=', stream)
    .execute();
  return found.length;
}

test('what the ledger holds of a deleted sync is deleted in the background, a batch at a time', async () => {
  const world = await World.open();
  const { db } = world.database;
  const gone = await delivered(world, 4_500);
  const neighbour = await World.open();
  const kept = await delivered(neighbour, 700);
  assert.equal(await entries(world, gone.stream), 4_500);
  await world.destinations.delete(world.owner.id, gone.sync.destination.id);
  assert.equal(await entries(world, gone.stream), 4_500);
  assert.equal(await deleteStaleRows(db, gone.sync.row.id), true);
  assert.equal(await entries(world, gone.stream), 2_500);

  await deleteStaleRowsInBatches({ db, clock: systemClock }, new AbortController().signal);
  assert.equal(await entries(world, gone.stream), 0);
  assert.equal(await deleteStaleRows(db, gone.sync.row.id), false);
  assert.equal(await entries(world, kept.stream), 700);
  await neighbour.close();
  await world.close();
});

test('a resync that was cut off goes on where it was, and sends no row a third time', async () => {
  const world = await World.open();
  const { sync } = await delivered(world, 1_200);
  const { row } = await world.runs.resync(world.owner.id, sync.row.id, SOME_KEY);
  assert.ok(await runAndDie(world, sync, 25));
  const run = await world.run(sync);
  assert.deepEqual([run.id, run.status, run.added, run.updated], [row.id, 'succeeded', 0, 1_200]);
  assert.ok([...world.receiver.newCounts().values()].every((count) => count <= 3));
  const quiet = await world.run(sync);
  assert.deepEqual([quiet.added, quiet.updated], [0, 0]);
  await world.close();
});

test('what an earlier run left unconfirmed is not sent again after a resync', async () => {
  const world = await World.open();
  const account = world.account();
  world.bank.accounts.set(account, [posted(1), posted(2)]);
  const sync = await world.sync([account]);
  world.receiver.behave = (request) => (request === 0 ? 'drop_before' : 'ok');
  await world.run(sync);
  assert.equal((await world.inDoubt(sync)).length, 1);
  await world.runs.resync(world.owner.id, sync.row.id, SOME_KEY);
  assert.deepEqual(await world.inDoubt(sync), []);
  const run = await world.run(sync);
  assert.deepEqual([run.status, run.added], ['succeeded', 2]);
  await world.close();
});
