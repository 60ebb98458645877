import type { Clock } from '../../../platform/clock.ts';

const MOST = 5000;

/** What an adapter found out a moment ago, by key, for a while. The longest known makes room: it is only found out again. */
export class Remembered<Value> {
  readonly #clock: Clock;
  readonly #ms: number;
  /** The longest known first. */
  readonly #known = new Map<string, { readonly value: Value; readonly until: number }>();

  /** @param ms how long a value is remembered */
  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  has(key: string): boolean {
    if ((this.#known.get(key)?.until ?? 0) > this.#clock.now()) return true;
    this.#known.delete(key);
    return false;
  }

  add(key: string, value: Value): void {
    this.#known.delete(key);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < MOST) break;
      this.#known.delete(oldest);
    }
    this.#known.set(key, { value, until: this.#clock.now() + this.#ms });
  }

  forget(key: string): void {
    this.#known.delete(key);
  }

  forgetWhere(matches: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#known) if (matches(value)) this.#known.delete(key);
  }
}
