import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CallerSlots, type HeavySlot, MemorySlots } from '../../../src/features/rate-limits/heavy-slots.ts';
import type { CountedCaller } from '../../../src/features/rate-limits/tier-limits.ts';
import { WaitingSlots } from '../../../src/features/rate-limits/waiting-slots.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';

const PLACES = 2;
const nobody = new AbortController().signal;

function caller(app: string, owner = 0): CountedCaller {
  const accountRecord = { id: rowId('account_record', `00000000-0000-7000-8000-00000000000${owner}`) };
  return { kind: 'bridge_app', id: app, accountRecord };
}

function open(limits: Partial<Limits> = {}) {
  const pool = () => ({
    slots: new MemorySlots(),
    callerPlaces: PLACES,
    userPlaces: 2 * PLACES,
    accountRecordPlaces: 3 * PLACES,
  });
  const slots = new CallerSlots({ keys: pool(), sessions: pool() });
  const bounds = { ...DEFAULT_LIMITS, ...limits };
  return { slots, waiting: new WaitingSlots({ slots, limits: bounds, clock: systemClock }) };
}

/** Lets everything that is ready go on. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

const tooMany = { code: 'too_many_concurrent_requests', status: 429 };

describe('a request that finds all places of its app taken', () => {
  test('waits, and those that wait are served in the order in which they came', async () => {
    const { waiting } = open();
    const held = [await waiting.take(caller('a'), nobody), await waiting.take(caller('a'), nobody)];
    const order: number[] = [];
    const served: HeavySlot[] = [];
    const all = Array.from({ length: 30 }, (_, at) =>
      waiting.take(caller('a'), nobody).then((slot) => {
        order.push(at);
        served.push(slot);
      }),
    );
    await settled();
    assert.deepEqual(order, []);
    for (const slot of held) slot.free();
    for (let at = 0; at < 30; at += 1) {
      while (served.length === 0) await settled();
      served.shift()?.free();
    }
    await Promise.all(all);
    assert.deepEqual(
      order,
      Array.from({ length: 30 }, (_, at) => at),
    );
  });

  test('takes nothing from another app or another owner', async () => {
    const { waiting } = open();
    await waiting.take(caller('greedy'), nobody);
    await waiting.take(caller('greedy'), nobody);
    const gone = new AbortController();
    const asked = Array.from({ length: 100 }, () => waiting.take(caller('greedy'), gone.signal));
    await settled();
    const begun = performance.now();
    await waiting.take(caller('other app'), nobody);
    await waiting.take(caller('modest', 1), nobody);
    assert.ok(performance.now() - begun < 200);
    gone.abort(new Error('hung up'));
    for (const one of asked) await assert.rejects(one, /hung up/);
  });

  test('leaves the others their turn when its caller goes away', async () => {
    const { waiting } = open();
    const held = [await waiting.take(caller('a'), nobody), await waiting.take(caller('a'), nobody)];
    const leaving = new AbortController();
    const first = waiting.take(caller('a'), leaving.signal);
    const second = waiting.take(caller('a'), nobody);
    await settled();
    leaving.abort(new Error('hung up'));
    await assert.rejects(first, /hung up/);
    held[0]?.free();
    (await second).free();
    held[1]?.free();
    const again = [await waiting.take(caller('a'), nobody), await waiting.take(caller('a'), nobody)];
    assert.equal(again.length, PLACES);
  });

  test('finds a place that was given back where no one here noticed', async () => {
    const { slots, waiting } = open();
    const elsewhere = [await slots.take(caller('a')), await slots.take(caller('a'))];
    const asked = waiting.take(caller('a'), nobody);
    await settled();
    elsewhere[0]?.free();
    (await asked).free();
  });

  test('waits for those of its owner as well', async () => {
    const { slots, waiting } = open();
    const keys = await Promise.all(
      ['k', 'l', 'm'].flatMap((id) => [slots.take(caller(id)), slots.take(caller(id))]),
    );
    const asked = waiting.take(caller('a'), nobody);
    await settled();
    keys[0]?.free();
    (await asked).free();
  });

  test('is refused once so many of its app wait [limit bridge_waiting]', async () => {
    const { waiting } = open({ bridge_waiting: 3 });
    const held = await waiting.take(caller('a'), nobody);
    await waiting.take(caller('a'), nobody);
    const asked = [1, 2, 3].map(() => waiting.take(caller('a'), nobody));
    await settled();
    await assert.rejects(waiting.take(caller('a'), nobody), tooMany);
    held.free();
    const [first, ...rest] = asked;
    let slot = await first;
    const last = waiting.take(caller('a'), nobody);
    for (const one of [...rest, last]) {
      slot?.free();
      slot = await one;
    }
  });

  test('is refused once so many of its owner wait, whichever apps they are of [limit bridge_account_waiting]', async () => {
    const { waiting } = open({ bridge_account_waiting: 4 });
    const gone = new AbortController();
    const asked: Promise<HeavySlot>[] = [];
    for (const app of ['a', 'b']) {
      await waiting.take(caller(app), nobody);
      await waiting.take(caller(app), nobody);
      asked.push(waiting.take(caller(app), gone.signal), waiting.take(caller(app), gone.signal));
    }
    await settled();
    await assert.rejects(waiting.take(caller('a'), nobody), tooMany);
    const [one, two] = [
      await waiting.take(caller('c', 1), nobody),
      await waiting.take(caller('c', 1), nobody),
    ];
    const others = waiting.take(caller('c', 1), nobody);
    await settled();
    one.free();
    two.free();
    (await others).free();
    gone.abort(new Error('hung up'));
    for (const each of asked) await assert.rejects(each, /hung up/);
  });

  test('is refused when its turn does not come [limit bridge_wait_seconds]', async () => {
    const { waiting } = open({ bridge_wait_seconds: 1 });
    await waiting.take(caller('a'), nobody);
    await waiting.take(caller('a'), nobody);
    const begun = performance.now();
    const asked = [1, 2].map(() => waiting.take(caller('a'), nobody));
    for (const one of asked) await assert.rejects(one, tooMany);
    const waited = performance.now() - begun;
    assert.ok(waited > 900 && waited < 4000, String(waited));
  });
});
