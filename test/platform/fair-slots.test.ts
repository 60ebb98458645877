import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { FairSlots, SlotsFull } from '../../src/platform/fair-slots.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('slots shared out by owner', () => {
  test('a lone owner uses most of them and leaves room for the next, who starts at once', async () => {
    const slots = new FairSlots({ slots: 32, waiting: 256, share: 3 });
    const greedy = Array.from({ length: 400 }, () => slots.take('greedy'));
    const outcomes = Promise.allSettled(greedy);
    await settled();
    assert.equal(slots.busy, 24);
    for (let other = 0; other < 5; other++) await slots.take(`other ${other}`);
    assert.equal(slots.busy, 29);
    (await greedy[0])?.();
    await settled();
    // Four of 32 are free now, and three times that is less than the 23 that the greedy one still holds.
    assert.equal(slots.busy, 28);
    for (const taken of greedy.slice(0, 24)) (await taken)();
    await settled();
    for (const taken of greedy.slice(24, 151)) (await taken)();
    const refused = (await outcomes).filter(({ status }) => status === 'rejected');
    assert.ok(refused.every((one) => one.status === 'rejected' && one.reason instanceof SlotsFull));
    assert.equal(refused.length, 400 - 24 - 128);
  });

  test('a slot that becomes free goes to the owner with the fewest, in turn among equals', async () => {
    const slots = new FairSlots({ slots: 2, waiting: 10, share: 3 });
    const first = await slots.take('a');
    const second = await slots.take('b');
    const order: string[] = [];
    for (const owner of ['a', 'a', 'c', 'd']) {
      void slots.take(owner).then((give) => {
        order.push(owner);
        setImmediate(give);
      });
    }
    first();
    while (order.length < 4) await settled();
    assert.deepEqual([order.slice(0, 2).sort(), order.at(-1)], [['a', 'c'], 'a']);
    second();
    await settled();
    assert.equal(slots.busy, 0);
  });

  test('who goes away while waiting takes no slot', async () => {
    const slots = new FairSlots({ slots: 1, waiting: 4, share: 3 });
    const give = await slots.take('a');
    const leaving = new AbortController();
    const left = slots.take('b', leaving.signal);
    const stays = slots.take('c');
    leaving.abort(new Error('gone'));
    await assert.rejects(left, /gone/);
    give();
    (await stays)();
    assert.equal(slots.busy, 0);
  });

  test('whatever the order of coming and going, no more than the slots are held and no one waits while one is free for it', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.boolean()), { maxLength: 60 }),
        async (count, steps) => {
          const slots = new FairSlots({ slots: count, waiting: 20, share: 3 });
          const gives: (() => void)[] = [];
          let refused = 0;
          let asked = 0;
          let granted = 0;
          for (const [owner, takes] of steps) {
            if (takes) {
              asked += 1;
              slots.take(owner).then(
                (give) => {
                  granted += 1;
                  gives.push(give);
                },
                () => (refused += 1),
              );
            } else gives.shift()?.();
            await settled();
            assert.ok(slots.busy <= count);
          }
          for (let give = gives.shift(); give !== undefined; give = gives.shift()) {
            give();
            await settled();
          }
          assert.equal(slots.busy, 0);
          assert.equal(granted + refused, asked);
        },
      ),
      { numRuns: 60 },
    ));
});
