// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';
import type { Money } from './accounts.ts';

/** A movement of a brokerage account. */
export type Trade = {
  /** trd_, a tag of the provider, and its id. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'trade';
  /** Id of the account, acct_…. */
  readonly account: string;
  readonly symbol: string | null;
  /** For people. */
  readonly name: string | null;
  /** What happened; `other` for what has no word here. */
  readonly type: 'buy' | 'sell' | 'dividend' | 'split' | 'transfer' | 'fee' | 'interest' | 'other';
  /** A decimal as text. */
  readonly quantity: string | null;
  /** Rounded to the minor unit of the currency; with all decimals beside it, as every amount here. */
  readonly price: Money | null;
  readonly price_decimal: string | null;
  /** ISO 4217, lower case. */
  readonly currency: string;
  readonly total_amount: Money | null;
  readonly total_amount_decimal: string | null;
  readonly fees: Money | null;
  readonly fees_decimal: string | null;
  /** YYYY-MM-DD */
  readonly trade_date: string;
  readonly settlement_date: string | null;
  readonly description: string | null;
  /** Always true today. */
  readonly livemode: true;
};

export interface TradesListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
  /** The account, acct_…. */
  readonly account?: string | undefined;
  /** First day, YYYY-MM-DD in the zone of the account. */
  readonly from?: string | undefined;
  /** Last day, included; today when absent. */
  readonly to?: string | undefined;
}

/** What brokerage accounts bought, sold and were paid. Needs a Professional plan. */
export class Trades {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List trades of a brokerage account, newest first.
   *
   * `account` is required, unless `page` brings it along.
   *
   * Needs `data:read`. Rate tier: `heavy`.
   */
  list(input: TradesListInput = {}, options?: CallOptions): List<Trade> {
    return this.#calls.list(
      { id: 'list_trades', method: 'GET', path: '/v2/trades', query: ['limit', 'page', 'account', 'from', 'to'] },
      input,
      options,
    );
  }
}
