import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Holding } from '../../../src/vocabulary/holdings.ts';
import { publicId, type RowId } from '../../../src/vocabulary/ids.ts';
import type { SyncType } from '../../../src/vocabulary/syncs.ts';
import { posted } from '../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { closeServer, Scene } from './postgres/scene.ts';
import { trade } from './postgres/trades.ts';
import { syncTo } from './support/linked-world.ts';
import { firstOf, stepOf } from './support/shares.ts';

after(closeDatabase);
after(closeServer);

function holding(symbol: string, quantity: string): Holding {
  return {
    id: `hold_st_${symbol}`,
    symbol,
    name: null,
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

/** Two brokerage accounts, and a table for a sync of this type. */
async function brokerage(type: SyncType) {
  const scene = await Scene.open({ type });
  const accounts = [scene.world.account(), scene.world.account()] as const;
  for (const account of accounts) scene.world.providers.set(account, 'brokerage');
  return { scene, accounts };
}

const nameOf = (account: RowId<'account'>) => `Account ${account.slice(-4)}`;
const positions = (scene: Scene) =>
  scene.tableRows().map(({ symbol, quantity, account }) => [symbol, quantity, account]);

describe('holdings', () => {
  test('replace what an account held, to the digit, and leave those of others and of people', async () => {
    const { scene, accounts } = await brokerage('holdings');
    await using _ = scene;
    const [one, two] = accounts;
    const { holdings } = scene.world.bank;
    holdings.set(one, [holding('ACME', '0.123456789012345678'), holding('BOLT', '2')]);
    holdings.set(two, [holding('ACME', '9')]);
    const sync = await syncTo(scene.world, scene.destination, accounts, { type: 'holdings' });
    await scene.execute("insert into % (symbol, quantity, account) values ('MINE', 1, 'me')");
    assert.equal((await scene.run(sync)).status, 'succeeded');
    assert.equal(positions(scene).length, 4);
    holdings.set(one, [holding('BOLT', '3')]);
    assert.equal((await scene.run(sync)).status, 'succeeded');
    const expected = [
      ['ACME', '9', nameOf(two)],
      ['BOLT', '3', nameOf(one)],
      ['MINE', '1', 'me'],
    ];
    assert.deepEqual(positions(scene).toSorted(), expected);
    await scene.world.syncs.update(scene.world.owner, sync.row.id, { accounts: [one] });
    assert.equal((await scene.run(sync)).status, 'succeeded');
    assert.deepEqual(
      positions(scene).toSorted(),
      expected.slice(1),
      'of an account that left the sync go with it',
    );
  });

  test('stay in their rows, with what a person noted there, when others are sold or named in another order', async () => {
    const { scene, accounts } = await brokerage('holdings');
    await using _ = scene;
    const [one] = accounts;
    const { holdings } = scene.world.bank;
    holdings.set(one, [holding('ACME', '1'), holding('BOLT', '2'), holding('CORK', '3')]);
    const sync = await syncTo(scene.world, scene.destination, [one], { type: 'holdings' });
    await scene.run(sync);
    await scene.execute('alter table % add column note text');
    const owner = publicId('account', one);
    await scene.execute(`update % set note = 'of ' || symbol where symbol <> 'CORK'`);
    await scene.run(sync);
    holdings.set(one, [holding('CORK', '4'), holding('BOLT', '2')]);
    await scene.run(sync);
    const rows = scene.tableRows().map((row) => [row.tributary_id, row.quantity, row.note ?? '']);
    assert.deepEqual(rows.toSorted(), [
      [`${owner}/hold_st_BOLT`, '2', 'of BOLT'],
      [`${owner}/hold_st_CORK`, '4', ''],
    ]);
  });

  test('leave those alone that another sync writes to the same table, and those whose writer is not known', async () => {
    const { scene, accounts } = await brokerage('holdings');
    await using _ = scene;
    scene.world.bank.holdings.set(accounts[0], [holding('ACME', '1')]);
    const sync = await syncTo(scene.world, scene.destination, accounts, { type: 'holdings' });
    await scene.run(sync);
    await scene.execute(`insert into % (tributary_id, tributary_account, tributary_sync, symbol, quantity, account)
      values ('acct_other/1', 'acct_other', 'sync_other', 'THEIRS', 1, 'other'),
             ('acct_older/1', 'acct_older', null, 'OLDER', 1, 'older')`);
    scene.world.bank.holdings.set(accounts[0], [holding('BOLT', '2')]);
    assert.equal((await scene.run(sync)).status, 'succeeded');
    assert.deepEqual(
      positions(scene)
        .map(([symbol]) => symbol)
        .toSorted(),
      ['BOLT', 'OLDER', 'THEIRS'],
    );
  });

  test('are there once, whichever request loses its answer', async () => {
    for (const [at, kind] of (['drop-answer', 'connection-reset'] as const).entries()) {
      for (let request = firstOf(at), struck = true; struck; request += stepOf()) {
        const { scene, accounts } = await brokerage('holdings');
        await using _ = scene;
        for (const account of accounts) scene.world.bank.holdings.set(account, [holding('ACME', '1')]);
        const sync = await syncTo(scene.world, scene.destination, accounts, { type: 'holdings' });
        scene.control.addFault({ route: '*', kind, after: request });
        const run = await scene.run(sync);
        struck = scene.control.faults().length === 0;
        scene.control.clearFaults();
        if (run.status !== 'succeeded') assert.equal((await scene.run(sync)).status, 'succeeded');
        assert.equal(positions(scene).length, 2, `${kind} ${request}`);
      }
    }
  });
});

test('Trades are rows of their own, changed where the broker changes them', async () => {
  const { scene, accounts } = await brokerage('trades');
  await using _ = scene;
  const [one] = accounts;
  const { trades } = scene.world.bank;
  trades.set(one, [trade(1, '0.123456789012345678'), trade(2, '-2.5')]);
  const sync = await syncTo(scene.world, scene.destination, [one], { type: 'trades' });
  assert.equal((await scene.run(sync)).added, 2);
  trades.set(one, [trade(3, '1'), trade(1, '0.123456789012345678'), trade(2, '-2.75')]);
  const run = await scene.run(sync);
  assert.deepEqual([run.added, run.updated], [1, 1]);
  const quantities = scene.rows().map(({ id, values }) => [id, values.quantity]);
  assert.deepEqual(quantities.toSorted(), [
    ['trd_st_1', '0.123456789012345678'],
    ['trd_st_2', '-2.75'],
    ['trd_st_3', '1'],
  ]);
});

test('Balances have a separate table, with one row for each account', async () => {
  await using scene = await Scene.open();
  const { sync } = await scene.syncOf([posted(1, { day: 49 })], {
    options: { include_balances_tab: true },
  });
  for (let run = 0; run < 2; run++) assert.equal((await scene.run(sync)).status, 'succeeded');
  assert.equal(scene.tableRows('bank_rows_balances').length, 1);
  assert.equal(scene.rows().length, 1);
});
