import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { REJECTED_ROWS_KEPT } from '../../../../src/storage/rejected-rows.ts';
import { addDays, localDateAt } from '../../../../src/vocabulary/moments.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { problemsOf, verified } from '../../../features/sync-engine/support/verification.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { Scene } from './scene.ts';

const HOUR_MS = 3_600_000;
const PAGE = { limit: 1_000, after: null, before: null };
const dollars = (number: number, currency: string) =>
  posted(number, { day: 48, amount: { amount: -100, currency }, amount_decimal: '-1.00' });

after(closeDatabase);

/** A sync of one account with these rows, at one in the morning in UTC. */
async function syncOf(rows: ReturnType<typeof posted>[]) {
  const scene = await Scene.open();
  const { world } = scene;
  const day = 24 * HOUR_MS;
  world.clock.advance(Math.ceil(world.clock.now() / day) * day + HOUR_MS - world.clock.now());
  const account = world.account();
  world.bank.accounts.set(account, rows);
  const sync = await scene.sync([account]);
  const run = async () => {
    const { status, added, updated, rejected } = await world.run(sync);
    return [status, added, updated, rejected];
  };
  const { owner } = world;
  const listed = async () => {
    const filter = { sync: sync.row.id, run: null, origin: 'destination' } as const;
    return (await world.runs.rejected(owner.id, filter, PAGE)).items;
  };
  const attention = async () => (await world.syncs.read(owner.id, sync.row.id)).row.attention;
  const later = (hours: number) => world.clock.advance(hours * HOUR_MS);
  const show = (shown: typeof rows) => void world.bank.accounts.set(account, shown);
  return { scene, world, sync, run, listed, attention, later, show, rows };
}

describe('a row that the destination refuses permanently', () => {
  test('is listed, fails no later run, and is delivered once the bank has corrected it', async () => {
    const it = await syncOf([posted(1, { day: 48 }), dollars(2, 'usd')]);
    await using scene = it.scene;
    assert.deepEqual(await it.run(), ['succeeded', 1, 0, 1]);
    scene.calls();
    for (let time = 0; time < 4; time++) {
      it.later(1);
      assert.deepEqual(await it.run(), ['succeeded', 0, 0, 1]);
      assert.equal(await it.attention(), null);
    }
    assert.deepEqual(scene.calls(), [], 'YNAB is not asked for nothing');
    const [row, ...others] = await it.listed();
    assert.deepEqual(
      [row?.source_id, row?.field, row?.reason, row?.day, others],
      [posted(2).id, 'currency', 'other_currency', posted(2, { day: 48 }).date, []],
    );
    assert.deepEqual(problemsOf(await verified(it.world, it.sync)), [['refused', posted(2).id]]);
    it.later(24);
    assert.deepEqual(await it.run(), ['succeeded', 0, 0, 1], 'tried again the next day, which is no failure');
    it.later(1);
    it.show([posted(1, { day: 48 }), dollars(2, 'aud')]);
    assert.deepEqual(await it.run(), ['succeeded', 1, 0, 0]);
    assert.deepEqual(await it.listed(), []);
  });

  test('is delivered within a day once the destination takes it', async () => {
    const it = await syncOf([posted(1, { day: 48 }), posted(2, { day: 48 })]);
    await using scene = it.scene;
    scene.vendor.control.change({ refusedPayees: ['row 2'] });
    assert.deepEqual(await it.run(), ['succeeded', 1, 0, 1]);
    assert.equal((await it.listed())[0]?.reason, 'refused');
    scene.vendor.control.change({ refusedPayees: [] });
    it.later(24);
    assert.deepEqual(await it.run(), ['succeeded', 1, 0, 0]);
    assert.deepEqual(await it.listed(), []);
  });

  test('because it is dated tomorrow arrives the next day', async () => {
    const it = await syncOf([]);
    await using scene = it.scene;
    const tomorrow = addDays(localDateAt(it.world.clock.now(), 'UTC'), 1);
    scene.vendor.control.change({ dayBeginsEarlierHours: 0 });
    const dated = { date: tomorrow, post_date: tomorrow, post_datetime: `${tomorrow}T09:00:00+10:00` };
    it.show([posted(1, { day: 48 }), posted(2, { day: 50, ...dated })]);
    assert.deepEqual(await it.run(), ['succeeded', 1, 0, 1]);
    it.later(2);
    assert.deepEqual(await it.run(), ['succeeded', 0, 0, 1]);
    it.later(22);
    assert.deepEqual(await it.run(), ['succeeded', 1, 0, 0]);
    assert.deepEqual(await it.listed(), []);
    assert.deepEqual(scene.memos(), ['row 1', 'row 2']);
  });

  test('fails a run in which every row is refused for the first time, and no other', async () => {
    const many = Array.from({ length: REJECTED_ROWS_KEPT + 5 }, (_, at) => dollars(at + 10, 'usd'));
    const it = await syncOf(many);
    await using _ = it.scene;
    assert.deepEqual(await it.run(), ['failed', 0, 0, many.length]);
    assert.equal(await it.attention(), 'run_failed');
    assert.equal((await it.listed()).length, REJECTED_ROWS_KEPT);
    it.later(1);
    assert.deepEqual(await it.run(), ['succeeded', 0, 0, many.length]);
    assert.equal(await it.attention(), null);
    it.later(1);
    it.show([...many, posted(1, { day: 48 })]);
    assert.deepEqual(await it.run(), ['succeeded', 1, 0, many.length]);
  });
});
