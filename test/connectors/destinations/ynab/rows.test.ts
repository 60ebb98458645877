import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { SyncRunRow } from '../../../../src/storage/sync-runs.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { runAndDie } from '../../../features/sync-engine/support/death.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { stepOf } from '../support/shares.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

const ROWS = 1100;
const rows = (count: number) => Array.from({ length: count }, (_, index) => posted(count - index));
const memosOf = (count: number) =>
  rows(count)
    .map(({ description }) => description)
    .toSorted();
const counts = ({ processed, added, updated, rejected }: SyncRunRow) => ({
  processed,
  added,
  updated,
  rejected,
});

/** A scene with an account of so many rows and a sync of it. */
async function scene(count = ROWS) {
  const opened = await Scene.open();
  const account = opened.world.account();
  opened.world.bank.accounts.set(account, rows(count));
  return { opened, account, sync: await opened.sync([account]) };
}

async function addedInAll({ world }: Scene, sync: Parameters<Scene['resync']>[0]): Promise<number> {
  return (await world.allRuns(sync)).reduce((sum, run) => sum + run.added, 0);
}

test('a row is listed as refused once each of its import ids shows another row, and none is lost in silence', async () => {
  await using opened = await Scene.open();
  const { world } = opened;
  const account = world.account();
  const [row, ...others] = [1, 2, 3].map((number) => posted(number, { day: 49 }));
  assert.ok(row);
  world.bank.accounts.set(account, [row, ...others]);
  const sync = await opened.sync([account]);
  const run = async (): Promise<SyncRunRow> => {
    world.clock.advance(3_600_000);
    return await world.run(sync);
  };
  await run();
  const alike: (typeof row)[] = [];
  for (let turn = 1; turn <= 4; turn++) {
    alike.push({ ...row, id: `${row.id}x${turn}` });
    world.bank.accounts.set(account, [...others, ...alike]);
    await run();
    world.bank.accounts.set(account, [...others, row, ...alike]);
    // The row was delivered before, so its return counts as an update.
    const { status, updated, rejected } = await run();
    const expected = turn < 4 ? ['succeeded', 1, 0] : ['failed', 0, 1];
    assert.deepEqual([status, updated, rejected], expected, `turn ${turn}`);
  }
  assert.equal(opened.memos().length, 2 + 4);
});

describe('a first sync', () => {
  test('writes each row once, in bulk, and a second run with nothing new makes no call', async () => {
    const { opened, sync } = await scene();
    await using _ = opened;
    assert.deepEqual(counts(await opened.world.run(sync)), {
      processed: ROWS,
      added: ROWS,
      updated: 0,
      rejected: 0,
    });
    assert.deepEqual(opened.memos(), memosOf(ROWS));
    const post = 'POST transactions';
    assert.deepEqual(opened.calls(), ['GET plans', 'GET transactions', post, post, post]);
    opened.world.clock.advance(3_600_000);
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    assert.deepEqual(opened.calls(), []);
  });

  test('of ten thousand rows takes twenty bulk calls and two reads', { timeout: 600_000 }, async () => {
    const { opened, sync } = await scene(10_000);
    await using _ = opened;
    assert.equal((await opened.world.run(sync)).added, 10_000);
    const calls = opened.calls();
    assert.equal(calls.filter((call) => call === 'POST transactions').length, 20);
    assert.equal(calls.length, 22);
    assert.equal(opened.shown().length, 10_000);
    assert.equal(opened.vendor.control.callsUsed(), 23, 'and one as the person signed in');
  });

  test('shows payee, memo, amount, date and state of each row', async () => {
    await using opened = await Scene.open();
    const account = opened.world.account();
    opened.world.bank.accounts.set(account, [
      posted(1, { description: 'CARD 1234 WOOLWORTHS', merchant_name: 'Woolworths', cents: -1050 }),
      posted(2, { description: 'Salary', cents: 250_000 }),
    ]);
    await opened.world.run(await opened.sync([account]));
    const { id: _id, importId, ...bought } = opened.one('CARD 1234 WOOLWORTHS');
    assert.deepEqual(bought, {
      account: opened.at('Everyday'),
      date: posted(1).date,
      amount: -10_500,
      payee: 'Woolworths',
      memo: 'CARD 1234 WOOLWORTHS',
      category: null,
      cleared: 'cleared',
      approved: false,
      matched: null,
    });
    assert.match(importId ?? '', /^s1:[0-9a-f]{32}$/);
    const { payee, amount } = opened.one('Salary');
    assert.deepEqual([payee, amount], ['Salary', 2_500_000]);
  });

  test('leaves what a person entered, and YNAB matches it', async () => {
    await using opened = await Scene.open();
    const { control } = opened.vendor;
    const account = opened.world.account();
    const row = posted(1, { cents: -4200 });
    const own = control.enter(opened.plan, {
      account: opened.at('Everyday'),
      date: row.date ?? '',
      amount: -42_000,
      payee: 'Lunch',
    });
    opened.world.bank.accounts.set(account, [row]);
    await opened.world.run(await opened.sync([account]));
    assert.equal(opened.shown().length, 2);
    assert.equal(opened.one(row.description).matched, own);
    assert.equal(control.rows().length, 1, 'one was received');
  });
});

