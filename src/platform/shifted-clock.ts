import { type Clock, systemClock } from './clock.ts';

/** The machine's clock, some time ahead: a whole service goes on working on it, and days can be made to pass. */
export class ShiftedClock implements Clock {
  #aheadMs: number;

  /** @param aheadMs how far ahead it begins, in milliseconds; below 0 it is behind */
  constructor(aheadMs = 0) {
    this.#aheadMs = aheadMs;
  }

  get aheadMs(): number {
    return this.#aheadMs;
  }

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  /** Waits are real ones, however far the clock is moved meanwhile. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal);
  }

  /** @param ms how much further; never back, since what is stored already would lie in the future */
  advance(ms: number): void {
    if (!(ms >= 0)) throw new RangeError('A shifted clock moves forward only.');
    this.#aheadMs += ms;
  }
}
