import type { Tally } from '../../platform/window-counter.ts';

/**
 * Counts per bucket in fixed windows. In this process it answers at once; over a store it answers with a promise, so
 * that a caller that needs no store never waits.
 */
export interface Counter {
  /** Counts one in the bucket. */
  add(bucket: string): Tally | Promise<Tally>;
  /** What was counted, without counting; null for nothing. */
  look(bucket: string): Tally | null | Promise<Tally | null>;
}

/** How long the windows of all rate limits are (docs/limits.md: a minute). */
export const WINDOW_SECONDS = 60;
