import Big from 'big.js';
import { type ExactMoney, exactMoney, isDecimal } from '../../../vocabulary/money.ts';

/** Digits after the point that a decimal of ours may have. */
const MOST_PLACES = 30;

/** An amount in a currency; null where either is missing, as in a price in a coin, and where it is out of range. */
export function amountIn(sent: string | null, currency: string | null): ExactMoney | null {
  if (sent === null || currency === null) return null;
  try {
    return exactMoney(sent, currency);
  } catch {
    return null;
  }
}

/** The product to its last digit; null where a factor is missing, and where it has too many digits. */
export function product(factors: readonly (string | null)[]): string | null {
  let result = new Big(1);
  for (const factor of factors) {
    if (factor === null) return null;
    result = result.times(factor);
  }
  return written(result);
}

/** The exact difference; null where either is missing. */
export function difference(from: string | null, less: string | null): string | null {
  return from === null || less === null ? null : written(new Big(from).minus(less));
}

/** The same number whichever way it was written: `1.50` and `1.5` are `1.5`. */
export function canonical(decimal: string | null): string {
  return decimal === null ? '' : new Big(decimal).toFixed();
}

function written(number: Big): string | null {
  const text = number.round(MOST_PLACES).toFixed();
  return isDecimal(text) ? text : null;
}
