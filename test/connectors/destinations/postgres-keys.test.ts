import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { OpenedSync } from '../../../src/connectors/destinations/destination-contract.ts';
import { publicId, type RowId, rowId } from '../../../src/vocabulary/ids.ts';
import { verified } from '../../features/sync-engine/support/verification.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { ACCOUNT, chunkOf, chunkRow, OTHER_ACCOUNT, writerOf } from './postgres/chunks.ts';
import { closeServer, Scene } from './postgres/scene.ts';
import { trade } from './postgres/trades.ts';
import { syncTo } from './support/linked-world.ts';

after(closeDatabase);
after(closeServer);

const NO_SIGNAL = new AbortController().signal;
const TRADES: Partial<OpenedSync> = { type: 'trades' };
const [one, other] = [ACCOUNT, OTHER_ACCOUNT].map((account) => publicId('account', account));

const tradeOf = (id: string, quantity: string, account: RowId<'account'> = ACCOUNT) =>
  chunkRow(id, { trade_id: id, quantity }, { account });
const rowsOf = (scene: Scene) =>
  scene
    .tableRows()
    .map((row) => [row.tributary_id, row.tributary_account, row.quantity])
    .toSorted();

describe('trades, whose ids are those of one account', () => {
  test('that are equal in two accounts are two rows, through changes and a resync', async () => {
    await using scene = await Scene.open({ type: 'trades' });
    const accounts = [scene.world.account(), scene.world.account()] as const;
    const { trades } = scene.world.bank;
    for (const account of accounts) {
      scene.world.providers.set(account, 'brokerage');
      trades.set(account, [trade(1, '10'), trade(2, '5')]);
    }
    const sync = await syncTo(scene.world, scene.destination, accounts, { type: 'trades' });
    const first = await scene.run(sync);
    assert.deepEqual([first.status, first.added, scene.rows().length], ['succeeded', 4, 4]);
    trades.set(accounts[1], [trade(3, '1'), trade(1, '11'), trade(2, '5')]);
    const second = await scene.run(sync);
    assert.deepEqual([second.added, second.updated], [1, 1]);
    const third = await scene.resync(sync);
    assert.deepEqual([third.status, third.added], ['succeeded', 0]);
    const { problems, counts } = await verified(scene.world, sync);
    assert.deepEqual([problems, counts.bank, counts.alike, counts.others], [[], 5, 5, 0]);
    const shown = scene
      .tableRows()
      .map(({ tributary_account, trade_id, quantity }) => [tributary_account, trade_id, quantity]);
    const [first_, second_] = accounts.map((account) => publicId('account', account));
    assert.deepEqual(
      shown.toSorted(),
      [
        [first_, 'trd_st_1', '10'],
        [first_, 'trd_st_2', '5'],
        [second_, 'trd_st_1', '11'],
        [second_, 'trd_st_2', '5'],
        [second_, 'trd_st_3', '1'],
      ].toSorted(),
    );
  });

  test('that an earlier version wrote under their ids alone stay one row each under that key', async () => {
    await using scene = await Scene.open({ type: 'trades' });
    await scene.execute(`insert into % (tributary_id, tributary_account, trade_id, quantity) values
      ('t1', '${one}', 't1', 1), ('t2', '${one}', 't2', 2), ('t3', '${one}', 't3', 3), ('t4', null, 't4', 4)`);
    await scene.execute(`create table "${scene.schema}".notes (row text references % (tributary_id));
      insert into "${scene.schema}".notes values ('t1')`);
    const writer = await writerOf(scene, TRADES);
    const written = await writer.write(
      chunkOf('resent', {
        added: [
          tradeOf('t1', '1'),
          tradeOf('t1', '7', OTHER_ACCOUNT),
          tradeOf('t4', '4'),
          tradeOf('t5', '5'),
        ],
        updated: [tradeOf('t2', '22')],
        removed: [{ ...tradeOf('t3', ''), text: null }],
      }),
      NO_SIGNAL,
    );
    assert.deepEqual(written.rejected, []);
    assert.deepEqual(rowsOf(scene), [
      [`${one}/t5`, one, '5'],
      [`${other}/t1`, other, '7'],
      ['t1', one, '1'],
      ['t2', one, '22'],
      ['t4', one, '4'],
    ]);
    const found = [];
    for await (const page of writer.reading?.rows(NO_SIGNAL) ?? []) found.push(...page);
    const keys = new Set(found.flatMap((row) => row.keys));
    await writer.close();
    for (const [id, account] of [
      ['t1', ACCOUNT],
      ['t1', OTHER_ACCOUNT],
      ['t5', ACCOUNT],
    ] as const) {
      const [surest = ''] = writer.reading?.keysOf(id, null, account) ?? [];
      assert.ok(keys.has(surest), `${surest} among ${[...keys].join(', ')}`);
    }
  });
});

test('A transaction that two account records share is one row, whichever of them writes it', async () => {
  await using scene = await Scene.open();
  const syncs = ['0192f0c4-0000-7000-8000-000000000001', '0192f0c4-0000-7000-8000-000000000002'];
  for (const [at, id] of syncs.entries()) {
    const writer = await writerOf(scene, { id: rowId('sync', id) });
    const account = at === 0 ? ACCOUNT : OTHER_ACCOUNT;
    const row = chunkRow('txn_up_1', { transaction_id: 'txn_up_1', amount: '1.50' }, { account });
    const { existed } = await writer.write(chunkOf(`of ${id}`, { added: [row] }), NO_SIGNAL);
    assert.deepEqual([...existed.keys()], at === 0 ? [] : ['txn_up_1']);
    await writer.close();
  }
  assert.deepEqual(
    scene.tableRows().map((row) => [row.tributary_id, row.tributary_account]),
    [['txn_up_1', other]],
  );
});
