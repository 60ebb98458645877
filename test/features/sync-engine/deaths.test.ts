import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { withPatience } from '../../support/patience.ts';
import { posted } from './support/bank.ts';
import { runAndDie } from './support/death.ts';
import type { Behaviour } from './support/receiver.ts';
import { closeDatabase, World } from './support/world.ts';

after(closeDatabase);

const ROWS = 1001;
const EARLIER = localDate('2019-12-31');

/** A world in which a sync of 1,001 rows is about to run for the first time. */
async function prepared() {
  const world = await World.open();
  const account = world.account();
  world.bank.accounts.set(
    account,
    Array.from({ length: ROWS }, (_, index) => posted(ROWS - index)),
  );
  return { world, account, sync: await world.sync([account]) };
}

/** Each row came as new exactly once, and the runs' counts say so. */
async function assertExactlyOnce({ world, sync }: Awaited<ReturnType<typeof prepared>>): Promise<void> {
  const counts = world.receiver.newCounts();
  assert.equal(counts.size, ROWS, 'rows lost');
  assert.ok(
    [...counts.values()].every((count) => count === 1),
    'rows doubled',
  );
  assert.deepEqual(world.receiver.faults, []);
  const runs = await world.allRuns(sync);
  assert.equal(
    runs.reduce((sum, run) => sum + run.added, 0),
    ROWS,
  );
  assert.equal(
    runs.reduce((sum, run) => sum + run.updated, 0),
    0,
  );
  assert.ok(runs.every((run) => run.completed_at !== null));
  const doubts = await world.database.db
    .selectFrom('delivery_chunks')
    .selectAll()
    .where('sync', '=', sync.row.id)
    .execute();
  assert.deepEqual(doubts, []);
}

describe('a process that dies', () => {
  test('before any statement of a run leaves each row delivered exactly once', {
    timeout: 600_000,
  }, async () => {
    let deaths = 0;
    for (let statement = 1; ; statement++) {
      const scene = await prepared();
      const died = await runAndDie(scene.world, scene.sync, statement);
      const run = await scene.world.run(scene.sync);
      assert.equal(run.status, 'succeeded');
      await assertExactlyOnce(scene);
      await scene.world.close();
      if (!died) break;
      deaths += 1;
    }
    assert.ok(deaths > 15, `only ${deaths} statements were tried`);
  });

  test('again and again, one statement later each time, still ends with each row exactly once', async () => {
    const scene = await prepared();
    let deaths = 0;
    for (let statement = 3; await runAndDie(scene.world, scene.sync, statement); statement += 1) deaths += 1;
    assert.ok(deaths > 3);
    await assertExactlyOnce(scene);
    const [run] = await scene.world.allRuns(scene.sync);
    assert.equal(run?.processed, ROWS, 'the last attempt read everything');
    await scene.world.close();
  });
});

describe('a receiver that fails', () => {
  const faults: Behaviour[] = ['drop_before', 'drop_after', { status: 500 }, { status: 503 }, 'hang'];
  for (const fault of faults) {
    for (const chunk of [0, 1, 2]) {
      const name = typeof fault === 'string' ? fault : fault.status;
      test(`${name} at chunk ${chunk + 1} fails the run, and the next sends the same event again first`, async () => {
        await withPatience(fault === 'hang' ? [1000, 8000] : [0], async (hangingMs) => {
          const scene = await prepared();
          const { world, sync } = scene;
          world.receiver.behave = (request) => (request === chunk ? fault : 'ok');
          const patience = world.deadlineMs;
          if (fault === 'hang') world.deadlineMs = hangingMs;
          const failed = await world.run(sync);
          world.deadlineMs = patience;
          assert.equal(failed.status, 'failed');
          assert.equal(failed.failure, fault === 'hang' ? 'timeout' : 'run_failed');
          assert.equal(failed.retryable, true);
          const inDoubt = world.receiver.requests[chunk]?.event;
          const next = await world.run(sync);
          assert.equal(next.status, 'succeeded');
          const resent = world.receiver.requests[chunk + 1]?.event;
          assert.deepEqual(
            [resent?.id, resent?.created, resent?.metadata.sync_run_id],
            [inDoubt?.id, inDoubt?.created, failed.id],
          );
          assert.deepEqual(resent?.data, inDoubt?.data);
          await assertExactlyOnce(scene);
          await world.close();
        });
      });
    }
  }

  test('a refusal leaves nothing unconfirmed: the next run packs the rows again', async () => {
    const scene = await prepared();
    const { world, sync } = scene;
    world.receiver.behave = (request) => (request === 0 ? { status: 422 } : 'ok');
    assert.equal((await world.run(sync)).failure, 'run_failed');
    const next = await world.run(sync);
    assert.equal(world.receiver.requests[1]?.event.metadata.sync_run_id, next.id);
    await assertExactlyOnce(scene);
    await world.close();
  });

  test('a refusal after an attempt that may have arrived keeps the event', async () => {
    const world = await World.open({ delaysMs: [0] });
    const account = world.account();
    world.bank.accounts.set(account, [posted(1)]);
    const sync = await world.sync([account]);
    world.receiver.behave = (request) =>
      request === 0 ? 'drop_after' : request === 1 ? { status: 400 } : 'ok';
    assert.equal((await world.run(sync)).status, 'failed');
    await world.run(sync);
    const ids = world.receiver.requests.map(({ event }) => event.id);
    assert.equal(new Set(ids).size, 1);
    assert.equal(world.receiver.newCounts().get('txn_fk_row_0000001'), 1);
    await world.close();
  });
});

describe('an unconfirmed chunk', () => {
  test('goes without the rows that vanished at the source; one that comes back comes as updated', async () => {
    const { world, account, sync } = await prepared();
    const rows = world.bank.accounts.get(account) ?? [];
    world.receiver.behave = (request) => (request === 0 ? 'drop_after' : 'ok');
    await world.run(sync);
    world.bank.accounts.set(account, rows.slice(1));
    const second = await world.run(sync);
    assert.equal(second.added, ROWS - 1);
    assert.equal(world.receiver.requests[1]?.event.data.new.length, 499);
    world.bank.accounts.set(account, rows);
    await world.syncs.update(world.owner, sync.row.id, { options: { data_from: EARLIER } });
    const third = await world.run(sync);
    assert.deepEqual([third.added, third.updated], [0, 1]);
    assert.ok([...world.receiver.newCounts().values()].every((count) => count === 1));
    await world.close();
  });

  test('whose row changed meanwhile is followed by the change', async () => {
    const { world, account, sync } = await prepared();
    const [first, ...rest] = world.bank.accounts.get(account) ?? [];
    assert.ok(first);
    world.receiver.behave = (request) => (request === 0 ? 'drop_after' : 'ok');
    await world.run(sync);
    world.bank.accounts.set(account, [{ ...first, description: 'corrected' }, ...rest]);
    const second = await world.run(sync);
    assert.deepEqual([second.added, second.updated], [ROWS, 1]);
    assert.equal(world.receiver.rows().get(first.id)?.description, 'corrected');
    await world.close();
  });
});
