import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { withTimeout } from '../../platform/with-timeout.ts';

const LEAVE_ALONE_MS = 5_000;

/**
 * What happens when the store that processes share their counting in fails: this process counts for itself, so that
 * nothing is let through unlimited and nothing stops, and asks the store again after 5 seconds.
 */
export class StoreOutage {
  readonly #clock: Clock;
  readonly #log: Pick<Log, 'warn'>;
  readonly #deadlineMs: number;
  #until = 0;

  /** @param deadlineMs how long a request waits for the store (`count_store_deadline_ms`) */
  constructor(clock: Clock, log: Pick<Log, 'warn'>, deadlineMs: number) {
    this.#clock = clock;
    this.#log = log;
    this.#deadlineMs = deadlineMs;
  }

  /** What the store answers, or `instead` where it fails or is being left alone. */
  async ask<T>(store: () => Promise<T>, instead: () => T): Promise<T> {
    if (this.#clock.now() < this.#until) return instead();
    try {
      return await withTimeout(store(), this.#deadlineMs);
    } catch (error) {
      // Everybody who was waiting fails at the same moment; it is logged once.
      if (this.#clock.now() >= this.#until)
        this.#log.warn('Shared rate-limit store failing; each process counts for itself.', {}, error);
      this.#until = this.#clock.now() + LEAVE_ALONE_MS;
      return instead();
    }
  }
}
