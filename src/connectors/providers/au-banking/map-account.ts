import { type AccountType, maskAccountNumber } from '../../../vocabulary/account-types.ts';
import { currencyCode, moneyFromDecimal } from '../../../vocabulary/money.ts';
import { decimal } from '../kit/decimal.ts';
import { malformed, type WireObject } from '../kit/json.ts';
import { idText, nameText, text } from '../kit/members.ts';
import type { ProviderAccount, ProviderBalance } from '../provider-contract.ts';

/** The standard's default where a bank names no currency (CDS, common field types). */
const DEFAULT_CURRENCY = 'aud';

/** How a balance's amount is called where it cannot be used. */
const AMOUNT = 'an amount of a balance';

/** Product categories of the banks' standard (CDS, banking account). Others, and ones yet to come, are `other`. */
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
/** The standard has one category for both; banks tell them apart in the name only. */
const SAVINGS_WORD = /\b(saver|savings?|goals?|reserve|bonus)\b/i;

/** The vendor's key of the account a row is about: the bank's id, else the vendor's own. */
export function accountKey(row: WireObject): string | null {
  return idText(row, 'account_id', 'accountId') ?? idText(row, 'fiskil_id', 'fiskilId');
}

/** The consent a row came through; null where the row does not say. */
export function arrangementOf(row: WireObject): string | null {
  return text(row, 'arrangement_id', 'arrangementId');
}

/** One account. `balance`: its balance row, which is where the vendor says the currency. */
export function mapAccount(row: WireObject, balance: WireObject | null): ProviderAccount {
  const id = accountKey(row);
  if (id === null) throw malformed('an account has no id');
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
    currency: (balance === null ? null : currencyOf(balance)) ?? DEFAULT_CURRENCY,
  };
}

function typeOf(category: string | null, names: string): AccountType {
  const type = TYPES.get(category ?? '') ?? 'other';
  return category === 'TRANS_AND_SAVINGS_ACCOUNTS' && SAVINGS_WORD.test(names) ? 'savings' : type;
}

/**
 * One balance, negative where the customer owes. Purses of other currencies are left out: they are not this balance.
 * Without a currency of its own the decimals stand alone, for the reader who knows the account's currency.
 */
export function mapBalance(row: WireObject): ProviderBalance {
  const currency = currencyOf(row);
  const currentDecimal = decimal(row, AMOUNT, 'current_balance', 'currentBalance');
  const availableDecimal = decimal(row, AMOUNT, 'available_balance', 'availableBalance');
  return {
    current: money(currentDecimal, currency),
    available: money(availableDecimal, currency),
    currentDecimal,
    availableDecimal,
    currency,
  };
}

function currencyOf(row: WireObject): string | null {
  const sent = text(row, 'currency');
  if (sent === null) return null;
  const code = currencyCode(sent);
  if (code === null) throw malformed('a balance has a currency that is not a code');
  return code;
}

function money(sent: string | null, currency: string | null): ProviderBalance['current'] {
  if (sent === null || currency === null) return null;
  try {
    return moneyFromDecimal(sent, currency);
  } catch {
    throw malformed('a balance has an amount that is out of range');
  }
}
