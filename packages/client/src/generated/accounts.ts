// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';
import type { Account } from './connections.ts';
import type { Balance } from './balances.ts';

export type Money = {
  /** Minor units: cents, yen. */
  readonly amount: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
};

/** The product behind an account. Often empty or null in part, because banks vary in what they supply. */
export type AccountDetails = {
  /** Which kind of object this is. */
  readonly object: 'account_details';
  /** Id of the account, acct_…. */
  readonly account: string;
  readonly product_name: string | null;
  /** The headline rate as a fraction: 0.05 means 5%. */
  readonly deposit_rate: string | null;
  readonly deposit_rates: readonly DepositRate[];
  /** The headline rate as a fraction. */
  readonly lending_rate: string | null;
  readonly lending_rates: readonly LendingRate[];
  readonly fees: readonly Fee[];
  readonly features: readonly Feature[];
  /** Loan accounts only. */
  readonly loan_details: LoanDetails | null;
  /** Always true today. */
  readonly livemode: true;
};

export type DepositRate = {
  readonly rate_type: string | null;
  readonly rate: string | null;
  readonly calculation_frequency: string | null;
  readonly application_frequency: string | null;
  readonly additional_value: string | null;
  readonly additional_info: string | null;
  readonly tiers: readonly Tier[];
};

export type Tier = {
  readonly name: string | null;
  readonly unit_of_measure: string | null;
  readonly minimum_value: number | null;
  readonly maximum_value: number | null;
  readonly rate_application_method: string | null;
  readonly additional_info: string | null;
};

export type LendingRate = {
  readonly rate_type: string | null;
  readonly rate: string | null;
  readonly calculation_frequency: string | null;
  readonly application_frequency: string | null;
  readonly additional_value: string | null;
  readonly additional_info: string | null;
  readonly tiers: readonly Tier[];
  readonly comparison_rate: string | null;
  readonly interest_payment_due: string | null;
  readonly loan_purpose: string | null;
};

export type Fee = {
  readonly name: string | null;
  readonly fee_type: string | null;
  readonly amount: string | null;
  readonly balance_rate: string | null;
  readonly transaction_rate: string | null;
  readonly accrued_rate: string | null;
  readonly accrual_frequency: string | null;
  readonly currency: string | null;
  readonly additional_value: string | null;
  readonly additional_info: string | null;
};

export type Feature = {
  readonly feature_type: string | null;
  readonly additional_value: string | null;
  readonly additional_info: string | null;
};

export type LoanDetails = {
  readonly loan_end_date: string | null;
  readonly repayment_type: string | null;
  readonly repayment_frequency: string | null;
  readonly next_instalment_date: string | null;
  readonly min_instalment_amount: string | null;
  readonly min_instalment_currency: string | null;
  readonly max_redraw: string | null;
  readonly max_redraw_currency: string | null;
  readonly min_redraw: string | null;
  readonly min_redraw_currency: string | null;
  readonly original_loan_amount: string | null;
  readonly original_loan_currency: string | null;
  readonly original_start_date: string | null;
  readonly offset_account_enabled: boolean | null;
};

export interface AccountsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
  /** Only those of this connection, conn_…. */
  readonly connection?: string | undefined;
}

export interface AccountsGetInput {
  /** Id of the object. */
  readonly id: string;
}

export interface AccountsUpdateInput {
  /** Id of the object. */
  readonly id: string;
  /** Null takes it away. */
  readonly nickname?: string | null | undefined;
  /** Whether the web application counts it in net worth, balances and spending. */
  readonly in_totals?: boolean | undefined;
  /** For loans and credit cards only. Balances are negative if money is owed, so with `owed` the bank’s figure is negated, here and at every destination. */
  readonly balance_sign?: 'owed' | 'in_credit' | undefined;
}

export interface AccountsGetBalanceInput {
  /** Id of the object. */
  readonly id: string;
}

export interface AccountsGetDetailsInput {
  /** Id of the object. */
  readonly id: string;
}

/** Linked bank and brokerage accounts, their balances and their terms. */
export class Accounts {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List linked accounts.
   *
   * Needs `data:read`. Rate tier: `cheap`.
   */
  list(input: AccountsListInput = {}, options?: CallOptions): List<Account> {
    return this.#calls.list(
      { id: 'list_accounts', method: 'GET', path: '/v2/accounts', query: ['limit', 'page', 'connection'] },
      input,
      options,
    );
  }

  /**
   * Read a linked account.
   *
   * Needs `data:read`. Rate tier: `cheap`.
   */
  get(input: AccountsGetInput, options?: CallOptions): Promise<Account> {
    return this.#calls.one(
      { id: 'get_account', method: 'GET', path: '/v2/accounts/:id' },
      input,
      options,
    );
  }

  /**
   * Name an account, leave it out of totals, or say what a loan's or card's positive balance means.
   *
   * Omitted fields are unchanged. All of it can be changed again.
   *
   * Needs `connections:write`. Rate tier: `mutating`.
   */
  update(input: AccountsUpdateInput, options?: CallOptions): Promise<Account> {
    return this.#calls.one(
      { id: 'update_account', method: 'POST', path: '/v2/accounts/:id' },
      input,
      options,
    );
  }

  /**
   * Read the balance of a banking account.
   *
   * Read live through a short cache; banking accounts only.
   *
   * Needs `data:read`. Rate tier: `mid`.
   */
  getBalance(input: AccountsGetBalanceInput, options?: CallOptions): Promise<Balance> {
    return this.#calls.one(
      { id: 'get_account_balance', method: 'GET', path: '/v2/accounts/:id/balance' },
      input,
      options,
    );
  }

  /**
   * Read product, rates, fees, features and loan details of a banking account.
   *
   * As the bank reports them; Australian banking accounts only.
   *
   * Needs `data:read`. Rate tier: `mid`.
   */
  getDetails(input: AccountsGetDetailsInput, options?: CallOptions): Promise<AccountDetails> {
    return this.#calls.one(
      { id: 'get_account_details', method: 'GET', path: '/v2/accounts/:id/details' },
      input,
      options,
    );
  }
}
