import type { LocalTime } from './local-times.ts';
import type { LocalDate } from './moments.ts';

export const SYNC_TYPES = ['transactions', 'holdings', 'trades'] as const;
export type SyncType = (typeof SYNC_TYPES)[number];

export const MAPPING_MODES = ['bulk', 'per_account'] as const;
export type MappingMode = (typeof MAPPING_MODES)[number];

/** Local days, both included, in the zone of each account: all that a backfill reads and delivers. */
export interface RunRange {
  readonly from: LocalDate;
  readonly to: LocalDate;
}

export const RUN_TRIGGERS = ['schedule', 'api', 'dashboard', 'webhook', 'resync'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/**
 * Why a run failed (docs/resources.md#sync-run) and its consequences. `attention` is the code that its sync then shows.
 */
export const RUN_FAILURES = {
  destination_auth_failed: { retryable: false, attention: 'destination_auth_expired' },
  destination_resource_missing: { retryable: false, attention: 'destination_resource_missing' },
  rate_limited: { retryable: true, attention: 'run_failed' },
  timeout: { retryable: true, attention: 'run_failed' },
  superseded: { retryable: false, attention: null },
  run_failed: { retryable: true, attention: 'run_failed' },
} as const;
export type RunFailureCode = keyof typeof RUN_FAILURES;
export const RUN_FAILURE_CODES = [
  'destination_auth_failed',
  'destination_resource_missing',
  'rate_limited',
  'timeout',
  'superseded',
  'run_failed',
] as const satisfies readonly RunFailureCode[];

/**
 * The result for one account in a run. `incomplete`: the run ended before the account was completely read and
 * delivered, or the provider reports that more of its history is coming.
 */
export const RUN_ACCOUNT_STATUSES = ['waiting', 'succeeded', 'failed', 'incomplete'] as const;
export type RunAccountStatus = (typeof RUN_ACCOUNT_STATUSES)[number];

/** `sync.attention.code` (docs/resources.md#sync): what needs a person's attention. */
export const ATTENTION_CODES = [
  'destination_auth_expired',
  'destination_resource_missing',
  'destination_disabled',
  'connection_lost',
  'consent_expired',
  'account_unavailable',
  'data_invalid',
  'run_failed',
] as const;
export type AttentionCode = (typeof ATTENTION_CODES)[number];

/** Whose attention it needs first: where it is not the owner's, a provider or the service may be the cause. */
const HELPS: Readonly<Record<AttentionCode, 'owner' | 'operator'>> = {
  destination_auth_expired: 'owner',
  destination_resource_missing: 'owner',
  destination_disabled: 'owner',
  connection_lost: 'owner',
  consent_expired: 'owner',
  account_unavailable: 'owner',
  data_invalid: 'operator',
  run_failed: 'operator',
};

/** Those that only the sync's owner can end, such as by a new consent. */
export const OWNER_ATTENTION_CODES = ATTENTION_CODES.filter((code) => HELPS[code] === 'owner');

/** Consequences of a sync's settings that its owner may not want (docs/resources.md#warnings). */
export const SYNC_WARNING_CODES = ['same_account_twice'] as const;
export type SyncWarningCode = (typeof SYNC_WARNING_CODES)[number];

export const SYNC_OPTION_DEFAULTS = {
  include_pending: false,
  mask_account_numbers: true,
  custom_categories: false,
  include_balances_tab: false,
} as const;

/**
 * Counts of a run (docs/resources.md#sync-run). `processed` counts every row read; the others say what happened to
 * them.
 */
export interface RunCounts {
  readonly processed: number;
  readonly added: number;
  readonly updated: number;
  readonly rejected: number;
  readonly skipped_by_rules: number;
}

/** Which category of the destination takes rows of a provider category. */
export interface CategoryMapping {
  readonly provider_category: string;
  readonly destination_category: string;
  readonly destination_category_name: string | null;
}

/** Options of a sync: what is read, and what is sent to the destination. */
export interface SyncOptions {
  readonly data_from: LocalDate;
  readonly include_pending: boolean;
  readonly mask_account_numbers: boolean;
  readonly custom_categories: boolean;
  readonly include_balances_tab: boolean;
}

/** When a sync runs, as its owner chose: at an interval, or at times of day in a zone. */
export type SyncSchedule =
  | { readonly interval_minutes: number }
  /** In ascending order, without repetition; an IANA zone. */
  | { readonly times: readonly LocalTime[]; readonly timezone: string };
