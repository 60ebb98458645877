import type { EventDestinationRow } from '../../storage/event-destinations.ts';
import {
  DISABLED_AFTER_MS,
  type DisabledReason,
  EVENT_RETRY_DELAYS_MS,
  QUIET_AFTER_MS,
} from '../../vocabulary/event-deliveries.ts';
import type { EndedAttempt } from './event-attempt.ts';

/** Attempts in a row that may fail before a receiver is left alone for a while. */
const PATIENCE = 2;
/** The longest that it is left alone: after that one event finds out whether it is back. */
const LONGEST_REST_MS = 2 * 3_600_000;
/** The share of a delay by which it may be shortened at random, so that receivers are not all tried at once. */
const JITTER = 0.1;

/** What follows for an event destination from how the latest attempts ended. */
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
    this.#failedAt = before.failed_at ?? before.failing_since;
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
    // Of several answers, the longest wait counts, also where another event arrived meanwhile.
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

  /** Why the destination is to be disabled; null while it is not. */
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

/** After how long an event that failed so many times is due again; null after the last attempt. */
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
