import { ERROR_CODES, type ErrorCode, isErrorCode } from './error-codes.ts';

/** How v1 reports a failure: the status and the code, which is omitted from the body if it is null. */
export interface V1Row {
  readonly status: number;
  readonly code: string | null;
  /** If omitted, the message is the failure's own. */
  readonly message?: string;
}

const row = (status: number, code: string | null, message?: string): V1Row => ({
  status,
  code,
  ...(message !== undefined && { message }),
});

/** The refusals of v1 that no other surface has. */
export const V1_REFUSALS = {
  parameters_invalid: row(400, null),
  account_ids_missing: row(400, null),
  account_ids_empty: row(400, 'invalid_params'),
  too_many_accounts: row(400, 'too_many_accounts'),
  account_id_required: row(410, 'account_id_required'),
  client_disconnected: row(499, 'client_disconnected'),
} as const satisfies Record<string, V1Row>;

export type V1RefusalName = keyof typeof V1_REFUSALS;

/**
 * The codes of the service that v1 reports differently. Every other code has the same status and code in v1 as in
 * docs/errors.md. A test compares these tables with `docs/v1.md`.
 */
export const V1_ANSWERS = {
  parameter_invalid: row(400, null),
  parameter_missing: row(400, null),
  api_key_missing: row(401, null),
  api_key_invalid: row(401, null),
  oauth_token_invalid: row(401, null),
  resource_missing: row(404, null),
  too_many_auth_attempts: row(429, null),
  rate_limit_exceeded: row(429, null),
  too_many_concurrent_requests: row(429, null, 'Too many concurrent requests'),
  upstream_rate_limited: row(429, null),
  provider_wait: row(503, null),
  not_supported: row(501, null),
  upstream_unavailable: row(503, null),
  gateway_unavailable: row(503, null),
  upstream_timeout: row(503, null),
} as const satisfies Partial<Record<ErrorCode, V1Row>>;

/** The code of `resource_missing` if the parameter says which resource. */
export const V1_MISSING: Readonly<Record<string, V1Row>> = {
  connection: row(404, 'connection_not_found'),
  account: row(404, 'account_not_found'),
};

/** The code of `upstream_unavailable` while calls are paused because the provider failed several times in a row. */
export const V1_BREAKER_OPEN: V1Row = row(503, 'upstream_breaker_open');

const OWN: ReadonlyMap<string, V1Row> = new Map(Object.entries(V1_ANSWERS));

/** How v1 reports a code. */
export function v1RowOf(code: ErrorCode): V1Row {
  return OWN.get(code) ?? row(ERROR_CODES[code].status, code);
}

export const V1_ANSWERED: readonly ErrorCode[] = Object.keys(V1_ANSWERS).filter(isErrorCode);
