import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { Runs } from '../../../src/background/runs.ts';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import { createLog } from '../../../src/platform/log.ts';
import { voidLeases } from '../../../src/storage/sync-runs.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { ASKED, SOME_KEY } from '../../support/actors.ts';
import { posted } from './support/bank.ts';
import { closeDatabase, World } from './support/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());
after(closeDatabase);

/** An account of many rows whose pages wait at a gate from the given page on. */
function gatedAccount(fromPage: number): {
  account: RowId<'account'>;
  reached: Promise<void>;
  open: () => void;
} {
  const account = world.account();
  world.bank.accounts.set(
    account,
    Array.from({ length: 2000 }, (_, index) => posted(index)),
  );
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  world.bank.beforePage = async (_account, page) => {
    if (page < fromPage) return;
    reached.resolve();
    await gate.promise;
  };
  return { account, reached: reached.promise, open: gate.resolve };
}

const never = new AbortController().signal;

/** A worker that waits for its bank has delivered what it read before. */
async function nothingInFlight(sync: Sync, id: RowId<'sync_run'>, chunks: number): Promise<void> {
  await until(async () => {
    const { db } = world.database;
    const begun = await db
      .selectFrom('delivery_chunks')
      .select('chunk')
      .where('sync', '=', sync.row.id)
      .execute();
    return begun.length === 0 && (await world.readRun(id)).chunks === chunks;
  });
}

/** Milliseconds for which the sync's run is still held. */
async function leaseLeft(sync: Sync): Promise<number> {
  const run = await world.readRun(sync.latestRun?.id ?? assert.fail());
  return (run.lease_until?.getTime() ?? 0) - world.clock.now();
}

