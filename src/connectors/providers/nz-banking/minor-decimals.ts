import { currencyExponent } from '../../../vocabulary/money.ts';

/** A decimal with at least the decimals of its currency: JSON numbers drop the zeros that amounts of money are written with. */
export function minorDecimals(amount: string, currency: string): string {
  const [units = '', fraction = ''] = amount.split('.');
  const padded = fraction.padEnd(currencyExponent(currency), '0');
  return padded === '' ? units : `${units}.${padded}`;
}
