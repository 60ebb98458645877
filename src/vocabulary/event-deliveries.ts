const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The delay of each further attempt to deliver an event, counted from the end of the previous attempt; each is
 * shortened at random by up to a tenth. Together they take at least 24 hours. A test compares them with docs/events.md.
 */
export const EVENT_RETRY_DELAYS_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  8 * HOUR_MS,
  24 * HOUR_MS,
];

/** The longest wait that a receiver can request with `Retry-After`. */
export const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;

/** How long a receiver may fail without a success before its event destination is disabled. */
export const DISABLED_AFTER_MS = 5 * 24 * HOUR_MS;

/**
 * After this time without an attempt, the count of failures starts over, since the state of the receiver in between is
 * unknown. Longer than the longest delay between two attempts.
 */
export const QUIET_AFTER_MS = 2 * 24 * HOUR_MS;

/** Why an event destination is disabled. */
export const DISABLED_REASONS = ['owner', 'failing', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** How an attempt without a response ended. */
export const ATTEMPT_FAILURES = ['timeout', 'connection', 'refused_address', 'answer_too_large'] as const;
export type AttemptFailure = (typeof ATTEMPT_FAILURES)[number];
