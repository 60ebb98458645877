import type { RunFailureCode } from '../../vocabulary/syncs.ts';

/**
 * A chunk was not written, or its outcome is unknown. `message` contains the destination's origin and what happened,
 * and neither a secret nor a row.
 */
export class DestinationFailure extends Error {
  readonly code: RunFailureCode;
  /** `refused`: certainly nothing of the chunk was accepted. `unknown`: it may have been. */
  readonly outcome: 'refused' | 'unknown';
  /** Whether a later run may succeed without any action. */
  readonly retryable: boolean;
  /** The destination reported that it no longer exists: it is disabled at once. */
  readonly disables: boolean;
  /** How long the destination asked us to wait; null if it did not say. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: RunFailureCode,
    message: string,
    more: {
      outcome: 'refused' | 'unknown';
      retryable: boolean;
      disables?: boolean;
      retryAfterSeconds?: number | null;
      cause?: unknown;
    },
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'DestinationFailure';
    this.code = code;
    this.outcome = more.outcome;
    this.retryable = more.retryable;
    this.disables = more.disables ?? false;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }
}

/** The error, with the outcome `unknown` if it is a DestinationFailure: part of the chunk may have been accepted. */
export function withUnknownOutcome(error: unknown): unknown {
  if (!(error instanceof DestinationFailure) || error.outcome === 'unknown') return error;
  const { code, message, retryable, disables, retryAfterSeconds } = error;
  const known = { outcome: 'unknown', retryable, disables, retryAfterSeconds, cause: error } as const;
  return new DestinationFailure(code, message, known);
}
