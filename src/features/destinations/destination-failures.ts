import { DestinationFailure } from '../../connectors/destinations/destination-failure.ts';
import type { DestinationConnection } from '../../vocabulary/destination-kinds/kind.ts';
import { DESTINATION_KINDS, type DestinationType } from '../../vocabulary/destination-kinds.ts';
import { ERROR_CODES, type ErrorCode } from '../../vocabulary/error-codes.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { RUN_FAILURES, type RunFailureCode } from '../../vocabulary/syncs.ts';
import {
  UPSTREAM_FAILURES,
  UpstreamFailure,
  type UpstreamSituation,
} from '../../vocabulary/upstream-failures.ts';

/** The retry time, in seconds, of temporary failures that name none. */
const RETRY_AFTER_DEFAULT_S = 30;

/** What the owner of a destination reads, by code; the table of codes is the one of the banks. */
const MESSAGES: Readonly<Record<string, string>> = {
  upstream_auth_failed: 'rejected the grant of this destination;',
  upstream_rate_limited: 'limits requests; retry after Retry-After seconds.',
  upstream_timeout: 'did not answer in time; try again later.',
  upstream_unavailable: 'is not available; try again later.',
  upstream_bad_request: 'refused the request; change it before retrying.',
  upstream_failed: 'sent an unusable answer, or refused the request permanently.',
};

/** How a destination whose grant is no longer valid is connected again. */
const CONNECT_AGAIN: Readonly<Record<DestinationConnection, string>> = {
  link: 'connect it again with a destination link.',
  url: 'change its target.',
  secret: 'send a new secret to POST /v2/destinations/{id}.',
  direct: 'ask the operator of this service.',
};

/** What the owner is to do about a destination of this type whose grant is no longer valid. */
function connectAgain(type: DestinationType): string {
  return CONNECT_AGAIN[DESTINATION_KINDS[type].connects];
}

/** For a destination whose grant is known to be invalid: its vendor is not called. */
export function lapsedGrant(type: DestinationType): ServiceError {
  const message = `The grant of this destination is no longer valid; ${connectAgain(type)}`;
  return new ServiceError('upstream_auth_failed', { message });
}

/** The code of a failed write, as if it had been a read. */
const SITUATIONS: Readonly<Record<RunFailureCode, UpstreamSituation>> = {
  destination_auth_failed: 'grant_rejected',
  destination_resource_missing: 'bad_request',
  rate_limited: 'rate_limited',
  timeout: 'deadline',
  superseded: 'other',
  run_failed: 'other',
};

/** What a failure of a read or of a sign-in is called when it ends a run; `run_failed` where it is not named. */
const RUN_CODES: Partial<Record<UpstreamSituation, RunFailureCode>> = {
  grant_rejected: 'destination_auth_failed',
  rate_limited: 'rate_limited',
  account_cooldown: 'rate_limited',
  deadline: 'timeout',
  gateway_timeout: 'timeout',
};
const LASTING: ReadonlySet<UpstreamSituation> = new Set(['bad_request', 'not_implemented']);

/** A vendor's failure as one that ends a run; anything else is passed on unchanged. */
export function runFailure(failure: unknown, outcome: DestinationFailure['outcome']): unknown {
  if (!(failure instanceof UpstreamFailure)) return failure;
  const code = RUN_CODES[failure.situation] ?? 'run_failed';
  const retryable = RUN_FAILURES[code].retryable && !LASTING.has(failure.situation);
  return new DestinationFailure(code, `The destination: ${failure.message}`, {
    outcome,
    retryable,
    retryAfterSeconds: failure.retryAfterSeconds,
    cause: failure,
  });
}

/** A failed renewal of a grant: it has written nothing, whether or not the vendor answered. */
export function renewalFailure(failure: unknown): unknown {
  if (!(failure instanceof DestinationFailure)) return runFailure(failure, 'refused');
  if (failure.outcome === 'refused') return failure;
  const { code, message, retryable, disables, retryAfterSeconds } = failure;
  const known = { outcome: 'refused', retryable, disables, retryAfterSeconds, cause: failure } as const;
  return new DestinationFailure(code, message, known);
}

/** The error a caller sees when a destination's vendor failed; any other failure is passed on unchanged. */
export function destinationError(raised: unknown, type: DestinationType, vendor: string): unknown {
  const failure =
    raised instanceof DestinationFailure
      ? new UpstreamFailure(SITUATIONS[raised.code], raised.message, {
          cause: raised,
          ...(raised.retryAfterSeconds === null ? {} : { retryAfterSeconds: raised.retryAfterSeconds }),
        })
      : raised;
  if (!(failure instanceof UpstreamFailure)) return failure;
  const { code } = UPSTREAM_FAILURES[failure.situation];
  const shown = code in MESSAGES ? code : 'upstream_failed';
  const { status } = ERROR_CODES[shown];
  const more: Partial<Record<ErrorCode, string>> = {
    upstream_bad_request: ` ${failure.message}`,
    upstream_auth_failed: ` ${connectAgain(type)}`,
  };
  const said = more[shown] ?? '';
  return new ServiceError(shown, {
    message: `${vendor} ${MESSAGES[shown] ?? ''}${said}`.trim(),
    ...(status === 429 || status === 503
      ? { retryAfterSeconds: failure.retryAfterSeconds ?? RETRY_AFTER_DEFAULT_S }
      : {}),
    detail: failure.message,
    cause: failure,
  });
}
