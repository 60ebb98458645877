import type { ErrorCode, ErrorType } from './generated/error-codes.ts';

/** What the service says of a request that it refused (docs/errors.md). */
export interface Refusal {
  readonly status: number;
  /** null: the answer was not the service's own, for example that of a proxy. */
  readonly type: ErrorType | null;
  readonly code: ErrorCode | null;
  /** The member of the request at fault, such as `conditions.all[0].value`. */
  readonly param: string | null;
  /** The page that says what to do. */
  readonly docUrl: string | null;
  readonly requestId: string | null;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs: number | null;
}

/** Everything this client raises, apart from a `DOMException` for a signal that you aborted. */
export class TributaryError extends Error {
  override readonly name: string = 'TributaryError';
}

/** No answer came: the network or the service is down, or the answer took longer than `timeoutMs`. */
export class UnreachableError extends TributaryError {
  override readonly name = 'UnreachableError';
}

/** The service refused the request. Branch on `code`, or on the class. */
export class ApiError extends TributaryError implements Refusal {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly type: ErrorType | null;
  readonly code: ErrorCode | null;
  readonly param: string | null;
  readonly docUrl: string | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;

  constructor(message: string, refusal: Refusal) {
    super(message);
    this.status = refusal.status;
    this.type = refusal.type;
    this.code = refusal.code;
    this.param = refusal.param;
    this.docUrl = refusal.docUrl;
    this.requestId = refusal.requestId;
    this.retryAfterMs = refusal.retryAfterMs;
  }
}

/** The request must be changed before it is sent again. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
}

/** The key or token is missing, unknown, revoked or expired. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** The key lacks a scope, or the plan does not include this. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
}

/** Too many requests; `retryAfterMs` says how long to wait. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** The idempotency key is in use, or was used with another request. */
export class IdempotencyError extends ApiError {
  override readonly name = 'IdempotencyError';
}

/** A bank, broker or destination did not answer, or refused. */
export class UpstreamError extends ApiError {
  override readonly name = 'UpstreamError';
}

/** The service failed. The same request may succeed later. */
export class ServiceFailure extends ApiError {
  override readonly name = 'ServiceFailure';
}

/** The signature of a delivery is missing, wrong or too old. Answer it with 400 and do nothing else. */
export class WebhookSignatureError extends TributaryError {
  override readonly name = 'WebhookSignatureError';
}

const CLASSES = {
  invalid_request_error: InvalidRequestError,
  authentication_error: AuthenticationError,
  permission_error: PermissionError,
  rate_limit_error: RateLimitError,
  idempotency_error: IdempotencyError,
  upstream_error: UpstreamError,
  api_error: ServiceFailure,
} as const satisfies Record<ErrorType, typeof ApiError>;

/** The error of the class that `refusal.type` names. */
export function apiError(message: string, refusal: Refusal): ApiError {
  const { type, status } = refusal;
  if (type !== null) return new CLASSES[type](message, refusal);
  if (status === 401) return new AuthenticationError(message, refusal);
  if (status === 403) return new PermissionError(message, refusal);
  if (status === 429) return new RateLimitError(message, refusal);
  return status >= 500 ? new ServiceFailure(message, refusal) : new ApiError(message, refusal);
}

/** Whether the same request may succeed a moment later. */
export function mayPass(error: unknown): boolean {
  if (error instanceof UnreachableError) return true;
  if (!(error instanceof ApiError)) return false;
  return error.status >= 500 || error.status === 429 || error.code === 'idempotency_key_in_use';
}
