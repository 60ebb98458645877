import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { CountBlocks } from '../../../src/features/rate-limits/count-blocks.ts';
import { type HeavySlot, MemorySlots } from '../../../src/features/rate-limits/heavy-slots.ts';
import { type Lease, LeasedSlots } from '../../../src/features/rate-limits/leased-slots.ts';
import { SharedCounter, StoreOutage } from '../../../src/features/rate-limits/shared-counter.ts';
import { SimulatedClock, systemClock } from '../../../src/platform/clock.ts';
import { WindowCounter } from '../../../src/platform/window-counter.ts';

const LIMIT = 3;
const PLACES = 2;

/** A store that answers, refuses connections, or says nothing at all, and the counting on top of it. */
function onStore() {
  const clock = new SimulatedClock(1_000_000);
  const warnings: string[] = [];
  const outage = new StoreOutage(clock, { warn: (message) => void warnings.push(message) }, 500);
  const late: (() => void)[] = [];
  const release = async (): Promise<void> => {
    for (const answer of late) answer();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const state = { mode: 'up', asked: 0, used: 0, release };
  const answer = async <T>(found: () => T): Promise<T> => {
    state.asked += 1;
    if (state.mode === 'down') throw new Error('connection refused');
    if (state.mode === 'silent') await new Promise(() => undefined);
    if (state.mode === 'deaf') throw new Error(`the answer was lost: ${found()}`);
    if (state.mode === 'late') await new Promise<void>((resolve) => late.push(resolve));
    return found();
  };
  const limiter = {
    consume: () =>
      answer(() => {
        state.used += 1;
        const counted = new RateLimiterRes(Math.max(0, LIMIT - state.used), 30_000, state.used);
        if (state.used > LIMIT) throw counted;
        return counted;
      }),
    get: () => answer(() => (state.used === 0 ? null : new RateLimiterRes(0, 30_000, state.used))),
  };
  const own = new WindowCounter(clock, 60_000, 10);
  const blocks = new CountBlocks({ limit: LIMIT, windowMs: 60_000, clock, maxBuckets: 10, blocks: true });
  const counter = new SharedCounter({ limiter, limit: LIMIT, blocks, own, outage, clock });
  const held = new Set<Lease>();
  const store = {
    take: (_accountRecord: string, lease: Lease) =>
      answer(() => {
        if (held.size >= PLACES) return 0;
        held.add(lease);
        return null;
      }),
    free: (_accountRecord: string, leases: readonly Lease[]) =>
      answer(() => {
        for (const lease of leases) held.delete(lease);
      }),
    renew: () => answer(() => undefined),
  };
  const leased = new LeasedSlots({
    store,
    own: new MemorySlots(),
    outage,
    leaseMs: 60_000,
    clock: { now: () => clock.now(), sleep: systemClock.sleep },
  });
  const slots = {
    take: async (accountRecord: string): Promise<HeavySlot | null> => {
      const taken = await leased.take(accountRecord, [{ of: null, places: PLACES }]);
      return typeof taken === 'number' ? null : taken;
    },
  };
  return { clock, warnings, state, counter, slots, held };
}

test('a store that answers decides, also when it refuses', async () => {
  const { counter, state } = onStore();
  state.used = 2;
  assert.deepEqual(await counter.look('key'), { used: 2, resetsAt: 1_030_000 });
  assert.deepEqual(await counter.add('key'), { used: 3, resetsAt: 1_030_000 });
  assert.deepEqual(await counter.add('key'), { used: 4, resetsAt: 1_030_000 });
});

test('with a store that fails, the process limits by its own count, leaves the store alone, and returns', async () => {
  const { counter, clock, state, warnings } = onStore();
  state.used = 1;
  state.mode = 'down';
  for (let used = 1; used <= LIMIT + 1; used++) assert.equal((await counter.add('key')).used, used);
  assert.equal((await counter.look('key'))?.used, LIMIT + 1);
  assert.equal(await counter.look('another'), null);
  assert.equal(state.asked, 1);
  assert.equal(warnings.length, 1);
  clock.advance(5_000);
  state.mode = 'up';
  assert.equal((await counter.add('key')).used, 2);
});

test('a store that says nothing holds a request up until the deadline, and the next ones not at all [limit count_store_deadline_ms]', async () => {
  const { counter, state, warnings } = onStore();
  state.mode = 'silent';
  const began = performance.now();
  const together = await Promise.all([counter.add('key'), counter.add('key')]);
  assert.deepEqual(
    together.map(({ used }) => used),
    [2, 2],
  );
  assert.ok(performance.now() - began < 30_000);
  assert.equal((await counter.add('key')).used, 3);
  assert.equal(state.asked, 2);
  assert.equal(warnings.length, 1);
});

test('with a store that fails, places for heavy requests are those of the process', async () => {
  const { slots, state } = onStore();
  state.mode = 'down';
  const [first, second] = [await slots.take('key'), await slots.take('key')];
  assert.ok(first !== null && second !== null);
  assert.equal(await slots.take('key'), null);
  assert.ok(await slots.take('another'));
  first.free();
  assert.ok(await slots.take('key'));
});

test('a slot that could not be reported to the store is released before the next is taken', async () => {
  const { slots, state, clock, held } = onStore();
  const [first, second] = [await slots.take('key'), await slots.take('key')];
  assert.ok(first !== null && second !== null);
  state.mode = 'down';
  first.free();
  second.free();
  await slots.take('another');
  state.mode = 'up';
  clock.advance(5_000);
  assert.ok(await slots.take('key'));
  assert.equal(held.size, 1);
});

test('a place that the store gives when no one waits for it any more is not held', async () => {
  const { slots, state, clock, held } = onStore();
  state.mode = 'late';
  const taken = [await slots.take('key'), await slots.take('key')];
  assert.ok(taken.every((slot) => slot !== null));
  await state.release();
  for (const slot of taken) slot?.free();
  state.mode = 'up';
  clock.advance(5_000);
  assert.ok(await slots.take('key'));
  assert.equal(held.size, 1);
});

test('a slot that the store gave and could not say so is returned before the next is taken', async () => {
  const { slots, state, clock, held } = onStore();
  state.mode = 'deaf';
  (await slots.take('key'))?.free();
  assert.equal(held.size, 1, 'the store has recorded it');
  state.mode = 'up';
  clock.advance(5_000);
  assert.ok((await slots.take('key')) && (await slots.take('key')));
  assert.equal(held.size, PLACES);
});

test('a clock that is set back does not prolong an outage', async () => {
  let now = 10_000_000;
  const clock = { now: () => now, sleep: systemClock.sleep };
  const warnings: string[] = [];
  const outage = new StoreOutage(clock, { warn: (message) => void warnings.push(message) }, 30_000);
  const ask = (fails = false): Promise<string> =>
    outage.ask(
      async () => {
        if (fails) throw new Error('connection refused');
        return 'store';
      },
      () => 'process',
    );
  assert.equal(await ask(true), 'process');
  assert.equal(await ask(), 'process');
  now -= 3_600_000;
  assert.equal(await ask(true), 'process');
  assert.equal(warnings.length, 2, 'a new outage');
  assert.equal(await ask(), 'process');
  now += 5_000;
  assert.equal(await ask(), 'store');
});
