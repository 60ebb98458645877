import assert from 'node:assert/strict';
import { after, afterEach, describe, test } from 'node:test';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { SOME_KEY } from '../../support/actors.ts';
import { EPOCH, pending, posted } from './support/bank.ts';
import { closeDatabase, World, type WorldOptions } from './support/world.ts';

let world: World;
const open = async (options?: WorldOptions): Promise<World> => {
  world = await World.open(options);
  return world;
};
afterEach(() => world.close());
after(closeDatabase);

const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => posted(count - index));

describe('what a run delivers', () => {
  for (const count of [0, 1, 499, 500, 501, 1000, 1001]) {
    test(`${count} rows arrive once each, in chunks of at most 500, the last one marked`, async () => {
      const { bank, receiver } = await open();
      const account = world.account();
      bank.accounts.set(account, rowsOf(count));
      const run = await world.run(await world.sync([account]));
      assert.equal(run.status, 'succeeded');
      assert.deepEqual([run.processed, run.added, run.updated], [count, count, 0]);
      assert.equal(receiver.rows().size, count);
      assert.deepEqual(
        receiver.events.map(({ metadata }) => metadata.total_chunks),
        Array.from({ length: Math.ceil(count / 500) }, (_, index, all = Math.ceil(count / 500)) =>
          index + 1 === all ? all : null,
        ),
      );
      assert.deepEqual(receiver.faults, []);
    });
  }

  test('rows of several accounts share chunks', async () => {
    const { bank, receiver } = await open();
    const accounts = [world.account(), world.account(), world.account()];
    accounts.forEach((account, index) => {
      bank.accounts.set(account, [posted(index * 10 + 1), posted(index * 10 + 2)]);
    });
    await world.run(await world.sync(accounts));
    assert.equal(receiver.events.length, 1);
    assert.equal(receiver.rows().size, 6);
  });

  test('rows with long texts are cut into chunks of at most 1 MiB', async () => {
    const { bank, receiver } = await open();
    const account = world.account();
    bank.accounts.set(
      account,
      rowsOf(300).map((row) => ({ ...row, description: 'é'.repeat(5000) })),
    );
    await world.run(await world.sync([account]));
    assert.equal(receiver.rows().size, 300);
    for (const { body } of receiver.requests) assert.ok(Buffer.byteLength(body) < 1025 * 1024);
    assert.ok(receiver.requests.length >= 3);
  });

  test('a row says what the service promises of it', async () => {
    const { bank, receiver } = await open();
    const account = world.account();
    bank.accounts.set(account, [posted(1, { cents: -1050, description: 'Coffee "to go" \n – ☕' })]);
    const sync = await world.sync([account]);
    const run = await world.run(sync);
    const [event] = receiver.events;
    assert.equal(event?.metadata.sync_run_id, run.id);
    assert.equal(event?.metadata.sync_run, publicId('sync_run', run.id));
    assert.deepEqual(event?.data.new[0], {
      id: 'row_0000001',
      object: 'transaction',
      transaction: 'txn_fk_row_0000001',
      amount: -1050,
      currency: 'aud',
      status: 'posted',
      description: 'Coffee "to go" \n – ☕',
      reference: null,
      direction: 'debit',
      class: 'payment',
      account_id: account,
      account_name: `Account ${account.slice(-4)}`,
      account: `Account ${account.slice(-4)}`,
      account_item: publicId('account', account),
      local_date: EPOCH,
      transaction_date: `${EPOCH}T10:00:00+10:00`,
      post_date: `${EPOCH}T20:00:00+10:00`,
      merchant_name: null,
      category: 'FOOD_AND_DRINK',
      custom_category: null,
      merchant_category_code: null,
      memo: null,
      tags: [],
      replaces: null,
      replaces_transaction: null,
    });
  });

  test('a second run with nothing new sends nothing and reads only what is recent', async () => {
    const { bank, receiver } = await open();
    const account = world.account();
    bank.accounts.set(account, rowsOf(700));
    const sync = await world.sync([account]);
    await world.run(sync);
    const again = await world.run(sync);
    assert.equal(again.status, 'succeeded');
    assert.deepEqual([again.added, again.updated], [0, 0]);
    assert.equal(receiver.events.length, 2);
    assert.deepEqual(
      bank.windows.map((window) => window.since === null),
      [true, false],
    );
  });

  test('a second run looks again at the days before the first, as many as are set [limit sync_overlap_days]', async () => {
    const seldom = { sweep_recent_hours: 8760, sweep_year_hours: 8760, sweep_all_hours: 8760 };
    const { bank } = await open({ limits: { sync_overlap_days: 3, ...seldom } });
    const sync = await world.sync([world.account()]);
    const began = world.clock.now();
    await world.run(sync);
    world.clock.advance(60_000);
    await world.run(sync);
    assert.deepEqual(
      bank.windows.map((window) => window.since),
      [null, began - 3 * 86_400_000],
    );
  });

  test('a changed row is sent as updated, once', async () => {
    const { bank, receiver } = await open();
    const account = world.account();
    const day = 45;
    bank.accounts.set(account, [posted(1, { day }), posted(2, { day })]);
    const sync = await world.sync([account]);
    await world.run(sync);
    bank.accounts.set(account, [posted(1, { day, description: 'corrected' }), posted(2, { day })]);
    const second = await world.run(sync);
    const third = await world.run(sync);
    assert.deepEqual([second.added, second.updated, third.updated], [0, 1, 0]);
    assert.equal(receiver.rows().get('txn_fk_row_0000001')?.description, 'corrected');
  });

  test('a source that repeats rows, within a page and across pages, doubles nothing', async () => {
    const { bank, receiver } = await open();
    const account = world.account();
    bank.pageSize = 60;
    const rows = rowsOf(900);
    bank.accounts.set(
      account,
      rows.flatMap((row, index) => [
        row,
        row,
        ...(index % 7 === 0 ? rows.slice(Math.max(0, index - 100), index) : []),
      ]),
    );
    const run = await world.run(await world.sync([account]));
    assert.equal(run.added, 900);
    assert.ok([...receiver.newCounts().values()].every((count) => count === 1));
    assert.equal(receiver.rows().size, 900);
  });

  test('a resync sends everything again, as new, and counts as added what was not sent before', async () => {
    const { bank, receiver } = await open();
    const account = world.account();
    bank.accounts.set(account, rowsOf(3));
    const sync = await world.sync([account]);
    await world.run(sync);
    bank.accounts.set(account, rowsOf(4));
    const { row } = await world.runs.resync(world.owner.id, sync.row.id, SOME_KEY);
    await world.run(sync);
    const { added, updated } = await world.readRun(row.id);
    assert.deepEqual([added, updated], [1, 3]);
    assert.deepEqual([...receiver.newCounts().values()].toSorted(), [1, 2, 2, 2]);
  });

  test('a receiver that asks to be left alone for most of a day is, also by the next run of the schedule', async () => {
    const { receiver } = await open({ delaysMs: [] });
    const account = world.account();
    world.bank.accounts.set(account, rowsOf(3));
    const sync = await world.sync([account]);
    receiver.behave = () => ({ status: 429, headers: { 'retry-after': '85092' } });
    const run = await world.run(sync);
    assert.deepEqual([run.status, run.failure], ['failed', 'rate_limited']);
    const { row } = await world.syncs.read(world.owner.id, sync.row.id);
    assert.ok((row.next_run_at?.getTime() ?? 0) >= world.clock.now() + 85_000_000);
  });

  test('an account put back into a sync doubles nothing', async () => {
    const { bank, receiver } = await open();
    const [one, two] = [world.account(), world.account()];
    bank.accounts.set(one, [posted(1)]);
    bank.accounts.set(two, [posted(2)]);
    const sync = await world.sync([one, two]);
    await world.run(sync);
    await world.syncs.update(world.owner, sync.row.id, { accounts: [one] });
    await world.run(sync);
    await world.syncs.update(world.owner, sync.row.id, { accounts: [one, two] });
    await world.run(sync);
    assert.ok([...receiver.newCounts().values()].every((count) => count === 1));
  });

  test('pending rows stay away unless they are asked for', async () => {
    const { bank, receiver } = await open();
    const account = world.account();
    bank.accounts.set(account, [pending(1), posted(2)]);
    const run = await world.run(await world.sync([account]));
    assert.equal(run.added, 1);
    assert.deepEqual([...receiver.rows().keys()], ['txn_fk_row_0000002']);
  });
});
