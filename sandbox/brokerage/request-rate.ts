const WINDOW_MS = 60_000;

/** Requests of the latest minute, by whom they are counted for. */
export class RequestRate {
  readonly #now: () => number;
  readonly #requests = new Map<string, number[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts one request. `left` is negative where there was no room for it; `resetSeconds` until there is again. */
  count(key: string, most: number): { readonly left: number; readonly resetSeconds: number } {
    const now = this.#now();
    const kept = (this.#requests.get(key) ?? []).filter((at) => at > now - WINDOW_MS);
    const left = most - kept.length - 1;
    if (left >= 0) kept.push(now);
    this.#requests.set(key, kept);
    return { left, resetSeconds: Math.max(1, Math.ceil(((kept[0] ?? now) + WINDOW_MS - now) / 1000)) };
  }
}
