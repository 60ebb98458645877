import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Trade } from '../../../src/vocabulary/holdings.ts';
import { posted } from '../../features/sync-engine/support/bank.ts';
import { problemsOf, verified } from '../../features/sync-engine/support/verification.ts';
import { closeDatabase, type World } from '../../features/sync-engine/support/world.ts';
import { Scene as Airtable } from './airtable/scene.ts';
import { Scene as Notion } from './notion/scene.ts';
import { Scene as Sheets } from './sheets/scene.ts';
import { Scene as Ynab } from './ynab/scene.ts';

const HOUR_MS = 3_600_000;
after(closeDatabase);

const recent = (number: number, more: Parameters<typeof posted>[1] = {}) =>
  posted(number, { day: 49, ...more });
const rows = (count: number) => Array.from({ length: count }, (_, at) => recent(at + 1));

/** The bank, or the person there, gives accounts another name. */
function renameAccounts(world: World): void {
  const { bank } = world;
  world.source = {
    open: async (owner, id) => {
      const opened = await bank.open(owner, id);
      return { ...opened, account: { ...opened.account, name: 'Renamed' } };
    },
  };
}

describe('a spreadsheet that people work in', () => {
  test('is read wherever its columns are, and a renamed account is distinguished from an edit', async () => {
    await using scene = await Sheets.open();
    const account = scene.world.account();
    scene.world.bank.accounts.set(account, rows(3));
    const sync = await scene.sync([account]);
    await scene.world.run(sync);
    const column = { sheetId: 0, dimension: 'COLUMNS', startIndex: 3, endIndex: 4 };
    scene.edit({ moveDimension: { source: column, destinationIndex: 0 } });
    assert.deepEqual((await verified(scene.world, sync)).problems, []);
    renameAccounts(scene.world);
    const said = await verified(scene.world, sync);
    assert.deepEqual(
      said.problems.map(({ reason, fields }) => [
        reason,
        fields.map(({ name, expected }) => [name, expected]),
      ]),
      rows(3).map(() => ['account_differs', [['Account', 'Renamed']]]),
    );
    assert.match(said.problems[0]?.where ?? '', /^Sheet1, row \d+$/);
  });

  test('of a template is compared in the columns that a sync writes, and not in those that people fill in', async () => {
    const headers = ['Date', 'Description', 'Category', 'Amount', 'Month', 'Week', 'Date Added', 'Note'];
    await using scene = await Sheets.open({ headers });
    const account = scene.world.account();
    scene.world.bank.accounts.set(account, rows(2));
    const sync = await scene.sync([account]);
    await scene.world.run(sync);
    scene.world.clock.advance(48 * HOUR_MS);
    assert.deepEqual((await verified(scene.world, sync)).problems, []);
    const typed = (columnIndex: number, text: string) => ({
      updateCells: {
        start: { sheetId: 0, rowIndex: 1, columnIndex },
        rows: [{ values: [{ userEnteredValue: { stringValue: text } }] }],
        fields: 'userEnteredValue',
      },
    });
    scene.edit(typed(2, 'Food'), typed(7, 'mine'));
    assert.deepEqual((await verified(scene.world, sync)).problems, []);
    scene.edit(typed(1, 'by hand'));
    const [problem, ...others] = (await verified(scene.world, sync)).problems;
    assert.deepEqual(others, []);
    assert.deepEqual(
      problem?.fields.map(({ name, found }) => [name, found]),
      [['Description (Tiller)', 'by hand']],
    );
  });

  test('of trades is compared as well', async () => {
    await using scene = await Sheets.open();
    const account = scene.world.account();
    scene.world.providers.set(account, 'brokerage');
    const trade = (number: number): Trade => ({
      id: `trd_st_${number}`,
      symbol: 'ACME',
      name: 'Acme',
      type: 'buy',
      quantity: `${number}.50`,
      price: { money: { amount: 3312, currency: 'usd' }, decimal: '33.1234' },
      currency: 'usd',
      total_amount: null,
      fees: null,
      trade_date: recent(1).date ?? assert.fail(),
      trade_datetime: null,
      settlement_date: null,
      settlement_datetime: null,
      description: 'bought',
    });
    scene.world.bank.trades.set(account, [trade(1), trade(2)]);
    const sync = await scene.sync([account], { type: 'trades' });
    assert.equal((await scene.world.run(sync)).added, 2);
    const { problems, counts } = await verified(scene.world, sync);
    assert.deepEqual([problems, counts.alike], [[], 2]);
  });
});

