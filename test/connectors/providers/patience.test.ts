import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { VendorCalls, type VendorErrors } from '../../../src/connectors/providers/kit/vendor-calls.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import {
  resting,
  retryBudgetLeftMs,
  withoutRetryBudget,
  withRetryBudget,
} from '../../../src/platform/retry-budget.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { UpstreamFailure, type UpstreamSituation } from '../../../src/vocabulary/upstream-failures.ts';

const ERRORS: VendorErrors = { read: () => ({ codes: [], message: null }), codes: [] };
const PATIENCE_MS = DEFAULT_LIMITS.run_retry_seconds * 1000;

/** A vendor that is away until the clock, which only waits move, says so. */
function vendor(awayMs: number, situation: UpstreamSituation = 'connect', retryAfterSeconds?: number) {
  const waits: number[] = [];
  let now = 0;
  let asked = 0;
  const clock: Clock = {
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
  };
  const http = { request: () => assert.fail('the work of these tests asks nobody') };
  const calls = new VendorCalls({
    http,
    clock,
    limits: DEFAULT_LIMITS,
    baseUrl: 'http://vendor',
    errors: ERRORS,
  });
  const read = (signal?: AbortSignal): Promise<string> =>
    calls.again(signal, async () => {
      asked += 1;
      if (now >= awayMs) return 'answered';
      throw new UpstreamFailure(
        situation,
        'It is away.',
        retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
      );
    });
  return { read, waits, asked: () => asked, now: () => now };
}

describe('a read of a vendor that restarts', () => {
  test('is repeated once within a second where a person waits for it', async () => {
    for (const inBackground of [false, true]) {
      const one = vendor(20_000);
      const read = () =>
        inBackground ? withRetryBudget(PATIENCE_MS, () => withoutRetryBudget(one.read)) : one.read();
      await assert.rejects(read(), { situation: 'connect' });
      assert.deepEqual([one.asked(), one.now() < 1000], [2, true]);
    }
  });

  test('outlasts the restart in the background, with waits that grow [limit run_retry_seconds]', async () => {
    for (const situation of ['connect', 'server_error', 'gateway_timeout'] as const) {
      const one = vendor(20_000, situation);
      assert.equal(await withRetryBudget(PATIENCE_MS, one.read), 'answered');
      assert.ok(one.asked() < 14, String(one.asked()));
      assert.ok(one.now() < 30_000, String(one.now()));
      for (const ms of one.waits) assert.ok(ms <= 10_000);
    }
  });

  test('ends with the failure once all reads of the job have used up its patience', async () => {
    const one = vendor(Number.POSITIVE_INFINITY);
    await withRetryBudget(PATIENCE_MS, async () => {
      await assert.rejects(one.read(), { situation: 'connect' });
      assert.ok(one.now() > PATIENCE_MS - 10_000 && one.now() <= PATIENCE_MS, String(one.now()));
      for (let more = 0; more < 20; more++) await assert.rejects(one.read());
      assert.ok(one.now() <= PATIENCE_MS + 20 * 750, String(one.now()));
    });
  });

  test('is not repeated before the vendor wants to be asked, nor at all where that is too late', async () => {
    const soon = vendor(1, 'server_error', 12);
    assert.equal(await withRetryBudget(PATIENCE_MS, soon.read), 'answered');
    assert.deepEqual(soon.waits, [12_000]);
    const late = vendor(1, 'server_error', 3600);
    await assert.rejects(withRetryBudget(PATIENCE_MS, late.read), { situation: 'server_error' });
    assert.equal(late.asked(), 1);
  });

  test('is not repeated for what passes not on its own, and not once the run has ended', async () => {
    const refused = vendor(20_000, 'grant_rejected');
    await assert.rejects(withRetryBudget(PATIENCE_MS, refused.read), { situation: 'grant_rejected' });
    assert.equal(refused.asked(), 1);
    const ended = new AbortController();
    const one = vendor(20_000);
    const cancelled = new Error('cancelled');
    const work = (): Promise<string> =>
      resting(
        async (wait) => {
          ended.abort(cancelled);
          await wait();
        },
        () => one.read(ended.signal),
      );
    await assert.rejects(withRetryBudget(PATIENCE_MS, work), cancelled);
    assert.equal(one.asked(), 1);
  });

  test('gives back what it holds while it waits, and takes it again before it asks', async () => {
    const one = vendor(5_000);
    const steps: string[] = [];
    const rest = async (wait: () => Promise<void>): Promise<void> => {
      steps.push(`gives after ${one.asked()}`);
      await wait();
      steps.push(`takes after ${one.asked()}`);
    };
    await withRetryBudget(PATIENCE_MS, () => resting(rest, () => one.read()));
    assert.deepEqual(
      steps,
      one.waits.flatMap((_, at) => [`gives after ${at + 1}`, `takes after ${at + 1}`]),
    );
    assert.ok(steps.length > 2);
    assert.equal(retryBudgetLeftMs(), 0, 'nothing of it is left outside');
  });
});
