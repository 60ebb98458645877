import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { SyncRunRow } from '../../../../src/storage/sync-runs.ts';
import { pending, posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

const rows = (count: number) => Array.from({ length: count }, (_, index) => posted(count - index));
const idsOf = (count: number) =>
  rows(count)
    .map(({ id }) => id)
    .toSorted();
const counts = ({ status, processed, added, updated, rejected }: SyncRunRow) => ({
  status,
  processed,
  added,
  updated,
  rejected,
});

/** A scene with an account of so many rows and a sync of it. */
async function scene(count: number) {
  const opened = await Scene.open();
  const account = opened.world.account();
  opened.world.bank.accounts.set(account, rows(count));
  return { opened, account, sync: await opened.sync([account]) };
}

describe('a database', () => {
  test('has each row once, with a call for each and at most a tenth more', async () => {
    const { opened, sync } = await scene(250);
    await using _ = opened;
    const begun = opened.clock.now();
    assert.deepEqual(counts(await opened.world.run(sync)), {
      status: 'succeeded',
      processed: 250,
      added: 250,
      updated: 0,
      rejected: 0,
    });
    assert.deepEqual(opened.ids, idsOf(250));
    assert.equal(opened.count('POST /v1/pages'), 250);
    const { length } = opened.calls;
    assert.ok(length <= 275, `${length} calls`);
    const lasted = opened.clock.now() - begun;
    assert.ok(lasted >= (length - 1) * 333, `${length} calls in ${lasted} ms are more than three a second`);
    assert.ok(lasted <= length * 400, `${length} calls in ${lasted} ms are far fewer than three a second`);
  });

  test('is not called at all when there is nothing new', async () => {
    const { opened, sync } = await scene(20);
    await using _ = opened;
    await opened.world.run(sync);
    opened.notion.control.clearRequests();
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    assert.deepEqual(opened.calls, []);
  });
});

test('a pending row is replaced in place', async () => {
  await using opened = await Scene.open();
  const account = opened.world.account();
  opened.world.bank.accounts.set(account, [pending(1, { day: 49, cents: -500 }), posted(1)]);
  const sync = await opened.sync([account], { options: { include_pending: true } });
  await opened.world.run(sync);
  const page = opened.pageOf(pending(1).id);
  opened.world.bank.accounts.set(account, [posted(2, { day: 49, cents: -500 })]);
  assert.equal((await opened.world.run(sync)).updated, 1);
  assert.deepEqual(opened.ids, [posted(1).id, posted(2).id]);
  assert.equal(opened.pageOf(posted(2).id), page);
});

describe('rows that were there', () => {
  test('do not count as added by a resync, and as updated only where they changed', async () => {
    const { opened, account, sync } = await scene(120);
    await using _ = opened;
    await opened.world.run(sync);
    opened.world.bank.accounts.set(account, [
      posted(121),
      ...rows(120).map((row) => (row.id === posted(7).id ? posted(7, { cents: 1 }) : row)),
    ]);
    await opened.resync(sync);
    opened.notion.control.clearRequests();
    const run = await opened.world.run(sync);
    assert.deepEqual(counts(run), { status: 'succeeded', processed: 121, added: 1, updated: 1, rejected: 0 });
    assert.deepEqual(opened.ids, idsOf(121));
    assert.equal(opened.shown(posted(7).id).Amount, '0.01');
    assert.deepEqual(
      ['POST /v1/pages', 'PATCH /v1/pages/:id', 'POST /v1/data_sources/:id/query'].map((call) =>
        opened.count(call),
      ),
      [1, 1, 3],
    );
  });

  test('are distinguished from those that a lost attempt wrote', async () => {
    const { opened, account, sync } = await scene(20);
    await using _ = opened;
    await opened.world.run(sync);
    opened.world.bank.accounts.set(account, rows(30));
    await opened.resync(sync);
    opened.notion.control.addFault({ route: 'POST /v1/pages', kind: 'drop-answer', after: 4 });
    assert.equal((await opened.world.run(sync)).status, 'failed');
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    assert.deepEqual(opened.ids, idsOf(30));
    assert.equal(
      (await opened.world.allRuns(sync)).reduce((sum, { added }) => sum + added, 0),
      30,
    );
  });

  test('more than once are left, and the oldest of them is the row', async () => {
    const { opened, account, sync } = await scene(3);
    await using _ = opened;
    await opened.world.run(sync);
    const oldest = opened.pageOf(posted(2).id);
    opened.world.clock.advance(3_600_000);
    const copy = opened.notion.control.copyRow(oldest);
    opened.world.bank.accounts.set(account, [posted(3), posted(2, { cents: 5 }), posted(1)]);
    await opened.resync(sync);
    assert.equal((await opened.world.run(sync)).updated, 1);
    const amounts = new Map(
      opened.kept.map(({ id, cells }) => [id, Object.values(cells).find((cell) => typeof cell === 'number')]),
    );
    assert.deepEqual([amounts.get(oldest), amounts.get(copy)], [0.05, -1.02]);
    assert.equal(opened.rows.length, 4);
  });
});

describe('a row that Notion refuses', () => {
  test('is rejected alone, and the others are written', async () => {
    await using opened = await Scene.open();
    const { world, notion } = opened;
    // Names of options hold no comma.
    notion.control.addProperty(opened.database, { name: 'Merchant', type: 'select' });
    const account = world.account();
    world.bank.accounts.set(account, [
      posted(3),
      posted(2, { merchant_name: 'Fish, chips and more' }),
      posted(1, { merchant_name: 'Bakery' }),
    ]);
    const sync = await opened.sync([account]);
    const run = await world.run(sync);
    assert.deepEqual(counts(run), { status: 'succeeded', processed: 3, added: 2, updated: 0, rejected: 1 });
    assert.deepEqual(opened.ids, [posted(1).id, posted(3).id]);
    assert.equal(opened.shown(posted(1).id).Merchant, 'Bakery');
  });

  test('fails the run when it is every one', async () => {
    await using opened = await Scene.open();
    const { world, notion } = opened;
    notion.control.addProperty(opened.database, { name: 'Merchant', type: 'select' });
    const account = world.account();
    world.bank.accounts.set(account, [posted(2, { merchant_name: 'a,b' })]);
    const run = await world.run(await opened.sync([account]));
    assert.deepEqual([run.status, run.failure, run.retryable], ['failed', 'run_failed', false]);
  });

  test('and was there is not counted as updated', async () => {
    const { opened, account, sync } = await scene(2);
    await using _ = opened;
    await opened.world.run(sync);
    opened.world.bank.accounts.set(account, [
      posted(2, { amount: { amount: 1, currency: 'aud' }, amount_decimal: '1234567890123456789.01' }),
      posted(1),
    ]);
    await opened.resync(sync);
    assert.deepEqual(counts(await opened.world.run(sync)), {
      status: 'succeeded',
      processed: 2,
      added: 0,
      updated: 0,
      rejected: 1,
    });
  });
});

test('a row that the bank takes away goes to the trash', async () => {
  await using opened = await Scene.open();
  const account = opened.world.account();
  opened.world.bank.accounts.set(account, [posted(2), pending(1)]);
  const sync = await opened.sync([account], { options: { include_pending: true } });
  await opened.world.run(sync);
  opened.world.bank.accounts.set(account, [posted(2)]);
  assert.equal((await opened.world.run(sync)).updated, 1);
  assert.deepEqual(opened.ids, [posted(2).id]);
  assert.deepEqual(opened.kept.map(({ inTrash }) => inTrash).toSorted(), [false, true]);
});

test('the newest rows are written first, at most three at once', async () => {
  const { opened, sync } = await scene(60);
  await using _ = opened;
  await opened.world.run(sync);
  const written = opened.kept.map(({ cells }) =>
    Object.values(cells)
      .flat()
      .find((cell) => String(cell).startsWith('txn_')),
  );
  const places = written.map((id) => rows(60).findIndex((row) => row.id === id));
  const newest = places.slice(0, 20);
  assert.ok(
    newest.every((place) => place < 40),
    `the first twenty are ${newest.join(', ')}`,
  );
  assert.equal(opened.mostAtOnce, 3);
});

test('a row shows the standard columns', async () => {
  await using opened = await Scene.open();
  const account = opened.world.account();
  opened.world.bank.accounts.set(account, [posted(1)]);
  await opened.world.run(await opened.sync([account]));
  assert.deepEqual(opened.shown(posted(1).id), {
    'Transaction ID': posted(1).id,
    Date: posted(1).date,
    Description: 'row 1',
    Amount: '-1.01',
    Currency: 'AUD',
    Direction: 'debit',
    Category: 'FOOD_AND_DRINK',
    Merchant: '',
    Account: `Account ${account.slice(-4)}`,
    Status: 'posted',
    Class: 'payment',
    'Post Date': posted(1).post_date,
    Memo: '',
    Tags: '',
  });
});
