/** How long work may run before it yields to the event loop. */
const BUDGET_MS = 10;

/** Keeps long work that awaits nothing from blocking the event loop: between two steps, yield once `spent`. */
export class EventLoopBudget {
  #since = performance.now();

  get spent(): boolean {
    return performance.now() - this.#since >= BUDGET_MS;
  }

  /** Resolves after everything that was waiting has run, with a new budget. */
  async yieldToEventLoop(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
