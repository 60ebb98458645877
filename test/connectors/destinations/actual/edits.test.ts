import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { CategoryMappings } from '../../../../src/features/syncs/category-mappings.ts';
import { pending, posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase, UNCHECKED_TARGETS } from '../../../features/sync-engine/support/world.ts';
import { Scene, type SceneOptions } from './scene.ts';

after(closeDatabase);

const HOUR_MS = 3_600_000;

/** A scene of one account with those rows, which were delivered. */
async function delivered(
  rows = [posted(1, { day: 49 })],
  more: Parameters<Scene['sync']>[1] = {},
  options: SceneOptions = {},
) {
  const opened = await Scene.open(options);
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

type Row = ReturnType<typeof posted>;
const corrected = (more: Partial<Row> = {}) => [posted(1, { day: 49, cents: -4200, ...more })];

describe('a row that arrives', () => {
  test('shows its day, payee, notes, tags, exact amount and state, and makes each payee once', async () => {
    const rows = [
      posted(1, { day: 49, merchant_name: 'CORNER SHOP', description: 'EFTPOS #12', cents: -1234 }),
      posted(2, { day: 49, merchant_name: 'Bakery', cents: 500 }),
      pending(3, { day: 50, merchant_name: 'bakery ', cents: -1 }),
    ];
    const { opened } = await delivered(rows, { options: { include_pending: true } });
    await using _ = opened;
    const shown = opened
      .shown()
      .map(({ date, payee, notes, amount, cleared }) => [
        date === rows[2]?.date ? 'later' : 'sooner',
        payee,
        notes,
        amount,
        cleared,
      ]);
    assert.deepEqual(shown.toSorted(), [
      ['later', 'Bakery', 'row 3', -1, false],
      ['sooner', 'Bakery', 'row 2', 500, true],
      ['sooner', 'Corner Shop', 'EFTPOS ##12', -1234, true],
    ]);
    assert.equal(opened.summary.payees.filter(({ name }) => /bakery|corner shop/i.test(name)).length, 2);
  });

  test('travels with 500 others in one request, after four that read the budget', async () => {
    const rows = Array.from({ length: 1100 }, (_, at) => posted(at + 1, { day: 49 }));
    const { opened, runWith } = await delivered([rows[0] ?? assert.fail()]);
    await using _ = opened;
    assert.equal((await runWith(rows)).added, 1099);
    const read = ['POST login', 'GET get-user-file-info', 'GET download-user-file', 'POST sync'];
    assert.deepEqual(opened.calls(), [...read, 'POST sync', 'POST sync', 'POST sync']);
  });

  test('leaves what a person entered as it was', async () => {
    const { opened, runWith } = await delivered();
    await using _ = opened;
    const entry = { account: opened.at('Everyday'), date: '2026-01-02', amount: -4200, payee: 'Aunt May' };
    const id = opened.vendor.control.enter(opened.budget, entry);
    const before = opened.shown().find((one) => one.id === id);
    await runWith(corrected());
    await runWith([]);
    assert.deepEqual(
      opened.shown().find((one) => one.id === id),
      before,
    );
  });
});

describe('a row that the bank corrected', () => {
  test('is changed in place, only where it differs', async () => {
    const { opened, runWith } = await delivered();
    await using _ = opened;
    const before = opened.one('row 1');
    assert.equal((await runWith(corrected())).updated, 1);
    assert.deepEqual(opened.one('row 1'), { ...before, amount: -4200 });
    assert.equal((await runWith(corrected())).updated, 0);
  });

  test('is left alone where a person reconciled or split it', async () => {
    for (const edit of [{ reconciled: true }, { split: [-50, -51] }]) {
      const { opened, runWith } = await delivered();
      await using _ = opened;
      opened.edit('row 1', edit);
      const before = opened.one('row 1');
      await runWith(corrected({ description: 'other words' }));
      assert.deepEqual(opened.one('row 1'), before);
    }
  });

  test('keeps account, day and amount where a person made it one side of a transfer', async () => {
    const { opened, runWith } = await delivered();
    await using _ = opened;
    opened.edit('row 1', { transferTo: opened.at('Savings') });
    const before = opened.one('row 1');
    assert.notEqual(before.transfer, null);
    await runWith(corrected());
    assert.deepEqual(opened.one('row 1'), before);
    const [other] = opened.shown('Savings');
    assert.deepEqual([other?.amount, other?.transfer], [-before.amount, before.id]);
  });

  test('keeps the payee and the notes that a person gave it', async () => {
    const { opened, runWith } = await delivered();
    await using _ = opened;
    opened.edit('row 1', { payee: 'Aunt May', notes: 'lunch #family' });
    await runWith(corrected({ merchant_name: 'Some Shop', description: 'other words' }));
    const { payee, amount } = opened.one('lunch #family');
    assert.deepEqual([payee, amount], ['Aunt May', -4200]);
  });

  test('keeps the payee into which a person merged its own, and so do later rows', async () => {
    const shop = { merchant_name: 'SHOP 0042 SYDNEY' };
    const { opened, runWith } = await delivered([posted(1, { day: 49, ...shop })]);
    await using _ = opened;
    const { control } = opened.vendor;
    control.changePayee(opened.budget, opened.payee(shop.merchant_name), {
      into: opened.payee('Corner Shop'),
    });
    await runWith([...corrected(shop), posted(2, { day: 49, ...shop })]);
    assert.deepEqual(
      opened.shown().map(({ payee }) => payee),
      ['Corner Shop', 'Corner Shop'],
    );
  });

  test('gets the payee and the notes of the bank where no one changed them', async () => {
    const { opened, runWith } = await delivered();
    await using _ = opened;
    await runWith(corrected({ merchant_name: 'Some Shop', description: 'other words' }));
    assert.equal(opened.one('other words').payee, 'Some Shop');
  });

  test('stays deleted where a person deleted it', async () => {
    const { opened, runWith } = await delivered();
    await using _ = opened;
    opened.vendor.control.deleteTransaction(opened.budget, opened.one('row 1').id);
    await runWith(corrected());
    assert.equal(opened.shown().length, 0);
  });

  test('is found where a person gave it another day, and after the budget was uploaded again', async () => {
    const { opened, runWith } = await delivered();
    await using _ = opened;
    opened.edit('row 1', { date: posted(1, { day: -30 }).date ?? '' });
    opened.vendor.control.upload(opened.budget);
    await runWith(corrected());
    assert.equal(opened.one('row 1').amount, -4200);
  });

  test('is found after a reset of the sync, which forgets who did what: all texts stay as they are', async () => {
    const { opened, runWith, sync } = await delivered();
    await using _ = opened;
    opened.edit('row 1', { notes: 'mine' });
    opened.vendor.control.resetSync(opened.budget);
    await runWith(corrected({ description: 'other words' }));
    assert.equal(opened.one('mine').amount, -4200);
    await opened.resync(sync);
    assert.deepEqual([(await opened.world.run(sync)).added, opened.shown().length], [0, 1]);
  });
});

describe('a pending row', () => {
  const options = { include_pending: true };
  const waiting = pending(1, { day: 49, cents: -500, description: 'HOLD SHOP' });
  const settled = posted(2, { day: 50, cents: -500, description: 'SHOP 42' });

  test('is one transaction with its posted row, which keeps what a person did to it, also through a resync', async () => {
    const { opened, runWith, sync, account } = await delivered([waiting, posted(1)], { options });
    await using _ = opened;
    const before = opened.one('HOLD SHOP');
    assert.equal(before.cleared, false);
    opened.edit('HOLD SHOP', { category: opened.category('Groceries') });
    const run = await runWith([settled, posted(1)]);
    assert.deepEqual([run.added, run.updated], [0, 1]);
    const now = opened.one('SHOP 42');
    assert.deepEqual(
      [now.id, now.importedId, now.cleared, now.category, now.date],
      [before.id, opened.importId(account, settled.id), true, 'Groceries', settled.date],
    );
    await opened.resync(sync);
    const again = await opened.world.run(sync);
    assert.deepEqual([again.added, again.updated, opened.shown().length], [0, 0, 2]);
  });

  test('that is reported again after its posted row replaced it is shown next to it', async () => {
    const { opened, runWith, sync } = await delivered([waiting], { options });
    await using _ = opened;
    await runWith([settled]);
    await opened.resync(sync);
    await runWith([settled, waiting]);
    assert.deepEqual(
      opened
        .shown()
        .map(({ notes }) => notes)
        .toSorted(),
      ['HOLD SHOP', 'SHOP 42'],
    );
  });

  test('that a person split is known by its posted row, and stays split', async () => {
    const { opened, runWith, sync, account } = await delivered([waiting], { options });
    await using _ = opened;
    opened.edit('HOLD SHOP', { split: [-200, -300] });
    await runWith([settled]);
    const { split, importedId } = opened.one('HOLD SHOP');
    assert.deepEqual([split, importedId], [true, opened.importId(account, settled.id)]);
    await opened.resync(sync);
    await runWith([settled]);
    assert.equal(opened.shown().length, 1);
  });

  test('that is gone is deleted, unless a person worked on it', async () => {
    const work = [{ category: 'Groceries' }, { payee: 'Aunt May' }, { notes: 'mine' }, { reconciled: true }];
    for (const edit of [null, ...work, { split: [-200, -300] }]) {
      const { opened, runWith } = await delivered([waiting, posted(1)], { options });
      await using _ = opened;
      const category = opened.category('Groceries');
      if (edit !== null) opened.edit('HOLD SHOP', 'category' in edit ? { category } : edit);
      await runWith([posted(1)]);
      assert.equal(opened.shown().length, edit === null ? 1 : 2, JSON.stringify(edit));
    }
  });

  test('that a person deleted while the answer about it was lost stays deleted', async () => {
    const { opened, sync, account } = await delivered([posted(1)], { options });
    await using _ = opened;
    opened.world.bank.accounts.set(account, [waiting, posted(1)]);
    opened.world.clock.advance(HOUR_MS);
    opened.vendor.control.addFault({ route: 'POST /sync/sync', kind: 'drop-answer', after: 1, count: 4 });
    assert.equal((await opened.world.run(sync)).status, 'failed');
    opened.world.clock.advance(HOUR_MS);
    opened.vendor.control.deleteTransaction(opened.budget, opened.one('HOLD SHOP').id);
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    assert.deepEqual(
      opened.shown().map(({ notes }) => notes),
      ['row 1'],
    );
  });
});

describe('a mapped category', () => {
  /** A sync that maps the category of every row, and what it has delivered. */
  async function mapped(name = 'Groceries') {
    const opened = await Scene.open();
    const account = opened.world.account();
    opened.world.bank.accounts.set(account, [posted(1, { day: 49 })]);
    const sync = await opened.sync([account]);
    const mappings = new CategoryMappings({
      db: opened.world.database.db,
      clock: opened.world.clock,
      targets: UNCHECKED_TARGETS,
    });
    const map = (to: string) =>
      mappings.replace(opened.world.owner.id, sync.row.id, [
        { provider_category: 'FOOD_AND_DRINK', destination_category: to, destination_category_name: null },
      ]);
    await map(opened.category(name));
    await opened.world.run(sync);
    const runWith = async (cents: number) => {
      opened.world.clock.advance(HOUR_MS);
      opened.world.bank.accounts.set(account, [posted(1, { day: 49, cents })]);
      assert.equal((await opened.world.run(sync)).status, 'succeeded');
      return opened.one('row 1').category;
    };
    return { opened, map, runWith };
  }

  test('is set, and follows the mapping as long as no person chose another', async () => {
    const { opened, map, runWith } = await mapped();
    await using _ = opened;
    assert.equal(opened.one('row 1').category, 'Groceries');
    await map(opened.category('Transport'));
    assert.equal(await runWith(-1), 'Transport');
    opened.edit('row 1', { category: opened.category('Rent') });
    assert.equal(await runWith(-2), 'Rent');
    opened.edit('row 1', { category: null });
    assert.equal(await runWith(-3), null);
  });

  test('that was deleted gives way to the one that took its transactions, else to none', async () => {
    const { opened, runWith } = await mapped();
    await using _ = opened;
    const { control } = opened.vendor;
    const rent = opened.category('Rent');
    control.changeCategory(opened.budget, opened.category('Groceries'), { deleted: true, heir: rent });
    assert.equal(await runWith(-1), 'Rent');
    control.changeCategory(opened.budget, rent, { deleted: true });
    assert.equal(await runWith(-2), null);
  });
});

describe('a bank account that is mapped to another account of the budget', () => {
  test('keeps reconciled transactions where they were reconciled', async () => {
    const { opened, sync, account } = await delivered([posted(1, { day: 49 }), posted(2, { day: 49 })]);
    await using _ = opened;
    opened.edit('row 1', { reconciled: true });
    const accountMappings = [{ account, destination_account: opened.at('Savings') }];
    await opened.world.syncs.update(opened.world.owner, sync.row.id, { accountMappings });
    opened.world.clock.advance(HOUR_MS);
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    assert.deepEqual([opened.shown()[0]?.notes, opened.shown('Savings')[0]?.notes], ['row 1', 'row 2']);
  });
});

describe('the currency of a budget', () => {
  const row = (number: number, currency: string, amount: number, decimal: string) =>
    posted(number, { day: 49, amount: { amount, currency }, amount_decimal: decimal });

  test('without decimals has them in none of its amounts', async () => {
    const { opened } = await delivered([row(1, 'jpy', -1234, '-1234')], {}, { budget: 'Tokyo' });
    await using _ = opened;
    assert.equal(opened.one('row 1').amount, -1234);
    assert.equal(opened.vendor.control.rows()[0]?.values.Payment, '1234');
  });

  test('where it has none, every amount of whole hundredths is taken and any other rejected', async () => {
    const opened = await Scene.open({ budget: 'Plain' });
    await using _ = opened;
    const account = opened.world.account();
    opened.world.bank.accounts.set(account, [
      row(1, 'jpy', -1234, '-1234'),
      row(2, 'kwd', 10, '0.010'),
      row(3, 'kwd', 5, '0.005'),
    ]);
    const { added, rejected } = await opened.world.run(await opened.sync([account]));
    assert.deepEqual([added, rejected], [2, 1]);
    assert.deepEqual([opened.one('row 1').amount, opened.one('row 2').amount], [-123_400, 1]);
  });

  test('whose decimals are not certain ends the run with a reason, before anything is written', async () => {
    const { opened, sync, account } = await delivered();
    await using _ = opened;
    opened.vendor.control.setCurrency(opened.budget, 'KWD');
    opened.world.bank.accounts.set(account, corrected());
    const run = await opened.world.run(sync);
    assert.deepEqual([run.status, run.failure, run.retryable], ['failed', 'run_failed', false]);
    assert.equal(opened.one('row 1').amount, -101);
  });
});
