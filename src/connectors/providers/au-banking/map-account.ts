import { type AccountType, maskAccountNumber } from '../../../vocabulary/account-types.ts';
import { currencyCode } from '../../../vocabulary/money.ts';
import { decimal } from '../kit/decimal.ts';
import { idText, nameText, text, type WireObject } from '../kit/json.ts';
import { balanceCurrency, balanceOf, requiredAccountId } from '../kit/set-aside.ts';
import type { ProviderAccount, ProviderBalance } from '../provider-contract.ts';

/** The standard's default if a bank names no currency (CDS, common field types). */
const DEFAULT_CURRENCY = 'aud';

/** Product categories of the banks' standard (CDS, banking account). Others, including future ones, are `other`. */
const TYPES: ReadonlyMap<string, AccountType> = new Map([
  ['TRANS_AND_SAVINGS_ACCOUNTS', 'transaction'],
  ['TRAVEL_CARDS', 'transaction'],
  ['CRED_AND_CHRG_CARDS', 'credit-card'],
  ['RESIDENTIAL_MORTGAGES', 'loan'],
  ['PERS_LOANS', 'loan'],
  ['BUSINESS_LOANS', 'loan'],
  ['LEASES', 'loan'],
  ['MARGIN_LOANS', 'loan'],
  ['OVERDRAFTS', 'loan'],
  ['BUY_NOW_PAY_LATER', 'loan'],
  ['TERM_DEPOSITS', 'term-deposit'],
]);
/** The standard has one category for both; banks distinguish them only in the name. */
const SAVINGS_WORD = /\b(saver|savings?|goals?|reserve|bonus)\b/i;

/** The vendor's key of the account a row is about: the bank's id, else the vendor's own. */
export function accountKey(row: WireObject): string | null {
  return idText(row, 'account_id', 'accountId') ?? idText(row, 'fiskil_id', 'fiskilId');
}

/** One account. `balance`: its balance row, from which the currency comes. Raises UnusableMember without an id. */
export function mapAccount(row: WireObject, balance: WireObject | null): ProviderAccount {
  const id = requiredAccountId(accountKey(row));
  const displayName = nameText(row, 'display_name', 'displayName');
  const productName = nameText(row, 'product_name', 'productName');
  const number = text(row, 'account_number', 'accountNumber');
  const bsb = text(row, 'bsb');
  return {
    id,
    name: nameText(row, 'nickname') ?? displayName ?? productName ?? 'Account',
    type: typeOf(
      text(row, 'product_category', 'productCategory'),
      `${productName ?? ''} ${displayName ?? ''}`,
    ),
    formerIds: [],
    available: true,
    maskedNumber: maskAccountNumber(number ?? text(row, 'masked_number', 'maskedNumber')),
    fullNumber: number === null ? null : `${bsb ?? ''}${number}`.replace(/[^0-9A-Za-z]/g, ''),
    currency: currencyCode((balance === null ? null : text(balance, 'currency')) ?? '') ?? DEFAULT_CURRENCY,
  };
}

function typeOf(category: string | null, names: string): AccountType {
  const type = TYPES.get(category ?? '') ?? 'other';
  return category === 'TRANS_AND_SAVINGS_ACCOUNTS' && SAVINGS_WORD.test(names) ? 'savings' : type;
}

/**
 * One balance; in the standard it is negative if the customer owes money, which not every bank follows. Purses in other
 * currencies are left out: they are not this balance.
 */
export function mapBalance(row: WireObject): ProviderBalance {
  return balanceOf({
    currency: () => balanceCurrency(text(row, 'currency')),
    current: () => decimal(row, 'current', 'current_balance', 'currentBalance'),
    available: () => decimal(row, 'available', 'available_balance', 'availableBalance'),
    limit: () => decimal(row, 'available', 'credit_limit', 'creditLimit'),
  });
}
