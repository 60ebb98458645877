import type { KnownSeries } from '../platform/metrics.ts';
import { DESTINATION_TYPES } from '../vocabulary/destination-kinds.ts';
import { ERROR_CODES } from '../vocabulary/error-codes.ts';
import { FAILURE_CAUSES } from '../vocabulary/failure-causes.ts';
import { PROVIDER_IDENTIFIERS } from '../vocabulary/provider-kinds.ts';
import { SET_ASIDE_FIELDS } from '../vocabulary/set-aside-rows.ts';
import { FINAL_RUN_STATUSES } from '../vocabulary/states.ts';
import { CALL_VERDICTS } from '../vocabulary/upstream-failures.ts';

/** What each counter can count, in the words of docs/self-hosting.md#metrics. */
export const KNOWN_SERIES: KnownSeries = {
  tributary_requests_refused_total: Object.entries(ERROR_CODES)
    .filter(([, { status }]) => status === 429)
    .map(([code]) => ({ code })),
  tributary_failed_requests_total: FAILURE_CAUSES.map((cause) => ({ cause })),
  tributary_provider_calls_total: PROVIDER_IDENTIFIERS.flatMap((provider) =>
    CALL_VERDICTS.map((result) => ({ provider, result })),
  ),
  tributary_rows_set_aside_total: PROVIDER_IDENTIFIERS.flatMap((provider) =>
    SET_ASIDE_FIELDS.map((field) => ({ provider, field })),
  ),
  tributary_sync_rows_total: ['added', 'updated', 'rejected', 'skipped', 'set_aside'].map((outcome) => ({
    outcome,
  })),
  tributary_sync_runs_total: FINAL_RUN_STATUSES.map((status) => ({ status })),
  tributary_deliveries_total: [...DESTINATION_TYPES, 'event_destination'].flatMap((to) =>
    ['succeeded', 'failed'].map((outcome) => ({ to, outcome })),
  ),
  tributary_trace_spans_total: ['exported', 'queue_full', 'trace_full', 'failed', 'rejected'].map(
    (outcome) => ({ outcome }),
  ),
};
