import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { ATTEMPT_FAILURES, type AttemptFailure } from '../vocabulary/event-deliveries.ts';

const VERSION = 1;
/** Of a delivery; older ones are forgotten. */
export const ATTEMPTS_KEPT = 10;

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  /** Epoch milliseconds at which it began. */
  readonly at: number;
  readonly durationMs: number;
  /** Of the answer; null where there was none. */
  readonly status: number | null;
  /** Why there was no answer. */
  readonly failure: AttemptFailure | null;
  /** How an answer that is no success begins, as text; null for none. */
  readonly answer: string | null;
}

const Log = Type.Object({
  version: Type.Literal(VERSION),
  attempts: Type.Array(
    Type.Object({
      at: Type.Integer(),
      durationMs: Type.Integer(),
      status: Type.Union([Type.Integer(), Type.Null()]),
      failure: Type.Union([...ATTEMPT_FAILURES.map((one) => Type.Literal(one)), Type.Null()]),
      answer: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});

/** Attempts of a stored log, oldest first. @throws TypeError for a form that this version does not know */
export function attemptsOf(log: unknown): readonly DeliveryAttempt[] {
  if (log === null) return [];
  if (!Value.Check(Log, log)) throw new TypeError('a log of attempts has an unknown form');
  return log.attempts;
}

/** The log with more attempts, as it is stored. */
export function loggedAttempts(
  before: readonly DeliveryAttempt[],
  ...more: readonly DeliveryAttempt[]
): string {
  return JSON.stringify({ version: VERSION, attempts: [...before, ...more].slice(-ATTEMPTS_KEPT) });
}
