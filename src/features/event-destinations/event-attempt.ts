import { ATTEMPT_FAILURE_OF, clippedAnswer } from '../../platform/attempt-record.ts';
import type { Clock } from '../../platform/clock.ts';
import { OutgoingFailure } from '../../platform/outgoing-failure.ts';
import type { OutgoingHttp } from '../../platform/outgoing-http.ts';
import type { OutgoingResponse } from '../../platform/outgoing-response.ts';
import { retryAfterMs } from '../../platform/retry-after.ts';
import { eventSignatureHeaders } from '../../platform/webhook-signature.ts';
import type { DeliveryAttempt } from '../../storage/delivery-attempts.ts';
import { LONGEST_RETRY_AFTER_MS } from '../../vocabulary/event-deliveries.ts';

/** Where an event goes, and what signs it. */
export interface Receiver {
  readonly owner: string;
  readonly url: string;
  /** Newest first. */
  readonly secrets: readonly string[];
}

/** An attempt that ended, and what the receiver asked for. */
export interface EndedAttempt extends DeliveryAttempt {
  readonly delivered: boolean;
  /** Whether the receiver wants nothing more: 410. */
  readonly gone: boolean;
  /** How long it asked us to wait, in milliseconds; null where it did not. */
  readonly waitMs: number | null;
}

export interface AttemptDependencies {
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly clock: Clock;
  readonly limits: { readonly event_deadline_ms: number };
}

/**
 * Sends an event once. It is not cut off when the service stops: an answer is seconds away, and without it the event is
 * sent twice.
 */
export async function attemptDelivery(
  { http, clock, limits }: AttemptDependencies,
  { owner, url, secrets }: Receiver,
  event: { readonly id: string; readonly body: Buffer },
): Promise<EndedAttempt> {
  const at = clock.now();
  const { id, body } = event;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Tributary-Events/1.0',
    ...eventSignatureHeaders(secrets, id, Math.floor(at / 1000), body),
  };
  const deadlineMs = limits.event_deadline_ms;
  const begun = { at, status: null, failure: null, answer: null } as const;
  const durationMs = () => Math.max(0, clock.now() - at);
  try {
    const call = {
      method: 'POST',
      url,
      owner,
      headers,
      body,
      deadlineMs,
      expect: 'discard',
    } as const;
    const response = await http.request(call);
    const { status, ok } = response;
    return {
      ...begun,
      durationMs: durationMs(),
      status,
      answer: ok ? null : clippedAnswer(response),
      delivered: ok,
      gone: status === 410,
      waitMs: ok ? null : waitOf(response, clock),
    };
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error;
    const failure = ATTEMPT_FAILURE_OF[error.kind];
    return { ...begun, durationMs: durationMs(), failure, delivered: false, gone: false, waitMs: null };
  }
}

function waitOf(response: OutgoingResponse, clock: Clock): number | null {
  const asked = retryAfterMs(response.header('retry-after'), clock);
  return asked === undefined ? null : Math.min(asked, LONGEST_RETRY_AFTER_MS);
}