describe('workers of a run', () => {
  test('a second worker leaves a run alone that another holds', async () => {
    const gated = gatedAccount(0);
    const sync = await world.sync([gated.account]);
    const first = world.run(sync);
    await gated.reached;
    await world.engine().run(sync.latestRun?.id ?? assert.fail(), never);
    gated.open();
    const run = await first;
    assert.deepEqual([run.status, run.fence, run.added], ['succeeded', 1, 2000]);
  });

  test('one that was thought dead writes nothing once another took the run', async () => {
    const gated = gatedAccount(6);
    const sync = await world.sync([gated.account]);
    const stalled = world.run(sync);
    await gated.reached;
    const id = sync.latestRun?.id ?? assert.fail();
    await nothingInFlight(sync, id, 2);
    await voidLeases(world.database.db, new Date(0));
    world.bank.beforePage = () => undefined;
    await world.engine().run(id, never);
    const finished = await world.readRun(id);
    gated.open();
    await stalled;
    assert.deepEqual(await world.readRun(id), finished);
    assert.deepEqual([finished.status, finished.fence, finished.added], ['succeeded', 2, 2000]);
    assert.ok([...world.receiver.newCounts().values()].every((count) => count === 1));
    assert.equal(world.receiver.rows().size, 2000);
  });

  /** The first worker stalls at page 6, the second, which took the run from it, at page 8. */
  async function rivals(sync: Sync, chunks: number) {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const reached = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let worker = 0;
    world.bank.beforePage = async (_account, page) => {
      if (page !== (worker === 0 ? 6 : 8)) return;
      const at = worker++;
      reached[at]?.resolve();
      await gates[at]?.promise;
    };
    const { id } = (await world.runs.start(world.owner.id, sync.row.id, ASKED)).row;
    const first = world.engine().run(id, never);
    await reached[0]?.promise;
    await nothingInFlight(sync, id, chunks);
    await voidLeases(world.database.db, new Date(0));
    const second = world.engine().run(id, never);
    await reached[1]?.promise;
    return { id, first, second, openFirst: () => gates[0]?.resolve(), openSecond: () => gates[1]?.resolve() };
  }

  test('one that wakes while another works sends nothing more', async () => {
    const { account } = gatedAccount(Number.POSITIVE_INFINITY);
    const sync = await world.sync([account], { firstRun: null });
    const { id, first, second, openFirst, openSecond } = await rivals(sync, 2);
    openFirst();
    await first;
    const requests = world.receiver.requests.map(({ event }) => event.id);
    assert.equal(new Set(requests).size, requests.length);
    assert.equal((await world.readRun(id)).status, 'running');
    openSecond();
    await second;
    assert.equal((await world.readRun(id)).added, 2000);
    assert.ok([...world.receiver.newCounts().values()].every((count) => count === 1));
  });

  test('one that wakes with nothing to send does not end the run of another', async () => {
    const { account } = gatedAccount(Number.POSITIVE_INFINITY);
    world.bank.accounts.set(
      account,
      Array.from({ length: 2000 }, (_, index) => posted(index, { day: 45 })),
    );
    const sync = await world.sync([account]);
    await world.run(sync);
    const { id, first, second, openFirst, openSecond } = await rivals(sync, 0);
    openFirst();
    await first;
    assert.equal((await world.readRun(id)).status, 'running');
    openSecond();
    await second;
    assert.equal((await world.readRun(id)).status, 'succeeded');
  });

  test('one that lost its lease learns of it at the next heartbeat and stops reading', async () => {
    const { account } = gatedAccount(Number.POSITIVE_INFINITY);
    const sync = await world.sync([account], { firstRun: null });
    const { id, first, second, openSecond } = await rivals(sync, 2);
    world.clock.advance(5000);
    await first;
    openSecond();
    await second;
    assert.equal((await world.readRun(id)).status, 'succeeded');
  });

  test('a heartbeat keeps the lease of a slow run, and stops with it', async () => {
    const gated = gatedAccount(0);
    const sync = await world.sync([gated.account]);
    const slow = world.run(sync);
    await gated.reached;
    for (let beat = 0; beat < 12; beat++) {
      // Two are asleep: the deadline, and the heartbeat once it has renewed.
      await until(async () => world.clock.sleeping === 2 && (await leaseLeft(sync)) > 10_000);
      world.clock.advance(5000);
    }
    await until(async () => (await leaseLeft(sync)) > 10_000);
    gated.open();
    assert.equal((await slow).status, 'succeeded');
    assert.equal(world.clock.sleeping, 0);
  });

  test('a run that passes its deadline ends as timeout [limit run_deadline_minutes]', async () => {
    const gated = gatedAccount(2);
    const sync = await world.sync([gated.account]);
    const slow = world.run(sync);
    await gated.reached;
    await world.clock.runFor(world.limits.run_deadline_minutes * 60_000);
    gated.open();
    const run = await slow;
    assert.deepEqual([run.status, run.failure, run.retryable], ['failed', 'timeout', true]);
  });

  test('a stop ends at a chunk boundary, with nothing unconfirmed, and the next worker goes on', async () => {
    const gated = gatedAccount(6);
    const sync = await world.sync([gated.account]);
    const id = sync.latestRun?.id ?? assert.fail();
    const stopping = new AbortController();
    const stopped = world.engine().run(id, stopping.signal);
    await gated.reached;
    stopping.abort();
    gated.open();
    await stopped;
    const halfway = await world.readRun(id);
    assert.deepEqual([halfway.status, halfway.completed_at], ['running', null]);
    assert.ok(halfway.processed <= 1400, 'rows read are counted once, not with every chunk');
    const { db } = world.database;
    assert.deepEqual(
      await db.selectFrom('delivery_chunks').selectAll().where('sync', '=', sync.row.id).execute(),
      [],
    );
    const run = await world.run(sync);
    assert.deepEqual([run.status, run.added, run.processed], ['succeeded', 2000, 2000]);
    assert.ok([...world.receiver.newCounts().values()].every((count) => count === 1));
  });

  test('a resync supersedes the run under way, and what comes after is the newer run alone', async () => {
    const gated = gatedAccount(6);
    const sync = await world.sync([gated.account]);
    const old = world.run(sync);
    await gated.reached;
    const { row } = await world.runs.resync(world.owner.id, sync.row.id, SOME_KEY);
    world.bank.beforePage = () => undefined;
    await world.engine().run(row.id, never);
    gated.open();
    const superseded = await old;
    assert.deepEqual(
      [superseded.status, superseded.failure, superseded.retryable],
      ['failed', 'superseded', false],
    );
    const newer = await world.readRun(row.id);
    assert.deepEqual([newer.status, newer.processed], ['succeeded', 2000]);
    // The older run may have got its first chunk in: those rows are not new to the newer one.
    assert.equal(superseded.added + newer.added, 2000);
    const last = world.receiver.events.at(-1);
    assert.equal(last?.metadata.sync_run_id, row.id);
  });

  test('a sync deleted under a run stops the run', async () => {
    const gated = gatedAccount(6);
    const sync = await world.sync([gated.account]);
    const running = world.engine().run(sync.latestRun?.id ?? assert.fail(), never);
    await gated.reached;
    await world.syncs.delete(world.owner.id, sync.row.id);
    gated.open();
    await running;
    const { db } = world.database;
    assert.deepEqual(
      await db.selectFrom('delivery_chunks').selectAll().where('sync', '=', sync.row.id).execute(),
      [],
    );
    const streams = await db
      .selectFrom('delivery_streams')
      .select('id')
      .where('sync', '=', sync.row.id)
      .execute();
    assert.deepEqual(streams, []);
  });

  test('a destination is not deleted while a run writes to it', async () => {
    const gated = gatedAccount(0);
    const sync = await world.sync([gated.account]);
    const running = world.run(sync);
    await gated.reached;
    await assert.rejects(
      world.destinations.delete(world.owner.id, sync.destination.id),
      (error) => error instanceof ServiceError && error.code === 'destination_in_use',
    );
    gated.open();
    await running;
    await world.destinations.delete(world.owner.id, sync.destination.id);
    await assert.rejects(world.syncs.read(world.owner.id, sync.row.id));
  });
});

describe('the worker process', () => {
  test('runs what is queued, takes over at its start what a dead one held, and stops in order', {
    timeout: 600_000,
  }, async () => {
    const { database } = world.database;
    const account = world.account();
    world.bank.accounts.set(account, [posted(1)]);
    const sync = await world.sync([account]);
    const id = sync.latestRun?.id ?? assert.fail();
    const { db } = database;
    // A worker took it and died with the job in progress.
    await db
      .updateTable('sync_runs')
      .set({ status: 'running', fence: 1, lease_until: new Date(world.clock.now() + 15_000) })
      .where('id', '=', id)
      .execute();
    const log = createLog({ level: 'silent' });
    const runs = new Runs({
      db,
      clock: world.clock,
      log,
      notices: { onNotice: () => undefined, onLost: () => undefined },
      engine: world.engine(),
      limits: world.limits,
      alone: true,
    });
    await runs.start();
    await until(async () => (await world.readRun(id)).completed_at !== null);
    await runs.stop(5000);
    const run = await world.readRun(id);
    assert.deepEqual([run.status, run.fence, run.added], ['succeeded', 2, 1]);
    assert.equal(world.clock.sleeping, 0);
  });
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 400; round++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail('it never came true');
}
