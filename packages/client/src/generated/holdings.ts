// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';
import type { Money } from './accounts.ts';

/** A position of a brokerage account now. */
export type Holding = {
  /** hold_, a tag of the provider, and its id. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'holding';
  /** Id of the account, acct_…. */
  readonly account: string;
  readonly symbol: string | null;
  /** For people. */
  readonly name: string | null;
  readonly exchange: string | null;
  /** What it is a position in; null if the broker does not say. */
  readonly asset_type: 'stock' | 'adr' | 'etf' | 'mutual_fund' | 'closed_end_fund' | 'crypto' | 'option' | 'future' | 'cfd' | 'other' | null;
  /** ISO 4217, lower case. */
  readonly currency: string;
  /** A decimal as text. */
  readonly quantity: string;
  /** Rounded to the minor unit of the currency; with all decimals beside it, as every amount here. */
  readonly average_price: Money | null;
  readonly average_price_decimal: string | null;
  readonly current_price: Money | null;
  readonly current_price_decimal: string | null;
  readonly market_value: Money | null;
  readonly market_value_decimal: string | null;
  /** What selling now would gain, or lose. */
  readonly unrealized_pnl: Money | null;
  readonly unrealized_pnl_decimal: string | null;
  /** Always true today. */
  readonly livemode: true;
};

export interface HoldingsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
  /** The account, acct_…. */
  readonly account?: string | undefined;
}

/** What brokerage accounts hold, read live and never stored. Needs a Professional plan. */
export class Holdings {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List what a brokerage account holds now.
   *
   * `account` is required, unless `page` brings it along.
   *
   * Needs `data:read`. Rate tier: `heavy`.
   */
  list(input: HoldingsListInput = {}, options?: CallOptions): List<Holding> {
    return this.#calls.list(
      { id: 'list_holdings', method: 'GET', path: '/v2/holdings', query: ['limit', 'page', 'account'] },
      input,
      options,
    );
  }
}
