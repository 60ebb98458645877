// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';
import type { Money } from './accounts.ts';

/** The balance of one account. Negative when in debit, unless balance_sign is unverified. */
export type Balance = {
  /** Which kind of object this is. */
  readonly object: 'balance';
  /** Id of the account, acct_…. */
  readonly account: string;
  readonly current: Money | null;
  readonly available: Money | null;
  /** ISO 4217, lower case. */
  readonly currency: string | null;
  /** When the bank reported it. */
  readonly observed_at: string | null;
  /** stale: reported before the bank could be asked again. unavailable: it could not be read; only in a list. */
  readonly freshness: 'fresh' | 'stale' | 'unavailable' | null;
  /** When an unavailable balance may be read again, where that is known. */
  readonly retry_after_seconds: number | null;
  /** Which part of the balance is null because it could not be read from the bank’s response, and why; null if all of it could. */
  readonly unreadable: {
    readonly field: 'currency' | 'current' | 'available';
    readonly reason: 'missing' | 'unreadable' | 'out_of_range' | 'too_long' | 'contradictory' | 'other_account';
  } | null;
  /** Loans and credit cards: what a positive figure of the bank means; owed is negated here. unverified: the balance is as the bank sends it, because its meaning is unknown. */
  readonly balance_sign: 'unverified' | 'owed' | 'in_credit' | null;
  /** Always true today. */
  readonly livemode: true;
};

export interface BalancesListInput {
  /** The account, acct_…. */
  readonly account: readonly string[];
}

/** Balances of many accounts at once. */
export class Balances {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * Read the balances of many banking accounts in one answer.
   *
   * Name each account with a parameter of its own: `account=acct_…&account=acct_…`. The answer has each once, in the order asked, on one page. An account that cannot be read is `unavailable` and does not fail the others.
   *
   * Needs `data:read`. Rate tier: `mid`.
   */
  list(input: BalancesListInput, options?: CallOptions): List<Balance> {
    return this.#calls.list(
      { id: 'list_balances', method: 'GET', path: '/v2/balances', query: ['account'] },
      input,
      options,
    );
  }
}
