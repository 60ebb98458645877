import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { type ActiveRun, ActiveRuns, Runs } from '../../../src/background/runs.ts';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import { createLog } from '../../../src/platform/log.ts';
import { type OwnerId, rowId } from '../../../src/vocabulary/ids.ts';
import { posted } from './support/bank.ts';
import { closeDatabase, World } from './support/world.ts';

let world: World;
const workers: Runs[] = [];

beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop(5000);
  await world.close();
});
after(closeDatabase);

async function work(slots: { runs_at_once: number; run_slice_seconds: number }): Promise<Runs> {
  const { clock, database } = world;
  const runs = new Runs({
    db: database.db,
    clock,
    log: createLog({ level: 'silent' }),
    notices: { onNotice: () => undefined, onLost: () => undefined },
    engine: world.engine(),
    limits: { ...slots, run_retry_seconds: 0 },
    alone: false,
  });
  workers.push(runs);
  await runs.start();
  return runs;
}

let rowsMade = 0;

async function syncOf(rows: number): Promise<Sync> {
  const account = world.account();
  const first = rowsMade;
  rowsMade += rows;
  world.bank.accounts.set(
    account,
    Array.from({ length: rows }, (_, index) => posted(first + index)),
  );
  return world.sync([account]);
}

async function ended(sync: Sync): Promise<void> {
  for (let round = 0; round < 800; round++) {
    const [run] = await world.allRuns(sync);
    if (run?.completed_at) return;
    world.clock.advance(100);
    await wait(10);
  }
  assert.fail('the run did not end');
}

/** Another destination of the same owner, at the same receiver. */
async function anotherSync(rows: number): Promise<Sync> {
  const { secrets, url } = world.receiver;
  world.receiver.url = `${url}/${rows}`;
  const sync = await syncOf(rows);
  world.receiver.url = url;
  world.receiver.secrets = [...secrets, ...world.receiver.secrets];
  return sync;
}

describe('a long run', () => {
  test('makes room at a chunk boundary for one that waits, and goes on without losing or doubling a row [limit run_slice_seconds]', async () => {
    // Every chunk takes the receiver a second, so the long run would take ten; its slice ends after three.
    world.receiver.beforeAnswer = async () => {
      world.clock.advance(1000);
      await wait(40);
    };
    const long = await syncOf(5000);
    await work({ runs_at_once: 1, run_slice_seconds: 3 });
    while (world.receiver.requests.length === 0) await wait(5);
    const short = await anotherSync(7);
    await ended(long);
    const [quick] = await world.allRuns(short);
    const [slow] = await world.allRuns(long);
    assert.ok(quick !== undefined && slow !== undefined);
    assert.equal(quick.status, 'succeeded');
    assert.ok(
      (quick.completed_at ?? slow.created) < (slow.completed_at ?? slow.created),
      'the short one ended first',
    );
    assert.deepEqual([slow.status, slow.added], ['succeeded', 5000]);
    assert.ok(slow.fence > 1, 'it was taken again');
    assert.ok([...world.receiver.newCounts().values()].every((count) => count === 1));
  });

  test('is not interrupted while no one waits', async () => {
    world.receiver.beforeAnswer = async () => world.clock.advance(1000);
    const long = await syncOf(3000);
    await work({ runs_at_once: 1, run_slice_seconds: 1 });
    await ended(long);
    const [run] = await world.allRuns(long);
    assert.deepEqual([run?.status, run?.added, run?.fence], ['succeeded', 3000, 1]);
  });

  test('comes to its end though others wait all the time and each turn begins with reading all of it again', async () => {
    // A page of the bank takes half a second, a chunk a tenth: most of a turn goes into getting back to where it was.
    world.bank.beforePage = async () => {
      world.clock.advance(500);
      await wait(30);
    };
    world.receiver.beforeAnswer = async () => {
      world.clock.advance(100);
      // The looks of the worker take real time.
      await wait(40);
    };
    const first = await syncOf(3000);
    const second = await anotherSync(3001);
    await work({ runs_at_once: 1, run_slice_seconds: 1 });
    await ended(first);
    await ended(second);
    let taken = 0;
    for (const [sync, rows] of [
      [first, 3000],
      [second, 3001],
    ] as const) {
      const [run] = await world.allRuns(sync);
      assert.deepEqual([run?.status, run?.added], ['succeeded', rows]);
      taken += run?.fence ?? 0;
    }
    assert.ok(taken > 2 && taken < 20, `they were taken ${taken} times`);
  });
});

describe('several workers on one database', () => {
  test('share the runs out and never work on one at the same time', async () => {
    let working = 0;
    let most = 0;
    world.receiver.beforeAnswer = async () => {
      working += 1;
      most = Math.max(most, working);
      await wait(30);
      working -= 1;
    };
    const syncs: Sync[] = [await syncOf(1)];
    for (let rows = 2; rows <= 8; rows++) syncs.push(await anotherSync(rows));
    await Promise.all([1, 2].map(() => work({ runs_at_once: 4, run_slice_seconds: 10 })));
    for (const sync of syncs) await ended(sync);
    const runs = (await Promise.all(syncs.map((sync) => world.allRuns(sync)))).flat();
    assert.deepEqual(
      runs.map((run) => [run.status, run.fence]),
      runs.map(() => ['succeeded', 1]),
    );
    assert.ok(most >= 2 && most <= 4, `half of four in each of two workers, not ${most}`);
  });
});

