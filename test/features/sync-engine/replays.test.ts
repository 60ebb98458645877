import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Replays } from '../../../src/features/sync-engine/replay/replays.ts';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import { addDays } from '../../../src/vocabulary/moments.ts';
import { EPOCH, pending, posted } from './support/bank.ts';
import { Death } from './support/death.ts';
import { closeDatabase, World, type WorldOptions } from './support/world.ts';

after(closeDatabase);

const ALL = { limit: 100, after: null, before: null };
const permit = () => undefined;

async function prepared(rows: number, options: WorldOptions = {}) {
  const world = await World.open(options);
  const account = world.account();
  world.bank.accounts.set(
    account,
    Array.from({ length: rows }, (_, index) => posted(rows - index)),
  );
  return { world, account, sync: await world.sync([account]) };
}

function newest(world: World, sync: Sync) {
  return world.replays().deliveries(world.owner.id, sync.row.destination, ALL);
}

function days(world: World, sync: Sync, from = 0, to = 49, replays: Replays = world.replays()) {
  const asked = { from: addDays(EPOCH, from), to: addDays(EPOCH, to) };
  return replays.days(world.owner, sync.row.id, asked, permit, new AbortController().signal);
}

async function delivery(world: World, sync: Sync, at = 0, replays: Replays = world.replays()) {
  const one = (await newest(world, sync)).items[at] ?? assert.fail('no such delivery');
  const { signal } = new AbortController();
  return replays.delivery(world.owner.id, sync.row.destination, one.id, permit, signal);
}

/** All that a run would compare with. */
async function ledger(world: World, sync: Sync) {
  const { db } = world.database;
  const streams = db.selectFrom('delivery_streams').select('id').where('sync', '=', sync.row.id);
  return db
    .selectFrom('delivery_ledger')
    .selectAll()
    .where('stream', 'in', streams)
    .orderBy('slot')
    .execute();
}

