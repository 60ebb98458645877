import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { posted } from '../../features/sync-engine/support/bank.ts';
import { stored } from '../../features/sync-engine/support/dry-run.ts';
import { verified } from '../../features/sync-engine/support/verification.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { SOME_KEY } from '../../support/actors.ts';
import { counts, id, KINDS, NEWEST, ROWS, written } from './support/column-targets.ts';

after(closeDatabase);

for (const [type, kind] of Object.entries(KINDS)) {
  describe(`columns of people in ${type}`, () => {
    test('never go into a column of a person, whatever its name', async () => {
      const { target, run, choose, reports } = await written(kind, ['date', 'amount'], true);
      await using _ = target;
      target.note(id, 'with Kim');
      target.rename('Notes', 'Direction');
      await choose(['date', 'amount', 'direction']);
      assert.deepEqual(counts(await run()), ['succeeded', 0, 3, 0]);
      const before = target.columns();
      target.rename('Direction', 'Mine');
      reports([posted(9, { day: 49 }), ...ROWS]);
      assert.deepEqual(counts(await run()), ['succeeded', 1, 0, 0]);
      assert.equal(target.columns().length, before.length);
      const [made, ...others] = target.columns().filter((name) => name.startsWith('Direction'));
      assert.deepEqual(others, []);
      const [first, second] = [target.shown(id), target.shown(posted(9).id)];
      assert.deepEqual([first.Mine, first[made ?? '']], ['with Kim', 'debit']);
      assert.deepEqual([second.Mine ?? '', second[made ?? '']], ['', 'debit']);
    });

    test('never go into one that was filled before and is called like another field now', async () => {
      const { target, run, choose } = await written(kind, ['merchant', 'amount']);
      await using _ = target;
      target.rename('Merchant', 'Direction');
      await choose(['direction', 'amount']);
      assert.deepEqual(counts(await run()), ['succeeded', 0, 3, 0]);
      target.rename('Direction', 'Shop');
      const made = target.columns().find((name) => name.startsWith('Direction'));
      const shown = target.shown(id);
      assert.deepEqual([shown.Shop, shown[made ?? '']], ['Shop 3', 'debit']);
    });

    test('go into an empty column that a person has for them, also under another name later', async () => {
      const { target, run, choose, reports } = await written(kind, ['date', 'amount'], true);
      await using _ = target;
      const before = target.columns();
      await choose(['date', 'amount', 'merchant']);
      assert.deepEqual(counts(await run()), ['succeeded', 0, 3, 0]);
      target.rename('Merchant', 'Where');
      reports([posted(9, { day: 49, merchant_name: 'Bakery' }), ...ROWS]);
      assert.deepEqual(counts(await run()), ['succeeded', 1, 0, 0]);
      assert.equal(target.columns().length, before.length);
      assert.deepEqual(
        [target.shown(id).Where, target.shown(posted(9).id).Where],
        [NEWEST?.merchant_name, 'Bakery'],
      );
    });
  });

  describe(`columns that a target in ${type} lacks`, () => {
    const where = type === 'sheets' ? 'Sheet1' : null;

    test('are named once each by a verification, which adds none', async () => {
      const { target, sync, run, choose } = await written(kind, ['date', 'amount']);
      await using _ = target;
      await choose(['date', 'amount', 'merchant', 'direction']);
      const { world } = target;
      world.clock.advance(60_000);
      const before = [target.columns(), await stored(world)];
      const said = await verified(world, sync);
      const lack = { where, problem: 'absent', remedy: 'run' };
      assert.deepEqual(said.columns, [
        { name: 'Merchant', ...lack },
        { name: 'Direction', ...lack },
      ]);
      assert.deepEqual([target.columns(), await stored(world)], before);
      await run();
      world.clock.advance(60_000);
      const after = await verified(world, sync);
      assert.deepEqual([after.columns, after.problems, after.counts.alike], [[], [], 3]);
    });

    test('because a person removed them are made again with a resync', async () => {
      const { target, sync, run } = await written(kind, ['date', 'amount', 'direction']);
      await using _ = target;
      const { world } = target;
      target.remove('Direction');
      world.clock.advance(60_000);
      const said = await verified(world, sync);
      assert.deepEqual(said.columns, [{ name: 'Direction', where, problem: 'absent', remedy: 'resync' }]);
      assert.deepEqual(said.problems, []);
      await world.runs.resync(world.owner.id, sync.row.id, SOME_KEY);
      assert.equal((await run()).status, 'succeeded');
      world.clock.advance(60_000);
      const after = await verified(world, sync);
      assert.deepEqual([after.columns, after.problems, target.shown(id).Direction], [[], [], 'debit']);
    });
  });
}
