import type { Clock, SimulatedClock } from '../../../../src/platform/clock.ts';

const STEP_MS = 1_000;

/** A clock of a connector that does not wait: a sleep moves the clock of the test to where it ends. */
export class LeapingClock implements Clock {
  readonly #clock: SimulatedClock;
  /** Milliseconds slept so far, by each sleep. */
  readonly slept: number[] = [];

  constructor(clock: SimulatedClock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    const due = this.#clock.now() + ms;
    // In steps, so that leases are renewed on the way; others may move it too.
    do {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      this.#clock.advance(Math.min(STEP_MS, Math.max(0, due - this.#clock.now())));
    } while (this.#clock.now() < due);
  }
}
