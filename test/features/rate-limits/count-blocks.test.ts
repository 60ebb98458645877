import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountBlocks } from '../../../src/features/rate-limits/count-blocks.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';

const WINDOW_MS = 60_000;
/** What the others may miss of `limit`, for each process that stopped using its block. */
const PART = 32;

/** A bucket at a server that counts as the stores do, and processes that take blocks from it. */
function sharing(limit: number, processes: number, maxBuckets = 100) {
  const clock = new SimulatedClock(1_000_000);
  const windows = new Map<string, { used: number; ends: number }>();
  const members = Array.from(
    { length: processes },
    () => new CountBlocks({ limit, windowMs: WINDOW_MS, clock, maxBuckets, blocks: true }),
  );
  const state = { asked: 0 };
  const take = (bucket: string, points: number) => {
    state.asked += 1;
    const open = windows.get(bucket);
    const window =
      open !== undefined && open.ends > clock.now() ? open : { used: 0, ends: clock.now() + WINDOW_MS };
    window.used += points;
    windows.set(bucket, window);
    return { consumed: window.used, msBeforeNext: window.ends - clock.now() };
  };
  const ask = (at: number, bucket = 'key') => {
    const blocks = members[at % processes];
    assert.ok(blocks);
    const spent = blocks.spend(bucket);
    if (spent !== null) return spent;
    const request = blocks.ask(bucket);
    return blocks.answered(bucket, request, take(bucket, request.points));
  };
  return { clock, members, state, take, ask };
}

test('processes that ask in any order get together exactly the limit, and ask the store for a fraction of it', () => {
  for (const limit of [1, 5, 31, 60, 600, 12_000]) {
    for (const processes of [1, 2, 3]) {
      const { clock, state, ask } = sharing(limit, processes);
      let allowed = 0;
      for (let count = 0; count < limit * 2; count++) {
        if (count % 50 === 0) clock.advance(1);
        if (ask(count).used <= limit) allowed += 1;
      }
      assert.equal(allowed, limit);
      if (limit >= 12_000) assert.ok(state.asked - limit < limit / 10, `${state.asked} questions`);
    }
  }
});

test('the only process that counts in a bucket shows what is left exactly', () => {
  const { ask } = sharing(600, 1);
  for (let used = 1; used <= 600; used++) assert.equal(ask(used).used, used);
  assert.equal(ask(0).used > 600, true);
});

test('a process that stops leaves at most a thirty-second of the limit unused, and less than two seconds of its requests', () => {
  for (const [before, most] of [
    [10_000, 12_800 / PART],
    [40, 80],
  ] as const) {
    const { ask } = sharing(12_800, 2);
    let allowed = 0;
    for (let count = 0; count < before; count++) if (ask(0).used <= 12_800) allowed += 1;
    while (ask(1).used <= 12_800) allowed += 1;
    assert.ok(12_800 - allowed <= most, `${12_800 - allowed} of 12800 are lost`);
    assert.ok(allowed <= 12_800);
  }
});

test('who makes less than a request a second is counted in the store each time', () => {
  const { clock, state, ask } = sharing(10_000, 2);
  for (let count = 1; count <= 40; count++) {
    assert.equal(ask(count).used, count);
    assert.equal(state.asked, count);
    clock.advance(501);
  }
});

test('what others used is known after a second, however large a block is', () => {
  const { clock, ask, take } = sharing(10_000, 1);
  for (let count = 0; count < 100; count++) ask(0);
  take('key', 5_000);
  clock.advance(1_000);
  assert.ok(10_000 - ask(0).used <= 4_900);
});

test('a block ends with its window, as does what is known of it', () => {
  const { clock, ask, take } = sharing(1_000, 1);
  for (let count = 0; count < 100; count++) ask(0);
  clock.advance(WINDOW_MS - 500);
  for (let count = 0; count < 50; count++) ask(0);
  clock.advance(500);
  take('key', 1_000);
  assert.ok(ask(0).used > 1_000, 'counts of the window before are no counts of this one');
  clock.advance(WINDOW_MS);
  assert.equal(ask(0).used, 1);
});

test('a block is asked for once at a time, and one that never arrived can be asked for again', () => {
  const { members, ask } = sharing(10_000, 1);
  for (let count = 0; count < 100; count++) ask(0);
  const blocks = members[0];
  assert.ok(blocks);
  while (blocks.spend('key') !== null);
  const first = blocks.ask('key');
  assert.ok(first.points > 1);
  assert.equal(blocks.ask('key').points, 1);
  blocks.failed('key', first);
  assert.ok(blocks.ask('key').points > 1);
});

test('one greedy owner with thousands of buckets takes nothing noticeable from another whose block is dropped', () => {
  const { members, ask } = sharing(320, 1, 100);
  let allowed = 0;
  for (let count = 0; count < 10_000; count++) {
    ask(0, `greedy ${count}`);
    if (count % 20 === 0 && ask(0, 'other').used <= 320) allowed += 1;
    assert.ok((members[0]?.size ?? 0) <= 100);
  }
  assert.ok(allowed >= 310 && allowed <= 320, `${allowed} of 320`);
});
