import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DestinationFailure } from '../../../../src/connectors/destinations/destination-failure.ts';
import { asUpstream, VendorRefusal } from '../../../../src/connectors/destinations/kit/failures.ts';
import { UpstreamFailure } from '../../../../src/vocabulary/upstream-failures.ts';

const never = new AbortController().signal;
const known = { outcome: 'refused', retryable: false } as const;
const passing = { outcome: 'refused', retryable: true } as const;
const refusal = (status: number): VendorRefusal =>
  new VendorRefusal('run_failed', 'no', { ...known, status, word: '', text: '' });

describe('a failure while linking or listing is named by what the caller can do', () => {
  for (const [what, failure, situation] of [
    ['the grant', new DestinationFailure('destination_auth_failed', 'no', known), 'grant_rejected'],
    ['what is gone', new DestinationFailure('destination_resource_missing', 'no', known), 'bad_request'],
    ['a quota', new DestinationFailure('rate_limited', 'no', passing), 'rate_limited'],
    ['a deadline', new DestinationFailure('timeout', 'no', passing), 'deadline'],
    ['what passes by itself', new DestinationFailure('run_failed', 'no', passing), 'server_error'],
    ['a request that is wrong', refusal(400), 'bad_request'],
    ['any other refusal', refusal(422), 'other'],
  ] as const) {
    test(`${what}: ${situation}`, async () => {
      const raised = await asUpstream(() => Promise.reject(failure), never).catch((error: unknown) => error);
      assert.ok(raised instanceof UpstreamFailure);
      assert.deepEqual([raised.situation, raised.cause], [situation, failure]);
    });
  }

  test('the failure of a renewal keeps its own name', async () => {
    const cause = new UpstreamFailure('own_credentials', 'check the secret');
    const failure = new DestinationFailure('run_failed', 'no', { ...known, cause });
    const raised = await asUpstream(() => Promise.reject(failure), never).catch((error: unknown) => error);
    assert.ok(raised instanceof UpstreamFailure && raised.situation === 'own_credentials');
  });

  test('what is no failure of a vendor stays as it is, and an abort is an abort', async () => {
    const odd = new TypeError('odd');
    await assert.rejects(
      asUpstream(() => Promise.reject(odd), never),
      odd,
    );
    const left = new Error('left');
    await assert.rejects(
      asUpstream(() => Promise.reject(refusal(500)), AbortSignal.abort(left)),
      left,
    );
  });
});
