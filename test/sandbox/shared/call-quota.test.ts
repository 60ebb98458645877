import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallQuota } from '../../../sandbox/shared/call-quota.ts';
import { handClock } from '../visitor.ts';

test('a quota holds in every stretch of its length, not in calendar windows', () => {
  const clock = handClock(0);
  const quota = new CallQuota(clock.now, 3, 1000);
  for (const at of [900, 950, 999]) {
    clock.at = at;
    assert.equal(quota.take('ada'), null);
  }
  clock.at = 1000;
  assert.equal(quota.take('ada'), 900);
  clock.at = 1899;
  assert.equal(quota.take('ada'), 1);
  clock.at = 1900;
  assert.equal(quota.take('ada'), null);
  assert.equal(quota.take('ada'), 50);
});

test('refused calls do not count, and callers have quotas of their own', () => {
  const clock = handClock(0);
  const quota = new CallQuota(clock.now, 1, 1000);
  assert.equal(quota.take('ada'), null);
  for (let count = 0; count < 5; count++) assert.equal(quota.take('ada'), 1000);
  assert.equal(quota.take('eve'), null);
  assert.deepEqual([quota.used('ada'), quota.used('eve'), quota.used('nobody')], [1, 1, 0]);
  clock.at = 1000;
  assert.deepEqual([quota.used('ada'), quota.take('ada')], [0, null]);
  quota.clear();
  assert.equal(quota.take('ada'), null);
});
