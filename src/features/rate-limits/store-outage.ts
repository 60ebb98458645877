import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { within } from '../../platform/within.ts';

/** A store that answers slower than this costs callers more than inexact limits would. */
const PATIENCE_MS = 500;
const LEAVE_ALONE_MS = 5_000;

/**
 * What happens when the store that processes share their counting in fails: this process counts for itself, so that
 * nothing is let through unlimited and nothing stops, and asks the store again after 5 seconds.
 */
export class StoreOutage {
  readonly #clock: Clock;
  readonly #log: Pick<Log, 'warn'>;
  #until = 0;

  constructor(clock: Clock, log: Pick<Log, 'warn'>) {
    this.#clock = clock;
    this.#log = log;
  }

  /** What the store answers, or `instead` where it fails or is being left alone. */
  async ask<T>(store: () => Promise<T>, instead: () => T): Promise<T> {
    if (this.#clock.now() < this.#until) return instead();
    try {
      return await within(store(), PATIENCE_MS);
    } catch (error) {
      // Everybody who was waiting fails at the same moment; one line tells of it.
      if (this.#clock.now() >= this.#until)
        this.#log.warn('Each process counts rate limits for itself: the shared store fails.', {}, error);
      this.#until = this.#clock.now() + LEAVE_ALONE_MS;
      return instead();
    }
  }
}
