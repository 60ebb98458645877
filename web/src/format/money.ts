import { currencyExponent, type Money } from '../../../src/vocabulary/money.ts';
import { LOCALE, WORDS_LOCALE } from './locale.ts';
import { isNumeric, type Numeric } from './numbers.ts';

const formats = new Map<string, Intl.NumberFormat>();
const shortFormats = new Map<string, Intl.NumberFormat>();

/** An amount as people write it, exact to the last digit: the formatter reads the decimal text, never a float. */
export function moneyText(amount: bigint, currency: string, sign: 'auto' | 'always' = 'auto'): string {
  return formatOf(currency, sign).format(decimalText(amount, currency));
}

/** The same in few characters, for the axis of a chart: `$1.2K`. */
export function shortMoneyText(amount: bigint, currency: string): string {
  return shortFormatOf(currency).format(decimalText(amount, currency));
}

/** Sums by currency, in minor units. */
export function totals(amounts: Iterable<Money>): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { amount, currency } of amounts) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount));
  return sums;
}

function formatOf(currency: string, sign: 'auto' | 'always'): Intl.NumberFormat {
  const key = `${currency} ${sign}`;
  const digits = currencyExponent(currency);
  const known =
    formats.get(key) ??
    new Intl.NumberFormat(LOCALE, {
      style: 'currency',
      currency,
      signDisplay: sign === 'always' ? 'exceptZero' : 'auto',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  formats.set(key, known);
  return known;
}

function shortFormatOf(currency: string): Intl.NumberFormat {
  const known =
    shortFormats.get(currency) ??
    new Intl.NumberFormat(WORDS_LOCALE, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      notation: 'compact',
      maximumFractionDigits: 1,
    });
  shortFormats.set(currency, known);
  return known;
}

/** The decimal text of minor units: -1250 of a currency with two digits is `-12.50`. */
export function decimalText(amount: bigint, currency: string): Numeric {
  const digits = currencyExponent(currency);
  const whole = (amount < 0n ? -amount : amount).toString().padStart(digits + 1, '0');
  const at = whole.length - digits;
  const text = `${amount < 0n ? '-' : ''}${whole.slice(0, at)}${digits === 0 ? '' : `.${whole.slice(at)}`}`;
  return isNumeric(text) ? text : '0';
}
