import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from './clock.ts';

/** Releases what the current call holds, such as its slot, for as long as `wait` lasts; then takes it again. */
export type Rest = (wait: () => Promise<void>) => Promise<void>;

const holdingNothing: Rest = (wait) => wait();

/** How long a background job may wait, in total, between attempts to reach a vendor. */
class RetryBudget {
  #leftMs: number;

  constructor(ms: number) {
    this.#leftMs = ms;
  }

  get leftMs(): number {
    return this.#leftMs;
  }

  spend(ms: number): void {
    this.#leftMs = Math.max(0, this.#leftMs - ms);
  }
}

interface Present {
  readonly budget: RetryBudget;
  readonly rest: Rest;
}

const present = new AsyncLocalStorage<Present | null>();

/**
 * Does work that no person waits for: it may spend this much time, in total, waiting between attempts to reach a
 * vendor.
 */
export function withRetryBudget<T>(ms: number, work: () => Promise<T>): Promise<T> {
  return present.run({ budget: new RetryBudget(ms), rest: holdingNothing }, work);
}

/** Does background work without a retry budget, because others wait for it. */
export function withoutRetryBudget<T>(work: () => Promise<T>): Promise<T> {
  return present.run(null, work);
}

/** Does work that holds something, which `rest` releases while it waits. */
export function resting<T>(rest: Rest, work: () => Promise<T>): Promise<T> {
  const now = presentBudget();
  return now === null ? work() : present.run({ ...now, rest }, work);
}

/** How long the current work may still wait, in milliseconds; 0 for work that a person waits for. */
export function retryBudgetLeftMs(): number {
  return presentBudget()?.budget.leftMs ?? 0;
}

/**
 * A clock for the waits between the attempts of one call, which releases what the call holds during each wait, and
 * `end`, which deducts the time of the call from the budget of the current work. Null for work without a budget.
 */
export function retryBudgetClock(clock: Clock): { readonly clock: Clock; readonly end: () => void } | null {
  const now = presentBudget();
  if (now === null) return null;
  let firstWaitAt: number | null = null;
  return {
    clock: {
      now: () => clock.now(),
      sleep: (ms, signal) => {
        firstWaitAt ??= clock.now();
        return now.rest(() => clock.sleep(ms, signal));
      },
    },
    end: () => {
      if (firstWaitAt !== null) now.budget.spend(clock.now() - firstWaitAt);
    },
  };
}

function presentBudget(): Present | null {
  const now = present.getStore() ?? null;
  return now !== null && now.budget.leftMs > 0 ? now : null;
}
