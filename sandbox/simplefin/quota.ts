import { CallQuota } from '../shared/call-quota.ts';

const DAY_MS = 86_400_000;

/** How often an access may be used in a day; without a limit until one is set. */
export class Quota {
  readonly #now: () => number;
  #calls: CallQuota | null = null;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param amount null for no limit */
  set(amount: number | null): void {
    this.#calls = amount === null ? null : new CallQuota(this.#now, amount, DAY_MS);
  }

  take(user: string): boolean {
    return this.#calls === null || this.#calls.take(user) === null;
  }
}
