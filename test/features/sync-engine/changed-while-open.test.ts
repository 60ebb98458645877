import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { type Sync, statusOfSync } from '../../../src/features/syncs/syncs.ts';
import { addDays } from '../../../src/vocabulary/moments.ts';
import { EPOCH, posted } from './support/bank.ts';
import { closeDatabase, World } from './support/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());
after(closeDatabase);

/** Does the work once, while the receiver has the run's first chunk and has not answered. */
function whileDelivering(work: () => Promise<unknown>): void {
  let done = false;
  world.receiver.beforeAnswer = async () => {
    if (done) return;
    done = true;
    await work();
  };
}

async function linesOf(sync: Sync) {
  const { latestRun } = await world.syncs.read(world.owner.id, sync.row.id);
  const { lines } = await world.runs.read(world.owner.id, latestRun?.id ?? assert.fail(), true);
  return lines?.map(({ account, status, added }) => ({ account, status, added }));
}

describe('a sync that is changed while it has an open run', () => {
  test('and begins earlier from then on loses no row from before', async () => {
    const account = world.account();
    world.bank.accounts.set(account, [posted(2, { day: 0 }), posted(1, { day: -30 })]);
    const sync = await world.sync([account], { options: { data_from: addDays(EPOCH, -16) } });
    const earlier = { data_from: addDays(EPOCH, -60) };
    whileDelivering(() => world.syncs.update(world.owner, sync.row.id, { options: earlier }));
    assert.equal((await world.run(sync)).added, 1);
    assert.equal((await world.run(sync)).added, 1);
    assert.deepEqual([...world.receiver.newCounts().values()], [1, 1]);
    assert.equal((await world.run(sync)).added, 0);
  });

  test('shows a line for each account that the run reads, and none of one that left before it began', async () => {
    const [leaving, staying, joining] = [world.account(), world.account(), world.account()];
    for (const [at, account] of [leaving, staying, joining].entries()) {
      world.bank.accounts.set(account, [posted(at)]);
    }
    const sync = await world.sync([leaving, staying]);
    await world.syncs.update(world.owner, sync.row.id, { accounts: [joining, staying] });
    const run = await world.run(sync);
    const lines = await linesOf(sync);
    assert.deepEqual(lines, [
      { account: joining, status: 'succeeded', added: 1 },
      { account: staying, status: 'succeeded', added: 1 },
    ]);
    assert.equal(run.added, 2);
  });

  test('keeps the line of an account that left while its rows were on their way', async () => {
    const [leaving, joining] = [world.account(), world.account()];
    world.bank.accounts.set(leaving, [posted(1)]);
    world.bank.accounts.set(joining, [posted(2)]);
    const sync = await world.sync([leaving]);
    whileDelivering(() => world.syncs.update(world.owner, sync.row.id, { accounts: [joining] }));
    assert.equal((await world.run(sync)).added, 1);
    assert.deepEqual(
      new Set(await linesOf(sync)),
      new Set([
        { account: leaving, status: 'succeeded', added: 1 },
        { account: joining, status: 'incomplete', added: 0 },
      ]),
    );
    assert.equal((await world.run(sync)).added, 1);
    assert.deepEqual(await linesOf(sync), [{ account: joining, status: 'succeeded', added: 1 }]);
  });

  test('and disabled stops, and says which accounts were not delivered to their end', async () => {
    const [first, second] = [world.account(), world.account()];
    world.bank.accounts.set(first, [posted(1)]);
    world.bank.accounts.set(
      second,
      Array.from({ length: 1200 }, (_, at) => posted(at + 10)),
    );
    const sync = await world.sync([first, second]);
    whileDelivering(() => world.syncs.update(world.owner, sync.row.id, { enabled: false }));
    assert.equal((await world.run(sync)).status, 'cancelled');
    const lines = await linesOf(sync);
    assert.deepEqual(
      lines?.map(({ status }) => status),
      ['incomplete', 'incomplete'],
    );
    const { row } = await world.syncs.read(world.owner.id, sync.row.id);
    assert.deepEqual([statusOfSync(row), row.next_run_at], ['idle', null]);
    await world.syncs.update(world.owner, sync.row.id, { enabled: true });
    await world.run(sync);
    assert.equal(world.receiver.rows().size, 1201);
    assert.ok([...world.receiver.newCounts().values()].every((count) => count === 1));
  });
});
