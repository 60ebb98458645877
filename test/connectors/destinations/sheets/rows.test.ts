import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Sync } from '../../../../src/features/syncs/syncs.ts';
import type { OutgoingRequest } from '../../../../src/platform/outgoing-http.ts';
import type { SyncRunRow } from '../../../../src/storage/sync-runs.ts';
import { pending, posted } from '../../../features/sync-engine/support/bank.ts';
import { runAndDie } from '../../../features/sync-engine/support/death.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { firstOf, stepOf } from '../support/shares.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

const rows = (count: number) => Array.from({ length: count }, (_, index) => posted(count - index));
const idsOf = (count: number) =>
  rows(count)
    .map(({ id }) => id)
    .toSorted();
const counts = ({ status, added, updated, rejected }: SyncRunRow) => [status, added, updated, rejected];
/** Chunks of a hundred rows, so that a run has several. */
const SMALL = { change: <T extends object>(connector: T) => ({ ...connector, chunkRows: 100 }) };

/** A scene with an account of so many rows and a sync of it. */
async function scene(count: number, options: Parameters<typeof Scene.open>[0] = {}) {
  const opened = await Scene.open(options);
  const account = opened.world.account();
  opened.world.bank.accounts.set(account, rows(count));
  return { opened, account, sync: await opened.sync([account]) };
}

async function addedInAll(opened: Scene, sync: Sync): Promise<number> {
  return (await opened.world.allRuns(sync)).reduce((sum, run) => sum + run.added, 0);
}

