import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';

const FEW = 1_000;

/** Calls of this process. */
export class MemoryQuotaLog implements QuotaLog {
  readonly #clock: Clock;
  /** By key: when each call stops counting, by call, in the order recorded. */
  readonly #keys = new Map<string, Map<string, number>>();
  #sweepAt = FEW;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#keys.size;
  }

  take(key: string, call: string, bounds: QuotaBounds): number {
    const now = this.#clock.now();
    const calls = this.#live(key, now, bounds.windowMs);
    const [first] = calls.values();
    if (calls.size >= bounds.amount && first !== undefined) return Math.max(1, first - now);
    this.note(key, call, bounds.windowMs);
    return 0;
  }

  /** Records a call that was allowed elsewhere. */
  note(key: string, call: string, windowMs: number): void {
    const now = this.#clock.now();
    const calls = this.#live(key, now, windowMs);
    calls.set(call, now + windowMs);
    this.#keys.set(key, calls);
    if (this.#keys.size >= this.#sweepAt) this.#sweep(now);
  }

  /** The most calls that now count under one key, by the prefix of keys up to the first colon. */
  used(): ReadonlyMap<string, number> {
    const now = this.#clock.now();
    const used = new Map<string, number>();
    for (const [key, calls] of this.#keys) {
      const name = key.slice(0, key.indexOf(':'));
      const live = [...calls.values()].filter((until) => until > now).length;
      used.set(name, Math.max(used.get(name) ?? 0, live));
    }
    return used;
  }

  forget(key: string, call: string): void {
    this.#keys.get(key)?.delete(call);
  }

  /** A clock that was set back must not let a call count for longer than its window. */
  #live(key: string, now: number, windowMs: number): Map<string, number> {
    const calls = this.#keys.get(key) ?? new Map<string, number>();
    for (const [call, until] of calls) {
      if (until <= now || until - now > windowMs) calls.delete(call);
    }
    return calls;
  }

  #sweep(now: number): void {
    for (const [key, calls] of this.#keys) {
      if ([...calls.values()].every((until) => until <= now)) this.#keys.delete(key);
    }
    this.#sweepAt = Math.max(FEW, this.#keys.size * 2);
  }
}

/** How many calls may count at any time, each for `windowMs` after it was recorded. */
export interface QuotaBounds {
  readonly amount: number;
  readonly windowMs: number;
}

/** Calls to vendors, recorded individually, so that a quota holds in every interval of its length. */
export interface QuotaLog {
  /**
   * Records a call and returns 0; if the quota is used up, records nothing and returns the milliseconds until the
   * oldest call no longer counts.
   * @param call unique
   */
  take(key: string, call: string, bounds: QuotaBounds): number | Promise<number>;
  /** Removes a call that was recorded and not made. */
  forget(key: string, call: string): void | Promise<void>;
}

/** Actions permitted once per interval: each is a quota of one call, which counts until the next may be made. */
export class CountedTurns {
  readonly #log: QuotaLog;
  readonly #blind: (name: string) => string;

  /** @param blind what a store may know of a name */
  constructor(log: QuotaLog, blind: (name: string) => string) {
    this.#log = log;
    this.#blind = blind;
  }

  /**
   * Permits the action of that name: 0 if permitted, else the milliseconds until it next is.
   * @param turn unique, for `giveBack`
   */
  take(name: string, everyMs: number, turn: string = randomUUID()): number | Promise<number> {
    return this.#log.take(this.#key(name), turn, { amount: 1, windowMs: everyMs });
  }

  /** Permits the action again that took the turn and failed. */
  giveBack(name: string, turn: string): void | Promise<void> {
    return this.#log.forget(this.#key(name), turn);
  }

  #key(name: string): string {
    return `turn:${this.#blind(name)}`;
  }
}
