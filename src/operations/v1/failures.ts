import type { ServiceError } from '../../vocabulary/service-error.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';
import {
  V1_BREAKER_OPEN,
  V1_MISSING,
  V1_REFUSALS,
  type V1RefusalName,
  type V1Row,
  v1RowOf,
} from '../../vocabulary/v1-errors.ts';

/** A failure as v1 shows it: never a cause, never a member of v2's envelope. */
export interface V1Failure {
  readonly status: number;
  readonly message: string;
  readonly code: string | null;
  readonly details: V1Details | null;
  /** Seconds; null if no one knows. */
  readonly retryAfterSeconds: number | null;
}

export function v1Failure(error: V1Refusal | ServiceError): V1Failure {
  if (error instanceof V1Refusal) {
    const { status, code } = V1_REFUSALS[error.reason];
    return { status, code, message: error.message, details: error.details, retryAfterSeconds: null };
  }
  const { status, code, message } = rowOf(error);
  return {
    status,
    code,
    message: message ?? error.message,
    details: detailsOf(error),
    retryAfterSeconds: error.retryAfterSeconds,
  };
}

/** The body of a failure: `code` and `details` are left out where there is nothing to say. */
export function v1ErrorBody({ message, code, details }: V1Failure): string {
  return JSON.stringify({
    error: { message, ...(code !== null && { code }), ...(details !== null && { details }) },
  });
}

function rowOf(error: ServiceError): V1Row {
  const row = v1RowOf(error.code);
  if (error.code === 'resource_missing') return V1_MISSING[error.param ?? ''] ?? row;
  if (error.code === 'upstream_unavailable' && isBreakerOpen(error.cause)) return V1_BREAKER_OPEN;
  // The one code with two statuses.
  if (error.code === 'provider_wait') return { ...row, status: error.status };
  return row;
}

function isBreakerOpen(cause: unknown): boolean {
  return cause instanceof UpstreamFailure && cause.situation === 'breaker_open';
}

function detailsOf({ code, param, message }: ServiceError): V1Details | null {
  const isOfParameter = code === 'parameter_invalid' || code === 'parameter_missing';
  return isOfParameter && param !== null && param !== '' ? { [param]: [message] } : null;
}

/** By the name of a parameter, what is wrong with it. Never empty. */
export type V1Details = Readonly<Record<string, readonly string[]>>;

/** A refusal that v1 alone has (docs/v1.md#errors). */
export class V1Refusal extends Error {
  readonly reason: V1RefusalName;
  readonly details: V1Details | null;

  constructor(reason: V1RefusalName, message: string, details: V1Details | null = null) {
    super(message);
    this.name = 'V1Refusal';
    this.reason = reason;
    this.details = details;
  }
}

/** The end of the day on which transactions of a whole connection ended, as an HTTP date (RFC 8594). */
export const ACCOUNT_ID_SUNSET = 'Tue, 30 Jun 2026 23:59:59 GMT';
