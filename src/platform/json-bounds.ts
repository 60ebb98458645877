/** Bounds on the work that a JSON text gives a parser. */
export interface JsonBounds {
  /** Objects and arrays inside one another. */
  readonly depth: number;
  /** Members and items of all objects and arrays together. */
  readonly values: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Which bound the JSON in `bytes` exceeds, or null. Call it before parsing: the cost of parsing grows with depth and
 * number of values, not with bytes alone, and nothing can interrupt it. One pass over the bytes, without allocating.
 * Does not check that they are JSON.
 */
export function brokenBound(bytes: Uint8Array, { depth, values }: JsonBounds): keyof JsonBounds | null {
  let level = 0;
  let seen = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at++;
        while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        level++;
        seen++;
        if (level > depth) return 'depth';
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        level--;
        break;
      case COMMA:
        seen++;
        break;
      default:
    }
    if (seen > values) return 'values';
  }
  return null;
}
