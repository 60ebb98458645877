import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { placeOn, scaleOf, shareOf } from '../../web/src/parts/chart-scale.ts';

const value = fc.oneof(
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  fc.bigInt({ min: -200n, max: 200n }),
);

test('an axis holds every value between its ends and has two to seven ticks at equal, round steps', () => {
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const { low, high, ticks } = scaleOf(values);
      for (const one of values) assert.ok(one >= low && one <= high);
      assert.ok(ticks.length >= 2 && ticks.length <= 7, `${ticks.length}`);
      assert.deepEqual([ticks[0], ticks.at(-1)], [low, high]);
      const step = (ticks[1] ?? 0n) - low;
      assert.match(String(step), /^[125]0*$/);
      for (const [at, tick] of ticks.entries()) assert.equal(tick, low + BigInt(at) * step);
    }),
  );
});

test('places keep the order of the values and lie between the ends', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), (values) => {
      const scale = scaleOf(values);
      const places = values
        .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        .map((one) => placeOn(scale, one));
      for (const [at, place] of places.entries())
        assert.ok(place >= 0 && place <= 1 && place >= (places[at - 1] ?? 0));
    }),
  );
  assert.deepEqual([placeOn(scaleOf([0n, 100n]), 0n), placeOn(scaleOf([0n, 100n]), 50n)], [0, 0.5]);
});

test('shares of nothing and of what is below nothing are none', () => {
  assert.deepEqual(
    [shareOf(5n, 0n), shareOf(0n, 0n), shareOf(-5n, 10n), shareOf(5n, 10n), shareOf(10n, 10n)],
    [0, 0, 0, 0.5, 1],
  );
});
