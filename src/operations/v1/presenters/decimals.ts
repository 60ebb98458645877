import { decimalFromMoney, type Money } from '../../../vocabulary/money.ts';

const SIGNED_ZERO = /^-(?=0*(?:\.0*)?$)/;

/** A decimal as v1 writes it: the provider's digits, without a plus and without the minus of zero. */
export function plain(text: string): string {
  return text.replace(/^\+/, '').replace(SIGNED_ZERO, '');
}

/** The provider's decimal, or that of the amount where only the amount is known. */
export function moneyDecimal(text: string | null, money: Money | null): string | null {
  if (text !== null) return plain(text);
  return money === null ? null : decimalFromMoney(money);
}
