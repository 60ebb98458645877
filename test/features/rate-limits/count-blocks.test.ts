import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountBlocks } from '../../../src/features/rate-limits/count-blocks.ts';
import { SimulatedClock, systemClock } from '../../../src/platform/clock.ts';

const WINDOW_MS = 60_000;
/** What the others may miss of `limit`, for each process that stopped using its block. */
const PART = 32;

interface Sharing {
  readonly maxBuckets?: number;
  readonly blocks?: boolean;
  /** By how much the clock of each process is ahead of the first one's. */
  readonly aheadMs?: readonly number[];
}

/** A bucket at a server that counts as Postgres does, by the clock of the process that asks, and processes that take blocks. */
function sharing(
  limit: number,
  processes: number,
  { maxBuckets = 100, blocks = true, aheadMs = [] }: Sharing = {},
) {
  const clock = new SimulatedClock(1_000_000);
  const nowAt = (at: number): number => clock.now() + (aheadMs[at % processes] ?? 0);
  const windows = new Map<string, { used: number; ends: number }>();
  const members = Array.from(
    { length: processes },
    (_, at) =>
      new CountBlocks({
        limit,
        windowMs: WINDOW_MS,
        clock: { now: () => nowAt(at), sleep: systemClock.sleep },
        maxBuckets,
        blocks,
      }),
  );
  const state = { asked: 0 };
  const take = (bucket: string, points: number, now = clock.now()) => {
    state.asked += 1;
    const open = windows.get(bucket);
    const window = open !== undefined && open.ends > now ? open : { used: 0, ends: now + WINDOW_MS };
    window.used += points;
    windows.set(bucket, window);
    return { consumed: window.used, msBeforeNext: window.ends - now };
  };
  const ask = (at: number, bucket = 'key') => {
    const blocks = members[at % processes];
    assert.ok(blocks);
    const spent = blocks.spend(bucket);
    if (spent !== null) return spent;
    const request = blocks.ask(bucket);
    return blocks.answered(bucket, request, take(bucket, request.points, nowAt(at)));
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
  const { members, ask } = sharing(320, 1, { maxBuckets: 100 });
  let allowed = 0;
  for (let count = 0; count < 10_000; count++) {
    ask(0, `greedy ${count}`);
    if (count % 20 === 0 && ask(0, 'other').used <= 320) allowed += 1;
    assert.ok((members[0]?.size ?? 0) <= 100);
  }
  assert.ok(allowed >= 310 && allowed <= 320, `${allowed} of 320`);
});

for (const aheadMs of [-3_000, 3_000]) {
  test(`a process whose clock is ${aheadMs} ms ahead takes no more for itself than one block`, () => {
    const limit = 3_200;
    const { clock, state, ask } = sharing(limit, 2, { aheadMs: [0, aheadMs] });
    let allowed = 0;
    const asks = (at: number, count: number): void => {
      for (let asked = 0; asked < count; asked++) {
        if (asked % 10 === 0) clock.advance(1);
        if (ask(at).used <= limit) allowed += 1;
      }
    };
    asks(0, 1);
    // The second asks for long enough to take everything, and then the first asks alone.
    asks(1, limit / 2);
    asks(0, limit);
    assert.ok(limit - allowed <= Math.ceil(limit / PART), `${limit - allowed} of ${limit} are lost`);
    assert.ok(allowed <= limit);
    clock.advance(WINDOW_MS);
    const asked = state.asked;
    allowed = 0;
    for (let second = 0; second < 10; second++) {
      asks(0, 100);
      asks(1, 100);
      clock.advance(900);
    }
    assert.equal(allowed, 2_000);
    assert.ok(
      state.asked - asked < 1_000,
      `${state.asked - asked} questions: blocks are used when the window allows`,
    );
  });
}

test('a clock that was set back by an hour leaves a process with what the store says, and no block', () => {
  const { clock, members, take } = sharing(3_200, 1);
  const blocks = members[0];
  assert.ok(blocks);
  const behind = new CountBlocks({
    limit: 3_200,
    windowMs: WINDOW_MS,
    clock: { now: () => clock.now() - 3_600_000, sleep: systemClock.sleep },
    maxBuckets: 100,
    blocks: true,
  });
  take('key', 1);
  for (let count = 2; count < 200; count++) {
    assert.equal(behind.spend('key'), null);
    const request = behind.ask('key');
    assert.equal(request.points, 1);
    assert.equal(behind.answered('key', request, take('key', 1, clock.now() - 3_600_000)).used, count);
  }
});

test('where each request is counted in the store, an answer is about its request alone, in whatever order they come', () => {
  const { members, take } = sharing(10, 1, { blocks: false });
  const blocks = members[0];
  assert.ok(blocks);
  const asked = Array.from({ length: 12 }, () => {
    const request = blocks.ask('key');
    return { request, answer: take('key', request.points) };
  });
  const used = asked.toReversed().map(({ request, answer }) => blocks.answered('key', request, answer).used);
  assert.deepEqual(used, [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  assert.equal(blocks.spend('key'), null);
  assert.equal(blocks.isEmpty('key'), false);
});

test('what is shown as used never falls within a window, though answers come out of order', () => {
  const { members, take, ask } = sharing(10_000, 1);
  for (let count = 0; count < 100; count++) ask(0);
  const blocks = members[0];
  assert.ok(blocks);
  while (blocks.spend('key') !== null);
  const [block, single] = [blocks.ask('key'), blocks.ask('key')];
  assert.ok(block.points > 1 && single.points === 1);
  const answers = [block, single].map(({ points }) => take('key', points));
  const [first, second] = answers;
  assert.ok(first && second);
  const shown = [blocks.answered('key', single, second).used, blocks.answered('key', block, first).used];
  for (let count = 0; count < 50; count++) shown.push(ask(0).used);
  assert.deepEqual(
    shown,
    shown.toSorted((a, b) => a - b),
  );
});
