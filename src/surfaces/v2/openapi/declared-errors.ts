import type { Operation } from '../../../operations/operation.ts';
import { ERROR_CODES, type ErrorCode, isErrorCode } from '../../../vocabulary/error-codes.ts';

/** What every operation can answer: errors of the steps before it, of the query parser, and internal ones. */
const ALWAYS: readonly ErrorCode[] = [
  'api_key_missing',
  'api_key_invalid',
  'oauth_token_invalid',
  'ip_not_allowed',
  'too_many_auth_attempts',
  'version_required',
  'version_invalid',
  'version_unknown',
  'plan_upgrade_required',
  'rate_limit_exceeded',
  'parameter_invalid',
  'include_invalid',
  'gateway_unavailable',
  'internal_error',
];

const OF_BODIES: readonly ErrorCode[] = ['body_invalid', 'body_too_large'];
const OF_IDEMPOTENCY: readonly ErrorCode[] = [
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'idempotency_key_in_use',
];

/**
 * Every code an operation can answer, each once, in the order of the error table: its own and those of its shape
 * (docs/errors.md). The description lists them, and tests compare every answer with them. Pure.
 */
export function declaredErrors(operation: Operation): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([...ALWAYS, ...operation.errors]);
  const add = (when: boolean, more: readonly ErrorCode[]) => {
    if (when) for (const code of more) codes.add(code);
  };
  add(operation.scope !== null || operation.alsoScopes.length > 0, ['insufficient_scope']);
  add(operation.tier === 'heavy', ['too_many_concurrent_requests']);
  const { page, limit: _limit, ...filters } = operation.query.properties;
  add(page !== undefined, ['page_invalid']);
  add(page !== undefined && Object.keys(filters).length > 0, ['page_filters_changed']);
  add(requiresSomething(operation.query) || requiresSomething(operation.body), ['parameter_missing']);
  // Also for operations without a body: what is sent is read until it exceeds the limit.
  add(operation.method !== 'GET', OF_BODIES);
  add(operation.effect !== 'reads', OF_IDEMPOTENCY);
  return ORDER.filter((code) => codes.has(code));
}

/** The statuses a code is answered with; only `provider_wait` has two (docs/errors.md#provider_wait). */
export function statusesOf(code: ErrorCode): readonly number[] {
  return code === 'provider_wait' ? [429, 503] : [ERROR_CODES[code].status];
}

const ORDER: readonly ErrorCode[] = Object.keys(ERROR_CODES).filter(isErrorCode);

/** Whether omitting something can be an error, at any depth. */
function requiresSomething(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if ('required' in schema && Array.isArray(schema.required) && schema.required.length > 0) return true;
  return Object.values(schema).some(requiresSomething);
}
