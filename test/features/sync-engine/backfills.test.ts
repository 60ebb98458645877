import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { Schedules } from '../../../src/background/schedules.ts';
import type {
  SourceAccount,
  SourceWindow,
  SyncSource,
} from '../../../src/features/sync-engine/read/sync-source.ts';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import { createLog } from '../../../src/platform/log.ts';
import type { SyncRunRow } from '../../../src/storage/sync-runs.ts';
import type { Trade } from '../../../src/vocabulary/holdings.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { addDays, localDate, localDateAt } from '../../../src/vocabulary/moments.ts';
import { ASKED } from '../../support/actors.ts';
import { EPOCH, pending, posted } from './support/bank.ts';
import { runAndDie } from './support/death.ts';
import { Vendor } from './support/vendor.ts';
import { closeDatabase, World } from './support/world.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const options = { data_from: localDate('2020-01-01') };

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());
after(closeDatabase);

const daysAgo = (days: number) => addDays(localDateAt(world.clock.now(), 'Australia/Sydney'), -days);

function queued(sync: Sync, from: string, to: string): Promise<{ readonly row: SyncRunRow }> {
  return world.runs.backfill(world.owner, sync.row.id, { from, to }, ASKED);
}

async function backfill(sync: Sync, from: string, to: string): Promise<SyncRunRow> {
  // At another time than the run before, so that a moment that was moved shows.
  world.clock.advance(MINUTE);
  await queued(sync, from, to);
  return world.run(sync);
}

/** The source, with a note of every window that is read. */
function watched(source: SyncSource, windows: SourceWindow[]): SyncSource {
  const open: SyncSource['open'] = async (owner, id) => {
    const opened = await source.open(owner, id);
    const pages: SourceAccount['pages'] = (window, signal) => {
      windows.push(window);
      return opened.pages(window, signal);
    };
    return { ...opened, pages };
  };
  return { open };
}

/** Everything that says where later runs read on, and when they run. */
async function bookkeeping(sync: Sync) {
  const { db } = world.database;
  const streams = await db
    .selectFrom('delivery_streams')
    .leftJoin('stream_readings', 'stream_readings.stream', 'delivery_streams.id')
    .selectAll()
    .where('sync', '=', sync.row.id)
    .execute();
  const { next_run_at, last_synced_at, failed_runs, enabled } = (
    await world.syncs.read(world.owner.id, sync.row.id)
  ).row;
  return { streams, next_run_at, last_synced_at, failed_runs, enabled };
}

