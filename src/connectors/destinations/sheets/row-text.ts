import { TRADE_FIELDS, TRANSACTION_FIELDS } from '../../../vocabulary/row-fields.ts';
import type { DeliveryRow } from '../delivery-rows.ts';
import { decodeValues, encodeValues } from '../kit/encoded-row.ts';
import { type FieldValue, TRADE_VALUES, TRANSACTION_VALUES } from '../row-values.ts';

/** Besides the fields of a transaction: the person's own category alone, without what stands in where there is none. */
const TRANSACTION_NAMES: readonly string[] = [...Object.keys(TRANSACTION_FIELDS), 'custom_category'];
const TRADE_NAMES: readonly string[] = Object.keys(TRADE_FIELDS);

/** Every value that a column of any table could show, so that the text of a row does not depend on its sheet. */
export function rowText(row: DeliveryRow): string {
  if (row.kind === 'trade') return encodeValues(Object.values(TRADE_VALUES).map((value) => value(row)));
  return encodeValues([...Object.values(TRANSACTION_VALUES).map((value) => value(row)), row.customCategory]);
}

/** Values by field of a row's text. @throws TypeError for text that `rowText` has not made */
export function valuesOf(text: string): Readonly<Record<string, FieldValue>> {
  const values = decodeValues(text);
  const names = [TRANSACTION_NAMES, TRADE_NAMES].find(({ length }) => length === values.length);
  if (names === undefined) throw new TypeError('an encoded row has another number of values');
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));
}
