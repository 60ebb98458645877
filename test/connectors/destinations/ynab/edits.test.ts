import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { pending, posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

const HOUR_MS = 3_600_000;

/** A scene of one account with those rows, which were delivered. */
async function delivered(rows = [posted(1, { day: 49 })], more: Parameters<Scene['sync']>[1] = {}) {
  const opened = await Scene.open();
  const account = opened.world.account();
  opened.world.bank.accounts.set(account, rows);
  const sync = await opened.sync([account], more);
  assert.equal((await opened.world.run(sync)).status, 'succeeded');
  opened.calls();
  const runWith = async (next: typeof rows) => {
    opened.world.clock.advance(HOUR_MS);
    opened.world.bank.accounts.set(account, next);
    const run = await opened.world.run(sync);
    assert.equal(run.status, 'succeeded');
    return run;
  };
  return { opened, account, sync, runWith };
}

const corrected = (cents = -4200) => [posted(1, { day: 49, cents })];

describe('a row that the bank corrected', () => {
  test('is changed in place, with one read of the recent days and one bulk call', async () => {
    const { opened, runWith } = await delivered();
    await using _ = opened;
    const { id } = opened.one('row 1');
    assert.equal((await runWith(corrected())).updated, 1);
    assert.deepEqual([opened.one('row 1').id, opened.one('row 1').amount], [id, -42_000]);
    assert.deepEqual(opened.calls(), ['GET plans', 'GET transactions', 'PATCH transactions']);
  });

  test('is left alone where a person reconciled or split it', async () => {
    for (const edit of [{ cleared: 'reconciled' as const }, { split: [-500, -510] }]) {
      const { opened, runWith } = await delivered();
      await using _ = opened;
      const before = opened.one('row 1');
      opened.vendor.control.edit(before.id, edit);
      await runWith(corrected());
      assert.equal(opened.one('row 1').amount, before.amount);
      assert.ok(!opened.calls().includes('PATCH transactions'));
    }
  });

  test('keeps the payee that a person or a rule of theirs gave it', async () => {
    const { opened, runWith } = await delivered();
    await using _ = opened;
    opened.vendor.control.edit(opened.one('row 1').id, { payee: 'Aunt May' });
    await runWith([posted(1, { day: 49, cents: -4200, merchant_name: 'Corner Shop' })]);
    const { payee, amount } = opened.one('row 1');
    assert.deepEqual([payee, amount], ['Aunt May', -42_000]);
  });

  test('gets the payee of the bank where no one renamed it', async () => {
    const { opened, runWith } = await delivered();
    await using _ = opened;
    await runWith([posted(1, { day: 49, merchant_name: 'Corner Shop' })]);
    assert.equal(opened.one('row 1').payee, 'Corner Shop');
  });

  test('stays deleted where a person deleted it', async () => {
    const { opened, runWith } = await delivered();
    await using _ = opened;
    opened.vendor.control.deleteTransaction(opened.one('row 1').id);
    await runWith(corrected());
    assert.equal(opened.shown().length, 0);
  });

  test('is found where a person gave it another day', async () => {
    const { opened, runWith } = await delivered();
    await using _ = opened;
    opened.vendor.control.edit(opened.one('row 1').id, { date: posted(1, { day: -30 }).date ?? '' });
    await runWith(corrected());
    assert.equal(opened.one('row 1').amount, -42_000);
    assert.equal(opened.shown().length, 1);
  });

  test('keeps what a rule of the person renamed on import, also through a resync', async () => {
    await using opened = await Scene.open();
    opened.vendor.control.change({ renames: { 'row 1': 'Groceries & Co' } });
    const account = opened.world.account();
    opened.world.bank.accounts.set(account, [posted(1)]);
    const sync = await opened.sync([account]);
    await opened.world.run(sync);
    assert.equal(opened.one('row 1').payee, 'Groceries & Co');
    await opened.resync(sync);
    const { added, updated } = await opened.world.run(sync);
    assert.deepEqual([added, updated], [0, 0]);
    assert.equal(opened.one('row 1').payee, 'Groceries & Co');
  });
});

describe('a pending row', () => {
  const options = { include_pending: true, data_from: posted(1, { day: -100 }).date ?? assert.fail() };
  const waiting = pending(1, { day: 49, cents: -500, description: 'HOLD SHOP' });

  test('is uncleared, and its posted row replaces it and keeps the changes of a person', async () => {
    const { opened, runWith } = await delivered([waiting, posted(1)], { options });
    await using _ = opened;
    const before = opened.one('HOLD SHOP');
    assert.equal(before.cleared, 'uncleared');
    opened.vendor.control.edit(before.id, { category: opened.category('Groceries'), approved: true });
    const run = await runWith([posted(2, { day: 50, cents: -500, description: 'SHOP 42' }), posted(1)]);
    assert.deepEqual([run.added, run.updated], [0, 1]);
    const now = opened.one('SHOP 42');
    assert.deepEqual(
      [now.id, now.importId, now.cleared, now.category, now.date],
      [before.id, before.importId, 'cleared', opened.category('Groceries'), posted(2, { day: 50 }).date],
    );
    assert.equal(opened.shown().length, 2);
    await runWith([posted(2, { day: 50, cents: -499, description: 'SHOP 42' }), posted(1)]);
    assert.equal(opened.one('SHOP 42').amount, -4990, 'the posted row is known by the pending one’s id');
  });

  describe('whose place a posted row took', () => {
    const settled = posted(2, { day: 50, cents: -500, description: 'SHOP 42' });
    /** The same purchase again: alike in all but its id and its text. */
    const twin = posted(3, { day: 50, cents: -500, description: 'SHOP 43' });

    test('is there once after a resync, and after the sync was deleted and made again', async () => {
      const { opened, sync, account, runWith } = await delivered([waiting, posted(1)], { options });
      await using _ = opened;
      await runWith([settled, posted(1)]);
      const { id } = opened.one('SHOP 42');
      opened.vendor.control.edit(id, { category: opened.category('Groceries'), approved: true });
      await opened.resync(sync);
      assert.equal((await opened.world.run(sync)).added, 0);
      const anew = await opened.anew(sync, [account], { options });
      assert.equal((await opened.world.run(anew)).added, 0);
      assert.deepEqual(opened.memos(), ['SHOP 42', 'row 1']);
      const { id: now, category } = opened.one('SHOP 42');
      assert.deepEqual([now, category], [id, opened.category('Groceries')]);
    });

    test('is not mistaken for another posted row of the same day and amount', async () => {
      const { opened, sync, runWith } = await delivered([waiting, posted(1)], { options });
      await using _ = opened;
      await runWith([settled, posted(1)]);
      assert.equal((await runWith([twin, settled, posted(1)])).added, 1);
      assert.deepEqual(opened.memos(), ['SHOP 42', 'SHOP 43', 'row 1']);
      for (const order of [
        [settled, twin],
        [twin, settled],
      ]) {
        opened.world.bank.accounts.set(sync.accounts[0] ?? assert.fail(), [...order, posted(1)]);
        await opened.resync(sync);
        assert.equal((await opened.world.run(sync)).added, 0);
        assert.deepEqual(opened.memos(), ['SHOP 42', 'SHOP 43', 'row 1']);
      }
    });
  });

  test('that a person cleared is kept in addition to a similar posted row, whichever is read first', async () => {
    const like = posted(2, { day: 49, cents: -500, description: 'SHOP 42' });
    for (const order of [
      [like, waiting],
      [waiting, like],
    ]) {
      const { opened, sync, runWith } = await delivered([waiting, posted(1)], { options });
      await using _ = opened;
      opened.vendor.control.edit(opened.one('HOLD SHOP').id, { cleared: 'cleared' });
      opened.world.bank.accounts.set(sync.accounts[0] ?? assert.fail(), [...order, posted(1)]);
      await opened.resync(sync);
      await opened.world.run(sync);
      assert.deepEqual(opened.memos(), ['HOLD SHOP', 'SHOP 42', 'row 1'].toSorted());
      await runWith([posted(3, { day: 50, cents: -500, description: 'SHOP 43' }), like, posted(1)]);
      assert.deepEqual(opened.memos(), ['SHOP 42', 'SHOP 43', 'row 1']);
      await opened.resync(sync);
      await opened.world.run(sync);
      assert.deepEqual(opened.memos(), ['SHOP 42', 'SHOP 43', 'row 1']);
    }
  });

  test('is found again when the answer about its posted row is lost', async () => {
    for (const kind of ['drop-answer', 'connection-reset'] as const) {
      const { opened, sync, account } = await delivered([waiting, posted(1)], { options });
      await using _ = opened;
      const { id } = opened.one('HOLD SHOP');
      opened.world.bank.accounts.set(account, [
        posted(2, { day: 50, cents: -500, description: 'SHOP 42' }),
        posted(1),
      ]);
      opened.vendor.control.addFault({ route: 'PATCH *', kind, count: 4 });
      assert.equal((await opened.world.run(sync)).status, 'failed');
      assert.equal((await opened.world.run(sync)).status, 'succeeded');
      assert.equal(opened.one('SHOP 42').id, id);
      assert.equal(opened.shown().length, 2);
    }
  });

  test('that is gone is deleted, unless a person has worked on it', async () => {
    const takenUp = [{ approved: true }, { cleared: 'reconciled' as const }, { split: [-200, -300] }];
    for (const edit of [null, ...takenUp]) {
      const { opened, runWith } = await delivered([waiting, posted(1)], { options });
      await using _ = opened;
      const { id } = opened.one('HOLD SHOP');
      if (edit !== null) opened.vendor.control.edit(id, edit);
      await runWith([posted(1)]);
      assert.equal(opened.shown().length, edit === null ? 1 : 2, JSON.stringify(edit));
      assert.equal(opened.calls().filter((call) => call.startsWith('DELETE')).length, edit === null ? 1 : 0);
    }
  });

  test('that YNAB categorised on its own is deleted when it posts with another amount', async () => {
    const shop = { merchant_name: 'Shop' };
    const bought = posted(1, shop);
    const { opened, runWith } = await delivered([bought], { options });
    await using _ = opened;
    const groceries = opened.category('Groceries');
    opened.vendor.control.edit(opened.one('row 1').id, { category: groceries, approved: true });
    await runWith([{ ...waiting, ...shop }, bought]);
    const { category, approved } = opened.one('HOLD SHOP');
    assert.deepEqual([category, approved], [groceries, false], 'YNAB knows the payee');
    await runWith([posted(2, { ...shop, day: 50, cents: -650, description: 'SHOP 42' }), bought]);
    assert.deepEqual(opened.memos(), ['SHOP 42', 'row 1']);
  });

  test('whose deletion was applied and not answered is deleted once', async () => {
    const { opened, sync, account } = await delivered([waiting, posted(1)], { options });
    await using _ = opened;
    opened.world.bank.accounts.set(account, [posted(1)]);
    opened.vendor.control.addFault({ route: 'DELETE *', kind: 'drop-answer' });
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    assert.equal(opened.shown().length, 1);
  });
});

describe('the target', () => {
  const missing = async (act: (opened: Scene) => void) => {
    const { opened, sync, account } = await delivered();
    await using _ = opened;
    act(opened);
    opened.world.bank.accounts.set(account, corrected());
    const run = await opened.world.run(sync);
    assert.deepEqual(
      [run.status, run.failure, run.retryable],
      ['failed', 'destination_resource_missing', false],
    );
    assert.ok(!opened.calls().includes('PATCH transactions'));
  };

  test('is missing when the account was closed', () =>
    missing((opened) => opened.vendor.control.changeAccount(opened.at('Everyday'), { closed: true })));

  test('is missing when the account was deleted', () =>
    missing((opened) => opened.vendor.control.changeAccount(opened.at('Everyday'), { deleted: true })));

  test('is missing when the plan was deleted', () =>
    missing((opened) => opened.vendor.control.deletePlan(opened.plan)));

  test('stays the same under another name', async () => {
    const { opened, runWith } = await delivered();
    await using _ = opened;
    opened.vendor.control.renamePlan(opened.plan, 'Renamed');
    opened.vendor.control.changeAccount(opened.at('Everyday'), { name: 'Daily' });
    await runWith(corrected());
    assert.equal(opened.one('row 1').amount, -42_000);
  });
});
