import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { type Sync, Syncs, statusOfSync } from '../../src/features/syncs/syncs.ts';
import { posted } from '../features/sync-engine/support/bank.ts';
import { closeDatabase, UNCHECKED_TARGETS, World } from '../features/sync-engine/support/world.ts';
import { ASKED, SOME_KEY } from '../support/actors.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());
after(closeDatabase);

const statusOf = async (sync: Sync) =>
  statusOfSync((await world.syncs.read(world.owner.id, sync.row.id)).row);
const start = (sync: Sync) => world.runs.start(world.owner.id, sync.row.id, ASKED);
const never = new AbortController().signal;

/** A sync of one row whose first run has ended, well or as the receiver's answer has it. */
async function ran(status?: number): Promise<Sync> {
  const account = world.account();
  world.bank.accounts.set(account, [posted(1)]);
  const sync = await world.sync([account]);
  world.receiver.behave = () => (status === undefined ? 'ok' : { status });
  await world.run(sync);
  return sync;
}

/** Holds the bank's next page until it is let go. */
function holdBank(): { readonly reached: Promise<void>; readonly letGo: () => void } {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  world.bank.beforePage = async () => {
    reached.resolve();
    await gate.promise;
  };
  return { reached: reached.promise, letGo: gate.resolve };
}

describe('a sync', () => {
  test('is running as soon as a run is queued, and idle after one that succeeded [move sync: a run is queued] [move sync: the run succeeded]', async () => {
    const sync = await ran();
    assert.equal(await statusOf(sync), 'idle');
    await start(sync);
    assert.equal(await statusOf(sync), 'running');
    await world.run(sync);
    assert.equal(await statusOf(sync), 'idle');
  });

  test('wants attention after a run that failed, until one succeeds [move sync: the run failed]', async () => {
    const sync = await ran(400);
    assert.equal(await statusOf(sync), 'attention');
    await start(sync);
    assert.equal(await statusOf(sync), 'running');
    world.receiver.behave = () => 'ok';
    await world.run(sync);
    assert.equal(await statusOf(sync), 'idle');
  });

  test('is idle after a cancelled run where nothing was amiss [move sync: the run was cancelled with no outstanding problem]', async () => {
    const sync = await ran();
    const { row } = await start(sync);
    assert.equal(await statusOf(sync), 'running');
    await world.runs.cancel(world.owner.id, row.id);
    assert.equal(await statusOf(sync), 'idle');
  });

  test('wants attention after a cancelled run as it did before [move sync: the run was cancelled and an earlier problem remains]', async () => {
    const sync = await ran(400);
    const { row } = await start(sync);
    assert.equal(await statusOf(sync), 'running');
    await world.runs.cancel(world.owner.id, row.id);
    assert.equal(await statusOf(sync), 'attention');
  });

  test('wants attention while its destination is disabled, and is idle once it is enabled [move destination: webhook auto-disabled] [move destination: enabled] [move sync: the destination was enabled again]', async () => {
    const destination = async (sync: Sync) =>
      (await world.destinations.read(world.owner.id, sync.destination.id)).row.status;
    const good = await ran();
    assert.equal(await destination(good), 'active');
    world.receiver.behave = () => ({ status: 410 });
    world.bank.accounts.set(good.accounts[0] ?? assert.fail(), [posted(2, { day: 49 })]);
    await world.run(good);
    assert.equal(await destination(good), 'disabled');
    assert.equal(await statusOf(good), 'attention');
    await world.destinations.enable(world.owner.id, good.destination.id);
    assert.equal(await destination(good), 'active');
    assert.equal(await statusOf(good), 'idle');
  });
});

describe('a sync run', () => {
  const queued = async () => {
    const account = world.account();
    world.bank.accounts.set(account, [posted(1)]);
    const sync = await world.sync([account]);
    const id = sync.latestRun?.id ?? assert.fail();
    const status = async () => (await world.readRun(id)).status;
    assert.equal(await status(), 'queued');
    return { sync, id, status };
  };

  test('is running while a worker has it and has succeeded when all is delivered [move sync_run: worker starts] [move sync_run: finished]', async () => {
    const { id, status } = await queued();
    const bank = holdBank();
    const work = world.engine().run(id, never);
    await bank.reached;
    assert.equal(await status(), 'running');
    bank.letGo();
    await work;
    assert.equal(await status(), 'succeeded');
  });

  test('has failed when its destination refused, and when a newer run took its place [move sync_run: failed]', async () => {
    const refused = await queued();
    const bank = holdBank();
    world.receiver.behave = () => ({ status: 400 });
    const work = world.engine().run(refused.id, never);
    await bank.reached;
    assert.equal(await refused.status(), 'running');
    bank.letGo();
    await work;
    assert.equal(await refused.status(), 'failed');

    const { row } = await start(refused.sync);
    assert.equal(row.status, 'queued');
    await world.runs.resync(world.owner.id, refused.sync.row.id, SOME_KEY);
    assert.equal((await world.readRun(row.id)).status, 'failed');
  });

  test('is cancelled by its owner while it is queued, and no later [move sync_run: cancelled by the caller]', async () => {
    const { sync, id, status } = await queued();
    await world.runs.cancel(world.owner.id, id);
    assert.equal(await status(), 'cancelled');
    const { row } = await start(sync);
    const bank = holdBank();
    const work = world.engine().run(row.id, never);
    await bank.reached;
    await assert.rejects(world.runs.cancel(world.owner.id, row.id), { code: 'run_not_cancellable' });
    assert.equal((await world.readRun(row.id)).status, 'running');
    bank.letGo();
    await work;
  });

  test('is cancelled with its sync disabled, whether it waits or has begun [move sync_run: its sync was disabled]', async () => {
    const { sync, status } = await queued();
    await world.syncs.update(world.owner, sync.row.id, { enabled: false });
    assert.equal(await status(), 'cancelled');
    await world.syncs.update(world.owner, sync.row.id, { enabled: true });
    const { row } = await start(sync);
    const bank = holdBank();
    const work = world.engine().run(row.id, never);
    await bank.reached;
    await world.syncs.update(world.owner, sync.row.id, { enabled: false });
    bank.letGo();
    await work;
    assert.equal((await world.readRun(row.id)).status, 'cancelled');
  });

  test('is cancelled when its sync is deleted, before it goes with it [move sync_run: sync deleted]', async () => {
    const { sync, id, status } = await queued();
    const bank = holdBank();
    const work = world.engine().run(id, never);
    await bank.reached;
    assert.equal(await status(), 'running');
    const seen: string[] = [];
    const { clock, limits, queue } = world;
    const syncs = new Syncs({
      db: world.database.db,
      clock,
      limits,
      queue,
      accounts: { requireOwned: async () => [] },
      targets: UNCHECKED_TARGETS,
      events: async (trx, _owner, kind) => {
        const { status } = await trx
          .selectFrom('sync_runs')
          .select('status')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        seen.push(`${kind} ${status}`);
      },
    });
    await syncs.delete(world.owner.id, sync.row.id);
    assert.ok(seen.includes('sync_run.cancelled cancelled'), seen.join(', '));
    bank.letGo();
    await work;
    await assert.rejects(world.readRun(id), { code: 'resource_missing' });
  });
});