describe('a replay', () => {
  test('of a delivery sends its rows again under a new signed event of no run, and leaves the ledger as it is', async () => {
    const { world, sync } = await prepared(501);
    await world.run(sync);
    const before = await ledger(world, sync);
    const [first, second] = world.receiver.events;
    assert.deepEqual(await delivery(world, sync, 1), {
      sent: 500,
      missing: 0,
      undelivered: 0,
      deliveries: 1,
      failure: null,
    });
    const third = world.receiver.events[2];
    assert.ok(third && third.id !== first?.id && third.id !== second?.id);
    assert.deepEqual(third.data, first?.data);
    assert.deepEqual(third.metadata, {
      sync_run_id: null,
      sync_run: null,
      new_count: 500,
      updated_count: 0,
      chunk: 1,
      total_chunks: 1,
    });
    assert.deepEqual(world.receiver.faults, []);
    assert.deepEqual(await ledger(world, sync), before);
    const [logged] = (await newest(world, sync)).items;
    assert.deepEqual([logged?.event_id, logged?.run, logged?.new_count], [third.id, null, 500]);
    assert.equal((await world.run(sync)).added, 0);
    await world.close();
  });

  test('of days sends what was delivered of them, once each and in chunks, and nothing that waits for the next run', async () => {
    const { world, account, sync } = await prepared(501);
    const rows = world.bank.accounts.get(account) ?? assert.fail();
    rows.unshift(posted(2000, { day: 45 }));
    await world.run(sync);
    const runs = world.receiver.events.length;
    rows.unshift(posted(2001, { day: 45 }));
    assert.deepEqual(await days(world, sync), {
      sent: 502,
      missing: null,
      undelivered: 1,
      deliveries: 2,
      failure: null,
    });
    const replayed = world.receiver.events.slice(runs);
    const ids = replayed.flatMap(({ data }) => data.new.map(({ transaction }) => transaction));
    assert.deepEqual([ids.length, new Set(ids).size, ids.includes('txn_fk_row_0002001')], [502, 502, false]);
    assert.deepEqual(
      replayed.map(({ metadata }) => [metadata.sync_run_id, metadata.chunk, metadata.total_chunks]),
      [
        [null, 1, null],
        [null, 2, 2],
      ],
    );
    assert.equal((await days(world, sync, 45, 45)).sent, 1);
    assert.deepEqual(world.receiver.faults, []);
    assert.equal((await world.run(sync)).added, 1);
    await world.close();
  });

  test('counts rows that the bank no longer returns, and sends no row that another has replaced', async () => {
    const world = await World.open();
    const account = world.account();
    world.bank.accounts.set(account, [
      pending(7, { day: 47 }),
      posted(2, { day: 40 }),
      posted(1, { day: 40 }),
    ]);
    const sync = await world.sync([account], {
      options: { data_from: EPOCH, include_pending: true },
    });
    await world.run(sync);
    // The bank posts the purchase under another id, and lists the pending row a little longer; one row is withdrawn.
    const replacement = posted(8, { day: 47, cents: pending(7).amount.amount, description: 'row 7' });
    world.bank.accounts.set(account, [replacement, posted(2, { day: 40 })]);
    await world.run(sync);
    const shown = new Map(world.receiver.rows());
    assert.ok(shown.has(replacement.id) && !shown.has('txn_fk_pend_7'));
    world.bank.accounts.set(account, [replacement, pending(7, { day: 47 }), posted(2, { day: 40 })]);
    const replay = await delivery(world, sync, 1);
    assert.deepEqual([replay.sent, replay.missing], [1, 2]);
    assert.ok(!world.receiver.rows().has('txn_fk_pend_7'));
    // The delivery that replaced it says so again.
    await delivery(world, sync, 1);
    const event = world.receiver.events.at(-1);
    assert.deepEqual(
      event?.data.new.map((row) => [row.transaction, row.replaces_transaction]),
      [[replacement.id, 'txn_fk_pend_7']],
    );
    await world.close();
  });

  test('sends rows of an unconfirmed chunk to no one: the next run does', async () => {
    const { world, sync } = await prepared(2);
    world.receiver.behave = (request) => (request === 0 ? 'drop_after' : 'ok');
    await world.run(sync);
    const replay = await delivery(world, sync);
    assert.deepEqual([replay.sent, replay.undelivered, replay.deliveries], [0, 2, 0]);
    assert.equal((await world.run(sync)).status, 'succeeded');
    await world.close();
  });

  test('that the receiver refuses says so, is logged, and fails no sync', async () => {
    const { world, sync } = await prepared(2);
    await world.run(sync);
    world.receiver.behave = () => ({ status: 422 });
    const replay = await days(world, sync);
    assert.deepEqual([replay.sent, replay.deliveries, replay.failure], [0, 0, 'run_failed']);
    const [logged] = (await newest(world, sync)).items;
    assert.deepEqual([logged?.status, logged?.run], ['failed', null]);
    const { row } = await world.destinations.read(world.owner.id, sync.row.destination);
    assert.deepEqual([row.status, row.failed_runs], ['active', 0]);
    await world.close();
  });

  test('ends before its next chunk when a run begins, and the run waits for the chunk that is being sent', async () => {
    const { world, sync } = await prepared(1001);
    await world.run(sync);
    const arrived = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const earlier = world.receiver.requests.length;
    world.receiver.beforeAnswer = async (request) => {
      if (request !== earlier) return;
      arrived.resolve();
      await answer.promise;
    };
    const replaying = days(world, sync);
    await arrived.promise;
    const running = world.run(sync);
    const { db } = world.database;
    const isRunning = () =>
      db
        .selectFrom('sync_runs')
        .select('id')
        .where('sync', '=', sync.row.id)
        .where('status', '=', 'running')
        .executeTakeFirst();
    while ((await isRunning()) === undefined) await new Promise(setImmediate);
    const ticking = setInterval(() => void world.clock.advance(300), 5);
    answer.resolve();
    const replay = await replaying;
    assert.deepEqual([replay.sent, replay.deliveries, replay.failure], [500, 1, 'sync_already_running']);
    assert.equal((await running.finally(() => clearInterval(ticking))).status, 'succeeded');
    assert.deepEqual(
      await db.selectFrom('sync_replays').selectAll().where('sync', '=', sync.row.id).execute(),
      [],
    );
    await world.close();
  });

  test('is refused while a run is writing, to a disabled webhook, and to what is no webhook', async () => {
    const { world, sync } = await prepared(1);
    const run = await world.run(sync);
    const { db } = world.database;
    const change = (status: 'running' | 'succeeded', completed_at: Date | null) =>
      db.updateTable('sync_runs').set({ status, completed_at }).where('id', '=', run.id).execute();
    await change('running', null);
    await assert.rejects(days(world, sync), { code: 'sync_already_running' });
    await change('succeeded', new Date());
    const { destination } = sync.row;
    await db.updateTable('destinations').set({ status: 'disabled' }).where('id', '=', destination).execute();
    await assert.rejects(days(world, sync), { code: 'destination_disabled' });
    await db.updateTable('destinations').set({ type: 'sheets' }).where('id', '=', destination).execute();
    await assert.rejects(days(world, sync), { code: 'not_a_webhook' });
    await assert.rejects(newest(world, sync), { code: 'not_a_webhook' });
    assert.equal(world.receiver.events.length, 1);
    await world.close();
  });

  test('of one account record runs at a time, and a few in a process, so that a greedy owner leaves room [limit replays_at_once]', async () => {
    const greedy = await prepared(1, { limits: { replays_at_once: 2 } });
    const { world, sync } = greedy;
    await world.run(sync);
    const answer = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    world.receiver.beforeAnswer = async () => {
      arrived.resolve();
      await answer.promise;
    };
    const replays = world.replays();
    const first = days(world, sync, 0, 49, replays);
    await arrived.promise;
    await assert.rejects(days(world, sync, 0, 49, replays), { code: 'too_many_concurrent_requests' });
    const modest = await prepared(1);
    await modest.world.run(modest.sync);
    const missing = days(modest.world, modest.sync, 0, 49, replays);
    // The other owner has a slot: what it waits for is its own receiver.
    const ended = await missing.catch((error: unknown) => error);
    assert.ok(!(ended instanceof Error && 'code' in ended && ended.code === 'too_many_concurrent_requests'));
    answer.resolve();
    assert.equal((await first).sent, 1);
    await modest.world.close();
    await world.close();
  });

  test('by a process that dies before any statement changes nothing for the next run, which waits for it at most minutes', {
    timeout: 600_000,
  }, async () => {
    const { world, sync } = await prepared(501);
    await world.run(sync);
    const before = await ledger(world, sync);
    let deaths = 0;
    for (let statement = 1; ; statement++) {
      const death = new Death(statement);
      const replays = world.replays(world.database.db.withPlugin(death));
      await days(world, sync, 0, 49, replays).catch(() => assert.ok(death.happened));
      if (!death.happened) break;
      deaths += 1;
    }
    assert.ok(deaths > 8, `only ${deaths} statements were tried`);
    assert.deepEqual(await ledger(world, sync), before);
    assert.ok(world.receiver.events.slice(2).every(({ metadata }) => metadata.sync_run_id === null));
    assert.deepEqual(world.receiver.faults, []);
    world.clock.advance(200_000);
    const run = await world.run(sync);
    assert.deepEqual([run.status, run.added, run.updated], ['succeeded', 0, 0]);
    await world.close();
  });

  test('ends when its time is up, with what was sent [limit replay_seconds]', async () => {
    const { world, sync } = await prepared(501, { limits: { replay_seconds: 5 } });
    await world.run(sync);
    const earlier = world.receiver.requests.length;
    world.receiver.beforeAnswer = async (request) => {
      if (request === earlier) await world.clock.advance(6_000);
    };
    const replay = await days(world, sync);
    assert.equal(replay.failure, 'upstream_timeout');
    assert.ok(replay.deliveries <= 1);
    await world.close();
  });
});
