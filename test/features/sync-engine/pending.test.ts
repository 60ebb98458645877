import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { pending, posted } from './support/bank.ts';
import { closeDatabase, World } from './support/world.ts';

let world: World;
let account: RowId<'account'>;
beforeEach(async () => {
  world = await World.open();
  account = world.account();
});
afterEach(() => world.close());
after(closeDatabase);

const options = { data_from: localDate('2020-01-01'), include_pending: true };

/** Runs the sync once for each state of the account and returns what each run said. */
async function through(...states: Transaction[][]) {
  const [first = [], ...rest] = states;
  world.bank.accounts.set(account, first);
  const sync = await world.sync([account], { options });
  const runs = [await world.run(sync)];
  for (const state of rest) {
    world.bank.accounts.set(account, state);
    runs.push(await world.run(sync));
  }
  return { sync, runs, counts: runs.map((run) => [run.added, run.updated]) };
}

const held = () => [...world.receiver.rows().keys()].sort();

describe('pending rows', () => {
  test('a pending row that posts is upgraded in place', async () => {
    const { counts } = await through(
      [pending(1, { day: 40, cents: -500 })],
      [posted(1, { day: 42, cents: -500 })],
      [posted(1, { day: 42, cents: -500 })],
    );
    assert.deepEqual(counts, [
      [1, 0],
      [0, 1],
      [0, 0],
    ]);
    assert.deepEqual(held(), ['txn_fk_row_0000001']);
    const [, upgrade] = world.receiver.events;
    assert.equal(upgrade?.data.updated[0]?.replaces, 'pend_1');
    assert.deepEqual(upgrade?.data.new, []);
  });

  test('a pending row that vanishes is listed as removed, and stays removed', async () => {
    const { counts } = await through(
      [pending(1, { day: 40 }), posted(9, { day: 40 })],
      [posted(9, { day: 40 })],
      [posted(9, { day: 40 })],
    );
    assert.deepEqual(counts, [
      [2, 0],
      [0, 1],
      [0, 0],
    ]);
    assert.deepEqual(held(), ['txn_fk_row_0000009']);
    assert.deepEqual(world.receiver.events[1]?.data.removed, ['pend_1']);
    assert.equal(world.receiver.events.length, 2);
  });

  for (const [days, fits] of [
    [-2, false],
    [-1, true],
    [8, true],
    [9, false],
  ] as const) {
    test(`a posted row ${days} days from the pending one ${fits ? 'takes its place' : 'is another row'}`, async () => {
      await through([pending(1, { day: 40, cents: -500 })], [posted(1, { day: 40 + days, cents: -500 })]);
      const [, event] = world.receiver.events;
      assert.deepEqual(
        [event?.data.updated.length, event?.data.new.length, event?.data.removed.length],
        fits ? [1, 0, 0] : [0, 1, 1],
      );
      assert.deepEqual(held(), ['txn_fk_row_0000001']);
    });
  }

  test('a row that a bank repeats while as many are held back as may be is sent once', async () => {
    await world.close();
    world = await World.open({ limits: { pending_rows: 1 } });
    account = world.account();
    world.bank.pageSize = 1;
    const row = posted(1, { day: 41, cents: -500 });
    const { runs } = await through([pending(1, { day: 40, cents: -500 })], [row, row], [row]);
    assert.deepEqual(
      runs.map(({ status, added, updated }) => [status, added, updated]),
      [
        ['succeeded', 1, 0],
        ['succeeded', 0, 1],
        ['succeeded', 0, 0],
      ],
    );
    assert.deepEqual(held(), ['txn_fk_row_0000001']);
  });

  test('another amount or currency is another row', async () => {
    await through(
      [pending(1, { day: 40, cents: -500 }), pending(2, { day: 40, cents: -700 })],
      [
        posted(1, { day: 41, cents: -501 }),
        posted(2, { day: 41, amount: { amount: -700, currency: 'nzd' } }),
      ],
    );
    const [, event] = world.receiver.events;
    assert.deepEqual(
      [event?.data.updated.length, event?.data.new.length, event?.data.removed.length],
      [0, 2, 2],
    );
  });

  test('two equal pending rows become two rows, the older the older', async () => {
    await through(
      [pending(1, { day: 40, cents: -500 }), pending(2, { day: 41, cents: -500 })],
      [posted(11, { day: 43, cents: -500 }), posted(10, { day: 42, cents: -500 })],
    );
    const updated = world.receiver.events[1]?.data.updated.map((row) => [row.replaces, row.id]);
    assert.deepEqual(updated, [
      ['pend_1', 'row_0000010'],
      ['pend_2', 'row_0000011'],
    ]);
    assert.equal(held().length, 2);
  });

  test('a pending row that is still reported gives its place to no one', async () => {
    const row = pending(1, { day: 40, cents: -500 });
    const { counts } = await through([row], [row, posted(2, { day: 41, cents: -500 })]);
    assert.deepEqual(counts, [
      [1, 0],
      [1, 0],
    ]);
    assert.deepEqual(held(), ['txn_fk_pend_1', 'txn_fk_row_0000002']);
  });

  test('a pending row that comes back is not counted as added a second time', async () => {
    const row = pending(1, { day: 40 });
    const { counts } = await through([row], [], [row]);
    assert.deepEqual(counts, [
      [1, 0],
      [0, 1],
      [0, 1],
    ]);
    assert.deepEqual(held(), ['txn_fk_pend_1']);
  });

  test('switching pending rows off takes those already delivered away', async () => {
    const rows = [pending(1, { day: 40 }), posted(2, { day: 40 })];
    const { sync } = await through(rows);
    await world.syncs.update(world.owner, sync.row.id, { options: { include_pending: false } });
    await world.run(sync);
    assert.deepEqual(held(), ['txn_fk_row_0000002']);
  });

  test('an upgrade and a removal unconfirmed are sent again under the same event', async () => {
    await through([pending(1, { day: 40, cents: -500 }), pending(2, { day: 40, cents: -700 })]);
    const [sync] = (await world.syncs.list(world.owner.id, {}, { limit: 1, after: null, before: null }))
      .items;
    assert.ok(sync);
    world.bank.accounts.set(account, [posted(1, { day: 41, cents: -500 })]);
    world.receiver.behave = (request) => (request === 1 ? 'drop_before' : 'ok');
    assert.equal((await world.run(sync)).status, 'failed');
    const run = await world.run(sync);
    assert.deepEqual([run.added, run.updated], [0, 2]);
    const [, lost, resent] = world.receiver.requests;
    assert.equal(resent?.body, lost?.body);
    assert.deepEqual(held(), ['txn_fk_row_0000001']);
    assert.equal((await world.run(sync)).updated, 0);
  });
});
