import type { FieldValue } from '../row-values.ts';

/**
 * The number of a decimal text, or null where a JavaScript number would change it: what is written to JSON from it has
 * exactly the value of the text. Zero has no sign.
 */
export function exactNumber(text: string): number | null {
  const [, sign = '', digits = '', fraction = ''] = /^(-?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  const size = fraction === '' ? digits : `${digits}.${fraction}`;
  const value = Number(text);
  return digits !== '' && String(value) === (size === '0' ? size : `${sign}${size}`) ? value + 0 : null;
}

/** How many digits stand after the point, without trailing zeros. */
export function decimalsOf(text: string): number {
  return (/\.(\d*?)0*$/.exec(text)?.[1] ?? '').length;
}

/**
 * The fields that rows of a sync are written with where its owner chose them (OpenedSync.columns), in their order. The
 * `key`, by which rows are found again, is written always: last, unless it was chosen. Null where nothing was chosen, and
 * each destination shows its standard columns.
 *
 * @param fields the table of the sync's fields, by name
 * @param key null for rows that are not found by a field of their own
 */
export function chosenFields<F extends string>(
  columns: readonly string[] | null,
  fields: Readonly<Record<F, unknown>>,
  key: NoInfer<F> | null,
): readonly F[] | null {
  if (columns === null) return null;
  const chosen = columns.map((name) => {
    if (isFieldOf(fields, name)) return name;
    // Names are checked when they are chosen: another version of this service knows more fields than this one.
    throw new TypeError('a sync shows a field that its rows do not have');
  });
  return key === null || chosen.includes(key) ? chosen : [...chosen, key];
}

function isFieldOf<F extends string>(fields: Readonly<Record<F, unknown>>, name: string): name is F {
  return Object.hasOwn(fields, name);
}

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
