import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { SyncRunRow } from '../../../src/storage/sync-runs.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { pending, posted } from '../../features/sync-engine/support/bank.ts';
import { runAndDie } from '../../features/sync-engine/support/death.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { Scene } from './paperclip/scene.ts';
import { stepOf } from './support/shares.ts';

after(closeDatabase);

const ROWS = 250;
const APPEND = 'POST /documents/rows';
const rows = (count: number) => Array.from({ length: count }, (_, index) => posted(count - index));
const idsOf = (count: number) =>
  rows(count)
    .map(({ id }) => id)
    .toSorted();
const counts = ({ processed, added, updated, rejected }: SyncRunRow) => ({
  processed,
  added,
  updated,
  rejected,
});

/** A scene with an account of so many rows and a sync of it. */
async function scene(count = ROWS) {
  const opened = await Scene.open();
  const account = opened.world.account();
  opened.world.bank.accounts.set(account, rows(count));
  return { opened, account, sync: await opened.sync([account]) };
}

/** The row as the document shows it. */
function shown(opened: Scene, id: string) {
  const found = opened.document.rows.filter((row) => row.id === id);
  assert.equal(found.length, 1, `${id} is there ${found.length} times`);
  return found[0] ?? assert.fail();
}

async function addedInAll(opened: Scene, sync: Parameters<Scene['resync']>[0]): Promise<number> {
  return (await opened.world.allRuns(sync)).reduce((sum, run) => sum + run.added, 0);
}

describe('a destination that appends and does not recognise what it has', () => {
  for (const chunk of [1, 2, 3]) {
    test(`has each row once, and counts it once, when the answer about chunk ${chunk} is lost`, async () => {
      const { opened, sync } = await scene();
      await using _ = opened;
      opened.vendor.troubles.set(APPEND, [
        ...Array.from({ length: chunk - 1 }, () => 'none' as const),
        'lost',
      ]);
      const first = await opened.world.run(sync);
      assert.deepEqual([first.status, first.added], ['failed', (chunk - 1) * 100]);
      assert.equal((await opened.world.run(sync)).status, 'succeeded');
      assert.deepEqual(opened.ids, idsOf(ROWS));
      assert.equal(await addedInAll(opened, sync), ROWS);
    });
  }

  test('has each row once, and counts it once, wherever the process dies', async () => {
    for (let statement = 4; ; statement += stepOf(3)) {
      const { opened, sync } = await scene(120);
      await using _ = opened;
      const died = await runAndDie(opened.world, sync, statement);
      const run = await opened.world.run(sync);
      assert.equal(run.status, 'succeeded');
      assert.deepEqual(opened.ids, idsOf(120));
      assert.equal(await addedInAll(opened, sync), 120, `${statement}`);
      assert.ok(opened.document.endings.length > 0, `${statement}`);
      if (!died) return;
    }
  });

  test('has refused rows counted as rejected, and the others delivered', async () => {
    const { opened, sync } = await scene(10);
    await using _ = opened;
    opened.vendor.refused.add(posted(3).id);
    assert.deepEqual(counts(await opened.world.run(sync)), {
      processed: 10,
      added: 9,
      updated: 0,
      rejected: 1,
    });
    assert.deepEqual(
      opened.ids,
      idsOf(10).filter((id) => id !== posted(3).id),
    );
  });
});

describe('rows that were there', () => {
  test('do not count as added by a resync, and as updated only where they changed', async () => {
    const { opened, account, sync } = await scene();
    await using _ = opened;
    assert.equal((await opened.world.run(sync)).added, ROWS);
    opened.world.bank.accounts.set(account, [
      posted(ROWS + 1),
      ...rows(ROWS).map((row) => (row.id === posted(7).id ? posted(7, { cents: 1 }) : row)),
    ]);
    await opened.resync(sync);
    assert.deepEqual(counts(await opened.world.run(sync)), {
      processed: ROWS + 1,
      added: 1,
      updated: 1,
      rejected: 0,
    });
    assert.deepEqual(opened.ids, idsOf(ROWS + 1));
    assert.match(shown(opened, posted(7).id).text, /"posted",1,/);
  });

  test('are distinguished from those that a lost attempt wrote', async () => {
    const { opened, account, sync } = await scene(150);
    await using _ = opened;
    await opened.world.run(sync);
    opened.world.bank.accounts.set(
      account,
      rows(160).map((row) => (row.id === posted(2).id ? posted(2, { cents: 1 }) : row)),
    );
    await opened.resync(sync);
    opened.vendor.troubles.set(APPEND, ['lost']);
    const failed = await opened.world.run(sync);
    assert.deepEqual([failed.status, failed.added], ['failed', 0]);
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    assert.deepEqual(opened.ids, idsOf(160));
    assert.match(shown(opened, posted(2).id).text, /"posted",1,/);
    assert.equal(await addedInAll(opened, sync), 160);
  });
});

