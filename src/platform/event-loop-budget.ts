/** How long work may run before it yields to the event loop. */
const BUDGET_MS = 10;

/** Work that yielded, in the order in which it resumes. */
const waiting: (() => void)[] = [];

/**
 * Resumes one piece of work in each turn of the event loop, not all: otherwise, with many of them, a request that
 * arrives in between would wait for a slice of every one, at each of its steps.
 */
function nextTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(nextTurn);
}

/** Keeps long work that awaits nothing from blocking the event loop: between two steps, yield once `spent`. */
export class EventLoopBudget {
  #since = performance.now();

  get spent(): boolean {
    return performance.now() - this.#since >= BUDGET_MS;
  }

  /** Resolves after everything that was waiting has run and other work had its turn, with a new budget. */
  async yieldToEventLoop(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(nextTurn);
    });
    this.#since = performance.now();
  }
}
