import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import { addDays, localDate, localDateAt } from '../../../src/vocabulary/moments.ts';
import { posted } from './support/bank.ts';
import { runAndDie } from './support/death.ts';
import { Vendor } from './support/vendor.ts';
import { closeDatabase, World } from './support/world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const options = { data_from: localDate('2020-01-01') };

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());
after(closeDatabase);

/** Runs the sync once a day until the receiver is as wanted; the days that took. */
async function daysUntil(sync: Sync, wanted: () => boolean, atMost: number): Promise<number> {
  for (let day = 0; ; day++) {
    if (wanted()) return day;
    assert.ok(day < atMost, `not within ${atMost} days`);
    world.clock.advance(DAY);
    assert.equal((await world.run(sync)).status, 'succeeded');
  }
}

describe('with the simulated bank', () => {
  let vendor: Vendor;
  let upstreamId: string;
  let sync: Sync;
  beforeEach(async () => {
    vendor = await Vendor.open(world.clock);
    world.source = vendor.source;
    const [account] = await vendor.link('dormant');
    upstreamId = account?.upstreamId ?? assert.fail();
    enter(Array.from({ length: 40 }, (_, at) => at * 15));
    sync = await world.sync([account?.id ?? assert.fail()], { options });
    await world.run(sync);
    // The connection has come of age, and every sweep has had its turn.
    for (let day = 0; day < 9; day++) {
      world.clock.advance(DAY);
      await world.run(sync);
    }
    assert.equal(world.receiver.rows().size, 40);
  });
  afterEach(() => vendor.close());

  const instant = (daysAgo: number) => new Date(world.clock.now() - daysAgo * DAY).toISOString();
  const enter = (ages: readonly number[]): readonly string[] =>
    vendor.simulator.control.appendTransactions(
      upstreamId,
      ages.map((age) => {
        const at = instant(age);
        return { amount: '-10.00', description: `${age} days old`, executedAt: at, postedAt: at };
      }),
    );
  const has = (text: string) => [...world.receiver.rows().values()].some((row) => row.description === text);

  for (const [age, within] of [
    [15, 1],
    [30, 1],
    [60, 1],
    [89, 1],
    [200, 7],
    [400, 30],
  ] as const) {
    test(`a row back-dated by ${age} days is found within ${within}`, async () => {
      enter([age]);
      await daysUntil(sync, () => has(`${age} days old`) && world.receiver.rows().size === 41, within);
      assert.ok([...world.receiver.newCounts().values()].every((count) => count === 1));
    });
  }

  test('rows that stand are not sent again, however often and far they are looked at', async () => {
    const sent = world.receiver.requests.length;
    vendor.simulator.control.clearRequests();
    for (let day = 0; day < 31; day++) {
      world.clock.advance(DAY);
      const run = await world.run(sync);
      assert.deepEqual([run.added, run.updated], [0, 0]);
    }
    const froms = vendor.simulator.control
      .requests()
      .filter(({ path }) => path.startsWith('/v1/banking/transactions'));
    assert.ok(froms.length >= 31, 'the bank was asked');
    assert.equal(world.receiver.requests.length, sent);
  });

  test('an old row that the bank corrects is sent as updated, once', async () => {
    const [id] = enter([200]);
    await daysUntil(sync, () => has('200 days old'), 8);
    const sent = world.receiver.events.length;
    vendor.simulator.control.amend(id ?? '', { description: 'corrected', amount: '-10.01' });
    await daysUntil(sync, () => has('corrected'), 8);
    assert.equal(world.receiver.events.length, sent + 1);
    assert.deepEqual(world.receiver.events.at(-1)?.data.new, []);
  });

  test('an old row that the bank moves to another day stays one row', async () => {
    const [id] = enter([100]);
    await daysUntil(sync, () => has('100 days old'), 8);
    vendor.simulator.control.amend(id ?? '', { postedAt: instant(300), executedAt: instant(300) });
    for (let day = 0; day < 40; day++) {
      world.clock.advance(DAY);
      await world.run(sync);
    }
    assert.equal(world.receiver.rows().size, 41);
    assert.ok(world.receiver.events.every(({ data }) => data.removed.length === 0));
  });

  test('an old row that the bank takes back is removed, once two reads lack it, and comes back with it', async () => {
    const [id] = enter([50]);
    await daysUntil(sync, () => has('50 days old'), 2);
    const sent = world.receiver.events.length;
    vendor.simulator.control.withdraw(id ?? '');
    const days = await daysUntil(sync, () => !has('50 days old'), 4);
    assert.ok(days >= 2, 'once is not enough');
    assert.equal(world.receiver.events.length, sent + 1);
    assert.equal(world.receiver.events.at(-1)?.data.removed.length, 1);
    vendor.simulator.control.restore(id ?? '');
    await daysUntil(sync, () => has('50 days old'), 2);
    assert.equal(world.receiver.rows().size, 41);
  });

  test('a row that is missing for a day only is not removed', async () => {
    const [id] = enter([50]);
    await daysUntil(sync, () => has('50 days old'), 2);
    vendor.simulator.control.withdraw(id ?? '');
    world.clock.advance(DAY);
    await world.run(sync);
    vendor.simulator.control.restore(id ?? '');
    for (let day = 0; day < 5; day++) {
      world.clock.advance(DAY);
      await world.run(sync);
    }
    assert.ok(world.receiver.events.every(({ data }) => data.removed.length === 0));
  });

  test('a bank that leaves out many rows empties nothing; it asks for attention until the rows are back', async () => {
    const ids = enter(Array.from({ length: 30 }, (_, at) => 20 + at));
    await daysUntil(sync, () => world.receiver.rows().size === 70, 2);
    const { control } = vendor.simulator;
    for (const id of ids) control.withdraw(id);
    for (let day = 0; day < 4; day++) {
      world.clock.advance(DAY);
      assert.equal((await world.run(sync)).status, 'succeeded');
    }
    assert.equal(world.receiver.rows().size, 70);
    const attention = async () => (await world.syncs.read(world.owner.id, sync.row.id)).row.attention;
    assert.equal(await attention(), 'data_invalid');
    for (const id of ids) control.restore(id);
    world.clock.advance(DAY);
    await world.run(sync);
    assert.equal(await attention(), null);
    assert.ok(world.receiver.events.every(({ data }) => data.removed.length === 0));
  });
});

