import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_LIMITS, isLimitName, LIMIT_NAMES, LIMITS, limitsFrom } from '../../src/vocabulary/limits.ts';
import { PLANS, TRIAL_LIMITS } from '../../src/vocabulary/plans.ts';
import { RATE_TIERS } from '../../src/vocabulary/rate-tiers.ts';

test('every default lies within its own bounds and every variable belongs to one limit', () => {
  for (const name of LIMIT_NAMES) {
    const { default: value, min, max, env } = LIMITS[name];
    assert.ok(Number.isSafeInteger(value) && value >= min && value <= max, name);
    assert.match(env, /^LIMIT_[A-Z][A-Z0-9_]*$/, name);
  }
  assert.equal(new Set(LIMIT_NAMES.map((name) => LIMITS[name].env)).size, LIMIT_NAMES.length);
});

test('a full set of limits asks for each limit once and the default set cannot be changed', () => {
  const asked: string[] = [];
  limitsFrom((name) => asked.push(name));
  assert.deepEqual(asked, [...LIMIT_NAMES]);
  assert.ok(Object.isFrozen(DEFAULT_LIMITS));
  assert.ok(!isLimitName('toString'));
});

test('every rate tier is bounded by a limit that exists', () => {
  for (const tier of Object.values(RATE_TIERS)) assert.ok(isLimitName(tier.limit));
});

test('a page is no larger by default than it may be, and the numbers are those of the interface', () => {
  assert.ok(LIMITS.page_size_default.default <= LIMITS.page_size_max.default);
  assert.deepEqual(
    [
      DEFAULT_LIMITS.rate_cheap_per_minute,
      DEFAULT_LIMITS.rate_mid_per_minute,
      DEFAULT_LIMITS.rate_heavy_per_minute,
      DEFAULT_LIMITS.rate_mutating_per_minute,
      DEFAULT_LIMITS.page_size_default,
      DEFAULT_LIMITS.page_size_max,
      DEFAULT_LIMITS.transaction_rows,
      DEFAULT_LIMITS.history_months,
      DEFAULT_LIMITS.sync_default_months,
      DEFAULT_LIMITS.sync_trial_months,
      DEFAULT_LIMITS.run_history_days,
      DEFAULT_LIMITS.body_bytes,
      DEFAULT_LIMITS.link_session_minutes,
      DEFAULT_LIMITS.allowed_ips,
      DEFAULT_LIMITS.metadata_pairs,
    ],
    [60, 30, 30, 30, 20, 100, 5000, 84, 6, 3, 90, 65_536, 30, 20, 50],
  );
});

test('a larger plan never allows less than a smaller one', () => {
  const count = (value: number) => (value === -1 ? Number.POSITIVE_INFINITY : value);
  const order = [PLANS.saver, PLANS.developer, PLANS.professional];
  for (const [at, plan] of order.entries()) {
    const smaller = order[at - 1];
    if (smaller === undefined) continue;
    assert.ok(count(plan.limits.connections) >= count(smaller.limits.connections));
    assert.ok(count(plan.limits.accounts) >= count(smaller.limits.accounts));
    assert.ok(count(plan.limits.syncs) >= count(smaller.limits.syncs));
    assert.ok(count(plan.limits.destinations) >= count(smaller.limits.destinations));
    assert.ok(plan.api_access || !smaller.api_access);
  }
  for (const value of Object.values(TRIAL_LIMITS)) assert.ok(value > 0);
});
