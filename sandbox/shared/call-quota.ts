/** Calls that a simulated vendor allows in a rolling window, by what they count for. */
export class CallQuota {
  readonly #now: () => number;
  readonly #amount: number;
  readonly #windowMs: number;
  readonly #calls = new Map<string, number[]>();

  constructor(now: () => number, amount: number, windowMs: number) {
    this.#now = now;
    this.#amount = amount;
    this.#windowMs = windowMs;
  }

  /** Counts a call; null when it is allowed, else the milliseconds until one is again. */
  take(key: string): number | null {
    const now = this.#now();
    const begin = now - this.#windowMs;
    const calls = (this.#calls.get(key) ?? []).filter((at) => at > begin);
    this.#calls.set(key, calls);
    const [oldest = now] = calls;
    if (calls.length >= this.#amount) return oldest + this.#windowMs - now;
    calls.push(now);
    return null;
  }

  /** Calls counted in the window that ends now. */
  used(key: string): number {
    const begin = this.#now() - this.#windowMs;
    return (this.#calls.get(key) ?? []).filter((at) => at > begin).length;
  }

  clear(): void {
    this.#calls.clear();
  }
}
