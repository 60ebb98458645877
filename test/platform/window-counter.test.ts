import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SimulatedClock } from '../../src/platform/clock.ts';
import { WindowCounter } from '../../src/platform/window-counter.ts';

const WINDOW_MS = 60_000;

test('a window begins with what is counted first in it, and its tally starts again after it', () => {
  const clock = new SimulatedClock(1_000);
  const counter = new WindowCounter(clock, WINDOW_MS, 10);
  assert.equal(counter.look('a'), null);
  assert.deepEqual({ ...counter.add('a') }, { used: 1, resetsAt: 61_000 });
  clock.advance(WINDOW_MS - 1);
  assert.deepEqual({ ...counter.add('a') }, { used: 2, resetsAt: 61_000 });
  clock.advance(1);
  assert.equal(counter.look('a'), null);
  assert.deepEqual({ ...counter.add('a') }, { used: 1, resetsAt: 121_000 });
});

test('a clock that is set back opens a new window instead of keeping one open for longer', () => {
  let now = 10_000_000;
  const counter = new WindowCounter({ now: () => now, sleep: async () => undefined }, WINDOW_MS, 10);
  counter.add('a');
  now -= 3_600_000;
  assert.equal(counter.look('a'), null);
  assert.deepEqual({ ...counter.add('a') }, { used: 1, resetsAt: now + WINDOW_MS });
});

test('any order of counting and waiting gives what a list of moments gives', () => {
  const step = fc.record({
    bucket: fc.constantFrom('a', 'b', 'c'),
    wait: fc.integer({ min: 0, max: 50_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const clock = new SimulatedClock(0);
      const counter = new WindowCounter(clock, WINDOW_MS, 10);
      const begun = new Map<string, { at: number; used: number }>();
      for (const { bucket, wait } of steps) {
        clock.advance(wait);
        const open = begun.get(bucket);
        const window =
          open !== undefined && clock.now() < open.at + WINDOW_MS ? open : { at: clock.now(), used: 0 };
        window.used += 1;
        begun.set(bucket, window);
        assert.deepEqual({ ...counter.add(bucket) }, { used: window.used, resetsAt: window.at + WINDOW_MS });
      }
    }),
  );
});

test('however many buckets strangers invent, no more than the bound are held, and the oldest go first', () => {
  const clock = new SimulatedClock(0);
  const counter = new WindowCounter(clock, WINDOW_MS, 100);
  counter.add('first');
  for (let bucket = 0; bucket < 99; bucket++) counter.add(`stranger ${bucket}`);
  assert.equal(counter.look('first')?.used, 1);
  for (let bucket = 99; bucket < 1_000; bucket++) {
    counter.add(`stranger ${bucket}`);
    assert.ok(counter.size <= 100);
    assert.equal(counter.look(`stranger ${bucket - 50}`)?.used, 1);
  }
  assert.equal(counter.look('first'), null);
  clock.advance(WINDOW_MS);
  for (let bucket = 0; bucket < 26; bucket++) counter.add(`later ${bucket}`);
  assert.ok(counter.size <= 26, 'windows that are over are dropped as soon as there is need of room');
});
