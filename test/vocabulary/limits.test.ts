import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DEFAULT_LIMITS,
  FIXED_LIMITS,
  isLimitName,
  LIMIT_NAMES,
  LIMITS,
  type LimitName,
  limitsFrom,
} from '../../src/vocabulary/limits.ts';
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
  for (const { limit, session } of Object.values(RATE_TIERS)) {
    assert.ok(isLimitName(limit));
    assert.ok(session === null || isLimitName(session));
  }
});

/** The numbers of the interface, written down a second time. */
const INTERFACE: Readonly<Partial<Record<LimitName, number>>> = {
  rate_cheap_per_minute: 60,
  rate_mid_per_minute: 30,
  rate_heavy_per_minute: 30,
  rate_mutating_per_minute: 30,
  heavy_in_flight: 4,
  auth_failures_per_minute: 60,
  auth_attempts_per_minute: 600,
  page_size_default: 20,
  page_size_max: 100,
  transaction_rows: 5000,
  balance_accounts: 100,
  history_months: 84,
  transaction_default_days: 30,
  trade_window_days: 366,
  sync_default_months: 6,
  sync_trial_months: 3,
  run_history_days: 90,
  body_bytes: 65_536,
  mcp_body_bytes: 16_384,
  mcp_batch_entries: 10,
  mcp_balance_accounts: 20,
  link_session_minutes: 30,
  idempotency_days: 30,
  key_grace_days: 7,
  allowed_ips: 20,
  metadata_pairs: 50,
  event_destinations: 10,
  ruleset_rules: 50,
  sync_rulesets: 1,
  balance_cache_minutes: 30,
  details_cache_minutes: 15,
  transactions_cache_minutes: 60,
  live_balance_minutes: 15,
  rate_bridge_per_minute: 300,
  setup_token_days: 7,
  bridge_rows: 2000,
};

test('every number the interface fixes is the default', () => {
  for (const name of LIMIT_NAMES) {
    const fixed = INTERFACE[name];
    if (fixed !== undefined) assert.equal(LIMITS[name].default, fixed, name);
    assert.equal(LIMITS[name].source, fixed === undefined ? 'own' : 'contract', name);
  }
  assert.ok(LIMITS.page_size_default.default <= LIMITS.page_size_max.default);
});

test('every fixed shape is that of the interface', () => {
  const { metadata_key_characters, metadata_value_characters, ...rest } = FIXED_LIMITS;
  assert.deepEqual([metadata_key_characters, metadata_value_characters], [40, 500]);
  assert.deepEqual([rest.key_name_characters, rest.idempotency_key_characters], [100, 255]);
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
  }
  for (const value of Object.values(TRIAL_LIMITS)) assert.ok(value > 0);
});
