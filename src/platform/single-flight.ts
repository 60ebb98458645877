import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Runs one piece of work per key at a time: callers that ask while it runs share its result or its error. Nothing is
 * cached; the next call starts again.
 */
export class SingleFlight<V> {
  readonly #running = new Map<string, Promise<V>>();
  /** Shared work does not inherit the transaction of its first caller. */
  readonly #apart = AsyncLocalStorage.snapshot();

  /** How many keys have work running. */
  get size(): number {
    return this.#running.size;
  }

  run(key: string, work: () => Promise<V>): Promise<V> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    // Deferred by one microtask, so that work which throws at once still finds its entry to remove.
    const flight = Promise.resolve()
      .then(() => this.#apart(work))
      .finally(() => this.#running.delete(key));
    this.#running.set(key, flight);
    return flight;
  }
}