describe('a sync of transactions', () => {
  test('writes headers and rows into a blank sheet, and asks nothing where there is nothing new', async () => {
    const { opened, account, sync } = await scene(30);
    await using _ = opened;
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 30, 0, 0]);
    assert.deepEqual(opened.ids, idsOf(30));
    assert.deepEqual(opened.google.calls(), [
      `GET ${opened.spreadsheet}`,
      `GET ${opened.spreadsheet}`,
      'POST batchGetByDataFilter',
      'POST batchUpdate',
      'POST batchGetByDataFilter',
    ]);
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 0, 0, 0]);
    assert.deepEqual(opened.google.calls(), []);
    opened.world.bank.accounts.set(account, [posted(31, { day: 49 }), ...rows(30)]);
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 1, 0, 0]);
    assert.equal(opened.google.calls().length, 5);
    assert.deepEqual(opened.grid()[0]?.slice(0, 15), [
      'Transaction ID',
      'Date',
      'Description',
      'Amount',
      'Currency',
      'Direction',
      'Category',
      'Merchant',
      'Account',
      'Status',
      'Class',
      'Post Date',
      'Memo',
      'Tags',
      '',
    ]);
    const [first] = rows(30);
    assert.deepEqual(
      [opened.row(first?.id ?? '').Date, opened.row(first?.id ?? '').Amount],
      [first?.date, first?.amount_decimal.replace(/0$/, '')],
    );
  });

  test('of 10,000 rows takes no more calls than batches of two megabytes need', async () => {
    const { opened, sync } = await scene(10_000);
    await using _ = opened;
    assert.equal((await opened.world.run(sync)).added, 10_000);
    assert.equal(opened.ids.length, 10_000);
    const calls = opened.google.calls();
    assert.ok(calls.filter((call) => call === 'POST batchUpdate').length <= 3, calls.join('\n'));
    assert.ok(calls.length <= 7, calls.join('\n'));
  });

  test('has each row once, and counts it once, whichever call of the run is not answered or not received', async () => {
    for (const [at, kind] of (['drop-answer', 'connection-reset'] as const).entries()) {
      for (let call = firstOf(at); ; call += stepOf()) {
        const { opened, sync } = await scene(250, SMALL);
        await using _ = opened;
        opened.google.control.addFault({ route: '*', kind, after: call });
        const first = await opened.world.run(sync);
        const struck = opened.google.control.faults().length === 0;
        if (first.status !== 'succeeded') assert.equal((await opened.world.run(sync)).status, 'succeeded');
        assert.deepEqual(opened.ids, idsOf(250), `${kind} ${call}`);
        assert.equal(await addedInAll(opened, sync), 250, `${kind} ${call}`);
        if (!struck) break;
      }
    }
  });

  test('has each row once, and counts it once, wherever the process dies', async () => {
    for (let statement = 4; ; statement += stepOf(4)) {
      const { opened, sync } = await scene(250, SMALL);
      await using _ = opened;
      const died = await runAndDie(opened.world, sync, statement);
      assert.equal((await opened.world.run(sync)).status, 'succeeded');
      assert.deepEqual(opened.ids, idsOf(250), `${statement}`);
      assert.equal(await addedInAll(opened, sync), 250, `${statement}`);
      if (!died) return;
    }
  });

  test('is exact also when Google applies every batch and answers none for a whole run', async () => {
    const { opened, sync } = await scene(250, SMALL);
    await using _ = opened;
    const id = opened.google.control.addFault({ route: 'POST *batchUpdate', kind: 'drop-answer', count: 50 });
    await opened.world.run(sync);
    opened.google.control.clearFaults();
    assert.ok(id > 0);
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    assert.deepEqual(opened.ids, idsOf(250));
    assert.equal(await addedInAll(opened, sync), 250);
  });

  test('has each row once where a batch that was given up arrives just before it is sent again', async () => {
    const { opened, sync } = await scene(60);
    await using _ = opened;
    const { google } = opened;
    const batches: OutgoingRequest[] = [];
    google.beforeCall = async (asked) => {
      if (!String(asked.url).includes(':batchUpdate')) return;
      batches.push(asked);
      const [late] = batches;
      // The first is lost on its way; the second finds that it has arrived after all.
      if (batches.length === 2 && late !== undefined) await google.http.request(late);
    };
    google.control.addFault({ route: 'POST *batchUpdate', kind: 'connection-reset' });
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 60, 0, 0]);
    assert.equal(batches.length, 2);
    assert.deepEqual(opened.ids, idsOf(60));
    const [late] = batches;
    assert.equal((late === undefined ? undefined : await google.http.request(late))?.status, 400);
    assert.deepEqual(opened.ids, idsOf(60));
  });

  test('leaves what happened unknown where Google applies a batch and is away from then on', async () => {
    const { opened, sync } = await scene(60);
    await using _ = opened;
    opened.google.control.addFault({ route: 'POST *batchUpdate', kind: 'drop-answer' });
    opened.google.control.addFault({ route: 'GET *', kind: 'unavailable', after: 2, count: 100 });
    const run = await opened.world.run(sync);
    assert.deepEqual([run.status, run.added], ['failed', 0]);
    assert.equal((await opened.world.inDoubt(sync)).length, 1);
    opened.google.control.clearFaults();
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 60, 0, 0]);
    assert.deepEqual(opened.ids, idsOf(60));
  });

  test('finds the rows that Google refuses, counts them as rejected and writes the others', async () => {
    const { opened, account, sync } = await scene(0);
    await using _ = opened;
    const bad = [3, 40];
    opened.world.bank.accounts.set(
      account,
      rows(60).map((row, index) => (bad.includes(index) ? { ...row, description: 'refuse-me' } : row)),
    );
    opened.google.control.refuseText('refuse-me');
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 58, 0, 2]);
    assert.equal(new Set(opened.ids).size, 58);
    assert.equal(opened.ids.length, 58);
    opened.google.control.refuseText(null);
    await opened.resync(sync);
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 2, 0, 0]);
    assert.deepEqual(opened.ids, idsOf(60));
  });

  test('has each row once where rows are refused and an answer is lost at the same time', async () => {
    for (let call = 0; call < 12; call++) {
      const { opened, account, sync } = await scene(0);
      await using _ = opened;
      opened.world.bank.accounts.set(
        account,
        rows(20).map((row, index) => (index === 5 ? { ...row, description: 'refuse-me' } : row)),
      );
      opened.google.control.refuseText('refuse-me');
      opened.google.control.addFault({
        route: 'POST *batchUpdate',
        kind: 'drop-answer',
        after: call,
        count: 4,
      });
      await opened.world.run(sync);
      opened.google.control.clearFaults();
      // The refused row is sent again and is then all there is to send, so the run may fail.
      await opened.world.run(sync);
      assert.equal(new Set(opened.ids).size, 19, `${call}`);
      assert.equal(opened.ids.length, 19, `${call}`);
    }
  });
});

