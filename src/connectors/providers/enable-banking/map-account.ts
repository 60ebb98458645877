import type { AccountType } from '../../../vocabulary/account-types.ts';
import { decimal } from '../kit/decimal.ts';
import { inner, text, type WireObject } from '../kit/json.ts';
import { balanceCurrency, balanceOf, UnusableMember } from '../kit/set-aside.ts';
import type { ProviderAccount, ProviderBalance } from '../provider-contract.ts';
import type { SessionAccount } from './sessions.ts';

/** The currency of an account if its bank names none. */
const DEFAULT_CURRENCY = 'eur';

/** ISO 20022 cash account types; others are `other`. */
const TYPES: ReadonlyMap<string, AccountType> = new Map([
  ['CACC', 'transaction'],
  ['CASH', 'transaction'],
  ['CARD', 'credit-card'],
  ['LOAN', 'loan'],
  ['SVGS', 'savings'],
]);

/** One account of a session. Its number stays with the vendor: the hash in its id identifies it as well. */
export function mapAccount(account: SessionAccount, timezone: string | null): ProviderAccount {
  return {
    id: account.id,
    formerIds: account.formerIds,
    available: account.uid !== null,
    name: account.name,
    type: TYPES.get(account.kind ?? '') ?? 'other',
    maskedNumber: account.maskedNumber,
    fullNumber: account.id,
    currency: account.currency ?? DEFAULT_CURRENCY,
    ...(timezone === null ? {} : { timezone }),
  };
}

/**
 * Which balance counts, best first (ISO 20022 balance types). What is booked is the current one, and what may be spent
 * the available one. A bank that has only one of the two kinds means it as the balance of the account.
 */
const BOOKED = ['ITBD', 'CLBD', 'OPBD', 'PRCD', 'VALU'] as const;
const AVAILABLE = ['ITAV', 'CLAV', 'XPCD', 'FWAV', 'OPAV'] as const;

/** The balance of an account from all that its bank lists. */
export function mapBalance(
  rows: readonly WireObject[],
  { currency, creditLimit }: Pick<SessionAccount, 'currency' | 'creditLimit'>,
): ProviderBalance {
  const own = ofCurrency(rows, currency);
  const available = best(own, AVAILABLE);
  const current = best(own, BOOKED) ?? available ?? only(own);
  const code = (): string | null => balanceCurrency(currencyOf(current ?? available) ?? currency);
  return balanceOf({
    currency: code,
    current: () => {
      if (current === null && own.length > 0) throw new UnusableMember('current', 'contradictory');
      return amountOf(current, 'current');
    },
    available: () => amountOf(available, 'available'),
    limit: () => creditLimit,
  });
}

/** Those in the account's currency; an account may have a balance in each of several. */
function ofCurrency(rows: readonly WireObject[], currency: string | null): readonly WireObject[] {
  const own = rows.filter((row) => currencyOf(row)?.toLowerCase() === currency);
  return currency === null || own.length === 0 ? rows : own;
}

function best(rows: readonly WireObject[], types: readonly string[]): WireObject | null {
  for (const type of types) {
    const of = rows.filter((row) => text(row, 'balance_type') === type);
    const [latest] = of.toSorted((a, b) => (dayOf(a) < dayOf(b) ? 1 : -1));
    if (latest !== undefined) return latest;
  }
  return null;
}

/** A balance of no known type, if all of them are the same. */
function only(rows: readonly WireObject[]): WireObject | null {
  const [first, ...others] = rows;
  const same = others.every((row) => written(row) === written(first ?? {}));
  return first !== undefined && same ? first : null;
}

function amountOf(row: WireObject | null, field: 'current' | 'available'): string | null {
  const amount = row === null ? null : inner(row, 'balance_amount');
  return amount === null ? null : decimal(amount, field, 'amount');
}

function currencyOf(row: WireObject | null): string | null {
  return row === null ? null : text(inner(row, 'balance_amount') ?? {}, 'currency');
}

function dayOf(row: WireObject): string {
  return text(row, 'reference_date') ?? '';
}

function written(row: WireObject): string {
  return JSON.stringify(row.balance_amount ?? null);
}
