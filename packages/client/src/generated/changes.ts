// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { Transaction } from './transactions.ts';

/** How the transactions of an account differ from what a cursor stands for. Delete the removed rows and store the added and modified ones, together with next_cursor. */
export type TransactionChanges = {
  /** Which kind of object this is. */
  readonly object: 'transaction_changes';
  /** Id of the account, acct_…. */
  readonly account: string;
  /** YYYY-MM-DD */
  readonly from: string;
  /** Rows that you do not have. */
  readonly added: readonly Transaction[];
  /** Rows that you have, as they are now. */
  readonly modified: readonly Transaction[];
  /** Rows that you have and should delete. */
  readonly removed: readonly RemovedTransaction[];
  /** Whether more changes follow: ask again with next_cursor at once. */
  readonly has_more: boolean;
  /** Stands for your rows after these changes. Opaque; works for this account only. */
  readonly next_cursor: string;
  /** Rows that could not be read, at most 100 of them; X-Service-Rows-Set-Aside counts them all. What you have of them stays. */
  readonly set_aside: readonly {
    readonly id: string | null;
    readonly day: string | null;
    readonly field: 'id' | 'account' | 'amount' | 'currency' | 'date' | 'trade_date' | 'symbol' | 'quantity' | 'price' | 'total_amount' | 'row';
    readonly reason: 'missing' | 'unreadable' | 'out_of_range' | 'too_long' | 'contradictory' | 'other_account';
  }[];
  /** Always true today. */
  readonly livemode: true;
};

/** A row to delete. */
export type RemovedTransaction = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'removed_transaction';
  /** The added row that it became: a pending row that posted, or a row that the bank now lists under another id. Null if the bank no longer has it. */
  readonly replaced_by: string | null;
};

export interface ChangesListInput {
  /** The account, acct_…. */
  readonly account: string;
  /** The next_cursor of an earlier answer about this account. */
  readonly cursor?: string | undefined;
  /** How many days before today the feed begins; 30 when absent. */
  readonly days?: number | undefined;
  /** Whether pending rows are among them; false when absent. */
  readonly include_pending?: boolean | undefined;
  /** Changes an answer; the maximum when absent. */
  readonly limit?: number | undefined;
}

/** What changed in the transactions of an account since the last time: for programs that keep a copy of their own. */
export class Changes {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * What changed in the transactions of an account since a cursor.
   *
   * Without `cursor`: everything of the last `days` days, as added. Repeat with `next_cursor` while `has_more`, and with the last one whenever you want to know what changed since. A cursor may be repeated after a lost answer. Store rows and cursor together: an earlier cursor stands for the rows that you had when you got it, so going back to it means going back to those rows. `days` and `include_pending` belong to the request without `cursor`.
   *
   * Needs `data:read`. Rate tier: `heavy`.
   */
  list(input: ChangesListInput, options?: CallOptions): Promise<TransactionChanges> {
    return this.#calls.one(
      { id: 'list_changes', method: 'GET', path: '/v2/changes', query: ['account', 'cursor', 'days', 'include_pending', 'limit'] },
      input,
      options,
    );
  }
}
