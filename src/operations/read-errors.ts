import type { ErrorCode } from '../vocabulary/error-codes.ts';

/** The errors of any read of one account at its provider (docs/errors.md). */
export const ACCOUNT_READ_ERRORS: readonly ErrorCode[] = [
  'resource_missing',
  'wrong_endpoint_for_category',
  'not_supported',
  'account_unavailable',
  'provider_wait',
  'upstream_rate_limited',
  'upstream_bad_request',
  'upstream_failed',
  'upstream_auth_failed',
  'upstream_unavailable',
  'upstream_timeout',
];
