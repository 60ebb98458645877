const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * After how long each further attempt to deliver an event begins, counted from the end of the attempt before; each is
 * shortened at random by up to a tenth. All together they take at least 24 hours. docs/events.md shows the same table and a
 * test keeps the two equal.
 */
export const EVENT_RETRY_DELAYS_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  8 * HOUR_MS,
  24 * HOUR_MS,
];

/** The longest that a receiver can ask us to wait by `Retry-After`. */
export const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;

/** For how long a receiver may fail, without a success in between, before its event destination is disabled. */
export const DISABLED_AFTER_MS = 5 * 24 * HOUR_MS;

/**
 * After so long without an attempt, failing counts anew: nobody knows how the receiver was meanwhile. Longer than any
 * event that is sent again waits for its next attempt.
 */
export const QUIET_AFTER_MS = 2 * 24 * HOUR_MS;

/** Why an event destination is disabled. */
export const DISABLED_REASONS = ['owner', 'failing', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** How an attempt that was not answered ended. */
export const ATTEMPT_FAILURES = ['timeout', 'connection', 'refused_address', 'answer_too_large'] as const;
export type AttemptFailure = (typeof ATTEMPT_FAILURES)[number];
