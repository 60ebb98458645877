import type { Clock } from '../../../platform/clock.ts';
import type { UserConnection } from './connections.ts';

const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 5000;

/** What the vendor copies of an account. */
export type Copied = 'holdings' | 'trades';

/** Accounts whose first copy was not under way when they were last looked at. That is believed for a minute. */
export class CopiedAccounts {
  readonly #clock: Clock;
  /** Until when each is taken to be whole, the longest known first. */
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(connection: UserConnection, account: string, what: Copied): boolean {
    const key = keyOf(connection, account, what);
    if ((this.#until.get(key) ?? 0) > this.#clock.now()) return true;
    this.#until.delete(key);
    return false;
  }

  add(connection: UserConnection, account: string, what: Copied): void {
    for (const oldest of this.#until.keys()) {
      if (this.#until.size < MOST_REMEMBERED) break;
      this.#until.delete(oldest);
    }
    this.#until.set(keyOf(connection, account, what), this.#clock.now() + REMEMBERED_MS);
  }
}

function keyOf({ customer, consent }: UserConnection, account: string, what: Copied): string {
  return JSON.stringify([customer, consent, account, what]);
}
