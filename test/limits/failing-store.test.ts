import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { LeasedSlots } from '../../src/features/rate-limits/leased-slots.ts';
import { MemorySlots } from '../../src/features/rate-limits/memory-slots.ts';
import { SharedCounter } from '../../src/features/rate-limits/shared-counter.ts';
import { StoreOutage } from '../../src/features/rate-limits/store-outage.ts';
import { SimulatedClock, systemClock } from '../../src/platform/clock.ts';
import { WindowCounter } from '../../src/platform/window-counter.ts';

const LIMIT = 3;

/** A store that answers, refuses connections, or says nothing at all, and the counting on top of it. */
function onStore() {
  const clock = new SimulatedClock(1_000_000);
  const warnings: string[] = [];
  const outage = new StoreOutage(clock, { warn: (message) => void warnings.push(message) });
  const state = { mode: 'up', asked: 0, used: 0 };
  const answer = async <T>(found: () => T): Promise<T> => {
    state.asked += 1;
    if (state.mode === 'down') throw new Error('connection refused');
    if (state.mode === 'silent') await new Promise(() => undefined);
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
  const counter = new SharedCounter({ limiter, limit: LIMIT, own, outage, clock });
  const store = { take: () => answer(() => true), free: () => answer(() => undefined) };
  const slots = new LeasedSlots({
    store,
    own: new MemorySlots(2),
    outage,
    leaseMs: 1_000,
    clock: systemClock,
  });
  return { clock, warnings, state, counter, slots };
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

test('a store that says nothing holds a request up for half a second, and the next ones not at all', async () => {
  const { counter, state, warnings } = onStore();
  state.mode = 'silent';
  const began = performance.now();
  const together = await Promise.all([counter.add('key'), counter.add('key')]);
  assert.deepEqual(
    together.map(({ used }) => used),
    [2, 2],
  );
  assert.ok(performance.now() - began < 3_000);
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
