import { ERROR_CODES, type ErrorCode, type ErrorType } from './error-codes.ts';

/** What the raiser adds to a code. `detail` is for the log of the operator and is never sent. */
export interface ServiceErrorOptions {
  readonly message?: string;
  readonly param?: string | null;
  readonly retryAfterSeconds?: number;
  /** Overrides the table's status; only `provider_wait` has two (docs/errors.md#provider_wait). */
  readonly status?: number;
  readonly detail?: string;
  readonly cause?: unknown;
}

/**
 * A failure with a code of docs/errors.md. Every surface renders it; any other error reaches a caller as
 * `internal_error`.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly type: ErrorType;
  readonly param: string | null;
  readonly retryAfterSeconds: number | null;
  readonly detail: string | null;

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    const row = ERROR_CODES[code];
    super(options.message ?? row.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = options.status ?? row.status;
    this.type = row.type;
    this.param = options.param ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.detail = options.detail ?? null;
  }
}

/** `resource_missing` for an id that does not exist or is not the caller's: the two must look the same. */
export function missing(resource: string, param: string | null = null): ServiceError {
  return new ServiceError('resource_missing', { message: `No such ${resource}.`, param });
}

/** `parameter_invalid` naming the field. */
export function invalidParameter(param: string, message: string): ServiceError {
  return new ServiceError('parameter_invalid', { param, message });
}
