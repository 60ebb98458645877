import { LOCALE, WORDS_LOCALE } from './locale.ts';

/** Decimal text. */
export type Numeric = `${number}`;

const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const plurals = new Intl.PluralRules(WORDS_LOCALE);

export function numberText(value: number): string {
  return whole.format(value);
}

const lists = new Intl.ListFormat(WORDS_LOCALE, { type: 'conjunction' });

/** `A`, `A and B`, `A, B, and C`, in the language of the page. */
export function listText(names: readonly string[]): string {
  return lists.format(names);
}

/** `1 account`, `3 accounts`: which of the two is used follows the language of the page. */
export function counted(count: number, one: string, other: string): string {
  return `${numberText(count)} ${plurals.select(count) === 'one' ? one : other}`;
}

const percents = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  maximumFractionDigits: 1,
  // What rounds to nothing has no sign.
  signDisplay: 'negative',
});
const signedPercents = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

const LEAST = 0.001;

/** A part of 1 as a percentage: what is less than a tenth of one but not nothing is `<0.1%`. */
export function percentText(ratio: number, sign: 'auto' | 'always' = 'auto'): string {
  if (sign === 'auto' && ratio > 0 && ratio < LEAST / 2) return `<${percents.format(LEAST)}`;
  return (sign === 'always' ? signedPercents : percents).format(ratio);
}

const rates = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});

/** An interest rate, a fraction as decimal text, as a percentage: `0.0425` as `4.25%`. */
export function rateText(fraction: string): string {
  return isNumeric(fraction) ? rates.format(fraction) : fraction;
}

/** Whether the text is a decimal, which `Intl.NumberFormat` reads exactly. */
export function isNumeric(text: string): text is Numeric {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}

const KILO = 1_000;
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** How much data something is: `830 byte`, `12 kB`, `3.4 MB`. */
export function bytesText(bytes: number): string {
  const at = bytes < KILO ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / KILO ** at;
  return new Intl.NumberFormat(WORDS_LOCALE, {
    style: 'unit',
    unit: UNITS[at] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 && at > 0 ? 1 : 0,
  }).format(value);
}
