import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SimulatedClock } from '../../src/platform/clock.ts';
import { type RetryPlan, retrying } from '../../src/platform/retry.ts';

const delaysMs = [100, 1_000, 10_000];

/** Random 0 shortens no delay. */
const random = () => 0;

/** Runs work that fails `failures` times; tells when each attempt began. */
async function attempts(failures: number, plan: Partial<RetryPlan>) {
  const clock = new SimulatedClock(0);
  const at: number[] = [];
  const work = async (attempt: number) => {
    at.push(clock.now());
    assert.equal(attempt, at.length);
    if (attempt <= failures) throw new Error(`failure ${attempt}`);
    return attempt;
  };
  const settled = retrying(work, { delaysMs, random, shouldRetry: () => true, clock, ...plan }).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  await clock.runFor(1_000_000);
  return { at, ...(await settled) };
}

test('work is tried again after each delay, until it succeeds', async () => {
  assert.deepEqual(await attempts(0, {}), { at: [0], value: 1 });
  assert.deepEqual(await attempts(2, {}), { at: [0, 100, 1_100], value: 3 });
  assert.deepEqual(await attempts(3, {}), { at: [0, 100, 1_100, 11_100], value: 4 });
});

test('when the plan is used up the last error is raised', async () => {
  const result = await attempts(9, {});
  assert.deepEqual(result.at, [0, 100, 1_100, 11_100]);
  assert.ok('error' in result && result.error instanceof Error && result.error.message === 'failure 4');
});

test('an error that should not be retried is raised at once', async () => {
  const result = await attempts(9, { shouldRetry: () => false });
  assert.deepEqual(result.at, [0]);
});

test('a peer that asks for a longer wait gets it, one that asks for less does not hurry us', async () => {
  assert.deepEqual((await attempts(1, { retryAfterMs: () => 5_000 })).at, [0, 5_000]);
  assert.deepEqual((await attempts(1, { retryAfterMs: () => 1 })).at, [0, 100]);
  assert.deepEqual((await attempts(1, { retryAfterMs: () => 5_000, random: () => 0.99 })).at, [0, 5_000]);
});

test('no attempt starts after the budget', async () => {
  assert.deepEqual((await attempts(9, { budgetMs: 1_099 })).at, [0, 100]);
  assert.deepEqual((await attempts(9, { budgetMs: 1_100 })).at, [0, 100, 1_100]);
  assert.deepEqual((await attempts(9, { budgetMs: 50_000, retryAfterMs: () => 60_000 })).at, [0]);
});

test('jitter shortens each delay by at most half', async () => {
  await fc.assert(
    fc.asyncProperty(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), async (random) => {
      const { at } = await attempts(3, { random: () => random });
      for (const [index, delay] of delaysMs.entries()) {
        const waited = (at[index + 1] ?? 0) - (at[index] ?? 0);
        assert.ok(waited >= delay / 2 - 1e-6 && waited <= delay + 1e-6, `${waited} for ${delay}`);
      }
    }),
  );
});

test('an abort ends the wait and starts no further attempt', async () => {
  const clock = new SimulatedClock(0);
  const controller = new AbortController();
  let runs = 0;
  const work = async () => {
    runs += 1;
    throw new Error('no');
  };
  const plan = { delaysMs, shouldRetry: () => true, clock, signal: controller.signal };
  const call = retrying(work, plan);
  await new Promise((resolve) => setImmediate(resolve));
  const reason = new Error('stopping');
  controller.abort(reason);
  await assert.rejects(call, reason);
  await assert.rejects(retrying(work, plan), reason);
  assert.equal(runs, 1);
  assert.equal(clock.sleeping, 0);
});
