// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';
import type { Money } from './accounts.ts';

/** A row of an account. A pending row is provisional: it may vanish, and the posted row it becomes has another id. */
export type Transaction = {
  /** txn_, a tag of the provider, and its id. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'transaction';
  /** Id of the account, acct_…. */
  readonly account: string;
  readonly status: 'posted' | 'pending';
  /** The day in the zone of the account. */
  readonly date: string | null;
  /** The provider's moment, with its offset. */
  readonly datetime: string | null;
  readonly post_date: string | null;
  readonly post_datetime: string | null;
  readonly value_date: string | null;
  readonly value_datetime: string | null;
  readonly description: string;
  readonly reference: string | null;
  readonly extended_description: string | null;
  /** Negative for a debit. */
  readonly amount: Money;
  readonly direction: 'credit' | 'debit';
  /** A code of the provider category list. */
  readonly provider_category: string | null;
  /** The category of your own that claims the code, cat_…, or null. */
  readonly category: string | null;
  readonly merchant_name: string | null;
  readonly merchant_category_code: string | null;
  /** Always true today. */
  readonly livemode: true;
};

export interface TransactionsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
  /** First day, YYYY-MM-DD in the zone of the account. */
  readonly from?: string | undefined;
  /** Last day, included; today when absent. */
  readonly to?: string | undefined;
  /** The account, acct_…. */
  readonly account?: string | undefined;
  /** Whether rows that are not posted yet are listed too; false when absent. */
  readonly include_pending?: boolean | undefined;
}

export interface TransactionsGetInput {
  /** Id of the object. */
  readonly id: string;
  /** The account, acct_…. */
  readonly account: string;
  /** First day, YYYY-MM-DD in the zone of the account. */
  readonly from?: string | undefined;
  /** Last day, included; today when absent. */
  readonly to?: string | undefined;
}

export interface TransactionsExportInput {
  /** csv (the default), jsonl (one JSON object a line) or ofx (OFX 2.2: posted transactions, one statement for each account). */
  readonly format?: 'csv' | 'jsonl' | 'ofx' | 'ofx1' | 'qif' | undefined;
  /** First day, YYYY-MM-DD in the zone of the account. */
  readonly from?: string | undefined;
  /** Last day, included; today when absent. */
  readonly to?: string | undefined;
  /** csv: whether the file begins with a byte order mark; false when absent. */
  readonly bom?: boolean | undefined;
  /** csv: whether a cell that begins like a formula and is no number gets an apostrophe in front; true when absent. */
  readonly defuse_formulas?: boolean | undefined;
  /** report: the answer is multipart/form-data with the file as its part file, and a JSON list {account, rows} of how many rows of which account could not be read as its part set_aside. omit, the default: the file alone. */
  readonly set_aside?: 'omit' | 'report' | undefined;
  /** The account, acct_…. */
  readonly account: readonly string[];
  /** Whether rows that are not posted yet are listed too; false when absent. */
  readonly include_pending?: boolean | undefined;
  /** jsonl: report ends the rows of each account with a line that says how it went, so that one that cannot be read fails no other; abort, the default, ends the export. */
  readonly failures?: 'abort' | 'report' | undefined;
  /** How old rows may be that the service has cached; they are cached when it is sent, and read live when it is absent. */
  readonly max_age_seconds?: number | undefined;
}

/** Transactions of banking accounts, read live and never stored. */
export class Transactions {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List transactions of a banking account, newest first.
   *
   * `account` is required, unless `page` brings it along. Without dates: the last 30 days. Beyond 5,000 rows the answer carries `X-Service-Truncated: true`: narrow `from` and `to`.
   *
   * Needs `data:read`. Rate tier: `heavy`.
   */
  list(input: TransactionsListInput = {}, options?: CallOptions): List<Transaction> {
    return this.#calls.list(
      { id: 'list_transactions', method: 'GET', path: '/v2/transactions', query: ['limit', 'page', 'from', 'to', 'account', 'include_pending'] },
      input,
      options,
    );
  }

  /**
   * Find one transaction of an account by its id.
   *
   * Searches the window from `from` to `to`, the last 30 days without them.
   *
   * Needs `data:read`. Rate tier: `heavy`.
   */
  get(input: TransactionsGetInput, options?: CallOptions): Promise<Transaction> {
    return this.#calls.one(
      { id: 'get_transaction', method: 'GET', path: '/v2/transactions/:id', query: ['account', 'from', 'to'] },
      input,
      options,
    );
  }

  /**
   * Export transactions of banking accounts.
   *
   * Reads the bank live and streams the rows as the bank shows them, the last 30 days without dates. An export that cannot be completed is aborted, unless `failures=report`.
   *
   * Needs `data:read`. Rate tier: `heavy`.
   */
  export(input: TransactionsExportInput, options?: CallOptions): Promise<Response> {
    return this.#calls.stream(
      { id: 'export_transactions', method: 'GET', path: '/v2/transactions/export', query: ['format', 'from', 'to', 'bom', 'defuse_formulas', 'set_aside', 'account[]', 'include_pending', 'failures', 'max_age_seconds'] },
      input,
      options,
    );
  }
}
