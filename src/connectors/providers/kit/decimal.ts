import Big from 'big.js';
import { type ExactMoney, exactMoney, isDecimal } from '../../../vocabulary/money.ts';
import { member, text, type WireObject } from './json.ts';
import { UnusableMember } from './set-aside.ts';

/** How many decimals one of our decimals may have. */
const MOST_PLACES = 30;
const ZERO = /^-(?=0*(?:\.0*)?$)/;
const NUMBER = /^(-?)(\d{1,60})(?:\.(\d{1,60}))?[eE]([+-]?\d{1,3})$/;

/**
 * The same number without an exponent, digit for digit: `1.5e-7` becomes `0.00000015`. JSON allows exponents, and
 * serialisers write small quantities of a coin that way. A plus sign is left out, and so is the minus of zero. Null for
 * anything that is not a number or has more than 30 digits before or after its point.
 */
export function plainDecimal(source: string): string | null {
  return digitsOf(source.replace(/^\+(?=\d)/, ''))?.replace(ZERO, '') ?? null;
}

function digitsOf(source: string): string | null {
  if (isDecimal(source)) return source;
  const [, sign = '', units, fraction = '', exponent] = NUMBER.exec(source) ?? [];
  if (units === undefined || exponent === undefined) return null;
  const digits = units + fraction;
  const point = units.length + Number(exponent);
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  const whole = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const rest = padded.slice(at);
  const plain = rest === '' ? `${sign}${whole}` : `${sign}${whole}.${rest}`;
  return isDecimal(plain) ? plain : null;
}

/** A decimal member as its digits, never via a float; null if it is absent. Raises UnusableMember for anything else. */
export function decimal(
  object: WireObject,
  field: UnusableMember['field'],
  name: string,
  other: string = name,
): string | null {
  if (member(object, name, other) == null) return null;
  const plain = optionalDecimal(object, name, other);
  if (plain === null && text(object, name, other) !== null) throw new UnusableMember(field, 'unreadable');
  return plain;
}

/** The same, and null for anything that cannot be read exactly. */
export function optionalDecimal(object: WireObject, name: string, other: string = name): string | null {
  const sent = text(object, name, other);
  // A number here was parsed by parsePlain, and may have lost its last digits.
  return sent === null || typeof member(object, name, other) === 'number' ? null : plainDecimal(sent);
}

/** An amount in a currency; null if either is missing, as in a price in a coin, or if it is out of range. */
export function amountIn(sent: string | null, currency: string | null): ExactMoney | null {
  if (sent === null || currency === null) return null;
  try {
    return exactMoney(sent, currency);
  } catch {
    return null;
  }
}

/** The exact product; null if a factor is missing, or it has too many digits. */
export function product(factors: readonly (string | null)[]): string | null {
  let result = new Big(1);
  for (const factor of factors) {
    if (factor === null) return null;
    result = result.times(factor);
  }
  return written(result);
}

/** The exact difference; null if either is missing. */
export function difference(from: string | null, less: string | null): string | null {
  return from === null || less === null ? null : written(new Big(from).minus(less));
}

/** The same text for the same number: `1.50` and `1.5` are `1.5`. */
export function canonical(decimal: string | null): string {
  return decimal === null ? '' : new Big(decimal).toFixed();
}

function written(number: Big): string | null {
  const text = number.round(MOST_PLACES).toFixed();
  return isDecimal(text) ? text : null;
}
