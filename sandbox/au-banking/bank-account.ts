import { isNegative, negateDecimal, sumDecimals } from '../shared/decimal.ts';
import type { JsonObject } from '../shared/json.ts';
import { digest } from '../shared/random.ts';
import type { ComputedRows } from './rows/computed-rows.ts';
import type { RowBook } from './rows/row-book.ts';

/** How figures are derived from the rows. All are decimal strings in the account's currency. */
export type BalanceTerms = {
  /** The balance before the first row in memory. */
  readonly opening: string;
  /** Added to the current balance for the available balance; null = nothing can ever be drawn. */
  readonly headroom: string | null;
  /** Pending rows reduce the available balance, which is never reported below zero. */
  readonly live: boolean;
  readonly creditLimit: string | null;
  readonly amortisedLimit: string | null;
  readonly purses: readonly JsonObject[] | null;
};

/** GONE accounts are no longer in any list, as after a closure at the bank. */
export type AccountState = 'OPEN' | 'CLOSED' | 'GONE';

export type BankAccount = {
  readonly accountId: string;
  readonly institutionId: string;
  readonly currency: string;
  /** Everything of the account row except its identifiers, in the form of the newest version. */
  readonly detail: JsonObject;
  readonly terms: BalanceTerms;
  readonly book: RowBook;
  readonly computed: ComputedRows | null;
  state: AccountState;
};

export type Customer = {
  readonly institutionId: string;
  /** What the person types at the bank's log-in. */
  readonly customer: string;
  readonly name: string;
  /** One line for the log-in page. */
  readonly summary: string;
  readonly accounts: BankAccount[];
};

/** The vendor's own id of an account. */
export function fiskilAccountId(account: BankAccount): string {
  return `bank_account_${digest('account', account.institutionId, account.accountId).slice(0, 40)}`;
}

export type BalanceFigures = { readonly current: string; readonly available: string };

/** The balance at an instant: opening figure plus every posted row. */
export function balanceAt(account: BankAccount, now: number): BalanceFigures {
  const { terms, book, computed } = account;
  const posted: string[] = [terms.opening];
  const held: string[] = [];
  if (computed) posted.push(computed.total);
  for (const row of book.at(now)) (row.status === 'POSTED' ? posted : held).push(row.facts.amount);
  const current = sumDecimals(posted);
  if (terms.headroom === null) return { current, available: '0.00' };
  const available = sumDecimals([current, terms.headroom, ...(terms.live ? held : [])]);
  return { current, available: terms.live && isNegative(available) ? '0.00' : available };
}

/** Terms with which the figures of a data file are correct at load and follow rows that are appended later. */
export function declaredTerms(
  declared: { readonly current: string; readonly available: string } | null,
  postedSum: string,
): Pick<BalanceTerms, 'opening' | 'headroom' | 'live'> {
  if (!declared) return { opening: '0.00', headroom: '0.00', live: true };
  return {
    opening: sumDecimals([declared.current, negateDecimal(postedSum)]),
    headroom: sumDecimals([declared.available, negateDecimal(declared.current)]),
    live: false,
  };
}
