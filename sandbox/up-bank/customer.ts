import { idOf, type Movement } from './movement.ts';
import type { RowBook } from './row-book.ts';
import { merged, type Place, type Rows } from './rows.ts';

export type AccountType = 'TRANSACTIONAL' | 'SAVER' | 'HOME_LOAN';
export type Ownership = 'INDIVIDUAL' | 'JOINT';

/** What an account is. */
export interface AccountFacts {
  /** Unique among those of its owner. */
  readonly key: string;
  readonly name: string;
  readonly type: AccountType;
  readonly ownership: Ownership;
  /** Epoch ms. */
  readonly openedAt: number;
  readonly openingCents: number;
}

/** An account with its rows. */
export class UpAccount {
  readonly id: string;
  readonly facts: AccountFacts;
  readonly book: RowBook;
  readonly #computed: Rows | null;
  closed = false;

  /** @param computed rows in addition to those of the book */
  constructor(owner: string, facts: AccountFacts, book: RowBook, computed: Rows | null = null) {
    this.id = accountId(owner, facts.key);
    this.facts = facts;
    this.book = book;
    this.#computed = computed;
  }

  newestFirst(now: number, after: Place | null): Generator<Movement> {
    const own = this.book.newestFirst(now, after);
    return this.#computed === null ? own : merged(own, this.#computed.newestFirst(now, after));
  }

  /** The current rows, and the balance in cents, with holds already subtracted. */
  standing(now: number): { readonly posted: number; readonly held: number; readonly cents: number } {
    const [own, more] = [
      this.book.total(now),
      this.#computed?.total(now) ?? { posted: 0, held: 0, cents: 0 },
    ];
    return {
      posted: own.posted + more.posted,
      held: own.held + more.held,
      cents: this.facts.openingCents + own.cents + more.cents,
    };
  }
}

/** A customer of the bank. */
export interface Customer {
  /** Up's id of the person. */
  readonly id: string;
  /** How the sandbox identifies them. */
  readonly logIn: string;
  readonly name: string;
  readonly accounts: readonly UpAccount[];
}

export const accountId = (owner: string, key: string): string => idOf(owner, 'account', key);
export const customerId = (owner: string): string => idOf(owner, 'customer');
