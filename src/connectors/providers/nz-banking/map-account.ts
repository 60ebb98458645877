import { type AccountType, maskAccountNumber } from '../../../vocabulary/account-types.ts';
import { parseInstant } from '../../../vocabulary/moments.ts';
import { currencyCode, currencyExponent } from '../../../vocabulary/money.ts';
import { decimal } from '../kit/decimal.ts';
import { idText, inner, nameText, text, type WireObject } from '../kit/json.ts';
import { balanceOf, requiredAccountId, UnusableMember } from '../kit/set-aside.ts';
import type { ProviderAccount, ProviderBalance } from '../provider-contract.ts';

/** The currency if the bank names none, or an invalid one, such as loyalty points. */
const DEFAULT_CURRENCY = 'nzd';

/** Others, such as points and tax accounts, and future types are `other`. */
const TYPES: ReadonlyMap<string, AccountType> = new Map([
  ['CHECKING', 'transaction'],
  ['FOREIGN', 'transaction'],
  ['WALLET', 'transaction'],
  ['SAVINGS', 'savings'],
  ['CREDITCARD', 'credit-card'],
  ['LOAN', 'loan'],
  ['TERMDEPOSIT', 'term-deposit'],
  ['INVESTMENT', 'investment'],
  ['KIWISAVER', 'investment'],
]);
/** Bank, branch, account and suffix. Banks omit leading zeros of an account or a suffix. */
const BANK_NUMBER = /^(\d{2})-?(\d{4})-?(\d{7,8})-?(\d{2,3})$/;

/** The vendor's id of an account. Raises UnusableMember if there is none. */
export function accountId(row: WireObject): string {
  return requiredAccountId(idText(row, '_id'));
}

/** The login at the bank that an account comes from; null if the row does not say. */
export function authorisationOf(row: WireObject): string | null {
  return idText(row, '_authorisation') ?? idText(row, '_credentials');
}

/** Whether the bank provides transactions of the account at all, in money. */
export function hasTransactions(row: WireObject): boolean {
  const balance = inner(row, 'balance');
  if (balance !== null && currencyOf(balance) === 'unknown') return false;
  return Array.isArray(row.attributes) && row.attributes.includes('TRANSACTIONS');
}

/** Whether the vendor has yet to copy rows of the account for the first time. */
export function awaitsRows(row: WireObject): boolean {
  const refreshed = inner(row, 'refreshed');
  return hasTransactions(row) && refreshed !== null && text(refreshed, 'transactions') === null;
}

/** Whether the login still works: an account whose login was lost shows the last data. */
export function isActive(row: WireObject): boolean {
  return text(row, 'status') !== 'INACTIVE';
}

/** When the balance or the rows were last copied from the bank, epoch milliseconds; null if the vendor does not say. */
function copiedAt(row: WireObject): number | null {
  const refreshed = inner(row, 'refreshed') ?? {};
  const moments = ['balance', 'transactions'].flatMap(
    (what) => parseInstant(text(refreshed, what) ?? '') ?? [],
  );
  return moments.length === 0 ? null : Math.max(...moments);
}

/** One account. */
export function mapAccount(row: WireObject): ProviderAccount {
  const former = idText(row, '_migrated');
  const formatted = text(row, 'formatted_account');
  const number = formatted === null ? null : BANK_NUMBER.exec(formatted);
  const balance = inner(row, 'balance');
  const currency = balance === null ? null : currencyOf(balance);
  const refreshedAt = copiedAt(row);
  return {
    id: accountId(row),
    formerIds: former === null ? [] : [former],
    available: true,
    ...(refreshedAt === null ? {} : { refreshedAt }),
    name: nameText(row, 'name') ?? 'Account',
    type: TYPES.get(text(row, 'type') ?? '') ?? 'other',
    // The suffix only counts the accounts of one number: people recognise theirs by the part before it.
    maskedNumber: maskAccountNumber(number?.[3] ?? formatted),
    fullNumber: number === null ? null : number.slice(1).join(''),
    currency: currency === null || currency === 'unknown' ? DEFAULT_CURRENCY : currency,
  };
}

/**
 * The balance of an account as the bank shows it. Some banks show the debt on a card or a loan as a positive figure:
 * `positiveDebt` tells whether this one does. Empty if the bank gives none, or none in money.
 */
export function mapBalance(row: WireObject, positiveDebt: boolean): ProviderBalance {
  const balance = inner(row, 'balance');
  if (balance === null)
    return { current: null, available: null, currentDecimal: null, availableDecimal: null, currency: null };
  const named = currencyOf(balance);
  const currency = named === 'unknown' ? null : (named ?? DEFAULT_CURRENCY);
  const amount = (field: 'current' | 'available' | 'limit'): string | null => {
    const shown = decimal(balance, field === 'limit' ? 'available' : field, field);
    return shown === null || currency === null ? null : minorDecimals(shown, currency);
  };
  return balanceOf({
    currency: () => {
      if (currency === null) throw new UnusableMember('currency', 'unreadable');
      return currency;
    },
    current: () => amount('current'),
    available: () => amount('available'),
    limit: () => amount('limit'),
    positive: positiveDebt ? { means: 'owed', by: 'bank' } : null,
  });
}

/** The code of a currency; null if none is named, and `unknown` if it is invalid. */
function currencyOf(balance: WireObject): string | null {
  const sent = text(balance, 'currency');
  return sent === null ? null : (currencyCode(sent) ?? 'unknown');
}

/**
 * A decimal with at least the decimals of its currency: JSON numbers drop the trailing zeros of amounts of money. Zero
 * has no sign, although a JSON number can have one.
 */
export function minorDecimals(amount: string, currency: string): string {
  const [units = '', fraction = ''] = (/[1-9]/.test(amount) ? amount : amount.replace('-', '')).split('.');
  const padded = fraction.padEnd(currencyExponent(currency), '0');
  return padded === '' ? units : `${units}.${padded}`;
}
