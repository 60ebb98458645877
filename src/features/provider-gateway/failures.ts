import { ERROR_CODES } from '../../vocabulary/error-codes.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import {
  UPSTREAM_FAILURES,
  type UpstreamFailure,
  type UpstreamSituation,
} from '../../vocabulary/upstream-failures.ts';

/** For temporary failures that did not say when they end. Seconds. */
const RETRY_AFTER_DEFAULT_S = 30;

/** The message for the caller. `bank`: where it happened; `said`: the reason in the provider's words, scrubbed. */
const MESSAGES: Record<UpstreamSituation, (bank: string, said: string) => string> = {
  account_cooldown: (bank) =>
    `${bank} asked us to wait before reading this account again; retry after Retry-After seconds.`,
  pool_full: (bank) => `Too many reads of ${bank} are waiting; try again shortly.`,
  breaker_open: (bank) =>
    `${bank} failed several times in a row, so calls to it are paused; try again later.`,
  deadline: (bank) => `${bank} did not answer in time; try again later, or with a narrower window.`,
  connect: (bank) => `${bank} could not be reached; try again later.`,
  rate_limited: (bank) => `${bank} limits requests; retry after Retry-After seconds.`,
  not_ready: (bank) => `${bank} is still preparing the data of this connection; try again shortly.`,
  own_credentials: (bank) =>
    `${bank} refused this service's own credentials; the operator must correct them.`,
  grant_rejected: (bank) => `${bank} rejected this connection's authorisation; reauthorise the connection.`,
  account_gone: (bank) => `${bank} no longer returns this account.`,
  temporarily_unavailable: (bank) => `${bank} cannot serve this account at the moment; try again later.`,
  bad_request: (bank, said) => `${bank} rejected the request; change it before retrying. ${said}`,
  stale_cursor: (bank) => `${bank} did not return the complete list; try again, or with a narrower window.`,
  not_implemented: (bank) => `${bank} does not support this.`,
  server_error: (bank) => `${bank} failed to answer; try again later.`,
  gateway_timeout: (bank) => `${bank} did not receive its answer in time; try again later.`,
  malformed: (bank) => `${bank} sent an unusable answer.`,
  other: (bank) => `${bank} refused the request.`,
  live_balance_too_soon: (bank) =>
    `A live balance was requested from ${bank} a moment ago; retry after Retry-After seconds.`,
};

/** The error that a caller gets for an upstream failure (the table in vocabulary/upstream-failures.ts). */
export function serviceErrorOf(failure: UpstreamFailure, bank: string): ServiceError {
  const row: { code: keyof typeof ERROR_CODES; status?: number } = UPSTREAM_FAILURES[failure.situation];
  const status = row.status ?? ERROR_CODES[row.code].status;
  const waits = status === 429 || status === 503;
  return new ServiceError(row.code, {
    message: MESSAGES[failure.situation](bank, failure.message).trim(),
    status,
    ...(waits ? { retryAfterSeconds: failure.retryAfterSeconds ?? RETRY_AFTER_DEFAULT_S } : {}),
    detail: failure.message,
    cause: failure,
  });
}
