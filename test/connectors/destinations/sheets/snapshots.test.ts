import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Holding, Trade } from '../../../../src/vocabulary/holdings.ts';
import type { RowId } from '../../../../src/vocabulary/ids.ts';
import { addDays } from '../../../../src/vocabulary/moments.ts';
import { EPOCH, posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

function holding(symbol: string, quantity: string): Holding {
  return {
    id: `hold_st_${symbol}`,
    symbol,
    name: `${symbol} Ltd`,
    exchange: 'XNAS',
    currency: 'usd',
    quantity,
    average_price: null,
    current_price: { money: { amount: 3312, currency: 'usd' }, decimal: '33.1234' },
    market_value: null,
    unrealized_pnl: null,
    asset_type: null,
  };
}

function trade(number: number, more: Partial<Trade> = {}): Trade {
  return {
    id: `trd_st_${number}`,
    symbol: 'ACME',
    name: 'Acme',
    type: 'buy',
    quantity: '0.123456789012345678',
    price: { money: { amount: 3312, currency: 'usd' }, decimal: '33.1234' },
    currency: 'usd',
    total_amount: null,
    fees: null,
    trade_date: addDays(EPOCH, 45),
    trade_datetime: null,
    settlement_date: null,
    settlement_datetime: null,
    description: null,
    ...more,
  };
}

/** Two brokerage accounts and a sync of both. */
async function brokerage() {
  const opened = await Scene.open();
  const accounts = [opened.world.account(), opened.world.account()] as const;
  for (const account of accounts) opened.world.providers.set(account, 'brokerage');
  return { opened, accounts };
}

describe('holdings', () => {
  const shown = (scene: Scene) =>
    scene
      .grid()
      .slice(1)
      .map((row) => [row[0], row[2], row[9]]);
  const nameOf = (account: RowId<'account'>) => `Account ${account.slice(-4)}`;

  test('replace what an account held, and leave the rows of others and people’s notes', async () => {
    const { opened, accounts } = await brokerage();
    await using _ = opened;
    const { holdings } = opened.world.bank;
    const [one, two] = accounts;
    holdings.set(one, [holding('ACME', '1'), holding('BOLT', '2')]);
    holdings.set(two, [holding('ACME', '9')]);
    const sync = await opened.sync(accounts, { type: 'holdings' });
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    assert.deepEqual(shown(opened), [
      ['ACME', '1', nameOf(one)],
      ['BOLT', '2', nameOf(one)],
      ['ACME', '9', nameOf(two)],
    ]);
    const values = [{ userEnteredValue: { stringValue: 'sell in June' } }];
    const start = { sheetId: 0, rowIndex: 2, columnIndex: 15 };
    opened.edit({ updateCells: { start, rows: [{ values }], fields: 'userEnteredValue' } });
    holdings.set(one, [holding('CORK', '5'), holding('BOLT', '3')]);
    const run = await opened.world.run(sync);
    assert.deepEqual([run.status, run.added, run.updated], ['succeeded', 1, 2]);
    assert.deepEqual(shown(opened), [
      ['BOLT', '3', nameOf(one)],
      ['ACME', '9', nameOf(two)],
      ['CORK', '5', nameOf(one)],
    ]);
    assert.equal(opened.grid()[1]?.[15], 'sell in June');
    holdings.set(one, []);
    holdings.set(two, []);
    await opened.world.run(sync);
    assert.deepEqual(shown(opened), []);
  });

  test('are written once, whichever call is not answered', async () => {
    for (const kind of ['drop-answer', 'connection-reset'] as const) {
      for (let call = 0; ; call++) {
        const { opened, accounts } = await brokerage();
        await using _ = opened;
        for (const account of accounts) opened.world.bank.holdings.set(account, [holding('ACME', '1')]);
        const sync = await opened.sync(accounts, { type: 'holdings' });
        opened.google.control.addFault({ route: '*', kind, after: call });
        const run = await opened.world.run(sync);
        const struck = opened.google.control.faults().length === 0;
        if (run.status !== 'succeeded') assert.equal((await opened.world.run(sync)).status, 'succeeded');
        assert.equal(shown(opened).length, 2, `${kind} ${call}`);
        const added = (await opened.world.allRuns(sync)).reduce((sum, one) => sum + one.added, 0);
        assert.equal(added, 2, `${kind} ${call}`);
        if (!struck) break;
      }
    }
  });

  test('show the columns that were chosen, and stay in their rows also where none has their name', async () => {
    const { opened, accounts } = await brokerage();
    await using _ = opened;
    const { holdings } = opened.world.bank;
    const [one, two] = accounts;
    holdings.set(one, [holding('ACME', '1'), holding('BOLT', '2')]);
    holdings.set(two, [holding('CORK', '9')]);
    const sync = await opened.sync(accounts, { type: 'holdings', columns: ['quantity', 'current_price'] });
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    assert.deepEqual(opened.grid()[0]?.slice(0, 4), [
      'Quantity',
      'Current Price',
      'Account ID',
      'Position ID',
    ]);
    const values = [{ userEnteredValue: { stringValue: 'sell in June' } }];
    const start = { sheetId: 0, rowIndex: 3, columnIndex: 5 };
    opened.edit({ updateCells: { start, rows: [{ values }], fields: 'userEnteredValue' } });
    holdings.set(one, [holding('ACME', '3')]);
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    const quantities = () => opened.grid().map((row) => row[0]);
    assert.deepEqual(quantities(), ['Quantity', '3', '9']);
    assert.equal(opened.grid()[2]?.[5], 'sell in June');
    const columns = ['name', 'quantity'];
    await opened.world.syncs.update(opened.world.owner, sync.row.id, { columns });
    assert.deepEqual(
      [(await opened.world.run(sync)).status, quantities(), opened.grid()[1]?.slice(0, 4)],
      ['succeeded', ['Quantity', '3', '9'], ['3', '33.1234', opened.grid()[1]?.[2], 'hold_st_ACME']],
    );
    assert.deepEqual([opened.grid()[1]?.[4], opened.grid()[2]?.[6]], ['ACME Ltd', 'sell in June']);
  });

  test('without a symbol keep their row and its note when others are bought', async () => {
    const { opened, accounts } = await brokerage();
    await using _ = opened;
    const { holdings } = opened.world.bank;
    const [one, two] = accounts;
    const cash: Holding = { ...holding('CASH', '1'), symbol: null };
    holdings.set(one, [cash]);
    holdings.set(two, []);
    const sync = await opened.sync(accounts, { type: 'holdings' });
    await opened.world.run(sync);
    const values = [{ userEnteredValue: { stringValue: 'for the house' } }];
    const start = { sheetId: 0, rowIndex: 1, columnIndex: 15 };
    opened.edit({ updateCells: { start, rows: [{ values }], fields: 'userEnteredValue' } });
    holdings.set(one, [holding('ACME', '7'), cash]);
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    const noted = () =>
      opened
        .grid()
        .slice(1)
        .map((row) => [row[0], row[2], row[15] ?? '']);
    assert.deepEqual(noted(), [
      ['', '1', 'for the house'],
      ['ACME', '7', ''],
    ]);
    holdings.set(one, [holding('BOLT', '2'), holding('ACME', '7')]);
    await opened.world.run(sync);
    assert.deepEqual(noted(), [
      ['ACME', '7', ''],
      ['BOLT', '2', ''],
    ]);
  });

  test('without a name never inherit what a person noted next to another position', async () => {
    const { opened, accounts } = await brokerage();
    await using _ = opened;
    const { holdings } = opened.world.bank;
    const [one] = accounts;
    const nameless = (id: string, quantity: string): Holding => ({
      ...holding(id, quantity),
      symbol: null,
      name: null,
    });
    const noted = () =>
      opened
        .grid()
        .slice(1)
        .map((row) => [row[2], row[15] ?? '']);
    const note = (text: string) => {
      const values = [{ userEnteredValue: { stringValue: text } }];
      const start = { sheetId: 0, rowIndex: 1, columnIndex: 15 };
      opened.edit({ updateCells: { start, rows: [{ values }], fields: 'userEnteredValue' } });
    };
    holdings.set(one, [nameless('a', '1')]);
    const sync = await opened.sync([one], { type: 'holdings' });
    await opened.world.run(sync);
    note('of the first');
    holdings.set(one, [nameless('b', '7'), nameless('a', '2')]);
    await opened.world.run(sync);
    assert.deepEqual(noted(), [
      ['2', 'of the first'],
      ['7', ''],
    ]);
    holdings.set(one, [holding('ACME', '5')]);
    await opened.world.run(sync);
    assert.deepEqual(noted(), [['5', '']]);
    note('of ACME');
    holdings.set(one, [{ ...holding('ACME', '6'), id: 'hold_st_other' }]);
    await opened.world.run(sync);
    assert.deepEqual(noted(), [['6', '']], 'another position of the same symbol');
  });

  test('of an account that left the sync go with it', async () => {
    const { opened, accounts } = await brokerage();
    await using _ = opened;
    const [one, two] = accounts;
    for (const account of accounts) opened.world.bank.holdings.set(account, [holding('ACME', '1')]);
    const sync = await opened.sync(accounts, { type: 'holdings' });
    await opened.world.run(sync);
    await opened.world.syncs.update(opened.world.owner, sync.row.id, { accounts: [one] });
    await opened.world.run(sync);
    assert.deepEqual(shown(opened), [['ACME', '1', nameOf(one)]]);
    assert.notEqual(one, two);
  });
});

describe('trades', () => {
  test('are appended once each, and a quantity with more digits than a number holds is exact', async () => {
    const { opened, accounts } = await brokerage();
    await using _ = opened;
    const [one] = accounts;
    const { trades } = opened.world.bank;
    trades.set(one, [trade(1), trade(2, { quantity: '-2.5' })]);
    const sync = await opened.sync([one], { type: 'trades' });
    opened.google.control.addFault({ route: 'POST *batchUpdate', kind: 'drop-answer' });
    assert.equal((await opened.world.run(sync)).added, 2);
    trades.set(one, [trade(3), trade(1), trade(2, { quantity: '-2.5', symbol: 'ACMX' })]);
    const run = await opened.world.run(sync);
    assert.deepEqual([run.added, run.updated], [1, 1]);
    assert.deepEqual(opened.ids, ['trd_st_1', 'trd_st_2', 'trd_st_3']);
    const values = opened.google.control.values(opened.spreadsheet, 0);
    assert.deepEqual(values[0]?.slice(0, 3), ['Trade ID', 'Date', 'Symbol']);
    assert.deepEqual(
      values.slice(1).map((row) => [row[2], row[4], row[5]]),
      [
        ['ACME', '0.123456789012345678', 33.1234],
        ['ACMX', -2.5, 33.1234],
        ['ACME', '0.123456789012345678', 33.1234],
      ],
    );
  });
});

test('trades show the columns that were chosen, older ones too once there are more', async () => {
  const { opened, accounts } = await brokerage();
  await using _ = opened;
  const [one] = accounts;
  const { trades } = opened.world.bank;
  trades.set(one, [trade(2, { trade_date: addDays(EPOCH, 1) }), trade(1, { trade_date: EPOCH })]);
  const sync = await opened.sync([one], { type: 'trades', columns: ['type', 'symbol'] });
  assert.equal((await opened.world.run(sync)).added, 2);
  assert.deepEqual(opened.grid()[0]?.slice(0, 4), ['Type', 'Symbol', 'Trade ID', '']);
  const columns = ['type', 'symbol', 'price'];
  await opened.world.syncs.update(opened.world.owner, sync.row.id, { columns });
  const run = await opened.world.run(sync);
  assert.deepEqual([run.added, run.updated], [0, 2]);
  assert.deepEqual(
    opened.grid().map((row) => row.slice(0, 4)),
    [
      ['Type', 'Symbol', 'Trade ID', 'Price'],
      ['buy', 'ACME', 'trd_st_2', '33.1234'],
      ['buy', 'ACME', 'trd_st_1', '33.1234'],
    ],
  );
});

describe('balances', () => {
  const tabs = (scene: Scene) => scene.google.control.spreadsheets()[0]?.tabs ?? [];

  test('have a tab of their own, one row for each account, written with one batch', async () => {
    await using opened = await Scene.open();
    const accounts = [opened.world.account(), opened.world.account()];
    for (const [index, account] of accounts.entries()) {
      opened.world.bank.accounts.set(account, [posted(index + 1)]);
    }
    let cents = 12_345;
    opened.world.bank.balance = () => ({
      readAt: Date.UTC(2026, 4, 1),
      currency: 'aud',
      current: { amount: cents, currency: 'aud' },
      available: null,
    });
    const sync = await opened.sync(accounts, { options: { include_balances_tab: true } });
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    const tab = tabs(opened).find(({ title }) => title === 'Balances');
    const id = tab?.sheetId ?? assert.fail('there is no tab of balances');
    const shown = () => opened.grid(id).map((row) => row.slice(0, 6));
    assert.deepEqual(shown().slice(0, 2), [
      ['Account', 'Institution', 'Current', 'Available', 'Currency', 'Last Updated'],
      [`Account ${accounts[0]?.slice(-4)}`, 'Test Bank', '123.45', '', 'AUD', '2026-05-01T00:00:00Z'],
    ]);
    const properties = { sheetId: id, title: 'What we have' };
    opened.edit({ updateSheetProperties: { properties, fields: 'title' } });
    cents = -7;
    opened.google.calls();
    await opened.world.run(sync);
    assert.deepEqual(
      shown()
        .slice(1)
        .map((row) => row[2]),
      ['-0.07', '-0.07'],
    );
    assert.equal(tabs(opened).length, 2);
    assert.equal(opened.google.calls().filter((call) => call === 'POST batchUpdate').length, 1);
  });

  test('keep their row and its note when the account has another name', async () => {
    await using opened = await Scene.open();
    const account = opened.world.account();
    opened.world.bank.accounts.set(account, [posted(1)]);
    const sync = await opened.sync([account], { options: { include_balances_tab: true } });
    await opened.world.run(sync);
    const sheetId = tabs(opened).find(({ title }) => title === 'Balances')?.sheetId ?? assert.fail();
    const values = [{ userEnteredValue: { stringValue: 'the joint one' } }];
    const start = { sheetId, rowIndex: 1, columnIndex: 8 };
    opened.edit({ appendDimension: { sheetId, dimension: 'COLUMNS', length: 5 } });
    opened.edit({ updateCells: { start, rows: [{ values }], fields: 'userEnteredValue' } });
    const { bank } = opened.world;
    opened.world.source = {
      open: async (owner, id) => {
        const source = await bank.open(owner, id);
        return { ...source, account: { ...source.account, name: 'Renamed' } };
      },
    };
    await opened.world.run(sync);
    const [, row, ...others] = opened.grid(sheetId);
    assert.deepEqual([row?.[0], row?.[8], others], ['Renamed', 'the joint one', []]);
  });

  test('are created again if someone deleted the tab, and only one row is there after a lost answer', async () => {
    await using opened = await Scene.open();
    const account = opened.world.account();
    opened.world.bank.accounts.set(account, [posted(1)]);
    const sync = await opened.sync([account], { options: { include_balances_tab: true } });
    for (let call = 0; call < 9; call++) {
      opened.google.control.addFault({ route: '*', kind: 'drop-answer', after: call });
      const run = await opened.world.run(sync);
      opened.google.control.clearFaults();
      if (run.status !== 'succeeded') assert.equal((await opened.world.run(sync)).status, 'succeeded');
      const balances = tabs(opened).filter(({ title }) => title === 'Balances');
      assert.equal(balances.length, 1, `${call}`);
      const sheetId = balances[0]?.sheetId ?? 0;
      assert.equal(opened.grid(sheetId).length, 2, `${call}`);
      if (call % 2 === 0) opened.edit({ deleteSheet: { sheetId } });
    }
  });
});
