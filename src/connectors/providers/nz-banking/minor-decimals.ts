import { currencyExponent } from '../../../vocabulary/money.ts';

/**
 * A decimal with at least the decimals of its currency: JSON numbers drop the zeros that amounts of money are written
 * with. Nothing has no sign, though a JSON number can give it one.
 */
export function minorDecimals(amount: string, currency: string): string {
  const [units = '', fraction = ''] = (/[1-9]/.test(amount) ? amount : amount.replace('-', '')).split('.');
  const padded = fraction.padEnd(currencyExponent(currency), '0');
  return padded === '' ? units : `${units}.${padded}`;
}
