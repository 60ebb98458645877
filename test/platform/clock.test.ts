import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatedClock, systemClock } from '../../src/platform/clock.ts';

test('a simulated clock stands still until moved, then wakes sleepers in order of their time', async () => {
  const clock = new SimulatedClock(1_000);
  const woken: string[] = [];
  const sleeps = [
    clock.sleep(200).then(() => woken.push('late')),
    clock.sleep(100).then(() => woken.push('early')),
    clock.sleep(5_000).then(() => woken.push('far')),
  ];
  clock.advance(99);
  await Promise.resolve();
  assert.deepEqual(woken, []);
  assert.equal(clock.now(), 1_099);
  clock.advance(101);
  await Promise.all(sleeps.slice(0, 2));
  assert.deepEqual(woken, ['early', 'late']);
  assert.equal(clock.sleeping, 1);
  clock.advance(10_000);
  await Promise.all(sleeps);
});

test('a simulated clock run for a while unfolds a chain of sleeps inside the window', async () => {
  const clock = new SimulatedClock(0);
  const at: number[] = [];
  const chain = (async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await clock.sleep(100);
      at.push(clock.now());
    }
  })();
  await clock.runFor(1_000);
  await chain;
  assert.deepEqual(at, [100, 200, 300]);
  assert.equal(clock.now(), 1_000);
  assert.throws(() => clock.advance(-1), RangeError);
  assert.throws(() => clock.advance(Number.NaN), RangeError);
});

for (const [name, clock] of [
  ['simulated', new SimulatedClock(0)],
  ['system', systemClock],
] as const) {
  test(`an aborted sleep on the ${name} clock rejects with the reason and leaves nothing behind`, async () => {
    const reason = new Error('stopped');
    await assert.rejects(clock.sleep(60_000, AbortSignal.abort(reason)), reason);
    const controller = new AbortController();
    const sleep = clock.sleep(60_000, controller.signal);
    controller.abort(reason);
    await assert.rejects(sleep, reason);
    if (clock instanceof SimulatedClock) assert.equal(clock.sleeping, 0);
  });

  test(`a sleep of nothing on the ${name} clock ends at once`, () => clock.sleep(0));
}

test('the system clock sleeps about as long as asked, and beyond the longest timer without waking at once', async () => {
  const before = systemClock.now();
  await systemClock.sleep(20);
  assert.ok(systemClock.now() - before >= 18);

  const controller = new AbortController();
  const sleep = systemClock.sleep(2 ** 40, controller.signal).then(
    () => 'woke',
    () => 'aborted',
  );
  await systemClock.sleep(10);
  controller.abort();
  assert.equal(await sleep, 'aborted');
});
