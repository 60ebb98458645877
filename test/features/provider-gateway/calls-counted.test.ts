import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CallGuards } from '../../../src/features/provider-gateway/call-guards.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { Metrics } from '../../../src/platform/metrics.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { UPSTREAM_FAILURES, UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { never } from './open-gateway.ts';

const call = { provider: 'up_bank', institution: null, owner: null, about: null } as const;

function guards() {
  const metrics = new Metrics();
  const breaker = { failures: 1000, restMs: 60_000 };
  const log = createLog({ level: 'silent' });
  const options = { limits: DEFAULT_LIMITS, clock: new SimulatedClock(1_000_000), log, metrics, breaker };
  const counted = async () => {
    const text = await metrics.text();
    const of = (result: string) =>
      Number(
        new RegExp(`^tributary_provider_calls_total\\{.*result="${result}"\\} (\\d+)$`, 'm').exec(
          text,
        )?.[1] ?? 0,
      );
    const outcomes = [...text.matchAll(/^tributary_upstream_call_seconds_count\{.*outcome="(\w+)"\} 1$/gm)];
    return {
      answered: of('answered'),
      failed: of('failed'),
      refused: of('refused'),
      outcomes: outcomes.map(([, outcome]) => outcome),
    };
  };
  return { guards: new CallGuards(options), counted };
}

describe('a call counts as a failure of the provider only if the provider failed it', () => {
  for (const [situation, row] of Object.entries(UPSTREAM_FAILURES))
    test(situation, async () => {
      const { guards: own, counted } = guards();
      const failure = Object.assign(new UpstreamFailure('other', ''), { situation });
      await assert.rejects(own.run(call, never, () => Promise.reject(failure)));
      assert.deepEqual(await counted(), {
        answered: row.call === 'answered' ? 1 : 0,
        failed: row.call === 'failed' ? 1 : 0,
        refused: row.call === 'refused' ? 1 : 0,
        outcomes: [situation],
      });
    });

  test('an answer, a caller that left and a fault of our own are none', async () => {
    const { guards: own, counted } = guards();
    await own.run(call, never, async () => undefined);
    const left = AbortSignal.abort(new Error('the caller left'));
    await assert.rejects(own.run(call, left, async () => left.throwIfAborted()));
    await assert.rejects(own.run(call, never, () => Promise.reject(new TypeError('a fault'))));
    assert.deepEqual(await counted(), {
      answered: 1,
      failed: 0,
      refused: 0,
      outcomes: ['ok', 'aborted', 'fault'],
    });
  });

  test('refusals of the service itself, withdrawn consents and the limits of users are none', () => {
    const failed = Object.entries(UPSTREAM_FAILURES).filter(([, row]) => row.call === 'failed');
    assert.deepEqual(
      failed.map(([situation]) => situation),
      [
        'deadline',
        'connect',
        'temporarily_unavailable',
        'server_error',
        'gateway_timeout',
        'malformed',
        'other',
      ],
    );
    const refused = Object.entries(UPSTREAM_FAILURES).filter(([, row]) => row.call === 'refused');
    assert.deepEqual(
      refused.map(([situation]) => situation),
      ['own_credentials'],
    );
  });
});
