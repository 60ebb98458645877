import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from './clock.ts';

/** Gives back what the present call holds, such as its place among others, while `wait` lasts; then takes it again. */
export type Rest = (wait: () => Promise<void>) => Promise<void>;

const holdingNothing: Rest = (wait) => wait();

/** How long the work of one job in the background may spend, all in all, on waits before trying an unreachable vendor again. */
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

/** Does work for which no person waits: it may spend so much time, all in all, waiting to try an unreachable vendor again. */
export function withRetryBudget<T>(ms: number, work: () => Promise<T>): Promise<T> {
  return present.run({ budget: new RetryBudget(ms), rest: holdingNothing }, work);
}

/** Does work that waits for nobody, as one for which others wait. */
export function withoutRetryBudget<T>(work: () => Promise<T>): Promise<T> {
  return present.run(null, work);
}

/** Does work that holds something which `rest` gives back while it waits. */
export function resting<T>(rest: Rest, work: () => Promise<T>): Promise<T> {
  const now = presentBudget();
  return now === null ? work() : present.run({ ...now, rest }, work);
}

/** How long the present work may still wait, in milliseconds; 0 for work that a person waits for. */
export function retryBudgetLeftMs(): number {
  return presentBudget()?.budget.leftMs ?? 0;
}

/**
 * A clock for waits between the attempts of one call, which lets go of what the call holds meanwhile, and `end`, which
 * takes from the budget of the present work what the call took of it. Null for work without a budget.
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
