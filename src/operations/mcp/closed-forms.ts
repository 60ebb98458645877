import type { Json } from './json-schema.ts';

/** Formats that consist of digits and a few marks. */
const CLOSED_FORMATS: ReadonlySet<string> = new Set(['date', 'date-time', 'time', 'uuid']);

/**
 * From `^` to `$`: characters as they are, digits without end, and letters of a given number and nothing between them.
 * A wildcard, an exclusion, and letters or separators without end leave room for a sentence.
 */
const CLOSED_PATTERN =
  /^\^(?:[\w#:-]|\\[d.]|\\d\+|[()|]|\)\?|-\?|\[(?:\w-\w|\d)+\](?!\+|\*)|\{\d{1,2}\})*\$$/;

/** Whether a value of the schema itself, not of its members, can hold words that its maker chose. */
export function hasRoomForWords(schema: { readonly [name: string]: Json }): boolean {
  const { type, enum: values, const: only, pattern, format } = schema;
  if (values !== undefined || only !== undefined) return false;
  if (type === undefined) return !['anyOf', 'oneOf', 'allOf'].some((branch) => Object.hasOwn(schema, branch));
  if (type !== 'string' && !(Array.isArray(type) && type.includes('string'))) return false;
  if (typeof pattern === 'string') return !isClosedPattern(pattern);
  return typeof format !== 'string' || !CLOSED_FORMATS.has(format);
}

function isClosedPattern(pattern: string): boolean {
  return pattern.split(/\|(?=\^)/).every((alternative) => CLOSED_PATTERN.test(alternative));
}
