interface Flight<V> {
  readonly result: Promise<V>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * One read per key at a time; callers that ask meanwhile share it. A caller that goes away stops waiting; the read
 * itself is aborted when the last one has gone.
 */
export class JoinedReads<V> {
  readonly #flights = new Map<string, Flight<V>>();

  /** How many reads are under way. */
  get size(): number {
    return this.#flights.size;
  }

  /** Rejects with `signal.reason` once aborted. `read` is given a signal of its own. */
  run(key: string, signal: AbortSignal, read: (signal: AbortSignal) => Promise<V>): Promise<V> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const flight = this.#flights.get(key) ?? this.#start(key, read);
    flight.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        flight.waiting -= 1;
        if (flight.waiting === 0) {
          this.#forget(key, flight);
          flight.controller.abort(signal.reason);
        }
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      const settle = () => signal.removeEventListener('abort', leave);
      flight.result.then(
        (value) => {
          settle();
          resolve(value);
        },
        (error: unknown) => {
          settle();
          reject(error);
        },
      );
    });
  }

  #start(key: string, read: (signal: AbortSignal) => Promise<V>): Flight<V> {
    const controller = new AbortController();
    // A microtask later, so that a read which throws at once finds its flight to remove.
    const result = Promise.resolve()
      .then(() => read(controller.signal))
      .finally(() => this.#forget(key, flight));
    const flight: Flight<V> = { result, controller, waiting: 0 };
    this.#flights.set(key, flight);
    return flight;
  }

  #forget(key: string, flight: Flight<V>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
