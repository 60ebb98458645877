import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Sync } from '../../../../src/features/syncs/syncs.ts';
import type { SyncRunRow } from '../../../../src/storage/sync-runs.ts';
import { pending, posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

const recent = (number: number, more: Parameters<typeof posted>[1] = {}) =>
  posted(number, { day: 49, ...more });
const counts = ({ status, added, updated }: SyncRunRow) => [status, added, updated];
const columns = (startIndex: number) => ({
  sheetId: 0,
  dimension: 'COLUMNS',
  startIndex,
  endIndex: startIndex + 1,
});
const rowsFrom = (startIndex: number, count = 1) => ({
  sheetId: 0,
  dimension: 'ROWS',
  startIndex,
  endIndex: startIndex + count,
});

function typed(rowIndex: number, columnIndex: number, text: string) {
  const values = [{ userEnteredValue: { stringValue: text } }];
  const start = { sheetId: 0, rowIndex, columnIndex };
  return { updateCells: { start, rows: [{ values }], fields: 'userEnteredValue' } };
}

/** A sheet with four rows that a sync wrote. */
async function written(options: Parameters<typeof Scene.open>[0] = {}) {
  const opened = await Scene.open(options);
  const account = opened.world.account();
  const { accounts } = opened.world.bank;
  accounts.set(
    account,
    [4, 3, 2, 1].map((number) => recent(number)),
  );
  const sync = await opened.sync([account]);
  assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 4, 0]);
  const more = async (number: number, rest: readonly ReturnType<typeof recent>[] = []) => {
    accounts.set(account, [recent(number), ...rest, ...(accounts.get(account) ?? []).slice(rest.length)]);
    return opened.world.run(sync);
  };
  return { opened, account, accounts, sync, more };
}

