import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EventLoopBudget, sortedInSlices } from '../../src/platform/event-loop-budget.ts';

test('of all work that yields, one goes on in each turn of the event loop, each in its order', async () => {
  let turn = 0;
  let over = false;
  const count = () => {
    turn += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  const slices: { readonly work: number; readonly turn: number }[] = [];
  const works = Array.from({ length: 8 }, async (_, work) => {
    const budget = new EventLoopBudget();
    for (let slice = 0; slice < 3; slice += 1) {
      await budget.yieldToEventLoop();
      slices.push({ work, turn });
    }
  });
  await Promise.all(works);
  over = true;
  assert.equal(new Set(slices.map((slice) => slice.turn)).size, slices.length, 'two went on in one turn');
  assert.deepEqual(
    slices.map(({ work }) => work),
    [0, 1, 2].flatMap(() => [0, 1, 2, 3, 4, 5, 6, 7]),
  );
});

test('work that yields alone goes on at once', async () => {
  const budget = new EventLoopBudget();
  for (let slice = 0; slice < 3; slice += 1) {
    await budget.yieldToEventLoop();
    assert.ok(!budget.spent);
  }
});

test('what is sorted in slices is sorted as at once, equal items in their order', async () => {
  const keys = fc.array(fc.nat(50), { minLength: 4_000, maxLength: 9_000 });
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.array(fc.nat(5)), keys), async (drawn) => {
      const items = drawn.map((key, at) => ({ key, at }));
      const compare = (one: { key: number }, other: { key: number }) => one.key - other.key;
      assert.deepEqual(await sortedInSlices(items, compare), items.toSorted(compare));
    }),
    { numRuns: 20 },
  );
});