describe('a backfill from the simulated bank', () => {
  let vendor: Vendor;
  let upstreamId: string;
  let sync: Sync;
  beforeEach(async () => {
    vendor = await Vendor.open(world.clock);
    world.source = vendor.source;
    const [account] = await vendor.link('dormant');
    upstreamId = account?.upstreamId ?? assert.fail();
    enter(Array.from({ length: 40 }, (_, at) => at * 15 + 5));
    sync = await world.sync([account?.id ?? assert.fail()], { options });
    await world.run(sync);
    assert.equal(world.receiver.rows().size, 40);
  });
  afterEach(() => vendor.close());

  const enter = (ages: readonly number[]): readonly string[] =>
    vendor.simulator.control.appendTransactions(
      upstreamId,
      ages.map((age) => {
        const at = new Date(world.clock.now() - age * DAY).toISOString();
        return { amount: '-10.00', description: `${age} days old`, executedAt: at, postedAt: at };
      }),
    );
  const shown = () => [...world.receiver.rows().values()].map(({ description }) => description);

  test('delivers what is missing or changed in its days, reads those alone, and moves no bookkeeping', async () => {
    const [inside] = enter([200, 300]);
    vendor.simulator.control.amend(inside ?? '', { description: 'back-dated' });
    const [corrected] = enter([190]);
    assert.equal((await backfill(sync, daysAgo(191), daysAgo(189))).added, 1);
    vendor.simulator.control.amend(corrected ?? '', { description: 'corrected' });
    const before = await bookkeeping(sync);

    const windows: SourceWindow[] = [];
    world.source = watched(vendor.source, windows);
    const run = await backfill(sync, daysAgo(210), daysAgo(180));

    // Of the forty, one every fifteen days, two lie in these days.
    assert.deepEqual([run.status, run.added, run.updated, run.processed], ['succeeded', 1, 1, 4]);
    assert.ok(shown().includes('back-dated') && shown().includes('corrected'));
    assert.ok(!shown().includes('300 days old'), 'another day');
    assert.ok(world.receiver.events.every(({ data }) => data.removed.length === 0));
    assert.deepEqual(await bookkeeping(sync), before);
    assert.deepEqual(
      windows.map(({ setAside: _, ...window }) => window),
      [{ from: daysAgo(210), to: daysAgo(180), since: null, includePending: false }],
    );
  });

  test('gives no posted row of its days the place of a pending one of other days that the bank still reports', async () => {
    await world.syncs.update(world.owner, sync.row.id, { options: { include_pending: true } });
    const append = (description: string, age: number, status: 'PENDING' | 'POSTED') => {
      const executedAt = new Date(world.clock.now() - age * DAY).toISOString();
      const posting = status === 'POSTED' ? { postedAt: executedAt } : {};
      const row = { amount: '-7.00', description, executedAt, status, ...posting };
      vendor.simulator.control.appendTransactions(upstreamId, [row]);
    };
    append('earlier', 8, 'PENDING');
    append('later', 1, 'PENDING');
    await world.run(sync);
    append('posted', 2, 'POSTED');
    const run = await backfill(sync, daysAgo(3), daysAgo(2));
    assert.deepEqual([run.added, run.updated, run.processed], [1, 0, 1]);
    const names = ['earlier', 'later', 'posted'];
    assert.deepEqual(
      names.filter((name) => !shown().includes(name)),
      [],
    );
  });

  test('removes nothing on its own: a row that the bank withdrew is removed once a read of everything lacks it too', async () => {
    const [id, edge] = enter([100, 186]);
    await backfill(sync, daysAgo(200), daysAgo(90));
    vendor.simulator.control.withdraw(id ?? '');
    vendor.simulator.control.withdraw(edge ?? '');
    const rows = world.receiver.rows().size;
    const noted = async () =>
      (await world.database.db.selectFrom('missing_rows').select('source_id').execute()).length;
    const already = await noted();

    assert.equal((await backfill(sync, daysAgo(200), daysAgo(90))).updated, 0);
    assert.equal((await noted()) - already, 1, 'one near the edge may have moved out of these days');
    world.clock.advance(DAY);
    await backfill(sync, daysAgo(200), daysAgo(90));
    assert.equal(world.receiver.rows().size, rows, 'two backfills lack it, and no read of everything');
    await world.run(sync);
    assert.equal(world.receiver.rows().size, rows - 1);
    assert.ok(!shown().includes('100 days old'));
  });
});

