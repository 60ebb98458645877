import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { publicId, rowId } from '../../../src/vocabulary/ids.ts';
import { verified } from '../../features/sync-engine/support/verification.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { ACCOUNT, chunkOf, chunkRow, OTHER_ACCOUNT, writerOf } from './postgres/chunks.ts';
import { closeServer, Scene } from './postgres/scene.ts';
import { trade } from './postgres/trades.ts';
import { syncTo } from './support/linked-world.ts';

after(closeDatabase);
after(closeServer);

const NO_SIGNAL = new AbortController().signal;
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
    [['txn_up_1', publicId('account', OTHER_ACCOUNT)]],
  );
});