describe('a sweep', () => {
  const daysAgo = (days: number) => {
    const date = addDays(localDateAt(world.clock.now(), 'Australia/Sydney'), -days);
    return {
      date,
      datetime: `${date}T10:00:00+10:00`,
      post_date: date,
      post_datetime: `${date}T20:00:00+10:00`,
    };
  };

  test('that is cut off by a death anywhere loses no row and doubles none', async () => {
    const account = world.account();
    for (let statements = 4; ; statements += 9) {
      const before = Array.from({ length: 20 }, (_, at) => posted(at, daysAgo(30 + at)));
      const late = Array.from({ length: 1100 }, (_, at) => posted(1000 + at, daysAgo(60 + (at % 9))));
      world.bank.accounts.set(account, before);
      const sync = await world.sync([account], { options });
      await world.run(sync);
      world.bank.accounts.set(account, [...late, ...before.slice(1)]);
      world.clock.advance(DAY + HOUR);
      const died = await runAndDie(world, sync, statements);
      const run = await world.run(sync);
      assert.equal(run.status, 'succeeded');
      assert.equal(world.receiver.rows().size, 1120);
      assert.ok([...world.receiver.newCounts().values()].every((count) => count === 1));
      const runs = await world.allRuns(sync);
      assert.equal(
        runs.reduce((sum, { added }) => sum + added, 0),
        1120,
      );
      // Missing for the second time, and the removal is cut off as well.
      world.clock.advance(DAY + HOUR);
      await runAndDie(world, sync, statements);
      await world.run(sync);
      world.clock.advance(DAY + HOUR);
      await world.run(sync);
      assert.equal(world.receiver.rows().size, 1119);
      assert.equal(world.receiver.events.flatMap(({ data }) => data.removed).length, 1);
      await world.destinations.delete(world.owner.id, sync.destination.id);
      world.receiver.events.length = 0;
      if (!died) break;
    }
  });

  test('gives way to the usual days once it failed, and comes again', async () => {
    const account = world.account();
    world.bank.accounts.set(account, [posted(1)]);
    const sync = await world.sync([account], { options });
    await world.run(sync);
    world.clock.advance(31 * DAY);
    world.bank.windows.length = 0;
    world.receiver.behave = (request) => (request === 1 ? { status: 500 } : 'ok');
    world.bank.accounts.set(account, [posted(2), posted(1)]);
    assert.equal((await world.run(sync)).status, 'failed');
    world.clock.advance(15 * 60_000);
    assert.equal((await world.run(sync)).status, 'succeeded');
    world.clock.advance(6 * HOUR);
    await world.run(sync);
    const wide = world.bank.windows.map(({ since }) => since === null);
    assert.deepEqual([wide[0], wide.at(-2), wide.at(-1)], [true, false, true], wide.join());
  });

  test('learns the days of rows that had none when they were delivered', async () => {
    const account = world.account();
    world.bank.accounts.set(account, [posted(1, daysAgo(40)), posted(2, daysAgo(41))]);
    const sync = await world.sync([account], { options });
    await world.run(sync);
    const { db } = world.database;
    const ledger = () =>
      db
        .selectFrom('delivery_ledger')
        .innerJoin('delivery_streams', 'delivery_streams.id', 'delivery_ledger.stream')
        .select(['delivery_ledger.day'])
        .where('delivery_streams.sync', '=', sync.row.id)
        .execute();
    const days = (await ledger()).map(({ day }) => day).sort();
    const streams = db.selectFrom('delivery_streams').select('id').where('sync', '=', sync.row.id);
    await db.updateTable('delivery_ledger').set({ day: null }).where('stream', 'in', streams).execute();
    world.clock.advance(DAY + HOUR);
    assert.equal((await world.run(sync)).updated, 0);
    assert.deepEqual((await ledger()).map(({ day }) => day).sort(), days);
  });

  test('of a greedy owner with many syncs takes no more turns at once than its share [limit sweeps_at_once]', async () => {
    const neighbour = await World.open();
    const syncs: Sync[] = [];
    for (let at = 0; at < 5; at++) {
      const account = world.account();
      world.bank.accounts.set(account, [posted(at)]);
      const sync = await world.sync([account], { options }, `${world.receiver.url}/${at}`);
      await world.run(sync);
      syncs.push(sync);
    }
    const theirs = neighbour.account();
    neighbour.bank.accounts.set(theirs, [posted(9)]);
    const other = await neighbour.sync([theirs], { options });
    await neighbour.run(other);
    world.clock.advance(31 * DAY);
    neighbour.clock.advance(31 * DAY);
    world.bank.windows.length = 0;
    neighbour.bank.windows.length = 0;
    const go = Promise.withResolvers<void>();
    world.bank.beforePage = () => go.promise;
    const running = syncs.map((sync) => world.run(sync));
    while (world.bank.windows.length < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    await neighbour.run(other);
    go.resolve();
    await Promise.all(running);
    const wide = (windows: typeof world.bank.windows) => windows.filter(({ since }) => since === null).length;
    assert.equal(wide(world.bank.windows), 2);
    assert.equal(wide(neighbour.bank.windows), 1);
    for (const sync of syncs) {
      const { row } = await world.syncs.read(world.owner.id, sync.row.id);
      world.bank.windows.length = 0;
      const waits = (row.next_run_at?.getTime() ?? 0) - world.clock.now();
      await world.run(sync);
      // Who had no turn comes again soon, and then has one.
      if (wide(world.bank.windows) === 1) assert.ok(waits <= 15 * 60_000);
    }
    world.bank.windows.length = 0;
    for (const sync of syncs) await world.run(sync);
    assert.equal(wide(world.bank.windows), 0);
    await neighbour.close();
  });
});
