import type { ErrorCode } from '../../../src/vocabulary/error-codes.ts';

/** What v2 says of a request that it refused (docs/errors.md). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | null;
  /** The member of the request that was refused, such as `conditions.all[0].value`. */
  readonly param: string | null;
  /** The page that says what to do. */
  readonly docUrl: string | null;
  readonly requestId: string | null;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    details: {
      readonly status: number;
      readonly code: ErrorCode | null;
      readonly param: string | null;
      readonly docUrl: string | null;
      readonly requestId: string | null;
      readonly retryAfterMs: number | null;
    },
  ) {
    super(message);
    this.status = details.status;
    this.code = details.code;
    this.param = details.param;
    this.docUrl = details.docUrl;
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** No answer came: the network is away, or the service is. */
export class Unreachable extends Error {}

/** Whether the same request may succeed a moment later. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof Unreachable;
  return error.status >= 500 || error.status === 429;
}
