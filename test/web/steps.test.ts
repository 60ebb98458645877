import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { finished, sortedSteps } from '../../web/src/parts/steps.ts';

interface Item {
  readonly place: number;
  readonly rank: number;
}
const byRank = (a: Item, b: Item) => a.rank - b.rank;

test('sorting in steps has the order of toSorted, with what compares as equal as it was', () => {
  const items = fc
    .tuple(fc.integer({ min: 0, max: 4_000 }), fc.integer({ min: 1, max: 5_000 }), fc.nat())
    .map(([count, ranks, seed]) =>
      Array.from({ length: count }, (_, place) => ({ place, rank: (place * 7_919 + seed * place) % ranks })),
    );
  fc.assert(
    fc.property(items, (all) => {
      const before = [...all];
      assert.deepEqual(finished(sortedSteps(all, byRank)), all.toSorted(byRank));
      assert.deepEqual(all, before);
    }),
  );
});

test('sorting 100,000 items compares no more than some thousand of them between two steps', () => {
  const items = Array.from({ length: 100_000 }, (_, place) => ({ place, rank: (place * 7_919) % 100_000 }));
  let compared = 0;
  let most = 0;
  const steps = sortedSteps(items, (a, b) => {
    compared += 1;
    return byRank(a, b);
  });
  for (let done = false, before = 0; !done; before = compared) {
    done = steps.next().done === true;
    most = Math.max(most, compared - before);
  }
  assert.ok(most <= 6_000, `${most}`);
});