describe('rows that were there', () => {
  test('do not count as added by a resync, and as updated only where they changed', async () => {
    const { opened, account, sync } = await scene(120);
    await using _ = opened;
    await opened.world.run(sync);
    const changed = posted(7, { cents: 1 });
    opened.world.bank.accounts.set(account, [
      posted(121),
      ...rows(120).map((row) => (row.id === changed.id ? changed : row)),
    ]);
    await opened.resync(sync);
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 1, 1, 0]);
    assert.deepEqual(opened.ids, idsOf(121));
    assert.equal(opened.row(changed.id).Amount, '0.01');
  });

  test('are written over where only their cells were edited, and left where everything is the same', async () => {
    const { opened, sync } = await scene(10);
    await using _ = opened;
    await opened.world.run(sync);
    opened.edit(typed(3, 2, 'my own words'));
    const before = opened.grid()[3]?.[0] ?? '';
    opened.google.calls();
    await opened.resync(sync);
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 0, 1, 0]);
    assert.notEqual(opened.row(before).Description, 'my own words');
    await opened.resync(sync);
    opened.google.calls();
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 0, 0, 0]);
    assert.ok(!opened.google.calls().includes('POST batchUpdate'));
  });

  test('count as added once, also when the answer about a resync is lost', async () => {
    const { opened, account, sync } = await scene(40);
    await using _ = opened;
    await opened.world.run(sync);
    opened.world.bank.accounts.set(account, rows(50));
    await opened.resync(sync);
    opened.google.control.addFault({ route: 'POST *batchUpdate', kind: 'drop-answer' });
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 10, 0, 0]);
    assert.deepEqual(opened.ids, idsOf(50));
  });

  test('twice already are left alone: the first is updated', async () => {
    const { opened, account, sync } = await scene(5);
    await using _ = opened;
    await opened.world.run(sync);
    const copied = opened.grid()[1]?.[0] ?? '';
    opened.edit({ appendDimension: { sheetId: 0, dimension: 'ROWS', length: 1 } }, typed(8, 0, copied));
    const changed = rows(5).map((row) => (row.id === copied ? { ...row, description: 'changed' } : row));
    opened.world.bank.accounts.set(account, changed);
    await opened.resync(sync);
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 0, 1, 0]);
    assert.deepEqual(
      opened.grid().flatMap((row, index) => (row[0] === copied ? [[index, row[2]]] : [])),
      [
        [1, 'changed'],
        [8, ''],
      ],
    );
  });
});

describe('an update', () => {
  test('reaches its row wherever it is now', async () => {
    const { opened, account, sync } = await scene(0);
    await using _ = opened;
    const row = (cents: number) => posted(2, { day: 49, cents });
    const others = Array.from({ length: 20 }, (_, index) => posted(index + 10, { day: 49 }));
    opened.world.bank.accounts.set(account, [row(-100), ...others]);
    await opened.world.run(sync);
    opened.edit({
      sortRange: {
        range: { sheetId: 0, startRowIndex: 1, endRowIndex: 22 },
        sortSpecs: [{ dimensionIndex: 0, sortOrder: 'DESCENDING' }],
      },
    });
    opened.world.bank.accounts.set(account, [row(1), ...others]);
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 0, 1, 0]);
    assert.equal(opened.row(row(0).id).Amount, '0.01');
    assert.equal(new Set(opened.ids).size, 21);
  });

  test('replaces the pending row with the posted one, keeping what a person wrote next to it', async () => {
    for (const fault of [null, 'drop-answer', 'connection-reset'] as const) {
      await using opened = await Scene.open();
      const account = opened.world.account();
      opened.world.bank.accounts.set(account, [pending(1, { day: 49, cents: -500 }), posted(1)]);
      const sync = await opened.sync([account], { options: { include_pending: true } });
      await opened.world.run(sync);
      const at = opened.grid().findIndex((row) => row[0] === pending(1).id);
      opened.edit(typed(at, 20, 'my note'));
      opened.world.bank.accounts.set(account, [posted(2, { day: 49, cents: -500 })]);
      if (fault !== null) opened.google.control.addFault({ route: 'POST *batchUpdate', kind: fault });
      assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 0, 1, 0]);
      assert.deepEqual(opened.ids, [posted(1).id, posted(2).id]);
      const row = opened.grid().find(([id]) => id === posted(2).id) ?? [];
      assert.deepEqual([row[9], row[20]], ['posted', 'my note']);
    }
  });

  test('removes a pending row that the bank no longer reports, and it alone', async () => {
    await using opened = await Scene.open();
    const account = opened.world.account();
    const gone = pending(1, { day: 49 });
    opened.world.bank.accounts.set(account, [gone, posted(5), posted(6)]);
    const sync = await opened.sync([account], { options: { include_pending: true } });
    await opened.world.run(sync);
    opened.world.bank.accounts.set(account, [posted(5), posted(6)]);
    assert.deepEqual(counts(await opened.world.run(sync)), ['succeeded', 0, 1, 0]);
    assert.deepEqual(opened.ids, [posted(5).id, posted(6).id]);
  });
});

/** What a person types into a cell. */
function typed(rowIndex: number, columnIndex: number, text: string) {
  const values = [{ userEnteredValue: { stringValue: text } }];
  return {
    updateCells: {
      start: { sheetId: 0, rowIndex, columnIndex },
      rows: [{ values }],
      fields: 'userEnteredValue',
    },
  };
}
