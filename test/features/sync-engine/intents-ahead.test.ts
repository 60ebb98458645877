import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { posted } from './support/bank.ts';
import type { Behaviour } from './support/receiver.ts';
import { closeDatabase, World } from './support/world.ts';

const ROWS = 2200;
const CHUNKS = Math.ceil(ROWS / 500);
/** How long a receiver that hangs is waited for: longer than a slow machine takes for the rest. */
const HANGING_MS = 3000;
const never = new AbortController().signal;

let world: World;
let sync: Sync;
beforeEach(async () => {
  world = await World.open({ limits: { run_deadline_minutes: 1 } });
  const account = world.account();
  world.bank.accounts.set(
    account,
    Array.from({ length: ROWS }, (_, index) => posted(ROWS - index)),
  );
  sync = await world.sync([account]);
});
afterEach(() => world.close());
after(closeDatabase);

const runId = () => sync.latestRun?.id ?? assert.fail();
const sentIds = () => world.receiver.requests.map(({ event }) => event.id);

/** While the nth request waits for its answer, and the chunk after it has its intent on record, does something. */
function whileSending(request: number, act: () => Promise<void> | void): void {
  world.receiver.beforeAnswer = async (number) => {
    if (number !== request) return;
    await twoIntents();
    await act();
  };
}

async function twoIntents(): Promise<void> {
  for (let round = 0; round < 400; round++) {
    const inDoubt = await world.inDoubt(sync);
    const sent = new Set(sentIds());
    // One that was answered may not be recorded yet: what counts is that one is intended which was not sent.
    if (inDoubt.length === 2 && inDoubt.some((id) => !sent.has(id))) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.fail('the next chunk was never intended');
}

async function assertExactlyOnce(): Promise<void> {
  const counts = world.receiver.newCounts();
  assert.equal(counts.size, ROWS, 'rows lost');
  assert.ok(
    [...counts.values()].every((count) => count === 1),
    'rows doubled',
  );
  const runs = await world.allRuns(sync);
  assert.equal(
    runs.reduce((sum, run) => sum + run.added, 0),
    ROWS,
  );
  assert.deepEqual(await world.inDoubt(sync), []);
  assert.deepEqual(world.receiver.faults, []);
}

/**
 * Keeps whatever the engine records from being recorded, from now until the receiver has the given request; then takes
 * the run away, so that it never is. For the database and the receiver this is a death at that moment.
 */
async function dieOnceSent(request: number): Promise<void> {
  const locked = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<void>();
  world.receiver.beforeAnswer = async (number) => {
    if (number === request) sent.resolve();
  };
  const dying = world.database.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('sync_runs')
      .set((eb) => ({ fence: eb('fence', '+', 1), lease_until: new Date(0) }))
      .where('id', '=', runId())
      .execute();
    locked.resolve();
    await sent.promise;
  });
  dying.catch(locked.reject);
  await locked.promise;
}

describe('a process that dies after the next chunk went out and before the last was recorded', () => {
  for (const chunk of [0, 1, CHUNKS - 2]) {
    for (const fate of ['ok', 'drop_before', 'drop_after', 'hang'] satisfies Behaviour[]) {
      test(`leaves chunks ${chunk + 1} and ${chunk + 2} unconfirmed (${fate}), and both go again as they were`, async () => {
        if (fate === 'hang') world.deadlineMs = HANGING_MS;
        world.receiver.behave = (request) => (request === chunk + 1 ? fate : 'ok');
        whileSending(chunk, () => dieOnceSent(chunk + 1));
        await world.engine().run(runId(), never);
        const inDoubt = sentIds().slice(chunk, chunk + 2);
        assert.deepEqual(await world.inDoubt(sync), inDoubt);
        world.receiver.behave = () => 'ok';
        const run = await world.run(sync);
        assert.equal(run.status, 'succeeded');
        assert.deepEqual(sentIds().slice(chunk + 2, chunk + 4), inDoubt);
        const [first, again] = [chunk, chunk + 2].map((at) => world.receiver.requests[at]?.event);
        assert.deepEqual(again, first);
        await assertExactlyOnce();
      });
    }
  }

  test('and again while the two are settled, still delivers each row once', async () => {
    whileSending(1, () => dieOnceSent(2));
    await world.engine().run(runId(), never);
    assert.equal((await world.inDoubt(sync)).length, 2);
    world.receiver.beforeAnswer = async (number) => {
      if (number === 4)
        await world.database.db
          .updateTable('sync_runs')
          .set({ fence: 99, lease_until: new Date(0) })
          .where('id', '=', runId())
          .execute();
    };
    await world.engine().run(runId(), never);
    assert.equal((await world.inDoubt(sync)).length, 1);
    await world.run(sync);
    await assertExactlyOnce();
  });
});

