import type { OwnerId } from '../vocabulary/ids.ts';

interface Flight<V> {
  readonly result: Promise<V>;
  readonly controller: AbortController;
  waiting: number;
  /** Whether it continues without callers. */
  lingering: boolean;
}

/** Reads of one account record that may continue without callers; further ones are aborted. */
export const MOST_LINGERING = 16;

/**
 * One read per key at a time, shared by concurrent callers. A caller that leaves stops waiting; the read itself is
 * aborted when the last one has left, unless it lingers: then it continues until its deadline.
 */
export class JoinedReads<V> {
  readonly #flights = new Map<string, Flight<V>>();
  /** How many linger, of each account record. */
  readonly #lingering = new Map<OwnerId, number>();

  /** How many reads are in progress. */
  get size(): number {
    return this.#flights.size;
  }

  /**
   * Rejects with `signal.reason` once aborted. `read` gets its own signal. `lingers`: the account record whose share a
   * read takes that continues without callers; null for one that is aborted then.
   */
  run(
    key: string,
    signal: AbortSignal,
    read: (signal: AbortSignal) => Promise<V>,
    lingers: OwnerId | null = null,
  ): Promise<V> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const flight = this.#flights.get(key) ?? this.#start(key, read);
    flight.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        flight.waiting -= 1;
        if (flight.waiting === 0 && !this.#letLinger(flight, lingers)) {
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
    // A microtask later, so that a read which throws at once finds its entry to remove.
    const result = Promise.resolve()
      .then(() => read(controller.signal))
      .finally(() => this.#forget(key, flight));
    const flight: Flight<V> = { result, controller, waiting: 0, lingering: false };
    this.#flights.set(key, flight);
    return flight;
  }

  #letLinger(flight: Flight<V>, owner: OwnerId | null): boolean {
    if (owner === null || flight.lingering) return flight.lingering;
    const others = this.#lingering.get(owner) ?? 0;
    if (others >= MOST_LINGERING) return false;
    this.#lingering.set(owner, others + 1);
    flight.lingering = true;
    const end = () => {
      const left = (this.#lingering.get(owner) ?? 1) - 1;
      if (left > 0) this.#lingering.set(owner, left);
      else this.#lingering.delete(owner);
    };
    // There may be no caller left to handle its failure.
    flight.result.then(end, end);
    return true;
  }

  #forget(key: string, flight: Flight<V>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