describe('a backfill', () => {
  let account: RowId<'account'>;
  beforeEach(() => {
    account = world.account();
  });
  /** The day so many days after the first of the bank in memory. */
  const on = (day: number) => addDays(EPOCH, day);

  /** A sync that has run, and to whose past the bank has added rows since: 501 on one day, one on another. */
  async function prepared(): Promise<Sync> {
    const rows = Array.from({ length: 20 }, (_, index) => posted(index + 1, { day: 40 }));
    world.bank.accounts.set(account, rows);
    const sync = await world.sync([account], { options });
    await world.run(sync);
    const late = Array.from({ length: 501 }, (_, index) => posted(100 + index, { day: 10 }));
    world.bank.accounts.set(account, [...rows, posted(99, { day: 25 }), ...late]);
    return sync;
  }

  function assertFilled(): void {
    const counts = world.receiver.newCounts();
    assert.equal(counts.size, 521, 'a row was lost, or one of another day came');
    assert.ok(
      [...counts.values()].every((count) => count === 1),
      'a row came twice',
    );
    assert.deepEqual(world.receiver.faults, []);
  }

  test('whose process dies before any statement is resumed in its days, and each row arrives exactly once', {
    timeout: 600_000,
  }, async () => {
    let deaths = 0;
    for (let statement = 1, died = true; died; statement++) {
      const sync = await prepared();
      const before = await bookkeeping(sync);
      world.clock.advance(MINUTE);
      const { row } = await queued(sync, on(5), on(15));
      died = await runAndDie(world, sync, statement);
      const open = (await world.readRun(row.id)).completed_at === null;
      const run = open ? await world.run(sync) : await world.readRun(row.id);
      assert.deepEqual(
        [run.id, run.status, run.range_from, run.range_to],
        [row.id, 'succeeded', on(5), on(15)],
      );
      assert.equal(run.added, 501);
      assertFilled();
      assert.deepEqual(await world.inDoubt(sync), []);
      assert.deepEqual(await bookkeeping(sync), before);
      if (died) deaths += 1;
      await world.close();
      world = await World.open();
      account = world.account();
    }
    assert.ok(deaths > 12, `only ${deaths} statements were tried`);
  });

  test('that fails leaves the schedule as it was, and the next run settles what is unconfirmed', async () => {
    const sync = await prepared();
    const before = await bookkeeping(sync);
    const first = world.receiver.requests.length;
    world.receiver.behave = (request) => (request === first ? 'drop_after' : 'ok');
    const failed = await backfill(sync, on(5), on(15));
    assert.deepEqual([failed.status, failed.failure], ['failed', 'run_failed']);
    assert.deepEqual(await bookkeeping(sync), before);
    assert.equal((await world.syncs.read(world.owner.id, sync.row.id)).row.attention, 'run_failed');
    assert.equal((await world.run(sync)).status, 'succeeded');
    assert.equal((await backfill(sync, on(5), on(15))).status, 'succeeded');
    assertFilled();
    assert.equal((await world.syncs.read(world.owner.id, sync.row.id)).row.attention, null);
  });

  test('does not replace a run that is due or asked for, which follows within a quarter of an hour', async () => {
    const sync = await prepared();
    const { clock, limits, runs } = world;
    const { db } = world.database;
    const log = createLog({ level: 'silent' });
    const scheduler = new Schedules({ db, clock, limits, log, syncRuns: runs });
    const nextRun = async () => (await world.syncs.read(world.owner.id, sync.row.id)).row.next_run_at;
    // So that its schedule is not due within that time.
    const far = new Date(clock.now() + 3 * 60 * MINUTE);
    await db.updateTable('syncs').set({ next_run_at: far }).where('id', '=', sync.row.id).execute();
    const followsSoon = async () => {
      const waits = ((await nextRun())?.getTime() ?? 0) - clock.now();
      assert.ok(waits > 0 && waits <= 15 * MINUTE, `${waits} ms`);
    };
    await queued(sync, on(5), on(15));
    clock.advance(MINUTE);
    const asked = await runs.queueUnlessOpen(world.owner.id, sync.row.id, ASKED);
    assert.equal(asked?.row.range_from, on(5));
    await followsSoon();
    clock.advance(((await nextRun())?.getTime() ?? 0) - clock.now());
    await scheduler.queueDue();
    await followsSoon();
    await world.run(sync);
    clock.advance(15 * MINUTE);
    await scheduler.queueDue();
    const last = (await world.allRuns(sync)).at(-1);
    assert.deepEqual([last?.trigger, last?.status, last?.range_from], ['schedule', 'queued', null]);
  });

  test('takes no pending row away, and has one posted in its days replace its pending one', async () => {
    const [first, second] = [pending(1, { day: 30, cents: -500 }), pending(2, { day: 31, cents: -700 })];
    world.bank.accounts.set(account, [first, second, posted(9, { day: 30 })]);
    const sync = await world.sync([account], { options: { ...options, include_pending: true } });
    await world.run(sync);
    const filled = posted(1, { day: 32, cents: -500 });
    const later = posted(2, { day: 38, cents: -700 });
    world.bank.accounts.set(account, [filled, later, pending(3, { day: 45 }), posted(9, { day: 30 })]);
    const run = await backfill(sync, on(29), on(35));
    assert.deepEqual([run.added, run.updated], [0, 1]);
    assert.deepEqual(
      [...world.receiver.rows().keys()].toSorted(),
      [second.id, filled.id, 'txn_fk_row_0000009'].toSorted(),
    );
    const next = await world.run(sync);
    assert.deepEqual([next.added, next.updated], [1, 1], 'the rest is for a run that reads what is due');
  });

  test('of trades delivers those of its days', async () => {
    world.providers.set(account, 'brokerage');
    const sync = await world.sync([account], { type: 'trades', options });
    await world.run(sync);
    world.bank.trades.set(
      account,
      [8, 9, 10, 11].map((day) => trade(day)),
    );
    const run = await backfill(sync, on(9), on(10));
    assert.deepEqual([run.added, run.processed], [2, 2]);
    assert.deepEqual([...world.receiver.rows().keys()].toSorted(), ['trd_st_10', 'trd_st_9']);
  });

  test('delivers nothing from before a first day that was moved forward after it was queued', async () => {
    const sync = await prepared();
    await queued(sync, on(5), on(30));
    await world.syncs.update(world.owner, sync.row.id, { options: { data_from: on(20) } });
    assert.equal((await world.run(sync)).added, 1);
  });
});

function trade(day: number): Trade {
  return {
    id: `trd_st_${day}`,
    symbol: 'ACME',
    name: 'Acme',
    type: 'buy',
    quantity: '1',
    price: null,
    currency: 'usd',
    total_amount: null,
    fees: null,
    trade_date: addDays(EPOCH, day),
    trade_datetime: null,
    settlement_date: null,
    settlement_datetime: null,
    description: null,
  };
}
