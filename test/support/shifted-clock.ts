import { type Clock, systemClock } from '../../src/platform/clock.ts';

/** The machine's clock, some time ahead: a whole service goes on working on it, and days can be made to pass. */
export class ShiftedClock implements Clock {
  #aheadMs = 0;

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  /** Waits are real ones, however far the clock is moved meanwhile. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal);
  }

  advance(ms: number): void {
    this.#aheadMs += ms;
  }
}
