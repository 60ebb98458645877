import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { chosenFields } from '../../../src/connectors/destinations/row-values.ts';
import { TRANSACTION_FIELDS } from '../../../src/vocabulary/row-fields.ts';
import { posted } from '../../features/sync-engine/support/bank.ts';
import { problemsOf, verified } from '../../features/sync-engine/support/verification.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { Scene as SheetsScene } from './sheets/scene.ts';
import { counts, id, KINDS, NEWEST, ROWS, written } from './support/column-targets.ts';
import { openedSync } from './support/opened-sync.ts';

after(closeDatabase);

/** Enough to encode rows with, at every vendor. */
const OPENING = {
  owner: 'owner',
  target: { spreadsheet_id: 's', sheet_id: '0', database_id: 'd', base_id: 'b', table_id: 't' },
  secrets: [],
  access: { owner: 'owner', current: async () => assert.fail(), renew: async () => assert.fail() },
  recorded: async () => new Set<string>(),
  accountsWithRows: async () => null,
};
for (const [type, kind] of Object.entries(KINDS)) {
  describe(`chosen columns in ${type}`, () => {
    test('are made in their order, and no others, with the id after them', async () => {
      const { target } = await written(kind, ['amount', 'description', 'account_number', 'date']);
      await using _ = target;
      assert.deepEqual(
        target.columns(),
        kind.made(['Amount', 'Description', 'Account #', 'Date', 'Transaction ID']),
      );
      const shown = target.shown(id);
      assert.deepEqual(
        ['Amount', 'Date', 'Account #', 'Description'].map((name) => shown[name]),
        ['-1.03', NEWEST?.date, 'xxxx1234', 'row 3'],
      );
    });

    test('are found where a person has them, and the others are added in their order', async () => {
      const { target, run, reports } = await written(
        kind,
        ['date', 'merchant', 'transaction_id', 'amount'],
        true,
      );
      await using _ = target;
      assert.deepEqual(target.columns(), kind.existing(['Date', 'Transaction ID', 'Amount']));
      target.note(id, 'with Kim');
      target.moveFirst('Amount');
      target.moveFirst('Notes');
      reports([posted(9, { day: 49, merchant_name: 'Bakery' }), ...ROWS]);
      assert.deepEqual(counts(await run()), ['succeeded', 1, 0, 0]);
      assert.equal(target.columns().length, kind.existing(['', '', '']).length);
      const [first, second] = [target.shown(id), target.shown(posted(9).id)];
      assert.deepEqual([first.Notes, first.Merchant, first.Amount], ['with Kim', 'Shop 3', '-1.03']);
      assert.deepEqual([second.Notes ?? '', second.Merchant, second.Amount], ['', 'Bakery', '-1.09']);
    });

    test('are all that is encoded of a row', async () => {
      await using target = await kind.open(false);
      const { account } = await target.world.bank.open(target.world.owner.id, target.world.account());
      const row = {
        kind: 'transaction',
        account,
        transaction: NEWEST ?? assert.fail(),
        customCategory: null,
        memo: 'noted',
        tags: [],
        replaces: null,
      } as const;
      const encoded = async (columns: readonly string[] | null) => {
        const sync = openedSync({ columns });
        const opening = { ...OPENING, sync };
        return (await target.connector.open(opening, new AbortController().signal)).encode(row, 1);
      };
      assert.deepEqual(JSON.parse(await encoded(['memo', 'amount'])), ['noted', '-1.03', id]);
      assert.ok((await encoded(null)).includes('Shop 3'));
    });

    test('are what a verification compares, and no others', async () => {
      const { target, sync, run, choose, reports } = await written(kind, ['date', 'merchant', 'amount']);
      await using _ = target;
      await choose(['amount', 'date']);
      reports(ROWS.map((row) => ({ ...row, merchant_name: 'Renamed' })));
      await run();
      target.world.clock.advance(60_000);
      const fine = await verified(target.world, sync);
      assert.deepEqual([problemsOf(fine), fine.counts.alike], [[], 3]);
      await choose(['amount', 'date', 'merchant']);
      const early = await verified(target.world, sync);
      assert.deepEqual([early.counts.alike, early.problems.length], [0, 3]);
    });

    test('reach older rows with the next run, once, and none is written twice', async () => {
      const { target, run, choose } = await written(kind, ['date', 'amount']);
      await using _ = target;
      await choose(['amount', 'merchant', 'date']);
      assert.deepEqual(counts(await run()), ['succeeded', 0, 3, 0]);
      for (const row of ROWS) assert.equal(target.shown(row.id).Merchant, row.merchant_name);
      assert.deepEqual(counts(await run()), ['succeeded', 0, 0, 0]);
      await choose(['merchant', 'date', 'amount', 'transaction_id']);
      assert.deepEqual(counts(await run()), ['succeeded', 0, 0, 0], 'another order is nothing new');
      await choose(null);
      assert.deepEqual(counts(await run()), ['succeeded', 0, 3, 0]);
      assert.equal(target.shown(id).Direction, 'debit');
    });

    test('that are given up stay with what they show, and are filled again where they are', async () => {
      const { target, run, choose, reports } = await written(kind, ['date', 'merchant', 'amount']);
      await using _ = target;
      const before = target.columns();
      await choose(['date', 'amount']);
      const renamed = ROWS.map((row) => ({ ...row, merchant_name: 'Renamed' }));
      reports([posted(9, { day: 49, merchant_name: 'New' }), ...renamed]);
      assert.deepEqual(counts(await run()), ['succeeded', 1, 3, 0]);
      assert.deepEqual(target.columns(), before);
      assert.deepEqual(
        [target.shown(id).Merchant, target.shown(posted(9).id).Merchant ?? ''],
        ['Shop 3', ''],
      );
      await choose(['date', 'amount', 'merchant']);
      assert.deepEqual(counts(await run()), ['succeeded', 0, 4, 0]);
      assert.deepEqual(target.columns(), before);
      assert.deepEqual([target.shown(id).Merchant, target.shown(posted(9).id).Merchant], ['Renamed', 'New']);
    });
  });
}

