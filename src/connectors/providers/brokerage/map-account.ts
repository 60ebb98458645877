import { type AccountType, maskAccountNumber } from '../../../vocabulary/account-types.ts';
import { parseInstant } from '../../../vocabulary/moments.ts';
import { currencyCode } from '../../../vocabulary/money.ts';
import { decimal } from '../kit/decimal.ts';
import { idText, inner, member, nameText, text, type WireObject } from '../kit/json.ts';
import { balanceOf, requiredAccountId, UnusableMember } from '../kit/set-aside.ts';
import type { HistoryState, ProviderAccount, ProviderBalance } from '../provider-contract.ts';

/** The currency if neither the broker nor a row of cash names one. */
const DEFAULT_CURRENCY = 'usd';

const CLOSED: ReadonlySet<string> = new Set(['closed', 'archived', 'unavailable']);
/** If a broker does not say what an account is, it is for investing. */
const TYPES: ReadonlyMap<string | null, AccountType> = new Map<string | null, AccountType>([
  [null, 'investment'],
  ['INVESTMENT', 'investment'],
  ['DEPOSIT', 'transaction'],
  ['LOC', 'loan'],
]);

/** One account. `cash`: its cash by currency, if its own row names no currency. Raises UnusableMember without an id. */
export function mapAccount(row: WireObject, cash: readonly WireObject[]): ProviderAccount {
  const id = requiredAccountId(accountId(row));
  const number = text(row, 'number');
  const maskedNumber = maskAccountNumber(number);
  const refreshedAt = copiedAt(row);
  const broker = nameText(row, 'institution_name') ?? 'Account';
  return {
    id,
    formerIds: [],
    available: !isClosed(row),
    name: nameText(row, 'name') ?? (maskedNumber === null ? broker : `${broker} ${maskedNumber}`),
    type: TYPES.get(text(row, 'account_category')) ?? 'other',
    maskedNumber,
    fullNumber: fullNumber(row, number),
    currency: accountCurrency(row, cash),
    ...(refreshedAt !== null && { refreshedAt }),
  };
}

/** When the vendor last fetched what the account holds; null if it does not say. */
function copiedAt(row: WireObject): number | null {
  const status = inner(row, 'sync_status');
  const holdings = status === null ? null : inner(status, 'holdings');
  return holdings === null ? null : parseInstant(text(holdings, 'last_successful_sync') ?? '');
}

export function accountId(row: WireObject): string | null {
  return idText(row, 'id');
}

/** The connection an account belongs to; null if its row does not say. */
export function connectionOf(row: WireObject): string | null {
  return text(row, 'brokerage_authorization');
}

export function isClosed(row: WireObject): boolean {
  return CLOSED.has(text(row, 'status') ?? '');
}

/**
 * What identifies the account after the connection was made again, when its id has changed: the broker's own id, which
 * is never masked, else its number if that is complete.
 */
function fullNumber(row: WireObject, number: string | null): string | null {
  const given = text(row, 'institution_account_id') ?? number ?? '';
  const plain = given.replace(/[\s-]/g, '');
  return /^[0-9A-Za-z]{5,64}$/.test(plain) && !/^x{2,}/i.test(plain) ? plain : null;
}

/** The currency of the account's value; null if the broker gives none. */
export function totalCurrency(row: WireObject): string | null {
  const total = totalOf(row);
  return total === null ? null : currencyCode(text(total, 'currency') ?? '');
}

function totalOf(row: WireObject): WireObject | null {
  const balance = inner(row, 'balance');
  return balance === null ? null : inner(balance, 'total');
}

/** The currency of an account, and of rows of it that name none. `cash`: as for `mapAccount`. */
export function accountCurrency(row: WireObject, cash: readonly WireObject[]): string {
  return totalCurrency(row) ?? cashCurrency(cash) ?? DEFAULT_CURRENCY;
}

function cashCurrency(cash: readonly WireObject[]): string | null {
  const codes = cash.map(codeOf).filter((code) => code !== null);
  return codes[0] ?? null;
}

function codeOf(row: WireObject): string | null {
  const currency = inner(row, 'currency');
  return currency === null ? null : currencyCode(text(currency, 'code') ?? '');
}

/**
 * The account's value in its own currency, as the broker adds it up, and the cash in that currency. Cash in other
 * currencies is left out: it is already part of the value, and we must not convert it.
 */
export function mapBalance(row: WireObject, cash: readonly WireObject[]): ProviderBalance {
  const currency = totalCurrency(row) ?? cashCurrency(cash);
  const total = totalOf(row);
  const own = cash.find((one) => codeOf(one) === currency);
  return balanceOf({
    currency: () => {
      if (currency === null && total !== null && text(total, 'currency') !== null)
        throw new UnusableMember('currency', 'unreadable');
      return currency;
    },
    current: () => (total === null ? null : decimal(total, 'current', 'amount')),
    available: () => (own === undefined ? null : decimal(own, 'available', 'cash')),
  });
}

/** What the vendor has copied of an account so far. */
export interface CopyState {
  /** `complete`: the first copy is finished. */
  readonly holdings: HistoryState;
  readonly trades: HistoryState;
  /** The broker does not show the vendor the account's holdings: a list of them means nothing. */
  readonly hidden: boolean;
}

/** What an account's row says about its copies; anything unrecognised is `unknown`. */
export function copyState(row: WireObject): CopyState {
  const status = inner(row, 'sync_status');
  const holdings = status === null ? null : inner(status, 'holdings');
  const trades = status === null ? null : inner(status, 'transactions');
  return {
    holdings: stateOf(holdings),
    trades: stateOf(trades),
    hidden: holdings !== null && member(holdings, 'holdings_unavailable', 'holdings_unavailable') === true,
  };
}

function stateOf(part: WireObject | null): HistoryState {
  const done = part === null ? null : member(part, 'initial_sync_completed', 'initial_sync_completed');
  if (typeof done !== 'boolean') return 'unknown';
  return done ? 'complete' : 'loading';
}
