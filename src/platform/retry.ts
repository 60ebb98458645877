import type { Clock } from './clock.ts';
import { withResends } from './request-origin.ts';

/** When and how often to try again. */
export type RetryPlan = {
  /**
   * The wait before each further attempt; as many attempts follow the first as there are delays. Each is shortened at
   * random by up to half, so that callers which failed together do not retry together.
   */
  readonly delaysMs: readonly number[];
  readonly shouldRetry: (error: unknown) => boolean;
  /** What the peer asked for (Retry-After), in milliseconds; the wait is then at least that long. */
  readonly retryAfterMs?: (error: unknown) => number | undefined;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Give up rather than start an attempt later than this after the first. */
  readonly budgetMs?: number | undefined;
  /** From 0 up to 1; for tests. */
  readonly random?: () => number;
};

/**
 * Runs `work` until it succeeds, the plan is used up, or an error should not be retried; then raises the last
 * error. `work` gets the number of the attempt, from 1. An abort ends the wait at once with `signal.reason`.
 *
 * Written here because cockatiel's retry policy waits on the machine's timer, which a simulated clock cannot
 * move, does not end that wait when aborted, and knows neither Retry-After nor a budget.
 */
export async function retrying<T>(work: (attempt: number) => Promise<T>, plan: RetryPlan): Promise<T> {
  const started = plan.clock.now();
  for (let attempt = 1; ; attempt += 1) {
    plan.signal?.throwIfAborted();
    try {
      return await (attempt === 1 ? work(attempt) : withResends(attempt - 1, () => work(attempt)));
    } catch (error) {
      const delay = plan.delaysMs[attempt - 1];
      if (delay === undefined || plan.signal?.aborted || !plan.shouldRetry(error)) throw error;
      const jittered = delay * (1 - (plan.random ?? Math.random)() / 2);
      const wait = Math.max(jittered, plan.retryAfterMs?.(error) ?? 0);
      if (plan.budgetMs !== undefined && plan.clock.now() + wait - started > plan.budgetMs) throw error;
      await plan.clock.sleep(wait, plan.signal);
    }
  }
}

/** The most a header can ask for: daily quotas are honoured, and a server's mistake cannot stop us for longer. */
export const MOST_RETRY_AFTER_MS = 86_400_000;

/**
 * The wait that a Retry-After header asks for, in milliseconds: seconds or an HTTP date (RFC 9110, section 10.2.3), at
 * most a day. Undefined if there is none or it is malformed; 0 for a date that has passed.
 */
export function retryAfterMs(header: string | undefined, clock: Clock): number | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,300}$/.test(text)) return Math.min(MOST_RETRY_AFTER_MS, Number(text) * 1_000);
  if (!/^[A-Z][a-z]{2,8}, .{1,40}$/.test(text)) return undefined;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : Math.min(MOST_RETRY_AFTER_MS, Math.max(0, moment - clock.now()));
}