describe('chosen columns of a spreadsheet', () => {
  test('are those of a tab that is made for an account', async () => {
    await using scene = await SheetsScene.open();
    const { world, google } = scene;
    const accounts = [world.account(), world.account()];
    for (const account of accounts) world.bank.accounts.set(account, []);
    const sync = await scene.sync(accounts, { mappingMode: 'per_account', columns: ['amount', 'date'] });
    world.bank.accounts.set(accounts[0] ?? assert.fail(), [...ROWS]);
    assert.deepEqual(counts(await world.run(sync)), ['succeeded', 3, 0, 0]);
    const [book] = google.control.spreadsheets();
    const tabs = book?.tabs.slice(1) ?? [];
    assert.deepEqual(
      tabs.map(({ sheetId }) => scene.grid(sheetId)[0]),
      [
        ['Amount', 'Date', 'Transaction ID'],
        ['Amount', 'Date'],
      ],
    );
  });

  test('hide the id that rows are found by, unless it was chosen', async () => {
    for (const [columns, isSeen] of [
      [['amount'], false],
      [['amount', 'transaction_id'], true],
    ] as const) {
      await using scene = await SheetsScene.open();
      const account = scene.world.account();
      scene.world.bank.accounts.set(account, [...ROWS]);
      await scene.world.run(await scene.sync([account], { columns }));
      const page = await fetch(`${scene.google.simulator.url}/spreadsheets/d/${scene.spreadsheet}/edit`);
      const html = await page.text();
      assert.ok(html.includes('Amount'));
      assert.equal(html.includes('Transaction ID'), isSeen);
      assert.deepEqual(scene.ids, ROWS.map((row) => row.id).toSorted());
    }
  });

  test('never take a column that was filled before, whatever a person calls it', async () => {
    await using scene = await SheetsScene.open();
    const { world } = scene;
    const account = world.account();
    world.bank.accounts.set(account, [...ROWS]);
    const sync = await scene.sync([account], { columns: ['merchant', 'amount'] });
    await world.run(sync);
    const start = { sheetId: 0, rowIndex: 0, columnIndex: 0 };
    const values = [{ userEnteredValue: { stringValue: 'Description' } }];
    scene.edit({ updateCells: { start, rows: [{ values }], fields: 'userEnteredValue' } });
    await world.syncs.update(world.owner, sync.row.id, { columns: ['description', 'amount'] });
    assert.deepEqual(counts(await world.run(sync)), ['succeeded', 0, 3, 0]);
    assert.deepEqual(
      scene
        .grid()
        .slice(0, 2)
        .map((row) => row.slice(0, 4)),
      [
        ['Description', 'Amount', 'Transaction ID', 'Description'],
        ['Shop 3', '-1.03', id, 'row 3'],
      ],
    );
  });
});

describe('columns that are chosen', () => {
  test('while a run is under way reach its rows with the run after it', async () => {
    await using scene = await SheetsScene.open();
    const { world, google } = scene;
    const account = world.account();
    world.bank.accounts.set(account, [...ROWS]);
    const sync = await scene.sync([account], { columns: ['date'] });
    let calls = 0;
    google.beforeCall = async () => {
      calls += 1;
      if (calls === 1) await world.syncs.update(world.owner, sync.row.id, { columns: ['date', 'merchant'] });
    };
    assert.deepEqual(counts(await world.run(sync)), ['succeeded', 3, 0, 0]);
    assert.ok(!('Merchant' in scene.row(id)));
    assert.deepEqual(counts(await world.run(sync)), ['succeeded', 0, 3, 0]);
    assert.equal(scene.row(id).Merchant, 'Shop 3');
  });

  test('while a chunk is unconfirmed are shown by its rows, each of them once', async () => {
    await using scene = await SheetsScene.open();
    const { world, google } = scene;
    const account = world.account();
    world.bank.accounts.set(account, [...ROWS]);
    const sync = await scene.sync([account], { columns: ['date', 'amount'] });
    // The first batch arrives; no answer does, and nothing can be asked afterwards.
    google.control.addFault({ route: 'POST *batchUpdate', kind: 'drop-answer' });
    google.control.addFault({ route: 'GET *', kind: 'connection-reset', after: 2, count: 100 });
    assert.equal((await world.run(sync)).status, 'failed');
    google.control.clearFaults();
    assert.equal((await world.inDoubt(sync)).length, 1);
    await world.syncs.update(world.owner, sync.row.id, { columns: ['date', 'amount', 'merchant'] });
    assert.equal((await world.run(sync)).status, 'succeeded');
    assert.deepEqual(scene.ids, ROWS.map((row) => row.id).toSorted());
    for (const row of ROWS) assert.equal(scene.row(row.id).Merchant, row.merchant_name);
  });
});

test('a field that rows do not have is not passed over', () => {
  assert.deepEqual(chosenFields(['date'], TRANSACTION_FIELDS, null), ['date']);
  assert.equal(chosenFields(null, TRANSACTION_FIELDS, 'transaction_id'), null);
  assert.throws(() => chosenFields(['toString'], TRANSACTION_FIELDS, null), TypeError);
});
