import { currencyExponent, type Money } from '../../../src/vocabulary/money.ts';
import { LOCALE, WORDS_LOCALE } from './locale.ts';
import { isNumeric, type Numeric } from './numbers.ts';

const formats = new Map<string, Intl.NumberFormat>();
const shortFormats = new Map<string, Intl.NumberFormat>();

/** An amount as people write it, exact to the last digit: the formatter reads the decimal text, never a float. */
export function moneyText(amount: bigint, currency: string, sign: 'auto' | 'always' = 'auto'): string {
  return formatOf(currency, sign).format(decimalText(amount, currency));
}

/**
 * The same in few characters, for the axis of a chart: `$1.2K`. Its mark of the currency is that of `moneyText`, and where
 * a language has no short form of a number it has either all its decimals or, from a hundred on, none.
 */
export function shortMoneyText(amount: bigint, currency: string): string {
  const decimal = decimalText(amount, currency);
  const parts = shortFormatOf(currency).formatToParts(decimal);
  const isShort = parts.some(({ type }) => type === 'compact');
  const size = amount < 0n ? -amount : amount;
  const unit = 10n ** BigInt(currencyExponent(currency));
  if (!isShort && size < HUNDRED * unit && size % unit !== 0n) return moneyText(amount, currency);
  const mark = formatOf(currency, 'auto')
    .formatToParts(decimal)
    .find(({ type }) => type === 'currency')?.value;
  return (isShort ? parts : wholeFormatOf(currency).formatToParts(decimal))
    .map(({ type, value }) => (type === 'currency' ? (mark ?? value) : value))
    .join('');
}

const HUNDRED = 100n;

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
      notation: 'compact',
      maximumFractionDigits: 1,
    });
  shortFormats.set(currency, known);
  return known;
}

function wholeFormatOf(currency: string): Intl.NumberFormat {
  const key = `whole ${currency}`;
  const known =
    shortFormats.get(key) ??
    new Intl.NumberFormat(LOCALE, { style: 'currency', currency, maximumFractionDigits: 0 });
  shortFormats.set(key, known);
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
