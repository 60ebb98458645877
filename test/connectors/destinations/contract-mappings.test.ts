import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { CategoryMappings } from '../../../src/features/syncs/category-mappings.ts';
import type { NewSync, Sync } from '../../../src/features/syncs/syncs.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { posted } from '../../features/sync-engine/support/bank.ts';
import { closeDatabase, UNCHECKED_TARGETS } from '../../features/sync-engine/support/world.ts';
import { Scene } from './paperclip/scene.ts';

after(closeDatabase);

const ROWS = 150;
const CHANGE = 'PATCH /documents/rows';
const HOUR_MS = 3_600_000;
/** So that no sweep is due in the hours that a test moves on. */
const SELDOM_SWEPT = {
  sweep_recent_hours: 8760,
  sweep_year_hours: 8760,
  sweep_all_hours: 8760,
  sweep_young_days: 0,
};
type Account = RowId<'account'>;

/** Rows whose days lie further back than a usual run looks. */
const rows = (first: number) => Array.from({ length: ROWS }, (_, at) => posted(first + at));
const tab = (account: Account, sheet: string, name = 'Tab') => ({
  account,
  sheet_id: sheet,
  sheet_name: name,
});

async function runs(opened: Scene, sync: Sync): Promise<{ added: number; updated: number }> {
  opened.world.clock.advance(HOUR_MS);
  const { status, added, updated } = await opened.world.run(sync);
  assert.equal(status, 'succeeded');
  return { added, updated };
}

/** Which tab shows how many rows. */
function tabs({ document }: Scene): Record<string, number> {
  assert.equal(new Set(document.rows.map(({ id }) => id)).size, document.rows.length, 'a row is there twice');
  const shown = Map.groupBy(document.rows, (row) => row.tab);
  return Object.fromEntries([...shown].map(([name, all]) => [name, all.length]));
}

/** A scene with two accounts, each in a tab of its own, of which everything was delivered. */
async function delivered() {
  const opened = await Scene.open();
  const [one, other] = [opened.world.account(), opened.world.account()];
  opened.world.bank.accounts.set(one, rows(0));
  opened.world.bank.accounts.set(other, rows(ROWS));
  const sync = await opened.sync([one, other], {
    mappingMode: 'per_account',
    accountMappings: [tab(one, 'first'), tab(other, 'second')],
  });
  assert.deepEqual(await runs(opened, sync), { added: 2 * ROWS, updated: 0 });
  assert.deepEqual(await runs(opened, sync), { added: 0, updated: 0 });
  const map = (...accountMappings: NewSync['accountMappings'][number][]) =>
    opened.world.syncs.update(opened.world.owner, sync.row.id, { accountMappings });
  return { opened, sync, one, other, map };
}

describe('an account that is mapped to another place', () => {
  test('has all its rows moved there by the next run, each once, and nothing else is written', async () => {
    const { opened, sync, one, other, map } = await delivered();
    await using _ = opened;
    await map(tab(one, 'third'), tab(other, 'second', 'Renamed'));
    assert.deepEqual(await runs(opened, sync), { added: 0, updated: ROWS });
    assert.deepEqual(tabs(opened), { third: ROWS, second: ROWS });
    assert.deepEqual(await runs(opened, sync), { added: 0, updated: 0 });
  });

  test('and the answer about them is lost, has each of them once', async () => {
    const { opened, sync, one, other, map } = await delivered();
    await using _ = opened;
    await map(tab(one, 'third'), tab(other, 'second'));
    opened.vendor.troubles.set(CHANGE, ['lost']);
    assert.equal((await opened.world.run(sync)).status, 'failed');
    // A sweep that failed gives way to the usual days for a while.
    opened.world.clock.advance(6 * HOUR_MS);
    await runs(opened, sync);
    assert.deepEqual(tabs(opened), { third: ROWS, second: ROWS });
    assert.deepEqual(await runs(opened, sync), { added: 0, updated: 0 });
  });

  test('while its rows are on their way has them all there after the run that follows', async () => {
    const opened = await Scene.open();
    await using _ = opened;
    const account = opened.world.account();
    opened.world.bank.accounts.set(account, rows(0));
    const sync = await opened.sync([account], {
      mappingMode: 'per_account',
      accountMappings: [tab(account, 'first')],
    });
    opened.world.bank.beforePage = async () => {
      opened.world.bank.beforePage = () => undefined;
      await opened.world.syncs.update(opened.world.owner, sync.row.id, {
        accountMappings: [tab(account, 'third')],
      });
    };
    assert.deepEqual(await runs(opened, sync), { added: ROWS, updated: 0 });
    assert.deepEqual(tabs(opened), { first: ROWS });
    assert.deepEqual(await runs(opened, sync), { added: 0, updated: ROWS });
    assert.deepEqual(tabs(opened), { third: ROWS });
  });
});

describe('a provider category that is mapped to another category', () => {
  test('has its rows written with it by the next run, and no others', async () => {
    const opened = await Scene.open({ type: 'ynab', limits: SELDOM_SWEPT });
    await using _ = opened;
    const { world } = opened;
    const account = world.account();
    world.bank.accounts.set(account, [
      ...rows(0),
      posted(ROWS, { provider_category: 'TRAVEL_FLIGHTS', primary_category: 'TRAVEL' }),
    ]);
    const sync = await opened.sync([account], {
      accountMappings: [{ account, destination_account: 'b1' }],
    });
    assert.deepEqual(await runs(opened, sync), { added: ROWS + 1, updated: 0 });
    const mappings = new CategoryMappings({
      db: world.database.db,
      clock: world.clock,
      targets: UNCHECKED_TARGETS,
    });
    const map = (provider: string, category: string) =>
      mappings.replace(world.owner.id, sync.row.id, [
        { provider_category: provider, destination_category: category, destination_category_name: null },
      ]);
    await map('FOOD_AND_DRINK_GROCERIES', 'food');
    assert.deepEqual(await runs(opened, sync), { added: 0, updated: ROWS });
    assert.equal(opened.document.rows.filter(({ text }) => text.includes('"food"')).length, ROWS);
    await map('TRAVEL', 'holiday');
    assert.deepEqual(await runs(opened, sync), { added: 0, updated: ROWS + 1 });
    await map('TRAVEL', 'holiday');
    const windows = world.bank.windows.length;
    assert.deepEqual(await runs(opened, sync), { added: 0, updated: 0 });
    assert.ok(world.bank.windows.slice(windows).every(({ since }) => since !== null));
  });
});
