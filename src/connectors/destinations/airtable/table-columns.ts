import { DestinationFailure } from '../destination-failure.ts';
import { decimalsOf } from '../kit/exact-number.ts';
import { VendorRefusal } from '../kit/vendor-refusal.ts';
import type { FieldValue } from '../row-values.ts';
import type { AirtableAccess, AirtableApi, TablePlace } from './client.ts';
import { type ColumnSpec, fits, ID_COLUMN, markedDescription, markedKey, newField } from './columns.ts';
import { TAKEN_NAMES } from './failures.ts';
import { freeName } from './free-name.ts';
import { ownFields } from './own-fields.ts';
import type { Field, Table } from './wire.ts';

/** A column of a table that a field is written to. */
export interface TableColumn {
  readonly spec: ColumnSpec;
  readonly id: string;
  readonly type: string;
}

/** The table's columns for the fields, in their order; those that are missing are made. Raises DestinationFailure. */
export async function ensureColumns(
  api: AirtableApi,
  by: AirtableAccess,
  place: TablePlace,
  table: Table,
  specs: readonly ColumnSpec[],
  rows: readonly (readonly FieldValue[])[],
): Promise<readonly TableColumn[]> {
  const columns: TableColumn[] = [];
  const unmarked: { readonly spec: ColumnSpec; readonly field: Field }[] = [];
  for (const [at, { spec, field: found }] of (await ownFields(api, by, place, table, specs)).entries()) {
    const digits = Math.max(0, ...rows.map((values) => decimalsOf(values[at] ?? '')));
    const field = found ?? (await newColumn(api, by, place, table, spec, digits));
    if (!fits(spec, field.type)) throw unfit(spec, field);
    columns.push({ spec, id: field.id, type: field.type });
    if (markedKey(field) === null) unmarked.push({ spec, field });
  }
  // The ids last: with their mark, whatever bears none and is filled counts as a person's own.
  const isId = ({ spec }: { readonly spec: ColumnSpec }): boolean => spec.key === ID_COLUMN;
  for (const one of [...unmarked.filter((other) => !isId(other)), ...unmarked.filter(isId)]) {
    if (!(await isMarkedNow(api, by, place, one))) break;
  }
  return columns;
}

async function newColumn(
  api: AirtableApi,
  by: AirtableAccess,
  place: TablePlace,
  { fields }: Pick<Table, 'fields'>,
  spec: ColumnSpec,
  digits: number,
): Promise<Field> {
  const isTaken = fields.some(({ name }) => name.toLowerCase() === spec.header.toLowerCase());
  const name = isTaken ? freeName(`${spec.header} (Tributary)`, fields) : spec.header;
  try {
    return await api.createField(by, place, { ...newField(spec, digits), name });
  } catch (error) {
    if (!(error instanceof VendorRefusal && TAKEN_NAMES.has(error.word))) throw error;
    // Another run has made it meanwhile, or an attempt whose answer was lost.
    const now = (await api.tables(by, place.base)).find(({ id }) => id === place.table)?.fields ?? [];
    const made = now.find((field) => markedKey(field) === spec.key);
    if (made === undefined) throw error;
    return made;
  }
}

/** False where Airtable refuses it, as for a person who may not change columns: then names go on deciding. */
async function isMarkedNow(
  api: AirtableApi,
  by: AirtableAccess,
  place: TablePlace,
  { spec, field }: { readonly spec: ColumnSpec; readonly field: Field },
): Promise<boolean> {
  try {
    await api.describeField(by, place, field.id, markedDescription(spec, field));
    return true;
  } catch (error) {
    if (!(error instanceof VendorRefusal)) throw error;
    return false;
  }
}

function unfit({ header, form }: ColumnSpec, { type }: Field): DestinationFailure {
  const kind = /^[A-Za-z]{1,40}$/.test(type) ? type : 'another type';
  return new DestinationFailure(
    'run_failed',
    `The column “${header}” of the Airtable table is of the type ${kind}, which does not hold a ${form.replace('_', ' ')} as it is: change its type, or rename it and another is made.`,
    { outcome: 'refused', retryable: false },
  );
}