test('a row that was removed and is back counts as added once, also when the answer about it is lost', async () => {
  await using opened = await Scene.open();
  const { world, vendor } = opened;
  const account = world.account();
  const back = pending(1);
  world.bank.accounts.set(account, [posted(2), back]);
  const sync = await opened.sync([account], { options: { include_pending: true } });
  assert.equal((await world.run(sync)).added, 2);
  world.bank.accounts.set(account, [posted(2)]);
  assert.equal((await world.run(sync)).updated, 1);
  assert.deepEqual(opened.ids, [posted(2).id]);
  world.bank.accounts.set(account, [posted(2), back]);
  vendor.troubles.set(APPEND, ['lost']);
  assert.equal((await world.run(sync)).status, 'failed');
  const recovered = await world.run(sync);
  assert.deepEqual([recovered.status, recovered.added, recovered.updated], ['succeeded', 0, 1]);
  assert.equal(await addedInAll(opened, sync), 2);
  assert.deepEqual(opened.ids, [posted(2).id, back.id].toSorted());
});

describe('an update', () => {
  /** A scene in which a pending row is there and has posted since. */
  async function withPending() {
    const opened = await Scene.open();
    const account: RowId<'account'> = opened.world.account();
    opened.world.bank.accounts.set(account, [pending(1, { day: 49, cents: -500 }), posted(1)]);
    const sync = await opened.sync([account], { options: { include_pending: true } });
    await opened.world.run(sync);
    const { ref } = shown(opened, pending(1).id);
    opened.world.bank.accounts.set(account, [posted(2, { day: 49, cents: -500 })]);
    return { opened, sync, ref };
  }

  test('replaces the pending row with the posted one', async () => {
    const { opened, sync, ref } = await withPending();
    await using _ = opened;
    assert.deepEqual(counts(await opened.world.run(sync)), {
      processed: 1,
      added: 0,
      updated: 1,
      rejected: 0,
    });
    assert.deepEqual(opened.ids, [posted(1).id, posted(2).id]);
    assert.equal(shown(opened, posted(2).id).ref, ref);
  });

  test('whose answer was lost finds the same row again', async () => {
    const { opened, sync, ref } = await withPending();
    await using _ = opened;
    opened.vendor.troubles.set('PATCH /documents/rows', ['reset']);
    assert.equal((await opened.world.run(sync)).status, 'failed');
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    assert.deepEqual(opened.ids, [posted(1).id, posted(2).id]);
    assert.equal(shown(opened, posted(2).id).ref, ref);
  });

  test('of a changed row reaches it under the id that the destination gave it', async () => {
    await using opened = await Scene.open();
    const account = opened.world.account();
    const row = (cents: number) => posted(2, { day: 49, cents });
    opened.world.bank.accounts.set(account, [row(-100)]);
    const sync = await opened.sync([account]);
    await opened.world.run(sync);
    const { ref } = shown(opened, row(0).id);
    opened.world.bank.accounts.set(account, [row(1)]);
    opened.vendor.troubles.set('PATCH /documents/rows', ['lost']);
    assert.equal((await opened.world.run(sync)).status, 'failed');
    assert.equal((await opened.world.run(sync)).updated, 1);
    assert.match(shown(opened, row(0).id).text, /"posted",1,/);
    opened.world.bank.accounts.set(account, [row(2)]);
    assert.equal((await opened.world.run(sync)).updated, 1);
    assert.equal(shown(opened, row(0).id).ref, ref);
  });
});
