import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { SyncOptions } from '../../../../src/vocabulary/syncs.ts';
import { pending, posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

/** A scene with three rows that were written. */
async function written(options: Partial<SyncOptions> = {}) {
  const opened = await Scene.open();
  const account = opened.world.account();
  const bank = (...rows: Parameters<typeof opened.world.bank.accounts.set>[1]) =>
    opened.world.bank.accounts.set(account, rows);
  bank(posted(3), posted(2, { day: 49 }), posted(1));
  const sync = await opened.sync([account], { options });
  assert.equal((await opened.world.run(sync)).added, 3);
  const { control } = opened.notion;
  return { opened, control, bank, sync, run: () => opened.world.run(sync) };
}

describe('a row that a person deleted', () => {
  for (const forGood of [false, true]) {
    const how = forGood ? 'for good' : 'into the trash';
    test(`${how} stays deleted when it changes, until a resync brings it back`, async () => {
      const { opened, control, bank, sync, run } = await written();
      await using _ = opened;
      const page = opened.pageOf(posted(2).id);
      if (forGood) control.purge(page);
      else control.trash(page, true);
      bank(posted(4, { day: 49 }), posted(3), posted(2, { day: 49, cents: 9 }), posted(1));
      const changed = await run();
      assert.deepEqual([changed.status, changed.added, changed.rejected], ['succeeded', 1, 0]);
      assert.deepEqual(
        opened.ids,
        [1, 3, 4].map((number) => posted(number).id),
      );
      await opened.resync(sync);
      assert.deepEqual([(await run()).added, opened.ids.length], [1, 4]);
      assert.equal(opened.shown(posted(2).id).Amount, '0.09');
    });
  }

  test('and that the bank takes away too ends the run well', async () => {
    await using opened = await Scene.open();
    const account = opened.world.account();
    opened.world.bank.accounts.set(account, [posted(2), pending(1)]);
    const sync = await opened.sync([account], { options: { include_pending: true } });
    await opened.world.run(sync);
    opened.notion.control.trash(opened.pageOf(pending(1).id), true);
    opened.world.bank.accounts.set(account, [posted(2)]);
    assert.equal((await opened.world.run(sync)).status, 'succeeded');
    assert.deepEqual(opened.ids, [posted(2).id]);
  });
});

describe('a property that a person', () => {
  test('moved is written as before', async () => {
    const { opened, control, bank, run } = await written();
    await using _ = opened;
    control.moveProperty(opened.database, 'Amount', 0);
    bank(posted(3), posted(2, { day: 49, cents: 5 }), posted(1));
    assert.equal((await run()).updated, 1);
    assert.equal(opened.shown(posted(2).id).Amount, '0.05');
  });

  test('renamed is written under its new name, also that of the ids: nothing is doubled', async () => {
    const { opened, control, bank, sync, run } = await written();
    await using _ = opened;
    for (const name of ['Merchant', 'Transaction ID', 'Description'])
      control.renameProperty(opened.database, name, `My ${name}`);
    bank(posted(4, { day: 49, merchant_name: 'Bakery' }), posted(3), posted(2, { day: 49 }), posted(1));
    await opened.resync(sync);
    assert.deepEqual([(await run()).added, opened.rows.length], [1, 4]);
    const row = opened.rows.find((one) => one.values['My Transaction ID'] === posted(4).id);
    assert.deepEqual([row?.values['My Merchant'], row?.values['My Description']], ['Bakery', 'row 4']);
    const { properties } =
      control.workspace().databases.find(({ id }) => id === opened.database) ?? assert.fail();
    assert.equal(properties.length, 14);
  });

  test('deleted is added again, and filled from then on', async () => {
    const { opened, control, bank, run } = await written();
    await using _ = opened;
    control.removeProperty(opened.database, 'Merchant');
    bank(posted(4, { day: 49, merchant_name: 'Bakery' }), posted(3), posted(2, { day: 49 }), posted(1));
    assert.equal((await run()).added, 1);
    assert.equal(opened.shown(posted(4).id).Merchant, 'Bakery');
  });

  test('deleted while a run is under way has its rows written anyway', async () => {
    const { opened, control, bank, run } = await written();
    await using _ = opened;
    bank(
      ...Array.from({ length: 20 }, (_one, at) => posted(30 - at, { day: 49 })),
      posted(3),
      posted(2, { day: 49 }),
      posted(1),
    );
    let calls = 0;
    const { sleep } = opened.clock;
    opened.clock.sleep = async (ms, signal) => {
      calls += 1;
      if (calls === 8) control.removeProperty(opened.database, 'Memo');
      await sleep.call(opened.clock, ms, signal);
    };
    const done = await run();
    assert.deepEqual([done.status, done.added, done.rejected], ['succeeded', 20, 0]);
    assert.equal(opened.rows.length, 23);
  });

  test('made of another type ends the run, with a message that names it', async () => {
    const { opened, control, bank, run } = await written();
    await using _ = opened;
    control.removeProperty(opened.database, 'Amount');
    control.addProperty(opened.database, { name: 'Amount', type: 'rich_text' });
    bank(posted(4, { day: 49 }), posted(3), posted(2, { day: 49 }), posted(1));
    const failed = await run();
    assert.deepEqual([failed.status, failed.failure, failed.retryable], ['failed', 'run_failed', false]);
    assert.equal(opened.rows.length, 3);
  });

  test('added is left alone, and filled where it is one of ours', async () => {
    const { opened, control, bank, run } = await written();
    await using _ = opened;
    control.addProperty(opened.database, { name: 'Institution', type: 'rich_text' });
    control.addProperty(opened.database, { name: 'Account #', type: 'rich_text' });
    control.addProperty(opened.database, { name: 'Note', type: 'rich_text' });
    const page = opened.pageOf(posted(2).id);
    control.editText(page, 'Note', 'mine');
    bank(posted(3), posted(2, { day: 49, cents: 5 }), posted(1));
    assert.equal((await run()).updated, 1);
    const { Note, Institution, 'Account #': number } = opened.shown(posted(2).id);
    assert.deepEqual([Note, Institution, number], ['mine', 'Test Bank', 'xxxx1234']);
  });
});

test('a text that a person changed is set right by a resync', async () => {
  const { opened, control, sync, run } = await written();
  await using _ = opened;
  control.editText(opened.pageOf(posted(2).id), 'Description', 'lunch');
  await opened.resync(sync);
  assert.deepEqual([(await run()).updated, opened.shown(posted(2).id).Description], [1, 'row 2']);
});

test('a database that a person renamed is written to as before', async () => {
  const { opened, control, bank, run } = await written();
  await using _ = opened;
  control.renameDatabase(opened.database, 'My bank');
  bank(posted(4, { day: 49 }), posted(3), posted(2, { day: 49 }), posted(1));
  assert.equal((await run()).added, 1);
  assert.equal(opened.rows.find(({ id }) => id === posted(4).id)?.place, 'My bank');
});

describe('a database that', () => {
  const away = {
    'is in the trash': ({ notion, database }: Scene) => notion.control.trash(database, true),
    'lies on a page in the trash': ({ notion, database }: Scene) => {
      const { databases } = notion.control.workspace();
      notion.control.trash(databases.find(({ id }) => id === database)?.parent ?? '', true);
    },
    'is deleted for good': ({ notion, database }: Scene) => notion.control.purge(database),
    'is no longer shared': ({ notion, database }: Scene) => {
      const { databases } = notion.control.workspace();
      notion.control.share(databases.find(({ id }) => id === database)?.parent ?? '', false);
    },
  };
  for (const [what, act] of Object.entries(away)) {
    test(`${what} ends the run as destination_resource_missing, for new rows and for changed ones`, async () => {
      const { opened, bank, sync, run } = await written();
      await using _ = opened;
      act(opened);
      bank(posted(4, { day: 49 }), posted(3), posted(2, { day: 49 }), posted(1));
      const failed = await run();
      assert.deepEqual([failed.failure, failed.retryable], ['destination_resource_missing', false]);
      assert.deepEqual(await opened.world.inDoubt(sync), []);
      bank(posted(3), posted(2, { day: 49, cents: 5 }), posted(1));
      assert.equal((await run()).failure, 'destination_resource_missing');
    });
  }

  test('goes into the trash while a run is under way ends it so, and no row is lost or doubled', async () => {
    const { opened, control, bank, run } = await written();
    await using _ = opened;
    bank(
      ...Array.from({ length: 10 }, (_one, at) => posted(20 - at, { day: 49 })),
      posted(3),
      posted(2, { day: 49 }),
      posted(1),
    );
    let calls = 0;
    const { sleep } = opened.clock;
    opened.clock.sleep = async (ms, signal) => {
      calls += 1;
      if (calls === 7) control.trash(opened.database, true);
      await sleep.call(opened.clock, ms, signal);
    };
    assert.equal((await run()).failure, 'destination_resource_missing');
    opened.clock.sleep = sleep;
    control.trash(opened.database, false);
    assert.equal((await run()).status, 'succeeded');
    assert.equal(new Set(opened.ids).size, 13);
    assert.equal(opened.rows.length, 13);
  });
});

describe('of several data sources', () => {
  test('rows go on to the one they were written to', async () => {
    const { opened, control, bank, run } = await written();
    await using _ = opened;
    control.addSource(opened.database, 'Another');
    bank(posted(4, { day: 49 }), posted(3), posted(2, { day: 49 }), posted(1));
    assert.equal((await run()).added, 1);
    const [first] = control.workspace().databases.find(({ id }) => id === opened.database)?.sources ?? [];
    assert.ok(opened.kept.every(({ source }) => source === first));
  });
});
