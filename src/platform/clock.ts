/** The longest delay Node's timers hold; a longer one fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The only source of time in the product, so that tests and the sandbox can move it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves once `ms` have passed on this clock; rejects with `signal.reason` when aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The zone of the machine, from `TZ` or its settings; UTC where there is none, as in most containers. */
export function machineZone(): string {
  // Where TZ is empty or names no zone, Intl answers with none, or with one that it refuses itself.
  const zone: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    return zone === undefined
      ? 'UTC'
      : new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => {
    const due = performance.now() + ms;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      let timer: NodeJS.Timeout;
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const wait = () => {
        const left = due - performance.now();
        if (left <= LONGEST_TIMER_MS) {
          timer = setTimeout(
            () => {
              signal?.removeEventListener('abort', onAbort);
              resolve();
            },
            Math.max(0, left),
          );
        } else {
          timer = setTimeout(wait, LONGEST_TIMER_MS);
        }
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      wait();
    });
  },
};

type Sleeper = { due: number; wake: () => void };

/** A clock that stands still until it is moved. Sleepers wake, earliest first, when time passes them. */
export class SimulatedClock implements Clock {
  #now: number;
  #sleepers: Sleeper[] = [];

  /** @param start epoch milliseconds */
  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        due: this.#now + Math.max(0, ms),
        wake: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#sleepers.push(sleeper);
      this.#sleepers.sort((a, b) => a.due - b.due);
      if (ms <= 0) this.#wakeDue();
    });
  }

  /** How many sleeps are pending: lets a test wait until the code under test is asleep. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Jumps ahead at once. Code that sleeps again after waking counts from the new time. */
  advance(ms: number): void {
    this.#now += requireForward(ms);
    this.#wakeDue();
  }

  /**
   * Moves ahead from sleeper to sleeper and lets each run before the next, so a chain of sleeps inside the
   * window unfolds as it would on a real clock.
   */
  async runFor(ms: number): Promise<void> {
    const end = this.#now + requireForward(ms);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.#sleepers[0];
      if (next === undefined || next.due > end) break;
      this.#now = Math.max(this.#now, next.due);
      this.#wakeDue();
    }
    this.#now = Math.max(this.#now, end);
  }

  #wakeDue(): void {
    for (
      let next = this.#sleepers[0];
      next !== undefined && next.due <= this.#now;
      next = this.#sleepers[0]
    ) {
      this.#sleepers.shift();
      next.wake();
    }
  }
}

function requireForward(ms: number): number {
  if (!(ms >= 0)) throw new RangeError('A simulated clock moves forward only.');
  return ms;
}

/** The machine's clock, moved ahead: a whole service can keep running on it while days are made to pass. */
export class ShiftedClock implements Clock {
  #aheadMs: number;

  /** @param aheadMs how far ahead it starts, in milliseconds; behind if negative */
  constructor(aheadMs = 0) {
    this.#aheadMs = aheadMs;
  }

  get aheadMs(): number {
    return this.#aheadMs;
  }

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  /** Waits take real time, even if the clock is moved while they last. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal);
  }

  /** @param ms how much further; never back, since what is already stored would then be in the future */
  advance(ms: number): void {
    if (!(ms >= 0)) throw new RangeError('A shifted clock moves forward only.');
    this.#aheadMs += ms;
  }
}
