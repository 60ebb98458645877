import { digest } from '../shared/random.ts';

/** A UUID derived from the parts, the same on every machine. */
export function uuidOf(...parts: readonly (string | number)[]): string {
  const hex = digest(...parts);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** Digits derived from the parts. */
export function digitsOf(count: number, ...parts: readonly (string | number)[]): string {
  const number = BigInt(`0x${digest(...parts).slice(0, 24)}`) % 10n ** BigInt(count);
  return number.toString().padStart(count, '0');
}
