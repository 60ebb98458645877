import type { Clock } from './clock.ts';

/** How a bucket stands: what was counted in its window, and when the window ends (epoch milliseconds). */
export interface Tally {
  readonly used: number;
  readonly resetsAt: number;
}

interface Window {
  used: number;
  readonly resetsAt: number;
}

const FEW = 1_000;

/**
 * Counts in fixed windows, in this process and without a promise. A bucket's window begins with what is counted first
 * and its count starts from zero after it. At most `maxBuckets` are held; those whose windows began first make room.
 */
export class WindowCounter {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #maxBuckets: number;
  /** Oldest window first: all are equally long, so that is also the order in which they end. */
  readonly #windows = new Map<string, Window>();
  #sweepAt = 0;

  constructor(clock: Clock, windowMs: number, maxBuckets: number) {
    this.#clock = clock;
    this.#windowMs = windowMs;
    this.#maxBuckets = maxBuckets;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** Counts one. The tally is live: it shows what is counted later, too. */
  add(bucket: string): Tally {
    const now = this.#clock.now();
    const window = this.#windows.get(bucket);
    if (window !== undefined && this.#current(window, now)) {
      window.used += 1;
      return window;
    }
    this.#windows.delete(bucket);
    this.#makeRoom(now);
    const begun = { used: 1, resetsAt: now + this.#windowMs };
    this.#windows.set(bucket, begun);
    return begun;
  }

  /** What was counted, without counting; null for nothing. */
  look(bucket: string): Tally | null {
    const window = this.#windows.get(bucket);
    return window !== undefined && this.#current(window, this.#clock.now()) ? window : null;
  }

  /** A clock that was set back must not keep a window open for longer than a window lasts. */
  #current(window: Window, now: number): boolean {
    const left = window.resetsAt - now;
    return left > 0 && left <= this.#windowMs;
  }

  /**
   * Many at once and seldom: a map steps over the places of what was deleted from its beginning each time it is walked,
   * so making room for one bucket at a time would cost a stranger's request ten times what it costs now.
   */
  #makeRoom(now: number): void {
    if (this.#windows.size < this.#sweepAt) return;
    const enough = Math.floor(this.#maxBuckets * 0.75);
    for (const [bucket, window] of this.#windows) {
      if (this.#windows.size <= enough && this.#current(window, now)) break;
      this.#windows.delete(bucket);
    }
    this.#sweepAt = Math.min(this.#maxBuckets, Math.max(FEW, this.#windows.size * 2));
  }
}