describe('a lost answer', () => {
  for (const kind of ['drop-answer', 'connection-reset'] as const) {
    test(`(${kind}) at each request of a run in turn leaves each row there once, counted once`, async () => {
      for (let nth = 0; ; nth++) {
        const { opened, sync } = await scene(600);
        await using _ = opened;
        // As often as the vendor is asked again, so that the run fails.
        opened.vendor.control.addFault({ route: '*', kind, after: nth, count: 4 });
        const first = await opened.world.run(sync);
        assert.equal(first.status, nth < 4 ? 'failed' : 'succeeded', `${nth}`);
        opened.vendor.control.clearFaults();
        if (first.status === 'failed') assert.equal((await opened.world.run(sync)).status, 'succeeded');
        assert.deepEqual(opened.memos(), memosOf(600));
        assert.equal(await addedInAll(opened, sync), 600, `${nth}`);
        if (first.status === 'succeeded') return;
      }
    });

    test(`(${kind}) once is made good within the run, and each row counts as added`, async () => {
      for (let nth = 0; nth < 4; nth++) {
        const { opened, sync } = await scene(600);
        await using _ = opened;
        opened.vendor.control.addFault({ route: '*', kind, after: nth });
        assert.deepEqual(counts(await opened.world.run(sync)), {
          processed: 600,
          added: 600,
          updated: 0,
          rejected: 0,
        });
        assert.deepEqual(opened.memos(), memosOf(600));
      }
    });
  }

  test('leaves each row there once wherever the process dies', { timeout: 600_000 }, async () => {
    for (let statement = 4; ; statement += stepOf(4)) {
      const { opened, sync } = await scene(120);
      await using _ = opened;
      const died = await runAndDie(opened.world, sync, statement);
      assert.equal((await opened.world.run(sync)).status, 'succeeded');
      assert.deepEqual(opened.memos(), memosOf(120));
      assert.equal(await addedInAll(opened, sync), 120, `${statement}`);
      if (!died) return;
    }
  });
});

describe('a resync', () => {
  test('finds what is there by reading it, imports nothing twice, and changes what differs', async () => {
    const { opened, account, sync } = await scene(700);
    await using _ = opened;
    await opened.world.run(sync);
    opened.calls();
    opened.world.bank.accounts.set(account, [
      posted(701),
      ...rows(700).map((row) => (row.id === posted(7).id ? posted(7, { cents: 1 }) : row)),
    ]);
    await opened.resync(sync);
    assert.deepEqual(counts(await opened.world.run(sync)), {
      processed: 701,
      added: 1,
      updated: 1,
      rejected: 0,
    });
    assert.deepEqual(opened.memos(), memosOf(701));
    assert.equal(opened.one('row 7').amount, 10);
    assert.deepEqual(opened.calls().toSorted(), [
      'GET plans',
      'GET transactions',
      'PATCH transactions',
      'POST transactions',
    ]);
  });

  test('reads in halves of the days what is too large for one answer', async () => {
    const opened = await Scene.open({ limits: { answer_list_bytes: 60_000 } });
    await using _ = opened;
    const account = opened.world.account();
    const many = Array.from({ length: 400 }, (_, at) => posted(at, { day: at % 45 }));
    opened.world.bank.accounts.set(account, many);
    const sync = await opened.sync([account]);
    // The answer to a bulk call is as large as what was sent, and is no list.
    assert.equal((await opened.world.run(sync)).added, 400);
    opened.calls();
    await opened.resync(sync);
    assert.deepEqual(counts(await opened.world.run(sync)), {
      processed: 400,
      added: 0,
      updated: 0,
      rejected: 0,
    });
    assert.equal(opened.shown().length, 400);
    const calls = opened.calls();
    assert.ok(calls.filter((call) => call === 'GET transactions').length > 3, calls.join());
    assert.ok(!calls.includes('POST transactions'));
  });

  for (const reimportsDeleted of [true, false]) {
    test(`brings back what a person deleted if YNAB imports it again (${reimportsDeleted}), and no usual run does`, async () => {
      const { opened, sync } = await scene(5);
      await using _ = opened;
      const { control } = opened.vendor;
      control.change({ reimportsDeleted });
      await opened.world.run(sync);
      control.deleteTransaction(opened.one('row 3').id);
      await opened.world.run(sync);
      assert.equal(opened.shown().length, 4);
      await opened.resync(sync);
      const run = await opened.world.run(sync);
      assert.equal(run.status, 'succeeded');
      assert.equal(run.added, reimportsDeleted ? 1 : 0);
      assert.equal(opened.shown().length, reimportsDeleted ? 5 : 4);
    });
  }
});
