import { type AccountType, maskAccountNumber } from '../../../vocabulary/account-types.ts';
import { currencyCode } from '../../../vocabulary/money.ts';
import { decimal } from '../kit/decimal.ts';
import { nameText, text, type WireObject } from '../kit/json.ts';
import { balanceOf, requiredAccountId, UnusableMember } from '../kit/set-aside.ts';
import type { ProviderAccount, ProviderBalance } from '../provider-contract.ts';
import type { WireAccount } from './account-set.ts';

/** The protocol has no types: they are inferred from names, the first match counts. */
const TYPES: readonly (readonly [RegExp, AccountType])[] = [
  [/\b(?:certificate|cd|term deposit|gic)\b/i, 'term-deposit'],
  [/\b(?:mortgage|loan|heloc|line of credit)\b/i, 'loan'],
  [/\b(?:credit|card|visa|mastercard|amex|discover)\b/i, 'credit-card'],
  [/\b(?:ira|401k|403b|brokerage|investment|investments|rrsp|tfsa|roth|hsa)\b/i, 'investment'],
  [/\b(?:saving|savings|money market)\b/i, 'savings'],
  [/\b(?:checking|chequing|current|debit)\b/i, 'transaction'],
];
/** `Checking (1234)`, `Visa x1234`, `Savings - 1234`: how bridges end a name with the end of the number. */
const NUMBER_AT_END = /(?:[(\s.*x#-]|^)(\d{4})\)?$/i;
/** ISO 4217: no currency. For points and other units that a server defines by an address. */
const NO_CURRENCY = 'xxx';

/** One account. One in a unit that is no currency is listed, but cannot be read. Raises UnusableMember without an id. */
export function mapAccount({ id, row }: WireAccount): ProviderAccount {
  const name = nameText(row, 'name') ?? 'Account';
  const currency = currencyCode(text(row, 'currency') ?? '');
  const refreshed = seconds(row, 'balance-date');
  return {
    id: requiredAccountId(id),
    formerIds: [],
    available: currency !== null,
    ...(refreshed === null ? {} : { refreshedAt: refreshed * 1000 }),
    name,
    type: TYPES.find(([pattern]) => pattern.test(name))?.[1] ?? 'other',
    maskedNumber: maskAccountNumber(NUMBER_AT_END.exec(name)?.[1] ?? null),
    fullNumber: null,
    currency: currency ?? NO_CURRENCY,
  };
}

/** The balance in the account's currency. */
export function mapBalance(row: WireObject): ProviderBalance {
  return balanceOf({
    currency: () => currencyOf(row),
    current: () => decimal(row, 'current', 'balance'),
    available: () => decimal(row, 'available', 'available-balance'),
  });
}

/** Lower-case code. Raises UnusableMember. */
export function currencyOf(account: WireObject): string {
  const sent = text(account, 'currency');
  const code = currencyCode(sent ?? '');
  if (code === null) throw new UnusableMember('currency', sent === null ? 'missing' : 'unreadable');
  return code;
}

/** A time in whole seconds since 1970; null for none, for 0, and for one that is no time. */
export function seconds(row: WireObject, name: string): number | null {
  const sent = text(row, name);
  if (sent === null || !/^\d{1,11}(?:\.\d{1,9})?$/.test(sent)) return null;
  const value = Math.floor(Number(sent));
  return value === 0 ? null : value;
}
