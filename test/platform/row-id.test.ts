import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Clock, SimulatedClock, systemClock } from '../../src/platform/clock.ts';
import { newRowId } from '../../src/platform/row-id.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function millisOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

test('row ids are UUIDv7 and carry the time of the clock', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (moment) => {
      const id = newRowId(new SimulatedClock(moment));
      assert.match(id, UUID_V7);
      assert.equal(millisOf(id), moment);
    }),
  );
});

test('row ids sort in the order made, even when the clock stands still or steps back', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 200 }), (steps) => {
      let now = 1_700_000_000_000;
      const clock: Clock = { now: () => now, sleep: async () => {} };
      let previous = newRowId(clock);
      for (const step of steps) {
        now += step;
        const id = newRowId(clock);
        assert.match(id, UUID_V7);
        assert.ok(id > previous, `${id} after ${previous}`);
        previous = id;
      }
    }),
  );
});

test('row ids of one millisecond stay ordered and distinct past the counter', () => {
  const clock = new SimulatedClock(1_700_000_000_000);
  const ids = Array.from({ length: 20_000 }, () => newRowId(clock));
  assert.deepEqual(ids, ids.toSorted());
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(millisOf(ids.at(-1) ?? '') - clock.now() <= 20_000 / 2_048 + 1);
});

test('row ids are unpredictable: every random bit takes both values', () => {
  const ids = Array.from({ length: 2_000 }, () => newRowId(systemClock));
  const tails = ids.map((id) => BigInt(`0x${id.slice(19).replaceAll('-', '')}`) & (2n ** 62n - 1n));
  for (let bit = 0n; bit < 62n; bit += 1n) {
    const ones = tails.filter((tail) => (tail >> bit) & 1n).length;
    assert.ok(ones > 800 && ones < 1_200, `bit ${bit}: ${ones} of 2000`);
  }
});
