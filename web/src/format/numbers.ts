import { LOCALE } from './locale.ts';

const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const plurals = new Intl.PluralRules('en');

export function numberText(value: number): string {
  return whole.format(value);
}

/** `1 account`, `3 accounts`. */
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

/** A part of 1 as a percentage. */
export function percentText(ratio: number, sign: 'auto' | 'always' = 'auto'): string {
  return (sign === 'always' ? signedPercents : percents).format(ratio);
}
