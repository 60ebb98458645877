import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { SyncRunRow } from '../../../src/storage/sync-runs.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { pending, posted } from '../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { Scene } from './airtable/scene.ts';

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

describe('A first sync', () => {
  test('makes the columns that are missing, and shows every row once, in as few calls as Airtable allows', async () => {
    await using scene = await Scene.open();
    const { sync } = await scene.syncOf(rows(1_000));
    assert.deepEqual(counts(await scene.run(sync)), {
      status: 'succeeded',
      processed: 1_000,
      added: 1_000,
      updated: 0,
      rejected: 0,
    });
    assert.deepEqual(scene.ids, idsOf(1_000));
    const calls = Map.groupBy(scene.calls(), (call) => call);
    assert.equal(calls.get('GET schema')?.length, 1);
    assert.equal(calls.get('PATCH records')?.length, 100);
    const others = scene.calls().filter((call) => call !== 'POST schema').length;
    assert.ok(others <= 110, `${others} calls besides those that make columns`);
    assert.equal(scene.control.usage().refused, 0);
  });
});

describe('The runs after it', () => {
  test('call no one while nothing is new, and write a new row with one call', async () => {
    await using scene = await Scene.open();
    const { account, sync } = await scene.syncOf(rows(30));
    await scene.run(sync);
    assert.equal((await scene.run(sync)).status, 'succeeded');
    assert.deepEqual(
      scene.calls().filter((call) => call !== 'POST token'),
      [],
    );
    scene.world.bank.accounts.set(account, [posted(31, { day: 49 }), ...rows(30)]);
    assert.equal((await scene.run(sync)).added, 1);
    assert.deepEqual(
      scene.calls().filter((call) => call !== 'POST token'),
      ['PATCH records'],
    );
  });

  test('show a pending row as the posted one it becomes, in the same record', async () => {
    await using scene = await Scene.open();
    const { account, sync } = await scene.syncOf([pending(1, { day: 49, cents: -500 }), posted(1)], {
      options: { include_pending: true },
    });
    await scene.run(sync);
    const record = scene.recordOf(pending(1).id);
    scene.world.bank.accounts.set(account, [posted(2, { day: 49, cents: -500 }), posted(1)]);
    assert.equal((await scene.run(sync)).updated, 1);
    assert.deepEqual(scene.ids, [posted(1).id, posted(2).id]);
    assert.equal(scene.recordOf(posted(2).id), record);
  });
});

describe('A resync', () => {
  test('adds nothing that is there, updates only what changed, and reads a hundred rows with a call', async () => {
    await using scene = await Scene.open();
    const { account, sync } = await scene.syncOf(rows(250));
    await scene.run(sync);
    scene.world.bank.accounts.set(account, [
      posted(251),
      ...rows(250).map((row) => (row.id === posted(7).id ? posted(7, { cents: 1 }) : row)),
    ]);
    assert.deepEqual(counts(await scene.resync(sync)), {
      status: 'succeeded',
      processed: 251,
      added: 1,
      updated: 1,
      rejected: 0,
    });
    assert.deepEqual(scene.ids, idsOf(251));
    assert.equal(scene.shown(posted(7).id).Amount, '0.01');
    const calls = Map.groupBy(scene.calls(), (call) => call);
    assert.equal(calls.get('POST records list')?.length, 3);
    assert.equal(calls.get('PATCH records')?.length, 1);
  });

  test('brings back what a person removed, and fills what they emptied', async () => {
    await using scene = await Scene.open();
    const { sync } = await scene.syncOf(rows(12));
    await scene.run(sync);
    scene.control.deleteRecord(scene.recordOf(posted(3).id));
    scene.control.editRecord(scene.recordOf(posted(4).id), { Amount: null, Category: 'Mine' });
    const { status, added, updated } = await scene.resync(sync);
    assert.deepEqual([status, added, updated], ['succeeded', 1, 1]);
    assert.deepEqual(scene.ids, idsOf(12));
    const { Amount, Category } = scene.shown(posted(4).id);
    assert.deepEqual([Amount, Category], ['-1.04', 'FOOD_AND_DRINK']);
  });

  test('of few rows that are there as they are writes none, and counts none', async () => {
    await using scene = await Scene.open();
    const { sync } = await scene.syncOf(rows(5));
    await scene.run(sync);
    const { added, updated } = await scene.resync(sync);
    assert.deepEqual([added, updated], [0, 0]);
    assert.deepEqual(
      scene.calls().filter((call) => call !== 'POST token'),
      ['POST records list'],
    );
  });
});

describe('What a row shows', () => {
  const values = async (row: Transaction) => {
    await using scene = await Scene.open();
    const { sync } = await scene.syncOf([row]);
    const run = await scene.run(sync);
    return { run, shown: scene.control.rows()[0]?.values ?? {} };
  };

  test('are all standard columns, by their names', async () => {
    const { shown } = await values(posted(1, { merchant_name: 'Corner Shop' }));
    const { date } = posted(1);
    const { Account, ...others } = shown;
    assert.match(Account ?? '', /^Account /);
    assert.deepEqual(others, {
      'Transaction ID': posted(1).id,
      Date: date,
      Description: 'row 1',
      Amount: '-1.01',
      Currency: 'AUD',
      Direction: 'debit',
      Category: 'FOOD_AND_DRINK',
      Merchant: 'Corner Shop',
      Status: 'posted',
      Class: 'payment',
      'Post Date': date,
    });
  });

  for (const [currency, text, shownAs] of [
    ['jpy', '-1500', '-1500'],
    ['kwd', '1.234', '1.234'],
    ['aud', '+12.50', '12.5'],
    ['aud', '-9007199254740.99', '-9007199254740.99'],
    ['aud', '0.00', '0'],
  ] as const) {
    test(`is the amount ${text} ${currency} to the last digit`, async () => {
      const { shown } = await values(posted(1, { amount: { amount: 1, currency }, amount_decimal: text }));
      assert.equal(shown.Amount, shownAs);
      assert.equal(shown.Currency, currency.toUpperCase());
    });
  }

  test('is never a rounded amount: a row that Airtable would round is refused', async () => {
    await using scene = await Scene.open();
    const exact = posted(2);
    const { sync } = await scene.syncOf([posted(1, { amount_decimal: '90071992547409.931' }), exact]);
    const { status, added, rejected } = await scene.run(sync);
    assert.deepEqual([status, added, rejected], ['succeeded', 1, 1]);
    assert.deepEqual(scene.ids, [exact.id]);
  });

  for (const [what, text] of [
    ['a formula', '=HYPERLINK("http://evil.example","+1")'],
    ['control characters', 'a\u0000b\u0007c\u001b[31md'],
    ['text from right to left', '\u202eevil\u202c שלום \u2066x\u2069'],
    ['line ends, quotes and backslashes', 'one\r\ntwo "three" \\four\\ {five}'],
    ['50,000 characters', 'ü'.repeat(50_000)],
  ] as const) {
    test(`is a description with ${what} as the bank gave it`, async () => {
      const { shown } = await values(posted(1, { description: text }));
      assert.equal(shown.Description, text);
    });
  }

  test('is a description cut between characters where it is longer than Airtable takes', async () => {
    const { run, shown } = await values(posted(1, { description: `${'x'.repeat(99_998)}😀😀` }));
    assert.equal(run.rejected, 0);
    assert.equal(shown.Description, `${'x'.repeat(99_998)}…`);
  });
});
