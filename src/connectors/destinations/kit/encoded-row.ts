import type { FieldValue } from '../row-values.ts';

/** Text of a row as DestinationWriter.encode returns it: its values, in the order of the fields. */
export function encodeValues(values: readonly FieldValue[]): string {
  return JSON.stringify(values);
}

/** @throws TypeError for text that `encodeValues` has not made; it does not repeat the text */
export function decodeValues(text: string): readonly FieldValue[] {
  const values = parsed(text);
  if (!Array.isArray(values)) throw new TypeError('an encoded row is not a list of values');
  if (!values.every(isFieldValue)) throw new TypeError('an encoded row holds what is no text');
  return values;
}

const isFieldValue = (value: unknown): value is FieldValue => value === null || typeof value === 'string';

/** What JSON.parse raises repeats the beginning of the text, which is a row. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
