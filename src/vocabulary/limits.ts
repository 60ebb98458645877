import { RATE_TIER_LIMITS } from './rate-tiers.ts';

/** Who fixed a default: the published interface, or this project. docs/limits.md shows it. */
export const LIMIT_SOURCES = ['contract', 'own'] as const;
export type LimitSource = (typeof LIMIT_SOURCES)[number];

/** A number an operator may set, and the variable that sets it. */
interface Limit {
  readonly default: number;
  readonly env: string;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  readonly source: LimitSource;
}

const limit = (
  value: number,
  env: string,
  min: number,
  max: number,
  unit: string,
  source: LimitSource,
): Limit => ({
  default: value,
  env,
  min,
  max,
  unit,
  source,
});

export const LIMITS = {
  ...RATE_TIER_LIMITS,
  rate_account_keys: limit(12, 'LIMIT_RATE_ACCOUNT_KEYS', 1, 10_000, "keys' worth", 'own'),
  heavy_in_flight: limit(4, 'LIMIT_HEAVY_IN_FLIGHT', 1, 10_000, 'requests at once', 'contract'),
  rate_account_sessions: limit(4, 'LIMIT_RATE_ACCOUNT_SESSIONS', 1, 10_000, "sessions' worth", 'own'),
  rate_user_sessions: limit(2, 'LIMIT_RATE_USER_SESSIONS', 1, 10_000, "sessions' worth", 'own'),
  session_heavy_in_flight: limit(6, 'LIMIT_SESSION_HEAVY_IN_FLIGHT', 1, 10_000, 'requests at once', 'own'),
  http_connections: limit(2000, 'LIMIT_HTTP_CONNECTIONS', 1, 1_000_000, 'connections', 'own'),
  auth_failures_per_minute: limit(
    60,
    'LIMIT_AUTH_FAILURES',
    1,
    1_000_000_000,
    'requests a minute',
    'contract',
  ),
  auth_attempts_per_minute: limit(
    600,
    'LIMIT_AUTH_ATTEMPTS',
    1,
    1_000_000_000,
    'requests a minute',
    'contract',
  ),
  session_requests_per_minute: limit(
    3_000,
    'LIMIT_SESSION_REQUESTS',
    1,
    1_000_000_000,
    'requests a minute',
    'own',
  ),
  hosted_address_per_minute: limit(240, 'LIMIT_HOSTED_ADDRESS', 1, 1_000_000_000, 'requests a minute', 'own'),
  hosted_link_per_minute: limit(60, 'LIMIT_HOSTED_LINK', 1, 1_000_000_000, 'requests a minute', 'own'),
  provider_webhooks_per_minute: limit(
    600,
    'LIMIT_PROVIDER_WEBHOOKS',
    1,
    1_000_000_000,
    'requests a minute',
    'own',
  ),
  provider_webhook_bytes: limit(262_144, 'LIMIT_PROVIDER_WEBHOOK_BYTES', 1024, 16_777_216, 'bytes', 'own'),
  provider_webhooks_in_hand: limit(64, 'LIMIT_PROVIDER_WEBHOOKS_IN_HAND', 1, 100_000, 'notifications', 'own'),
  provider_webhooks_at_once: limit(4, 'LIMIT_PROVIDER_WEBHOOKS_AT_ONCE', 1, 1000, 'notifications', 'own'),
  link_attempts: limit(5, 'LIMIT_LINK_ATTEMPTS', 1, 1000, 'pages of the provider', 'own'),
  page_size_max: limit(100, 'LIMIT_PAGE_SIZE_MAX', 1, 1000, 'items', 'contract'),
  page_size_default: limit(20, 'LIMIT_PAGE_SIZE_DEFAULT', 1, 1000, 'items', 'contract'),
  transaction_rows: limit(5000, 'LIMIT_TRANSACTION_ROWS', 1, 100_000, 'rows a request', 'contract'),
  transaction_search_pages: limit(100, 'LIMIT_TRANSACTION_SEARCH_PAGES', 1, 10_000, 'pages', 'own'),
  balance_accounts: limit(100, 'LIMIT_BALANCE_ACCOUNTS', 1, 1000, 'accounts', 'contract'),
  history_months: limit(84, 'LIMIT_HISTORY_MONTHS', 1, 1200, 'months', 'contract'),
  transaction_default_days: limit(30, 'LIMIT_TRANSACTION_DEFAULT_DAYS', 1, 3650, 'days', 'contract'),
  trade_window_days: limit(366, 'LIMIT_TRADE_WINDOW_DAYS', 1, 40_000, 'days', 'contract'),
  sync_default_months: limit(6, 'LIMIT_SYNC_DEFAULT_MONTHS', 1, 1200, 'months', 'contract'),
  sync_trial_months: limit(3, 'LIMIT_SYNC_TRIAL_MONTHS', 1, 1200, 'months', 'contract'),
  idempotency_days: limit(30, 'LIMIT_IDEMPOTENCY_DAYS', 1, 365, 'days', 'contract'),
  run_history_days: limit(90, 'LIMIT_RUN_HISTORY_DAYS', 1, 3650, 'days', 'contract'),
  body_bytes: limit(65_536, 'LIMIT_BODY_BYTES', 1024, 16_777_216, 'bytes', 'contract'),
  mcp_body_bytes: limit(16_384, 'LIMIT_MCP_BODY_BYTES', 1024, 16_777_216, 'bytes', 'contract'),
  mcp_batch_entries: limit(10, 'LIMIT_MCP_BATCH_ENTRIES', 1, 100, 'messages', 'contract'),
  mcp_balance_accounts: limit(20, 'LIMIT_MCP_BALANCE_ACCOUNTS', 1, 100, 'accounts', 'contract'),
  mcp_answer_characters: limit(81_920, 'LIMIT_MCP_ANSWER_CHARACTERS', 1024, 4_194_304, 'characters', 'own'),
  mcp_list_bytes: limit(24_000, 'LIMIT_MCP_LIST_BYTES', 12_000, 1_048_576, 'bytes', 'own'),
  link_session_minutes: limit(30, 'LIMIT_LINK_SESSION_MINUTES', 1, 1440, 'minutes', 'contract'),
  open_link_sessions: limit(100, 'LIMIT_OPEN_LINK_SESSIONS', 1, 100_000, 'sessions', 'own'),
  api_keys: limit(50, 'LIMIT_API_KEYS', 1, 10_000, 'active keys', 'own'),
  simplefin_apps: limit(50, 'LIMIT_SIMPLEFIN_APPS', 1, 10_000, 'apps and open tokens', 'own'),
  setup_token_days: limit(7, 'LIMIT_SETUP_TOKEN_DAYS', 1, 365, 'days', 'contract'),
  bridge_waiting: limit(300, 'LIMIT_BRIDGE_WAITING', 0, 10_000, 'requests an app', 'own'),
  bridge_account_waiting: limit(600, 'LIMIT_BRIDGE_ACCOUNT_WAITING', 0, 10_000, 'requests', 'own'),
  bridge_wait_seconds: limit(60, 'LIMIT_BRIDGE_WAIT_SECONDS', 1, 600, 'seconds', 'own'),
  bridge_accounts: limit(200, 'LIMIT_BRIDGE_ACCOUNTS', 1, 10_000, 'accounts', 'own'),
  bridge_rows: limit(2000, 'LIMIT_BRIDGE_ROWS', 1, 100_000, 'rows an account', 'contract'),
  oauth_token_minutes: limit(60, 'LIMIT_OAUTH_TOKEN_MINUTES', 1, 1440, 'minutes', 'own'),
  oauth_refresh_days: limit(60, 'LIMIT_OAUTH_REFRESH_DAYS', 1, 3650, 'days', 'own'),
  oauth_code_seconds: limit(60, 'LIMIT_OAUTH_CODE_SECONDS', 10, 600, 'seconds', 'own'),
  oauth_consent_minutes: limit(30, 'LIMIT_OAUTH_CONSENT_MINUTES', 1, 1440, 'minutes', 'own'),
  oauth_grant_tokens: limit(50, 'LIMIT_OAUTH_GRANT_TOKENS', 2, 10_000, 'tokens of a kind', 'own'),
  oauth_open_consents: limit(20, 'LIMIT_OAUTH_OPEN_CONSENTS', 1, 1000, 'requests a person', 'own'),
  oauth_address_per_minute: limit(240, 'LIMIT_OAUTH_ADDRESS', 1, 1_000_000_000, 'requests a minute', 'own'),
  oauth_registrations_per_hour: limit(
    60,
    'LIMIT_OAUTH_REGISTRATIONS',
    1,
    1_000_000_000,
    'apps a network',
    'own',
  ),
  oauth_unused_clients: limit(1000, 'LIMIT_OAUTH_UNUSED_CLIENTS', 1, 1_000_000, 'apps', 'own'),
  oauth_unused_client_hours: limit(24, 'LIMIT_OAUTH_UNUSED_CLIENT_HOURS', 1, 8760, 'hours', 'own'),
  connected_apps: limit(50, 'LIMIT_CONNECTED_APPS', 1, 10_000, 'apps', 'own'),
  connected_apps_per_user: limit(20, 'LIMIT_CONNECTED_APPS_PER_USER', 1, 10_000, 'apps', 'own'),
  key_grace_days: limit(7, 'LIMIT_KEY_GRACE_DAYS', 0, 365, 'days', 'contract'),
  allowed_ips: limit(20, 'LIMIT_ALLOWED_IPS', 1, 1000, 'entries', 'contract'),
  categories: limit(500, 'LIMIT_CATEGORIES', 100, 10_000, 'categories', 'own'),
  metadata_pairs: limit(50, 'LIMIT_METADATA_PAIRS', 1, 1000, 'pairs', 'contract'),
  lists_in_flight: limit(6, 'LIMIT_LISTS_IN_FLIGHT', 1, 10_000, 'lists at once', 'own'),
  lists_waiting: limit(1024, 'LIMIT_LISTS_WAITING', 0, 100_000, 'lists', 'own'),
  answer_bytes: limit(16_777_216, 'LIMIT_ANSWER_BYTES', 65_536, 1_073_741_824, 'characters', 'own'),
  metadata_bytes: limit(524_288, 'LIMIT_METADATA_BYTES', 1024, 1_073_741_824, 'bytes', 'own'),
  sync_accounts: limit(200, 'LIMIT_SYNC_ACCOUNTS', 1, 10_000, 'accounts', 'own'),
  rulesets: limit(100, 'LIMIT_RULESETS', 1, 10_000, 'rulesets', 'own'),
  ruleset_rules: limit(50, 'LIMIT_RULESET_RULES', 1, 1000, 'rules', 'contract'),
  ruleset_patterns: limit(20, 'LIMIT_RULESET_PATTERNS', 0, 1000, 'patterns', 'own'),
  ruleset_pattern_steps: limit(2000, 'LIMIT_RULESET_PATTERN_STEPS', 0, 1_000_000, 'steps', 'own'),
  sync_rulesets: limit(1, 'LIMIT_SYNC_RULESETS', 1, 10, 'rulesets', 'contract'),
  rule_conditions: limit(50, 'LIMIT_RULE_CONDITIONS', 1, 1000, 'conditions', 'own'),
  rule_condition_depth: limit(5, 'LIMIT_RULE_CONDITION_DEPTH', 1, 50, 'levels', 'own'),
  rule_actions: limit(10, 'LIMIT_RULE_ACTIONS', 1, 100, 'actions', 'own'),
  rule_values: limit(100, 'LIMIT_RULE_VALUES', 1, 10_000, 'values', 'own'),
  rule_text_characters: limit(500, 'LIMIT_RULE_TEXT_CHARACTERS', 1, 10_000, 'characters', 'own'),
  rule_pattern_characters: limit(200, 'LIMIT_RULE_PATTERN_CHARACTERS', 1, 10_000, 'characters', 'own'),
  rule_pattern_steps: limit(500, 'LIMIT_RULE_PATTERN_STEPS', 1, 100_000, 'steps', 'own'),
  row_text_characters: limit(1000, 'LIMIT_ROW_TEXT_CHARACTERS', 100, 100_000, 'characters', 'own'),
  dry_run_rows: limit(500, 'LIMIT_DRY_RUN_ROWS', 1, 5000, 'rows', 'own'),
  dry_run_seconds: limit(120, 'LIMIT_DRY_RUN_SECONDS', 1, 600, 'seconds', 'own'),
  verification_rows: limit(200_000, 'LIMIT_VERIFICATION_ROWS', 1, 700_000, 'rows', 'own'),
  verification_problems: limit(200, 'LIMIT_VERIFICATION_PROBLEMS', 1, 1000, 'problems', 'own'),
  verification_seconds: limit(600, 'LIMIT_VERIFICATION_SECONDS', 1, 3600, 'seconds', 'own'),
  verifications_at_once: limit(4, 'LIMIT_VERIFICATIONS_AT_ONCE', 1, 1000, 'verifications', 'own'),
  export_accounts: limit(100, 'LIMIT_EXPORT_ACCOUNTS', 1, 1000, 'accounts', 'own'),
  export_reads: limit(12, 'LIMIT_EXPORT_READS', 0, 10_000, 'accounts at once', 'own'),
  export_seconds: limit(3600, 'LIMIT_EXPORT_SECONDS', 1, 86_400, 'seconds', 'own'),
  preview_rows: limit(500, 'LIMIT_PREVIEW_ROWS', 1, 5000, 'rows', 'own'),
  previews_at_once: limit(2, 'LIMIT_PREVIEWS_AT_ONCE', 1, 1000, 'previews', 'own'),
  destination_resources: limit(1000, 'LIMIT_DESTINATION_RESOURCES', 1, 100_000, 'items', 'own'),
  budget_file_bytes: limit(67_108_864, 'LIMIT_BUDGET_FILE_BYTES', 65_536, 1_073_741_824, 'bytes', 'own'),
  sign_ins_at_once: limit(16, 'LIMIT_SIGN_INS_AT_ONCE', 1, 1000, 'attempts', 'own'),
  session_idle_days: limit(14, 'LIMIT_SESSION_IDLE_DAYS', 1, 365, 'days', 'own'),
  session_days: limit(90, 'LIMIT_SESSION_DAYS', 1, 365, 'days', 'own'),
  sessions_per_user: limit(20, 'LIMIT_SESSIONS_PER_USER', 1, 1000, 'sessions', 'own'),
  passkeys_per_user: limit(20, 'LIMIT_PASSKEYS_PER_USER', 1, 1000, 'passkeys', 'own'),
  push_devices: limit(10, 'LIMIT_PUSH_DEVICES', 1, 100, 'browsers', 'own'),
  notifications_per_day: limit(50, 'LIMIT_NOTIFICATIONS_PER_DAY', 1, 10_000, 'notifications a day', 'own'),
  notification_thresholds: limit(20, 'LIMIT_NOTIFICATION_THRESHOLDS', 1, 1000, 'amounts', 'own'),
  members: limit(20, 'LIMIT_MEMBERS', 1, 10_000, 'members', 'own'),
  audit_days: limit(400, 'LIMIT_AUDIT_DAYS', 1, 4_000, 'days', 'own'),
  audit_events_per_day: limit(2_000, 'LIMIT_AUDIT_EVENTS_PER_DAY', 1, 1_000_000, 'events a day', 'own'),
  audit_networks_per_day: limit(50, 'LIMIT_AUDIT_NETWORKS_PER_DAY', 1, 10_000, 'networks a day', 'own'),
  second_factor_attempts: limit(
    10,
    'LIMIT_SECOND_FACTOR_ATTEMPTS',
    1,
    1_000_000_000,
    'attempts in 15 minutes',
    'own',
  ),
  open_invitations: limit(20, 'LIMIT_OPEN_INVITATIONS', 1, 10_000, 'invitations', 'own'),
  invitation_days: limit(7, 'LIMIT_INVITATION_DAYS', 1, 365, 'days', 'own'),
  password_reset_minutes: limit(30, 'LIMIT_PASSWORD_RESET_MINUTES', 1, 1440, 'minutes', 'own'),
  password_reset_mails: limit(3, 'LIMIT_PASSWORD_RESET_MAILS', 1, 1000, 'mails in 15 minutes', 'own'),
  password_reset_account_mails: limit(
    10,
    'LIMIT_PASSWORD_RESET_ACCOUNT_MAILS',
    1,
    10_000,
    'mails in 15 minutes',
    'own',
  ),
  account_removal_days: limit(30, 'LIMIT_ACCOUNT_REMOVAL_DAYS', 1, 365, 'days', 'own'),
  first_run_hours: limit(24, 'LIMIT_FIRST_RUN_HOURS', 1, 8760, 'hours', 'own'),
  fresh_sign_in_minutes: limit(15, 'LIMIT_FRESH_SIGN_IN_MINUTES', 1, 1440, 'minutes', 'own'),
  sign_in_attempts: limit(10, 'LIMIT_SIGN_IN_ATTEMPTS', 1, 1_000_000_000, 'attempts in 15 minutes', 'own'),
  sign_in_address_attempts: limit(
    60,
    'LIMIT_SIGN_IN_ADDRESS_ATTEMPTS',
    1,
    1_000_000_000,
    'attempts in 15 minutes',
    'own',
  ),
  sign_in_account_attempts: limit(
    100,
    'LIMIT_SIGN_IN_ACCOUNT_ATTEMPTS',
    1,
    1_000_000_000,
    'attempts in 15 minutes',
    'own',
  ),
  password_checks_at_once: limit(2, 'LIMIT_PASSWORD_CHECKS_AT_ONCE', 1, 64, 'passwords', 'own'),
  password_checks_waiting: limit(64, 'LIMIT_PASSWORD_CHECKS_WAITING', 0, 10_000, 'passwords', 'own'),
  database_connections: limit(32, 'LIMIT_DATABASE_CONNECTIONS', 1, 1000, 'connections', 'own'),
  event_destinations: limit(10, 'LIMIT_EVENT_DESTINATIONS', 1, 1000, 'event destinations', 'contract'),
  event_days: limit(30, 'LIMIT_EVENT_DAYS', 1, 3650, 'days', 'own'),
  event_receivers_at_once: limit(
    128,
    'LIMIT_EVENT_RECEIVERS_AT_ONCE',
    2,
    10_000,
    'event destinations',
    'own',
  ),
  event_deadline_ms: limit(10_000, 'LIMIT_EVENT_DEADLINE_MS', 100, 60_000, 'milliseconds', 'own'),
  event_streams: limit(10, 'LIMIT_EVENT_STREAMS', 1, 1000, 'streams', 'own'),
  webhook_deliveries: limit(50, 'LIMIT_WEBHOOK_DELIVERIES', 1, 1000, 'deliveries', 'own'),
  replay_seconds: limit(600, 'LIMIT_REPLAY_SECONDS', 1, 3600, 'seconds', 'own'),
  replays_at_once: limit(4, 'LIMIT_REPLAYS_AT_ONCE', 1, 1000, 'replays', 'own'),
  webhook_chunk_rows: limit(500, 'LIMIT_WEBHOOK_CHUNK_ROWS', 1, 500, 'rows', 'own'),
  sync_interval_minutes: limit(360, 'LIMIT_SYNC_INTERVAL_MINUTES', 1, 10_080, 'minutes', 'own'),
  sync_schedule_times: limit(24, 'LIMIT_SYNC_SCHEDULE_TIMES', 1, 96, 'times a day', 'own'),
  sync_overlap_days: limit(14, 'LIMIT_SYNC_OVERLAP_DAYS', 1, 365, 'days', 'own'),
  sweep_recent_days: limit(90, 'LIMIT_SWEEP_RECENT_DAYS', 1, 3650, 'days', 'own'),
  sweep_recent_hours: limit(24, 'LIMIT_SWEEP_RECENT_HOURS', 1, 8760, 'hours', 'own'),
  sweep_year_days: limit(365, 'LIMIT_SWEEP_YEAR_DAYS', 1, 3650, 'days', 'own'),
  sweep_year_hours: limit(168, 'LIMIT_SWEEP_YEAR_HOURS', 1, 8760, 'hours', 'own'),
  sweep_all_hours: limit(720, 'LIMIT_SWEEP_ALL_HOURS', 1, 8760, 'hours', 'own'),
  sweep_young_days: limit(7, 'LIMIT_SWEEP_YOUNG_DAYS', 0, 365, 'days', 'own'),
  sweeps_at_once: limit(2, 'LIMIT_SWEEPS_AT_ONCE', 1, 1000, 'runs at once', 'own'),
  history_settle_minutes: limit(360, 'LIMIT_HISTORY_SETTLE_MINUTES', 1, 10_080, 'minutes', 'own'),
  run_deadline_minutes: limit(120, 'LIMIT_RUN_DEADLINE_MINUTES', 1, 1440, 'minutes', 'own'),
  runs_at_once: limit(8, 'LIMIT_RUNS_AT_ONCE', 1, 1000, 'runs', 'own'),
  run_slice_seconds: limit(10, 'LIMIT_RUN_SLICE_SECONDS', 1, 3600, 'seconds', 'own'),
  run_retry_seconds: limit(45, 'LIMIT_RUN_RETRY_SECONDS', 0, 600, 'seconds', 'own'),
  read_deadline_ms: limit(30_000, 'LIMIT_READ_DEADLINE_MS', 100, 600_000, 'milliseconds', 'own'),
  finish_deadline_ms: limit(60_000, 'LIMIT_FINISH_DEADLINE_MS', 1000, 600_000, 'milliseconds', 'own'),
  provider_calls: limit(32, 'LIMIT_PROVIDER_CALLS', 1, 1000, 'calls at once', 'own'),
  provider_calls_waiting: limit(256, 'LIMIT_PROVIDER_CALLS_WAITING', 0, 100_000, 'calls', 'own'),
  answer_object_bytes: limit(262_144, 'LIMIT_ANSWER_OBJECT_BYTES', 1024, 67_108_864, 'bytes', 'own'),
  answer_list_bytes: limit(4_194_304, 'LIMIT_ANSWER_LIST_BYTES', 1024, 67_108_864, 'bytes', 'own'),
  answer_page_bytes: limit(8_388_608, 'LIMIT_ANSWER_PAGE_BYTES', 1024, 67_108_864, 'bytes', 'own'),
  answer_error_bytes: limit(65_536, 'LIMIT_ANSWER_ERROR_BYTES', 0, 1_048_576, 'bytes', 'own'),
  answer_depth: limit(32, 'LIMIT_ANSWER_DEPTH', 4, 1000, 'levels', 'own'),
  answer_values: limit(200_000, 'LIMIT_ANSWER_VALUES', 100, 10_000_000, 'values', 'own'),
  answer_page_rows: limit(2000, 'LIMIT_ANSWER_PAGE_ROWS', 1, 100_000, 'rows', 'own'),
  list_rows: limit(5000, 'LIMIT_LIST_ROWS', 1, 100_000, 'rows', 'own'),
  list_pages: limit(50, 'LIMIT_LIST_PAGES', 1, 10_000, 'pages', 'own'),
  read_rows: limit(5_000_000, 'LIMIT_READ_ROWS', 1, 1_000_000_000, 'rows', 'own'),
  read_pages: limit(20_000, 'LIMIT_READ_PAGES', 1, 1_000_000, 'pages', 'own'),
  read_idle_pages: limit(200, 'LIMIT_READ_IDLE_PAGES', 1, 100_000, 'pages in a row', 'own'),
  shared_row_ids: limit(1000, 'LIMIT_SHARED_ROW_IDS', 0, 100_000, 'ids', 'own'),
  pending_rows: limit(5000, 'LIMIT_PENDING_ROWS', 1, 100_000, 'rows', 'own'),
  retired_rows: limit(10_000, 'LIMIT_RETIRED_ROWS', 2, 1_000_000, 'rows', 'own'),
  statement_deadline_ms: limit(10_000, 'LIMIT_STATEMENT_DEADLINE_MS', 100, 600_000, 'milliseconds', 'own'),
  count_store_deadline_ms: limit(500, 'LIMIT_COUNT_STORE_DEADLINE_MS', 50, 60_000, 'milliseconds', 'own'),
  balance_cache_minutes: limit(30, 'LIMIT_BALANCE_CACHE_MINUTES', 0, 1440, 'minutes', 'contract'),
  details_cache_minutes: limit(15, 'LIMIT_DETAILS_CACHE_MINUTES', 0, 1440, 'minutes', 'contract'),
  transactions_cache_minutes: limit(60, 'LIMIT_TRANSACTIONS_CACHE_MINUTES', 0, 1440, 'minutes', 'contract'),
  institutions_cache_seconds: limit(60, 'LIMIT_INSTITUTIONS_CACHE_SECONDS', 0, 3600, 'seconds', 'own'),
  cache_bytes: limit(67_108_864, 'LIMIT_CACHE_BYTES', 0, 17_179_869_184, 'bytes in process memory', 'own'),
  cache_owner_bytes: limit(33_554_432, 'LIMIT_CACHE_OWNER_BYTES', 0, 17_179_869_184, 'bytes', 'own'),
  names_at_once: limit(8, 'LIMIT_NAMES_AT_ONCE', 1, 1000, 'names', 'own'),
  names_waiting: limit(256, 'LIMIT_NAMES_WAITING', 0, 100_000, 'names', 'own'),
  name_deadline_ms: limit(4000, 'LIMIT_NAME_DEADLINE_MS', 50, 60_000, 'milliseconds', 'own'),
  live_balance_minutes: limit(15, 'LIMIT_LIVE_BALANCE_MINUTES', 0, 1440, 'minutes', 'contract'),
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;
export const LIMIT_NAMES: readonly LimitName[] = Object.keys(LIMITS).filter(isLimitName);

export function isLimitName(text: string): text is LimitName {
  return Object.hasOwn(LIMITS, text);
}

export type Limits = Readonly<Record<LimitName, number>>;

/** Fixed shapes, not settings: changing one would change the contract. */
export const FIXED_LIMITS = {
  metadata_key_characters: 40,
  metadata_value_characters: 500,
  key_name_characters: 100,
  key_prefix_characters: 16,
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
