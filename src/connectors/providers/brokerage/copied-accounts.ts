import type { Clock } from '../../../platform/clock.ts';
import { Remembered } from '../kit/remembered.ts';
import type { UserConnection } from './connections.ts';

const REMEMBERED_MS = 60_000;

/** What the vendor copies of an account. */
export type Copied = 'holdings' | 'trades';

/** Accounts whose first copy was not under way when they were last looked at. That is believed for a minute. */
export class CopiedAccounts {
  readonly #copied: Remembered<Copied>;

  constructor(clock: Clock) {
    this.#copied = new Remembered(clock, REMEMBERED_MS);
  }

  has(connection: UserConnection, account: string, what: Copied): boolean {
    return this.#copied.has(keyOf(connection, account, what));
  }

  add(connection: UserConnection, account: string, what: Copied): void {
    this.#copied.add(keyOf(connection, account, what), what);
  }
}

function keyOf({ customer, consent }: UserConnection, account: string, what: Copied): string {
  return JSON.stringify([customer, consent, account, what]);
}
