import type { Clock } from './clock.ts';

/** The state of a bucket: the count in its window, and when the window ends (epoch milliseconds). */
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
 * Counts in fixed windows, synchronously in this process. A bucket's window begins with what is counted first and its
 * count starts from zero after it. At most `maxBuckets` are held; those with the oldest windows are dropped first.
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

  /** Counts one. The tally returned is live: it also shows what is counted later. */
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

  /** The current tally, without counting; null if there is none. */
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
   * Many at once, rarely: a map skips deleted entries at its beginning each time it is iterated, so dropping one bucket
   * at a time would make a stranger's request cost ten times as much.
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
