import { currencyExponent } from '../../../src/vocabulary/money.ts';
import { LOCALE } from './locale.ts';

type Numeric = `${number}`;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const formats = new Map<string, Intl.NumberFormat>();

interface Scaled {
  readonly units: bigint;
  /** How many of the last digits are decimals. */
  readonly digits: number;
}

/** An amount with all its digits, since prices of shares have more decimals than their currency. */
export function exactMoneyText(decimal: string, currency: string, sign: 'auto' | 'always' = 'auto'): string {
  const digits = Math.max(scaled(decimal).digits, currencyExponent(currency));
  const key = `${currency} ${sign} ${digits}`;
  return formatted(key, decimal, {
    style: 'currency',
    currency,
    signDisplay: sign === 'always' ? 'exceptZero' : 'auto',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** A value with the digits of its currency; one that would round to zero keeps all its digits. */
export function valueText(decimal: string, currency: string, sign: 'auto' | 'always' = 'auto'): string {
  const digits = currencyExponent(currency);
  const { units, digits: own } = scaled(decimal);
  const size = units < 0n ? -units : units;
  if (size !== 0n && own > digits && size < 10n ** BigInt(own - digits)) {
    return exactMoneyText(decimal, currency, sign);
  }
  return formatted(`value ${currency} ${sign}`, decimal, {
    style: 'currency',
    currency,
    signDisplay: sign === 'always' ? 'exceptZero' : 'auto',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** A quantity in all its digits. */
export function quantityText(decimal: string): string {
  const { digits } = scaled(decimal);
  return formatted(`quantity ${digits}`, decimal, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** The sum of decimals, in all their digits. */
export function sumOf(decimals: Iterable<string>): string {
  let sum: Scaled = { units: 0n, digits: 0 };
  for (const decimal of decimals) {
    const [a, b] = alike(sum, scaled(decimal));
    sum = { units: a.units + b.units, digits: a.digits };
  }
  return textOf(sum);
}

/** Negative if the first is less, positive if it is more. */
export function compareDecimals(a: string, b: string): number {
  const [one, other] = alike(scaled(a), scaled(b));
  if (one.units === other.units) return 0;
  return one.units < other.units ? -1 : 1;
}

/** The share of a whole, for bars and percentages; null if the whole is zero. */
export function ratioOf(part: string, whole: string): number | null {
  const [one, other] = alike(scaled(part), scaled(whole));
  if (other.units === 0n) return null;
  return Number((one.units * PRECISION) / other.units) / Number(PRECISION);
}

const PRECISION = 1_000_000n;

/** A positive factor as a fraction, so that dividing by a rate is as exact as multiplying by it. */
export interface Factor {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const ONE: Factor = { numerator: 1n, denominator: 1n };

/** A positive decimal as a factor. */
export function factorOf(decimal: string): Factor {
  const { units, digits } = scaled(decimal);
  return { numerator: units, denominator: 10n ** BigInt(digits) };
}

/** A decimal times a factor in minor units of the currency, rounded once, half away from zero. */
export function minorUnits(
  decimal: string,
  currency: string,
  { numerator, denominator }: Factor = ONE,
): bigint {
  const { units, digits } = scaled(decimal);
  const size = (units < 0n ? -units : units) * numerator * 10n ** BigInt(currencyExponent(currency));
  const whole = denominator * 10n ** BigInt(digits);
  const rounded = (2n * size + whole) / (2n * whole);
  return units < 0n ? -rounded : rounded;
}

/** The same decimal with the other sign. */
export function negated(decimal: string): string {
  const { units, digits } = scaled(decimal);
  return textOf({ units: -units, digits });
}

function alike(a: Scaled, b: Scaled): readonly [Scaled, Scaled] {
  const digits = Math.max(a.digits, b.digits);
  const raised = ({ units, digits: own }: Scaled) => ({ units: units * 10n ** BigInt(digits - own), digits });
  return [raised(a), raised(b)];
}

function scaled(decimal: string): Scaled {
  const [, sign = '', whole = '0', fraction = ''] = DECIMAL.exec(decimal) ?? [];
  const units = BigInt(whole + fraction);
  return { units: sign === '-' ? -units : units, digits: fraction.length };
}

function textOf({ units, digits }: Scaled): string {
  const figures = (units < 0n ? -units : units).toString().padStart(digits + 1, '0');
  const at = figures.length - digits;
  return `${units < 0n ? '-' : ''}${figures.slice(0, at)}${digits === 0 ? '' : `.${figures.slice(at)}`}`;
}

function formatted(key: string, decimal: string, options: Intl.NumberFormatOptions): string {
  const format = formats.get(key) ?? new Intl.NumberFormat(LOCALE, options);
  formats.set(key, format);
  return isNumeric(decimal) ? format.format(decimal) : decimal;
}

function isNumeric(text: string): text is Numeric {
  return DECIMAL.test(text);
}
