import type { Balance } from '#client';

/** A balance, and when its bank can be asked again (ISO instant) if it could not be read now and that is known. */
export type ReadBalance = Balance & { readonly again: string | null };

/** Older figures are not shown in place of one that cannot be read. */
const MOST_AGE_MS = 3_600_000;
const MOST_HELD = 1_000;

/**
 * The last balance of each account, in the memory of the page. Without caching, a bank allows a reading of an account
 * once in some minutes (docs/resources.md#caching), and every page asks: until it can be asked again, the figure that
 * the person has just seen stays, with its age.
 */
export class HeldBalances {
  readonly #held = new Map<string, Balance>();

  /** What to show of an answer that arrived at `now` (epoch ms). */
  settle(read: Balance, now: number): ReadBalance {
    const { account, freshness, retry_after_seconds: wait } = read;
    if (freshness !== 'unavailable') {
      this.#hold(read);
      return { ...read, again: null };
    }
    const again = wait === null ? null : new Date(now + wait * 1000).toISOString();
    const held = this.#held.get(account);
    // A sign that was answered since makes another figure of it.
    if (held === undefined || again === null || held.balance_sign !== read.balance_sign)
      return { ...read, again };
    if (now - Date.parse(held.observed_at ?? '') <= MOST_AGE_MS) return { ...held, again };
    this.#held.delete(account);
    return { ...read, again };
  }

  #hold(read: Balance): void {
    this.#held.delete(read.account);
    this.#held.set(read.account, read);
    const [oldest] = this.#held.keys();
    if (this.#held.size > MOST_HELD && oldest !== undefined) this.#held.delete(oldest);
  }
}

/** The earliest moment at which a balance can be read again; null if none waits for one. */
export function earliestAgain(read: Iterable<ReadBalance>): string | null {
  const [first] = [...read].flatMap(({ again }) => (again === null ? [] : [again])).toSorted();
  return first ?? null;
}
