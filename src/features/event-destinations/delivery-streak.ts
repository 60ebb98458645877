import { ATTEMPT_FAILURE_OF, clippedAnswer } from '../../platform/attempt-record.ts';
import type { Clock } from '../../platform/clock.ts';
import { OutgoingFailure } from '../../platform/outgoing-failure.ts';
import type { OutgoingHttp } from '../../platform/outgoing-http.ts';
import type { OutgoingResponse } from '../../platform/outgoing-response.ts';
import { retryAfterMs } from '../../platform/retry.ts';
import { eventSignatureHeaders } from '../../platform/webhook-signature.ts';
import type { EventDestinationRow } from '../../storage/event-destinations.ts';
import type { DeliveryAttempt } from '../../storage/webhook-deliveries.ts';
import {
  DISABLED_AFTER_MS,
  type DisabledReason,
  EVENT_RETRY_DELAYS_MS,
  LONGEST_RETRY_AFTER_MS,
  QUIET_AFTER_MS,
} from '../../vocabulary/event-deliveries.ts';

/** Where an event is sent, and the secrets that sign it. */
export interface Receiver {
  readonly owner: string;
  readonly url: string;
  /** Newest first. */
  readonly secrets: readonly string[];
}

/** The result of an attempt, and what the receiver asked for. */
export interface EndedAttempt extends DeliveryAttempt {
  readonly delivered: boolean;
  /** Whether the receiver wants no more events: 410. */
  readonly gone: boolean;
  /** How long it asked us to wait, in milliseconds, or null. */
  readonly waitMs: number | null;
}

export interface AttemptDependencies {
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly clock: Clock;
  readonly limits: { readonly event_deadline_ms: number };
}

/**
 * Sends an event once. Not aborted when the service stops, because the response takes only seconds, and without it the
 * event would be sent twice.
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

/** Failures in a row before a receiver is paused. */
const PATIENCE = 2;
/** The longest pause, after which one event finds out whether the receiver is back. */
const LONGEST_REST_MS = 2 * 3_600_000;
/** The fraction by which a delay may be shortened at random, so that receivers are not all tried at once. */
const JITTER = 0.1;

/** What the results of the latest attempts mean for an event destination. */
export type StreakChange = Pick<
  EventDestinationRow,
  'failures' | 'failing_since' | 'failed_at' | 'resume_at'
>;

/** Attempts in a row that failed at an event destination. */
export class DeliveryStreak {
  #failures: number;
  #failingSince: Date | null;
  #failedAt: Date | null;
  #waitMs: number | null = null;
  #gone = false;
  /** Whether the latest attempt that was counted here failed. */
  #isFailing = false;

  constructor(before: Pick<EventDestinationRow, 'failures' | 'failing_since' | 'failed_at'>) {
    this.#failures = before.failures;
    this.#failingSince = before.failing_since;
    this.#failedAt = before.failed_at;
  }

  /** @param now epoch milliseconds at which the attempt ended */
  count({ delivered, gone, waitMs }: EndedAttempt, now: number): void {
    this.#isFailing = !delivered;
    if (delivered) {
      this.#failures = 0;
      this.#failingSince = null;
      this.#failedAt = null;
      return;
    }
    this.#failures += 1;
    if (this.#failedAt === null || now - this.#failedAt.getTime() > QUIET_AFTER_MS)
      this.#failingSince = new Date(now);
    this.#failedAt = new Date(now);
    // Of several responses, the longest wait counts, even if another event was delivered meanwhile.
    if (waitMs !== null) this.#waitMs = Math.max(this.#waitMs ?? 0, waitMs);
    this.#gone ||= gone;
  }

  /** Whether nothing more is to be sent for now. */
  get isBroken(): boolean {
    return this.#gone || this.#waitMs !== null || (this.#isFailing && this.#failures >= PATIENCE);
  }

  /** Whether the next event is to be sent alone, to find out whether the receiver is back. */
  get isDoubtful(): boolean {
    return this.#failures > 0;
  }

  /** Why the destination is to be disabled, or null. */
  disabledReason(now: number): DisabledReason | null {
    if (this.#gone) return 'gone';
    const since = this.#failingSince;
    return since !== null && now - since.getTime() >= DISABLED_AFTER_MS ? 'failing' : null;
  }

  change(now: number, random: () => number): StreakChange {
    const rests = Math.max(
      this.#waitMs ?? 0,
      this.#failures >= PATIENCE ? restMs(this.#failures, random) : 0,
    );
    return {
      failures: this.#failures,
      failing_since: this.#failingSince,
      failed_at: this.#failedAt,
      resume_at: rests === 0 ? null : new Date(now + rests),
    };
  }
}

/** The delay before an event that failed this many times is due again; null after the last attempt. */
export function retryDelayMs(attempts: number, waitMs: number | null, random: () => number): number | null {
  const delay = EVENT_RETRY_DELAYS_MS[attempts - 1];
  return delay === undefined ? null : Math.max(waitMs ?? 0, shortened(delay, random));
}

function restMs(failures: number, random: () => number): number {
  const delay = EVENT_RETRY_DELAYS_MS[failures - PATIENCE] ?? LONGEST_REST_MS;
  return shortened(Math.min(delay, LONGEST_REST_MS), random);
}

const shortened = (delayMs: number, random: () => number): number =>
  Math.round(delayMs * (1 - JITTER * random()));