describe('what people do in their sheet', () => {
  test('a row that someone deleted stays deleted when it changes, and a resync writes it again', async () => {
    const { opened, account, accounts, sync } = await written();
    await using _ = opened;
    const at = opened.grid().findIndex((row) => row[0] === recent(2).id);
    opened.edit({ deleteDimension: { range: rowsFrom(at) } });
    accounts.set(account, [recent(4), recent(3), recent(2, { cents: 5 }), recent(1)]);
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 0, 1]);
    assert.deepEqual(opened.ids, [recent(1).id, recent(3).id, recent(4).id]);
    await opened.resync(sync);
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 1, 0]);
    assert.deepEqual(
      opened.ids,
      [1, 2, 3, 4].map((number) => recent(number).id),
    );
  });

  test('columns that were moved and renamed are filled where they are, and theirs are left alone', async () => {
    const { opened, account, accounts, sync } = await written();
    await using _ = opened;
    opened.edit(
      { moveDimension: { source: columns(3), destinationIndex: 1 } },
      typed(0, 1, 'How much'),
      { insertDimension: { range: columns(2) } },
      typed(0, 2, 'My notes'),
      typed(1, 2, 'keep this'),
    );
    accounts.set(account, [
      recent(5, { cents: -700 }),
      recent(4, { cents: -800 }),
      recent(3),
      recent(2),
      recent(1),
    ]);
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 1, 1]);
    const [header, first] = opened.grid();
    assert.deepEqual(header?.slice(0, 4), ['Transaction ID', 'How much', 'My notes', 'Date']);
    assert.equal(first?.[2], 'keep this');
    assert.deepEqual(
      [
        opened.row(recent(5).id)['How much'],
        opened.row(recent(4).id)['How much'],
        opened.row(recent(5).id).Date,
      ],
      ['-7', '-8', recent(5).date],
    );
    assert.equal(opened.row(recent(5).id)['My notes'], '');
  });

  test('a tab that was renamed, and a spreadsheet that was, are written to as before', async () => {
    const { opened, more } = await written();
    await using _ = opened;
    opened.edit({
      updateSheetProperties: { properties: { sheetId: 0, title: "Bob's money" }, fields: 'title' },
    });
    opened.google.control.rename(opened.spreadsheet, 'Other');
    assert.deepEqual(counts(await more(5)), ['succeeded', 1, 0]);
    assert.equal(opened.ids.length, 5);
  });

  test('what is written below the rows moves down and is not overwritten', async () => {
    const { opened, more } = await written();
    await using _ = opened;
    opened.edit(typed(5, 0, ''), typed(5, 2, 'Total'), typed(6, 2, 'Checked by Bob'));
    assert.deepEqual(counts(await more(5)), ['succeeded', 1, 0]);
    assert.deepEqual(
      opened
        .grid()
        .map((row) => row[2])
        .slice(4),
      ['row 1', 'row 5', 'Total', 'Checked by Bob'],
    );
  });

  test('a column of ours that was deleted is added at the right', async () => {
    const { opened, more } = await written();
    await using _ = opened;
    opened.edit({ deleteDimension: { range: columns(6) } });
    assert.deepEqual(counts(await more(5)), ['succeeded', 1, 0]);
    const [header = []] = opened.grid();
    assert.equal(header.filter((name) => name === 'Category').length, 1);
    assert.equal(header.indexOf('Category'), 13);
    assert.equal(opened.row(recent(5).id).Category, 'FOOD_AND_DRINK');
  });

  test('headers that are there, in any order and spelling, are filled; what is optional too', async () => {
    const headers = ['amount', 'My notes', ' DESCRIPTION', 'Account #', 'date', 'Account ID'];
    const { opened } = await written({ headers });
    await using _ = opened;
    const [header = [], first = []] = opened.grid();
    assert.deepEqual(header.slice(0, 6), headers);
    assert.equal(header[6], 'Transaction ID');
    assert.deepEqual(first.slice(0, 5), ['-1.04', '', 'row 4', 'xxxx1234', recent(4).date]);
    assert.match(first[5] ?? '', /^acct_/);
  });

  test('a deleted tab, and one that never existed, fail the run permanently', async () => {
    const { opened, more } = await written();
    await using _ = opened;
    opened.edit(
      { addSheet: { properties: { sheetId: 5, title: 'Other' } } },
      { deleteSheet: { sheetId: 0 } },
    );
    const run = await more(5);
    assert.deepEqual(
      [run.status, run.failure, run.retryable],
      ['failed', 'destination_resource_missing', false],
    );
  });

  for (const [what, act] of [
    ['was moved to the bin', (scene: Scene) => scene.google.control.setTrashed(scene.spreadsheet, true)],
    ['was deleted', (scene: Scene) => scene.google.control.deleteSpreadsheet(scene.spreadsheet)],
    ['may no longer be seen', (scene: Scene) => scene.google.control.setPicked(scene.spreadsheet, false)],
  ] as const) {
    test(`a spreadsheet that ${what} fails the run permanently, and nothing is written`, async () => {
      const { opened, more } = await written();
      await using _ = opened;
      act(opened);
      opened.google.calls();
      const run = await more(5);
      assert.deepEqual(
        [run.status, run.failure, run.retryable],
        ['failed', 'destination_resource_missing', false],
      );
      assert.ok(!opened.google.calls().includes('POST batchUpdate'));
    });
  }

  test('rows that were deleted between reading and writing do not lead a batch misplaced', async () => {
    const { opened, account, accounts, sync } = await written();
    await using _ = opened;
    accounts.set(account, [recent(5), recent(4), recent(3), recent(2), recent(1)]);
    const { control } = opened.google;
    control.addFault({ route: 'POST *batchUpdate', kind: 'latency', latencyMs: 2_000 });
    const running = opened.world.run(sync);
    // The batch waits at Google's door while the sheet shrinks to three rows.
    while (control.faults().length > 0) await new Promise((resolve) => setImmediate(resolve));
    opened.edit({ deleteDimension: { range: rowsFrom(2, 998) } });
    assert.deepEqual(counts(await running), ['succeeded', 1, 0]);
    assert.equal(new Set(opened.ids).size, opened.ids.length);
    assert.ok(opened.ids.includes(recent(5).id));
  });

  test('rows that were sorted at the moment of an update are noticed, and the run says so', async () => {
    const { opened, account, accounts, sync } = await written();
    await using _ = opened;
    accounts.set(account, [recent(4), recent(3), recent(2), recent(1, { cents: 9 })]);
    const { control } = opened.google;
    control.addFault({ route: 'POST *batchUpdate', kind: 'latency', latencyMs: 2_000 });
    const running = opened.world.run(sync);
    while (control.faults().length > 0) await new Promise((resolve) => setImmediate(resolve));
    opened.edit({
      sortRange: {
        range: { sheetId: 0, startRowIndex: 1, endRowIndex: 5 },
        sortSpecs: [{ dimensionIndex: 0 }],
      },
    });
    const run = await running;
    assert.deepEqual([run.status, run.failure, run.retryable], ['failed', 'run_failed', false]);
    await opened.resync(sync);
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    assert.equal(new Set(opened.ids).size, 4);
  });

  test('a row inserted at the moment of an update is noticed by the next attempt if none looked before, once', async () => {
    const { opened, account, accounts, sync } = await written();
    await using _ = opened;
    accounts.set(account, [recent(4), recent(3), recent(2), recent(1, { cents: 9 })]);
    const { control } = opened.google;
    control.addFault({ route: 'POST *batchGetByDataFilter', kind: 'unavailable', after: 1, count: 1000 });
    const first = await duringUpdate(opened, sync, { insertDimension: { range: rowsFrom(1) } });
    assert.deepEqual([first.status, first.retryable], ['failed', true]);
    control.clearFaults();
    const second = await opened.world.run(sync);
    assert.deepEqual([second.status, second.failure, second.retryable], ['failed', 'run_failed', false]);
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    await opened.resync(sync);
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    assert.equal(new Set(opened.ids).size, 4);
  });

  test('a row inserted at the moment of an update is noticed too when the answer is lost, once', async () => {
    const { opened, account, accounts, sync } = await written();
    await using _ = opened;
    accounts.set(account, [recent(4), recent(3), recent(2), recent(1, { cents: 9 })]);
    const { control } = opened.google;
    control.addFault({ route: 'POST *batchUpdate', kind: 'drop-answer' });
    const first = await duringUpdate(opened, sync, { insertDimension: { range: rowsFrom(1) } });
    assert.deepEqual([first.status, first.failure, first.retryable], ['failed', 'run_failed', false]);
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
  });

  for (const [hit, early] of [
    ['another row of the sync', false],
    ['a row of the person', true],
  ] as const) {
    test(`a row inserted at the moment of a removal, which then hits ${hit}, is noticed once`, async () => {
      await using opened = await Scene.open();
      const account = opened.world.account();
      const { accounts } = opened.world.bank;
      const sync = await opened.sync([account], { options: { include_pending: true } });
      const gone = pending(1, { day: 49 });
      accounts.set(account, early ? [gone] : [recent(5)]);
      await opened.world.run(sync);
      accounts.set(account, [gone, recent(5)]);
      await opened.world.run(sync);
      assert.equal(opened.grid()[early ? 1 : 2]?.[0], gone.id);
      accounts.set(account, [recent(5)]);
      const run = await duringUpdate(opened, sync, { insertDimension: { range: rowsFrom(1) } });
      assert.deepEqual(opened.ids, early ? [gone.id, recent(5).id].toSorted() : [gone.id]);
      assert.deepEqual([run.status, run.failure, run.retryable], ['failed', 'run_failed', false]);
      assert.equal((await opened.world.run(sync)).status, 'succeeded');
      await opened.resync(sync);
      assert.equal((await opened.world.run(sync)).status, 'succeeded');
      assert.ok(opened.ids.includes(recent(5).id));
    });
  }

  test('an update reads the ids once after its batch, and no more at the end of the run', async () => {
    const { opened, account, accounts, sync } = await written();
    await using _ = opened;
    accounts.set(account, [recent(4), recent(3), recent(2), recent(1, { cents: 9 })]);
    opened.google.calls();
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 0, 1]);
    assert.deepEqual(opened.google.calls().slice(2), [
      'POST batchGetByDataFilter',
      'POST batchUpdate',
      'POST batchGetByDataFilter',
    ]);
  });
});

