import { ERROR_CODES } from '../vocabulary/error-codes.ts';
import { ServiceError } from '../vocabulary/service-error.ts';
import { UPSTREAM_FAILURES, UpstreamFailure } from '../vocabulary/upstream-failures.ts';

/** For failures that pass by themselves and did not say when. Seconds. */
const RETRY_AFTER_DEFAULT_S = 30;

/** What the owner of a destination is told, by code; the table of codes is the one of the banks. */
const MESSAGES: Readonly<Record<string, string>> = {
  upstream_auth_failed: 'rejected the grant of this destination; connect it again with a destination link.',
  upstream_rate_limited: 'limits requests; wait for Retry-After seconds.',
  upstream_timeout: 'did not answer in time; try again later.',
  upstream_unavailable: 'is not available; try again later.',
  upstream_bad_request: 'refused the request; change it before retrying.',
  upstream_failed: 'gave an answer that cannot be used, or refused the request for good.',
};

/** The error a caller sees when a destination's vendor failed; what is no UpstreamFailure is passed on as it is. */
export function destinationError(failure: unknown, vendor: string): unknown {
  if (!(failure instanceof UpstreamFailure)) return failure;
  const { code } = UPSTREAM_FAILURES[failure.situation];
  const shown = code in MESSAGES ? code : 'upstream_failed';
  const { status } = ERROR_CODES[shown];
  const said = shown === 'upstream_bad_request' ? ` ${failure.message}` : '';
  return new ServiceError(shown, {
    message: `${vendor} ${MESSAGES[shown] ?? ''}${said}`.trim(),
    ...(status === 429 || status === 503
      ? { retryAfterSeconds: failure.retryAfterSeconds ?? RETRY_AFTER_DEFAULT_S }
      : {}),
    detail: failure.message,
    cause: failure,
  });
}
