import type { Clock } from '../../../platform/clock.ts';
import type { OutgoingFailure } from '../../../platform/outgoing-failure.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { retryAfterMs } from '../../../platform/retry.ts';
import { DestinationFailure } from '../destination-failure.ts';

/** A failed attempt, whether another may help, and how long the receiver asked us to wait. */
export class FailedAttempt extends Error {
  readonly failure: DestinationFailure;
  readonly again: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(failure: DestinationFailure, again: boolean, retryAfterMs?: number) {
    super(failure.message, { cause: failure });
    this.name = 'FailedAttempt';
    this.failure = failure;
    this.again = again;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * What an answer outside 2xx means. 429 and 5xx are retried, every other status is the
 * receiver's final answer. Only after a 5xx is it unknown whether the receiver accepted the rows.
 */
export function failureOfAnswer(response: OutgoingResponse, origin: string, clock: Clock): FailedAttempt {
  const { status } = response;
  const said = `${origin} answered ${status}`;
  const final = (failure: DestinationFailure): FailedAttempt => new FailedAttempt(failure, false);
  if (status === 401 || status === 403) {
    return final(
      new DestinationFailure(
        'destination_auth_failed',
        `${said}: it does not accept the delivery's signature.`,
        {
          outcome: 'refused',
          retryable: false,
        },
      ),
    );
  }
  if (status === 404 || status === 410) {
    return final(
      new DestinationFailure(
        'destination_resource_missing',
        `${said}: nothing is listening at this address.`,
        {
          outcome: 'refused',
          retryable: false,
          disables: status === 410,
        },
      ),
    );
  }
  const waitMs = retryAfterMs(response.header('retry-after'), clock);
  const retryAfterSeconds = waitMs === undefined ? null : Math.ceil(waitMs / 1000);
  if (status === 429) {
    const more = { outcome: 'refused', retryable: true, retryAfterSeconds } as const;
    return new FailedAttempt(
      new DestinationFailure('rate_limited', `${said}: it limits requests.`, more),
      true,
      waitMs,
    );
  }
  if (status >= 500) {
    const more = { outcome: 'unknown', retryable: true, retryAfterSeconds } as const;
    return new FailedAttempt(new DestinationFailure('run_failed', `${said}.`, more), true, waitMs);
  }
  const why = status < 400 ? 'redirects are not followed' : 'it refuses the request';
  return final(
    new DestinationFailure('run_failed', `${said}: ${why}.`, { outcome: 'refused', retryable: false }),
  );
}

/** The failure for a call without an answer. A refused address is final: only the operator can permit it. */
export function failureOfCall(failure: OutgoingFailure): FailedAttempt {
  const outcome = failure.sent ? 'unknown' : 'refused';
  const code = failure.kind === 'timeout' ? 'timeout' : 'run_failed';
  const again = failure.kind !== 'refused_address';
  return new FailedAttempt(
    new DestinationFailure(code, failure.message, { outcome, retryable: again, cause: failure }),
    again,
  );
}
