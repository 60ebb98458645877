/**
 * Every number of SPEC's Limits section and the numbers SPEC leaves open, each with the variable that sets it.
 * `source` is the place that fixes the default; "own" marks a number we chose.
 */
interface Limit {
  readonly default: number;
  readonly env: string;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  readonly source: string;
}

const limit = (
  value: number,
  env: string,
  min: number,
  max: number,
  unit: string,
  source: string,
): Limit => ({
  default: value,
  env,
  min,
  max,
  unit,
  source,
});

export const LIMITS = {
  rate_cheap_per_minute: limit(60, 'LIMIT_RATE_CHEAP', 1, 1_000_000_000, 'requests a minute', 'SPEC Limits'),
  rate_mid_per_minute: limit(30, 'LIMIT_RATE_MID', 1, 1_000_000_000, 'requests a minute', 'SPEC Limits'),
  rate_heavy_per_minute: limit(30, 'LIMIT_RATE_HEAVY', 1, 1_000_000_000, 'requests a minute', 'SPEC Limits'),
  rate_mutating_per_minute: limit(
    30,
    'LIMIT_RATE_MUTATING',
    1,
    1_000_000_000,
    'requests a minute',
    'SPEC Limits',
  ),
  heavy_in_flight: limit(4, 'LIMIT_HEAVY_IN_FLIGHT', 1, 10_000, 'requests at once', 'SPEC Limits'),
  auth_failures_per_minute: limit(
    60,
    'LIMIT_AUTH_FAILURES',
    1,
    1_000_000_000,
    'requests a minute',
    'SPEC too_many_auth_attempts',
  ),
  auth_attempts_per_minute: limit(
    600,
    'LIMIT_AUTH_ATTEMPTS',
    1,
    1_000_000_000,
    'requests a minute',
    'SPEC too_many_auth_attempts',
  ),
  page_size_max: limit(100, 'LIMIT_PAGE_SIZE_MAX', 1, 1000, 'items', 'SPEC Lists and paging'),
  page_size_default: limit(20, 'LIMIT_PAGE_SIZE_DEFAULT', 1, 1000, 'items', 'SPEC Lists and paging'),
  transaction_rows: limit(5000, 'LIMIT_TRANSACTION_ROWS', 1, 100_000, 'rows a request', 'SPEC Limits'),
  transaction_search_pages: limit(100, 'LIMIT_TRANSACTION_SEARCH_PAGES', 1, 10_000, 'pages', 'own'),
  balance_accounts: limit(100, 'LIMIT_BALANCE_ACCOUNTS', 1, 1000, 'accounts', 'service facts 9'),
  history_months: limit(84, 'LIMIT_HISTORY_MONTHS', 1, 1200, 'months', 'SPEC Limits'),
  transaction_default_days: limit(30, 'LIMIT_TRANSACTION_DEFAULT_DAYS', 1, 3650, 'days', 'SPEC Data reads'),
  sync_default_months: limit(6, 'LIMIT_SYNC_DEFAULT_MONTHS', 1, 1200, 'months', 'SPEC Create rules 4'),
  sync_trial_months: limit(3, 'LIMIT_SYNC_TRIAL_MONTHS', 1, 1200, 'months', 'SPEC Create rules 4'),
  idempotency_days: limit(30, 'LIMIT_IDEMPOTENCY_DAYS', 1, 365, 'days', 'SPEC Limits'),
  run_history_days: limit(90, 'LIMIT_RUN_HISTORY_DAYS', 1, 3650, 'days', 'SPEC Limits'),
  body_bytes: limit(65_536, 'LIMIT_BODY_BYTES', 1024, 16_777_216, 'bytes', 'SPEC Limits'),
  link_session_minutes: limit(30, 'LIMIT_LINK_SESSION_MINUTES', 1, 1440, 'minutes', 'SPEC Limits'),
  api_keys: limit(50, 'LIMIT_API_KEYS', 1, 10_000, 'active keys', 'own'),
  key_grace_days: limit(7, 'LIMIT_KEY_GRACE_DAYS', 0, 365, 'days', 'SPEC Limits'),
  allowed_ips: limit(20, 'LIMIT_ALLOWED_IPS', 1, 1000, 'entries', 'SPEC Limits'),
  categories: limit(500, 'LIMIT_CATEGORIES', 100, 10_000, 'categories', 'own'),
  metadata_pairs: limit(50, 'LIMIT_METADATA_PAIRS', 1, 1000, 'pairs', 'SPEC Limits'),
  sync_accounts: limit(200, 'LIMIT_SYNC_ACCOUNTS', 1, 10_000, 'accounts', 'own'),
  rulesets: limit(100, 'LIMIT_RULESETS', 1, 10_000, 'rulesets', 'own'),
  ruleset_rules: limit(50, 'LIMIT_RULESET_RULES', 1, 1000, 'rules', 'SPEC Limits'),
  ruleset_patterns: limit(20, 'LIMIT_RULESET_PATTERNS', 0, 1000, 'patterns', 'own'),
  sync_rulesets: limit(1, 'LIMIT_SYNC_RULESETS', 1, 10, 'rulesets', 'SPEC Limits'),
  rule_conditions: limit(50, 'LIMIT_RULE_CONDITIONS', 1, 1000, 'conditions', 'own'),
  rule_condition_depth: limit(5, 'LIMIT_RULE_CONDITION_DEPTH', 1, 50, 'levels', 'own'),
  rule_actions: limit(10, 'LIMIT_RULE_ACTIONS', 1, 100, 'actions', 'own'),
  rule_values: limit(100, 'LIMIT_RULE_VALUES', 1, 10_000, 'values', 'own'),
  rule_text_characters: limit(500, 'LIMIT_RULE_TEXT_CHARACTERS', 1, 10_000, 'characters', 'own'),
  rule_pattern_characters: limit(200, 'LIMIT_RULE_PATTERN_CHARACTERS', 1, 10_000, 'characters', 'own'),
  rule_pattern_steps: limit(500, 'LIMIT_RULE_PATTERN_STEPS', 1, 100_000, 'steps', 'own'),
  row_text_characters: limit(1000, 'LIMIT_ROW_TEXT_CHARACTERS', 100, 100_000, 'characters', 'own'),
  preview_rows: limit(500, 'LIMIT_PREVIEW_ROWS', 1, 5000, 'rows', 'own'),
  destination_resources: limit(1000, 'LIMIT_DESTINATION_RESOURCES', 1, 100_000, 'items', 'own'),
  webhook_chunk_rows: limit(500, 'LIMIT_WEBHOOK_CHUNK_ROWS', 1, 500, 'rows', 'design section 11'),
  sync_interval_minutes: limit(360, 'LIMIT_SYNC_INTERVAL_MINUTES', 1, 10_080, 'minutes', 'design section 10'),
  sync_overlap_days: limit(
    14,
    'LIMIT_SYNC_OVERLAP_DAYS',
    1,
    365,
    'days',
    'own: late postings and corrections',
  ),
  run_deadline_minutes: limit(120, 'LIMIT_RUN_DEADLINE_MINUTES', 1, 1440, 'minutes', 'own'),
  read_deadline_ms: limit(30_000, 'LIMIT_READ_DEADLINE_MS', 100, 600_000, 'milliseconds', 'own'),
  balance_cache_minutes: limit(30, 'LIMIT_BALANCE_CACHE_MINUTES', 0, 1440, 'minutes', 'SPEC v1 Caching'),
  details_cache_minutes: limit(15, 'LIMIT_DETAILS_CACHE_MINUTES', 0, 1440, 'minutes', 'SPEC v1 Caching'),
  transactions_cache_minutes: limit(
    60,
    'LIMIT_TRANSACTIONS_CACHE_MINUTES',
    0,
    1440,
    'minutes',
    'SPEC v1 Caching',
  ),
  cache_rows: limit(50_000, 'LIMIT_CACHE_ROWS', 0, 10_000_000, 'rows in process memory', 'own'),
  live_balance_minutes: limit(
    15,
    'LIMIT_LIVE_BALANCE_MINUTES',
    0,
    1440,
    'minutes',
    'SPEC balance_refresh_limited',
  ),
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;
export const LIMIT_NAMES: readonly LimitName[] = Object.keys(LIMITS).filter(isLimitName);

export function isLimitName(text: string): text is LimitName {
  return Object.hasOwn(LIMITS, text);
}

export type Limits = Readonly<Record<LimitName, number>>;

/** SPEC's fixed shapes, not settings: changing one would change the contract. */
export const FIXED_LIMITS = {
  metadata_key_characters: 40,
  metadata_value_characters: 500,
  key_name_characters: 100,
  idempotency_key_characters: 255,
  name_characters: 200,
  icon_characters: 50,
  url_characters: 2048,
} as const;

/** The defaults, for tests and for anything that runs without configuration. */
export const DEFAULT_LIMITS: Limits = Object.freeze(limitsFrom((name) => LIMITS[name].default));

/** A full set of limits, each value given by `of`. */
export function limitsFrom(of: (name: LimitName) => number): Record<LimitName, number> {
  const limits: Partial<Record<LimitName, number>> = {};
  for (const name of LIMIT_NAMES) limits[name] = of(name);
  return complete(limits);
}

function complete(limits: Partial<Record<LimitName, number>>): Record<LimitName, number> {
  if (isComplete(limits)) return limits;
  throw new TypeError('a limit has no value');
}

function isComplete(limits: Partial<Record<LimitName, number>>): limits is Record<LimitName, number> {
  return LIMIT_NAMES.every((name) => limits[name] !== undefined);
}
