import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SimulatedClock } from '../../src/platform/clock.ts';
import { retryAfterMs } from '../../src/platform/retry.ts';

const clock = new SimulatedClock(Date.parse('2026-11-06T08:49:07Z'));

test('seconds and HTTP dates are understood, in the current and the older form', () => {
  assert.equal(retryAfterMs('120', clock), 120_000);
  assert.equal(retryAfterMs(' 0 ', clock), 0);
  for (const date of ['Fri, 06 Nov 2026 08:49:37 GMT', 'Friday, 06-Nov-26 08:49:37 GMT']) {
    assert.equal(retryAfterMs(date, clock), 30_000, date);
  }
  assert.equal(retryAfterMs('Fri, 06 Nov 2020 08:49:37 GMT', clock), 0);
});

test('what cannot be read asks for nothing, and nothing makes it fail', () => {
  for (const text of ['86401', '9999999999', 'Fri, 01 Jan 2100 00:00:00 GMT'])
    assert.equal(retryAfterMs(text, clock), 86_400_000, text);
  for (const text of [undefined, '', '-1', '1.5', 'soon', '1e9', '2026-11-06']) {
    assert.equal(retryAfterMs(text, clock), undefined, text);
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      const wait = retryAfterMs(text, clock);
      assert.ok(wait === undefined || (Number.isFinite(wait) && wait >= 0));
    }),
  );
});
