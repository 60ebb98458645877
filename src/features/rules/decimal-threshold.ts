import { currencyExponent } from '../../vocabulary/money.ts';

const UNSIGNED = /^(\d{1,15})(?:\.(\d{1,8}))?$/;

/** Whether the text is an amount as conditions take it: digits, at most 8 decimals, no sign and no exponent. */
export function isUnsignedDecimal(text: string): boolean {
  return UNSIGNED.test(text);
}

/** Compares whole minor units of a currency with a decimal: negative when less, 0 when equal, positive when more. */
export type Comparison = (minorUnits: number, currency: string) => number;

/**
 * Exact in every currency, without floating point: the decimal is cut to whole minor units, and a rest says that the
 * amount cannot be equal to it.
 */
export function decimalThreshold(text: string): Comparison {
  const [, units = '0', fraction = ''] = UNSIGNED.exec(text) ?? [];
  const byExponent = [0, 1, 2, 3, 4].map((exponent) => {
    const shown = fraction.slice(0, exponent).padEnd(exponent, '0');
    return { whole: Number(`${units}${shown}`), rest: /[1-9]/.test(fraction.slice(exponent)) };
  });
  return (minorUnits, currency) => {
    const threshold = byExponent[currencyExponent(currency)];
    if (threshold === undefined) throw new TypeError(`no minor unit of ${currency}`);
    // Above the largest safe integer the threshold may be rounded, but every amount is certainly less.
    if (minorUnits === threshold.whole) return threshold.rest ? -1 : 0;
    return minorUnits < threshold.whole ? -1 : 1;
  };
}
