import { isDecimal } from '../../../vocabulary/money.ts';
import { member, text, type WireObject } from './json.ts';
import { UnusableMember } from './set-aside.ts';

const ZERO = /^-(?=0*(?:\.0*)?$)/;
const NUMBER = /^(-?)(\d{1,60})(?:\.(\d{1,60}))?[eE]([+-]?\d{1,3})$/;

/**
 * The same number without an exponent, digit for digit: `1.5e-7` becomes `0.00000015`. JSON allows exponents, and
 * serialisers write small quantities of a coin that way. A plus is left out, and so is the minus of zero. Null for what
 * is no number or has more than 30 digits on a side of its point.
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

/** A decimal member as its digits, never through a float; null where it is absent. Raises UnusableMember for anything else. */
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

/** The same, and null for what cannot be read exactly. */
export function optionalDecimal(object: WireObject, name: string, other: string = name): string | null {
  const sent = text(object, name, other);
  // A number here was parsed by parsePlain, and its last digits may be gone.
  return sent === null || typeof member(object, name, other) === 'number' ? null : plainDecimal(sent);
}
