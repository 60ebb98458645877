import { ERROR_CODES, type ErrorCode, isErrorCode } from './error-codes.ts';

/** How v1 answers a failure: the status, and the code, which is left out of the body where it is null. */
export interface V1Row {
  readonly status: number;
  readonly code: string | null;
  /** Where it is left out, the message is the failure's own. */
  readonly message?: string;
}

const row = (status: number, code: string | null, message?: string): V1Row => ({
  status,
  code,
  ...(message !== undefined && { message }),
});

/** What v1 refuses by itself; no other surface has these. */
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
 * The codes of the service to which v1 gives an answer of its own. Every other code has in v1 the status and the code of
 * docs/errors.md. `docs/v1.md` shows these tables, and a test keeps page and tables equal.
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

/** What `resource_missing` is called where the parameter says which resource. */
export const V1_MISSING: Readonly<Record<string, V1Row>> = {
  connection: row(404, 'connection_not_found'),
  account: row(404, 'account_not_found'),
};

/** What `upstream_unavailable` is called where calls are paused because the provider failed several times in a row. */
export const V1_BREAKER_OPEN: V1Row = row(503, 'upstream_breaker_open');

const OWN: ReadonlyMap<string, V1Row> = new Map(Object.entries(V1_ANSWERS));

/** How v1 answers a code. */
export function v1RowOf(code: ErrorCode): V1Row {
  return OWN.get(code) ?? row(ERROR_CODES[code].status, code);
}

export const V1_ANSWERED: readonly ErrorCode[] = Object.keys(V1_ANSWERS).filter(isErrorCode);
