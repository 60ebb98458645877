import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { CategoryMappings } from '../../../../src/features/syncs/category-mappings.ts';
import type { Sync } from '../../../../src/features/syncs/syncs.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase, UNCHECKED_TARGETS } from '../../../features/sync-engine/support/world.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

const HOUR_MS = 3_600_000;
const ROWS = 150;
const rows = (first = 0) => Array.from({ length: ROWS }, (_, at) => posted(first + at));

async function counts(opened: Scene, sync: Sync) {
  opened.world.clock.advance(HOUR_MS);
  const { status, added, updated } = await opened.world.run(sync);
  assert.equal(status, 'succeeded');
  return { added, updated };
}

const standing = (opened: Scene) =>
  Object.fromEntries(['Everyday', 'Savings', 'Credit Card'].map((name) => [name, opened.shown(name).length]));

/** Two accounts, to `Everyday` and `Savings`, of which everything was delivered. */
async function two() {
  const opened = await Scene.open();
  const [one, other] = [opened.world.account(), opened.world.account()];
  opened.world.bank.accounts.set(one, rows());
  opened.world.bank.accounts.set(other, rows(ROWS));
  const to = (first: string, second: string) => [
    { account: one, destination_account: opened.at(first) },
    { account: other, destination_account: opened.at(second) },
  ];
  const sync = await opened.sync([one, other], { accountMappings: to('Everyday', 'Savings') });
  assert.deepEqual(await counts(opened, sync), { added: 2 * ROWS, updated: 0 });
  const map = (first: string, second: string) =>
    opened.world.syncs.update(opened.world.owner, sync.row.id, { accountMappings: to(first, second) });
  opened.calls();
  return { opened, sync, map };
}

describe('a bank account that is mapped to another account of the plan', () => {
  test('has its transactions moved there, each under the id it has, and no other is touched', async () => {
    const { opened, sync, map } = await two();
    await using _ = opened;
    const ids = opened.shown('Everyday').map(({ id }) => id);
    await map('Credit Card', 'Savings');
    assert.deepEqual(await counts(opened, sync), { added: 0, updated: ROWS });
    assert.deepEqual(standing(opened), { Everyday: 0, Savings: ROWS, 'Credit Card': ROWS });
    assert.deepEqual(
      opened.shown('Credit Card').map(({ id }) => id),
      ids,
    );
    assert.deepEqual(opened.calls(), ['GET plans', 'GET transactions', 'PATCH transactions']);
    assert.deepEqual(await counts(opened, sync), { added: 0, updated: 0 });
  });

  test('keeps a reconciled transaction where it was reconciled', async () => {
    const { opened, sync, map } = await two();
    await using _ = opened;
    opened.vendor.control.edit(opened.one('row 3').id, { cleared: 'reconciled' });
    await map('Credit Card', 'Savings');
    await counts(opened, sync);
    assert.deepEqual(standing(opened), { Everyday: 1, Savings: ROWS, 'Credit Card': ROWS - 1 });
  });

  test('has each row once after a resync, although an import id counts for one account alone', async () => {
    const { opened, sync, map } = await two();
    await using _ = opened;
    await map('Credit Card', 'Savings');
    await opened.resync(sync);
    assert.deepEqual(await counts(opened, sync), { added: 0, updated: ROWS });
    assert.deepEqual(standing(opened), { Everyday: 0, Savings: ROWS, 'Credit Card': ROWS });
  });

  test('while the answer about its rows is lost, has each of them once', async () => {
    await using opened = await Scene.open();
    const account = opened.world.account();
    opened.world.bank.accounts.set(account, rows());
    const sync = await opened.sync([account]);
    opened.vendor.control.addFault({ route: 'POST /v1/*', kind: 'drop-answer', count: 4 });
    assert.equal((await opened.world.run(sync)).status, 'failed');
    await opened.world.syncs.update(opened.world.owner, sync.row.id, {
      accountMappings: [{ account, destination_account: opened.at('Credit Card') }],
    });
    opened.world.clock.advance(6 * HOUR_MS);
    assert.equal((await counts(opened, sync)).added, ROWS);
    assert.deepEqual(standing(opened), { Everyday: 0, Savings: 0, 'Credit Card': ROWS });
  });
});

describe('a mapped category', () => {
  const FOOD = 'FOOD_AND_DRINK_GROCERIES';

  async function withCategories() {
    const opened = await Scene.open();
    const account = opened.world.account();
    opened.world.bank.accounts.set(account, [
      posted(1),
      posted(2),
      posted(3, { provider_category: 'TRAVEL_FLIGHTS', primary_category: 'TRAVEL' }),
    ]);
    const sync = await opened.sync([account]);
    const mappings = new CategoryMappings({
      db: opened.world.database.db,
      clock: opened.world.clock,
      targets: UNCHECKED_TARGETS,
    });
    const map = (...entries: (readonly [string, string])[]) =>
      mappings.replace(
        opened.world.owner.id,
        sync.row.id,
        entries.map(([from, to]) => ({
          provider_category: from,
          destination_category: to,
          destination_category_name: null,
        })),
      );
    const shown = (memo: string) => opened.one(memo).category;
    return { opened, sync, map, shown };
  }

  test('is set by the provider’s own code, else by the primary one, else not at all', async () => {
    const { opened, sync, map, shown } = await withCategories();
    await using _ = opened;
    const [food, ride] = [opened.category('Groceries'), opened.category('Transport')];
    await map(['TRAVEL', ride]);
    await counts(opened, sync);
    assert.deepEqual([shown('row 1'), shown('row 3')], [null, ride]);
    await map(['TRAVEL', ride], [FOOD, food]);
    assert.deepEqual(await counts(opened, sync), { added: 0, updated: 2 });
    assert.deepEqual([shown('row 1'), shown('row 2'), shown('row 3')], [food, food, ride]);
  });

  test('does not replace one that a person approved', async () => {
    const { opened, sync, map, shown } = await withCategories();
    await using _ = opened;
    await counts(opened, sync);
    const rent = opened.category('Rent');
    opened.vendor.control.edit(opened.one('row 1').id, { category: rent, approved: true });
    await map([FOOD, opened.category('Groceries')]);
    await counts(opened, sync);
    assert.deepEqual([shown('row 1'), shown('row 2')], [rent, opened.category('Groceries')]);
  });

  test('that was deleted in YNAB leaves its rows without one, and none is lost', async () => {
    const { opened, sync, map, shown } = await withCategories();
    await using _ = opened;
    const food = opened.category('Groceries');
    await map([FOOD, food], ['TRAVEL', opened.category('Transport')]);
    opened.vendor.control.changeCategory(food, { deleted: true });
    assert.deepEqual(await counts(opened, sync), { added: 3, updated: 0 });
    assert.deepEqual([shown('row 1'), shown('row 3')], [null, opened.category('Transport')]);
    assert.deepEqual(opened.calls(), [
      'GET plans',
      'GET transactions',
      'POST transactions',
      'GET categories',
      'POST transactions',
    ]);
  });

  test('that was renamed or hidden is set as before', async () => {
    const { opened, sync, map, shown } = await withCategories();
    await using _ = opened;
    const food = opened.category('Groceries');
    await map([FOOD, food]);
    opened.vendor.control.changeCategory(food, { name: 'Food', hidden: true });
    await counts(opened, sync);
    assert.equal(shown('row 1'), food);
  });
});