describe('who makes room', () => {
  const owners = [1, 2, 3].map((digit) =>
    rowId('account_record', `0000000${digit}-0000-7000-8000-000000000000`),
  );
  const [mine, yours, theirs] = owners;
  if (mine === undefined || yours === undefined || theirs === undefined) throw new TypeError('three owners');

  const run = (owner: OwnerId, since: number, progressedAt: number | null): ActiveRun => ({
    owner,
    since,
    progressedAt,
    yielding: new AbortController(),
  });

  function hand(...runs: ActiveRun[]): ActiveRuns {
    const active = new ActiveRuns({ slots: 4, sliceMs: 1000 });
    for (const one of runs) active.add(one);
    return active;
  }

  test('is a run of the same owner, or of one with more in progress, and the longest of them', () => {
    const runs = [run(mine, 10, 11), run(mine, 5, 6), run(yours, 0, 1)];
    hand(...runs).makeRoom([{ owner: theirs, runs: 1 }], 5000);
    assert.deepEqual(
      runs.map(({ yielding }) => yielding.signal.aborted),
      [false, false, true],
    );
    const more = [run(mine, 10, 11), run(mine, 5, 6), run(yours, 0, 1)];
    hand(...more).makeRoom([{ owner: yours, runs: 2 }], 5000);
    assert.deepEqual(
      more.map(({ yielding }) => yielding.signal.aborted),
      [false, true, true],
    );
  });

  test('is no one who has not yet worked on what is new for as long as it took to catch up', () => {
    const catching = run(mine, 0, null);
    const young = run(mine, 0, 3000);
    const active = hand(catching, young);
    active.makeRoom([{ owner: yours, runs: 2 }], 5999);
    assert.equal(active.anyPliable(5999), false);
    active.makeRoom([{ owner: yours, runs: 2 }], 6000);
    assert.deepEqual([catching.yielding.signal.aborted, young.yielding.signal.aborted], [false, true]);
  });

  test('is the youngest of the greediest, but no one their last, for an owner who has none while no one gets on', () => {
    const [a, b, c] = [run(mine, 0, null), run(mine, 100, null), run(yours, 200, null)];
    const fourth = run(mine, 50, null);
    const active = hand(a, b, c, fourth);
    assert.equal(active.anyPliable(900), false, 'each has a slice');
    assert.equal(active.anyPliable(1100), true);
    active.makeRoom([{ owner: mine, runs: 3 }], 5000);
    assert.ok(
      [a, b, c, fourth].every(({ yielding }) => !yielding.signal.aborted),
      'not for another of its own',
    );
    for (let look = 0; look < 3; look++) active.makeRoom([{ owner: theirs, runs: 5 }], 5000 + look);
    assert.deepEqual(
      [a, b, c, fourth].map(({ yielding }) => yielding.signal.aborted),
      [false, true, false, false],
    );
    active.delete(b);
    active.add(run(theirs, 6000, null));
    const others = rowId('account_record', '018f0000-0000-7000-8000-0000000000ff');
    active.makeRoom([{ owner: others, runs: 1 }], 9000);
    assert.ok(fourth.yielding.signal.aborted);
    active.delete(fourth);
    active.add(run(others, 9000, null));
    active.makeRoom(
      [{ owner: rowId('account_record', '018f0000-0000-7000-8000-0000000000fe'), runs: 1 }],
      99_000,
    );
    assert.deepEqual(
      [a, c].map(({ yielding }) => yielding.signal.aborted),
      [false, false],
    );
  });

  test('is asked also after the clock was set back by an hour', () => {
    const hour = 3_600_000;
    const getsOn = run(mine, hour, hour + 1);
    hand(getsOn).makeRoom([{ owner: yours, runs: 1 }], 0);
    assert.ok(getsOn.yielding.signal.aborted);
    const stuck = [run(mine, hour, null), run(mine, hour + 1, null), run(mine, hour + 2, null)];
    hand(run(yours, hour, null), ...stuck).makeRoom([{ owner: theirs, runs: 1 }], 0);
    assert.deepEqual(
      stuck.map(({ yielding }) => yielding.signal.aborted),
      [false, false, true],
    );
  });

  test('no more are asked than wait, however often it is looked', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...owners), { minLength: 1, maxLength: 4 }),
        fc.array(fc.record({ owner: fc.constantFrom(...owners), runs: fc.integer({ min: 1, max: 3 }) }), {
          maxLength: 3,
        }),
        (held, waiting) => {
          const runs = held.map((owner) => run(owner, 0, 1));
          const active = hand(...runs);
          for (let look = 0; look < 3; look++) active.makeRoom(waiting, 10_000 + look);
          const asked = runs.filter(({ yielding }) => yielding.signal.aborted).length;
          assert.ok(asked <= waiting.reduce((sum, { runs: count }) => sum + count, 0));
        },
      ),
    ));
});