/** A run whose batch waits at Google while a person edits the sheet. */
async function duringUpdate(opened: Scene, sync: Sync, ...edits: readonly unknown[]): Promise<SyncRunRow> {
  const { google } = opened;
  google.beforeCall = async ({ url }) => {
    if (!String(url).includes(':batchUpdate')) return;
    google.beforeCall = async () => undefined;
    opened.edit(...edits);
  };
  return opened.world.run(sync);
}

describe('per account', () => {
  test('each account has a tab, which is created once and found by number whatever its name', async () => {
    await using opened = await Scene.open();
    const accounts = [opened.world.account(), opened.world.account()];
    for (const [index, account] of accounts.entries()) {
      opened.world.bank.accounts.set(account, [recent(index * 10 + 1), recent(index * 10 + 2)]);
    }
    const sync = await opened.sync(accounts, { mappingMode: 'per_account' });
    opened.google.control.addFault({ route: 'POST *batchUpdate', kind: 'drop-answer' });
    let run = await opened.world.run(sync);
    if (run.status !== 'succeeded') run = await opened.world.run(sync);
    assert.deepEqual(counts(run), ['succeeded', 4, 0]);
    const [book] = opened.google.control.spreadsheets();
    assert.equal(book?.tabs.length, 3);
    const [, first] = book?.tabs ?? [];
    assert.equal(opened.grid(first?.sheetId).length, 3);
    opened.edit({
      updateSheetProperties: { properties: { sheetId: first?.sheetId, title: 'Renamed' }, fields: 'title' },
    });
    const [one] = accounts;
    if (one !== undefined) opened.world.bank.accounts.set(one, [recent(3), recent(1), recent(2)]);
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 1, 0]);
    assert.equal(opened.grid(first?.sheetId).length, 4);
    assert.equal(opened.google.control.spreadsheets()[0]?.tabs.length, 3);
  });

  test('rows move to the new tab when the mapping of their account changes', async () => {
    await using opened = await Scene.open();
    const account = opened.world.account();
    opened.world.bank.accounts.set(account, [recent(1), recent(2)]);
    opened.edit(
      { addSheet: { properties: { sheetId: 11, title: 'One' } } },
      { addSheet: { properties: { sheetId: 22, title: 'Two' } } },
    );
    const mapped = (id: string) => [{ account, sheet_id: id, sheet_name: id }];
    const sync = await opened.sync([account], { mappingMode: 'per_account', accountMappings: mapped('11') });
    await opened.world.run(sync);
    assert.deepEqual([opened.grid(11).length, opened.grid(22).length], [3, 0]);
    await opened.world.syncs.update(opened.world.owner, sync.row.id, { accountMappings: mapped('22') });
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 0, 2]);
    assert.deepEqual([opened.grid(11).length, opened.grid(22).length], [1, 3]);
    assert.deepEqual(opened.ids, [recent(1).id, recent(2).id]);
  });
});