describe('the intent of a chunk that was never sent', () => {
  for (const [answer, doubts] of [
    [{ status: 422 }, 0],
    [{ status: 410 }, 0],
    [{ status: 500 }, 1],
    ['drop_after', 1],
    ['hang', 1],
  ] satisfies [Behaviour, number][]) {
    const name = typeof answer === 'string' ? answer : answer.status;
    test(`goes when the chunk before it fails (${name})`, async () => {
      if (answer === 'hang') world.deadlineMs = HANGING_MS;
      world.receiver.behave = (request) => (request === 1 ? answer : 'ok');
      whileSending(1, () => undefined);
      const failed = await world.run(sync);
      assert.equal(failed.status, 'failed');
      assert.equal(failed.chunks, 2);
      assert.deepEqual(await world.inDoubt(sync), sentIds().slice(1, 1 + doubts));
      assert.equal(world.receiver.requests.length, 2);
      if (name === 410) return;
      assert.equal((await world.run(sync)).status, 'succeeded');
      await assertExactlyOnce();
    });
  }

  test('goes when the process is stopped, and its number with it', async () => {
    const stopping = new AbortController();
    whileSending(0, () => stopping.abort());
    await world.engine().run(runId(), stopping.signal);
    const halfway = await world.readRun(runId());
    assert.deepEqual([halfway.status, halfway.chunks, halfway.added], ['running', 1, 500]);
    assert.deepEqual(await world.inDoubt(sync), []);
    assert.equal(world.receiver.requests.length, 1);
    await world.run(sync);
    await assertExactlyOnce();
    assert.deepEqual(
      world.receiver.events.map(({ metadata }) => metadata.chunk),
      Array.from({ length: CHUNKS }, (_, index) => index + 1),
    );
  });

  test('goes when the run passes its deadline; the chunk that was being sent stays unconfirmed', async () => {
    world.deadlineMs = HANGING_MS;
    world.receiver.behave = (request) => (request === 1 ? 'hang' : 'ok');
    whileSending(1, () => world.clock.runFor(world.limits.run_deadline_minutes * 60_000));
    const late = await world.run(sync);
    assert.deepEqual([late.status, late.failure], ['failed', 'timeout']);
    assert.deepEqual(await world.inDoubt(sync), sentIds().slice(1, 2));
    await world.run(sync);
    await assertExactlyOnce();
  });

  test('is not sent by a worker that slept while another took the run', async () => {
    // A suspended process: no timer of its own fires, and its clock has moved on when it wakes.
    let asleep = 0;
    const clock: Clock = {
      now: () => world.clock.now() + asleep,
      sleep: (_ms, signal) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    };
    const woken = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<void>();
    world.receiver.beforeAnswer = async (number) => {
      if (number !== 0) return;
      await twoIntents();
      taken.resolve();
      await woken.promise;
    };
    const sleeper = world.engine(world.database.db, clock).run(runId(), never);
    await taken.promise;
    asleep = 60_000;
    world.clock.advance(20_000);
    await world.engine().run(runId(), never);
    const finished = world.receiver.requests.length;
    assert.equal((await world.readRun(runId())).status, 'succeeded');
    woken.resolve();
    await sleeper;
    assert.equal(world.receiver.requests.length, finished);
    await assertExactlyOnce();
  });
});
