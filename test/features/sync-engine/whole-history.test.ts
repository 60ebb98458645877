import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { nextRunOf } from '../../../src/features/syncs/sync-schedules.ts';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import { EPOCH, posted } from './support/bank.ts';
import { Vendor } from './support/vendor.ts';
import { closeDatabase, World, type WorldOptions } from './support/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let world: World;
async function open(options: WorldOptions = {}): Promise<World> {
  world = await World.open(options);
  return world;
}
beforeEach(() => open());
afterEach(() => world.close());
after(closeDatabase);

const linesOf = async (run: Awaited<ReturnType<World['run']>>) =>
  (await world.runs.read(world.owner.id, run.id, true)).lines?.map(({ status }) => status);
const nextRun = async (sync: Sync): Promise<number> =>
  ((await world.syncs.read(world.owner.id, sync.row.id)).row.next_run_at?.getTime() ?? 0) - world.clock.now();
const wholeReads = (): boolean[] => world.bank.windows.map(({ since }) => since === null);

describe('5,000 rows of which a bank has 3,000 at first', () => {
  for (const [what, dataFreshness, late, hours] of [
    ['that says so', true, 2, 3],
    ['that says nothing', false, 2, 9],
    ['that says nothing and is very late', false, 20, 48],
  ] as const) {
    test(`and ${what}, are all delivered, each once`, async () => {
      const vendor = await Vendor.open(world.clock, { historySyncDelayMs: late * HOUR, dataFreshness });
      try {
        world.source = vendor.source;
        const [account] = await vendor.link('rows:5000');
        const sync = await world.sync([account?.id ?? assert.fail()]);
        const first = await world.run(sync);
        assert.ok(first.added > 2500 && first.added < 4000, `${first.added}`);
        assert.equal(first.status, 'succeeded');
        assert.deepEqual(await linesOf(first), [dataFreshness ? 'incomplete' : 'succeeded']);
        const now = world.clock.now();
        const scheduled = nextRunOf(sync.row, now, world.limits);
        const wait = scheduled.getTime() - now;
        const soon = Math.min(wait, 15 * MINUTE);
        assert.equal(
          await nextRun(sync),
          dataFreshness ? soon : wait,
          'only who knows of more looks again soon',
        );
        for (let hour = 0; hour < hours; hour += 3) {
          world.clock.advance(3 * HOUR);
          await world.run(sync);
        }
        assert.equal(world.receiver.rows().size, 5000);
        assert.ok([...world.receiver.newCounts().values()].every((count) => count === 1));
        const asked = () =>
          vendor.simulator.control.requests().filter(({ path }) => path.includes('/transactions'));
        vendor.simulator.control.clearRequests();
        const last = await world.run(sync);
        assert.deepEqual([last.added, last.updated, await linesOf(last)], [0, 0, ['succeeded']]);
        assert.equal(asked().length, 1, 'a whole history is not read again');
      } finally {
        await vendor.close();
      }
    });
  }
});

describe('a history', () => {
  const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => posted(from + at));

  test('of which no one says anything is whole when it stayed the same for long enough [limit history_settle_minutes]', async () => {
    await world.close();
    await open({ limits: { history_settle_minutes: 10 } });
    const account = world.account();
    world.bank.history = () => 'unknown';
    world.bank.accounts.set(account, rows(0, 10));
    const sync = await world.sync([account]);
    const steps: [minutes: number, rows: number][] = [
      [0, 10],
      [9, 10],
      [0, 20],
      [10, 20],
      [0, 20],
    ];
    for (const [minutes, count] of steps) {
      world.clock.advance(minutes * MINUTE);
      world.bank.accounts.set(account, rows(0, count));
      assert.equal((await world.run(sync)).status, 'succeeded');
    }
    assert.deepEqual(wholeReads(), [true, true, true, true, false]);
    assert.equal(world.receiver.rows().size, 20);
  });

  test('is whole after two equal reads though the bank has rows of days before the sync begins', async () => {
    const account = world.account();
    world.bank.history = () => 'unknown';
    world.bank.accounts.set(account, [...rows(1, 10), posted(0, { day: -5 })]);
    const sync = await world.sync([account], { options: { data_from: EPOCH } });
    await world.run(sync);
    world.clock.advance(6 * HOUR);
    await world.run(sync);
    await world.run(sync);
    assert.deepEqual(wholeReads(), [true, true, false]);
    assert.equal(world.receiver.rows().size, 9);
  });

  test('in which new rows arrive every day becomes whole anyway', async () => {
    const account = world.account();
    world.bank.history = () => 'unknown';
    world.bank.accounts.set(account, rows(0, 10));
    const sync = await world.sync([account]);
    await world.run(sync);
    world.clock.advance(6 * HOUR);
    world.bank.accounts.set(account, [posted(99, { day: 50 }), ...rows(0, 10)]);
    await world.run(sync);
    await world.run(sync);
    assert.deepEqual(wholeReads(), [true, true, false]);
  });

  test('that is said to be loading for longer than a week is decided by its rows', async () => {
    const account = world.account();
    world.bank.history = () => 'loading';
    world.bank.accounts.set(account, rows(0, 10));
    const sync = await world.sync([account]);
    for (let day = 0; day < 9; day++) {
      await world.run(sync);
      world.clock.advance(24 * HOUR);
    }
    const reads = wholeReads();
    assert.deepEqual(reads.slice(0, 7), Array(7).fill(true));
    const [stream] = await world.database.db
      .selectFrom('delivery_streams')
      .selectAll()
      .where('sync', '=', sync.row.id)
      .execute();
    assert.notEqual(stream?.cursor, null);
  });

  test('that is loading is looked at soon, ever later, and on the schedule after a day', async () => {
    const account = world.account();
    world.bank.history = () => 'loading';
    const sync = await world.sync([account]);
    const waits: number[] = [];
    for (const hours of [0, 2, 10, 20]) {
      world.clock.advance(hours * HOUR);
      await world.run(sync);
      waits.push((await nextRun(sync)) / MINUTE);
    }
    const [first = 0, second = 0, third = 0, last = 0] = waits;
    assert.ok(first <= 15 && second <= 30 && third <= 60 && last <= 360, waits.join());
  });

  test('is checked again when the sync begins earlier', async () => {
    const account = world.account();
    world.bank.accounts.set(account, rows(0, 10));
    const sync = await world.sync([account], { options: { data_from: posted(0).date ?? assert.fail() } });
    await world.run(sync);
    world.bank.history = () => 'loading';
    await world.syncs.update(world.owner, sync.row.id, {
      options: { data_from: posted(0, { day: -100 }).date ?? assert.fail() },
    });
    await world.run(sync);
    await world.run(sync);
    assert.deepEqual(wholeReads(), [true, true, true]);
  });
});