test('a Notion database of more rows than a query has is read completely, and each row once', async () => {
  await using scene = await Notion.open();
  const account = scene.world.account();
  const sync = await scene.sync([account]);
  for (const count of [4, 8, 12]) {
    scene.world.bank.accounts.set(account, rows(count));
    scene.world.clock.advance(HOUR_MS);
    assert.equal((await scene.world.run(sync)).status, 'succeeded');
  }
  scene.world.clock.advance(HOUR_MS);
  scene.notion.control.set({ queryResultLimit: 5 });
  const { problems, counts } = await verified(scene.world, sync);
  assert.deepEqual([problems, counts.destination, counts.alike], [[], 12, 12]);
  scene.notion.control.set({ queryResultLimit: 3 });
  await assert.rejects(verified(scene.world, sync), { code: 'upstream_failed' });
});

test('a Notion database is read when its queries have what was just written', async () => {
  await using scene = await Notion.open();
  const account = scene.world.account();
  scene.world.bank.accounts.set(account, rows(2));
  const sync = await scene.sync([account]);
  await scene.world.run(sync);
  scene.notion.control.set({ indexLagMs: 15_000 });
  const said = verified(scene.world, sync);
  let isOver = false;
  said.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    // Not so fast that a slow database takes the time that a verification has.
    await new Promise((resolve) => setTimeout(resolve, 2));
    scene.world.clock.advance(100);
  }
  assert.deepEqual((await said).problems, []);
});

test('an Airtable table is compared by value where a person gave a column another type', async () => {
  await using scene = await Airtable.open();
  const { sync } = await scene.syncOf(rows(3));
  await scene.run(sync);
  scene.control.retypeField(scene.column('Amount'), 'singleLineText');
  scene.control.editRecord(scene.recordOf(recent(1).id), { Amount: recent(1).amount_decimal });
  assert.deepEqual((await verified(scene.world, sync)).problems, []);
  scene.control.editRecord(scene.recordOf(recent(2).id), { Amount: '5.00' });
  const said = await verified(scene.world, sync);
  assert.deepEqual(problemsOf(said), [['edited_there', recent(2).id]]);
  assert.deepEqual(said.problems[0]?.fields, [{ name: 'Amount', expected: '-1.02', found: '5' }]);
});

describe('a YNAB plan that people work in', () => {
  test('shows no problem where an update would leave their work alone', async () => {
    await using scene = await Ynab.open();
    scene.vendor.control.change({ renames: { 'row 1': 'Groceries & Co' } });
    const account = scene.world.account();
    scene.world.bank.accounts.set(account, rows(4));
    const sync = await scene.sync([account]);
    await scene.world.run(sync);
    const { control } = scene.vendor;
    control.edit(scene.one('row 2').id, { cleared: 'reconciled' });
    control.edit(scene.one('row 3').id, { category: scene.category('Groceries'), approved: true });
    assert.deepEqual((await verified(scene.world, sync)).problems, []);
    const [date, moved] = [recent(4).date, posted(4, { day: 47 }).date];
    control.edit(scene.one('row 4').id, { date: moved ?? '' });
    const [problem] = (await verified(scene.world, sync)).problems;
    assert.deepEqual(problem?.fields, [{ name: 'Date', expected: date, found: moved }]);
  });

  test('shows no problem where the bank corrects what a person reconciled or split, which no resync changes', async () => {
    await using scene = await Ynab.open();
    const account = scene.world.account();
    scene.world.bank.accounts.set(account, rows(3));
    const sync = await scene.sync([account]);
    await scene.world.run(sync);
    const { control } = scene.vendor;
    control.edit(scene.one('row 1').id, { cleared: 'reconciled' });
    control.edit(scene.one('row 2').id, { split: [-500, -520] });
    const corrected = rows(3).map((row) => ({ ...row, description: `${row.description} corrected` }));
    scene.world.bank.accounts.set(account, corrected);
    assert.equal((await scene.world.run(sync)).status, 'succeeded');
    const { problems, counts } = await verified(scene.world, sync);
    assert.deepEqual([problems, counts.alike], [[], 3]);
  });

  test('is read in halves of its days where one answer would be too large', async () => {
    await using scene = await Ynab.open({ limits: { answer_list_bytes: 20_000 } });
    const account = scene.world.account();
    const spread = Array.from({ length: 60 }, (_, at) => posted(at + 1, { day: at % 45 }));
    scene.world.bank.accounts.set(account, spread);
    const sync = await scene.sync([account]);
    assert.equal((await scene.world.run(sync)).status, 'succeeded');
    const { problems, counts } = await verified(scene.world, sync);
    assert.deepEqual([problems, counts.alike], [[], 60]);
  });
});
