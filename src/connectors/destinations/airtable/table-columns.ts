import { DestinationFailure } from '../destination-failure.ts';
import { VendorRefusal } from '../kit/vendor-refusal.ts';
import type { FieldValue } from '../row-values.ts';
import type { AirtableAccess, AirtableApi, TablePlace } from './airtable-api.ts';
import { type ColumnSpec, fits, markOf, newField } from './columns.ts';
import { decimalsOf } from './exact-number.ts';
import { TAKEN_NAMES } from './failures.ts';
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
  let { fields } = table;
  const columns: TableColumn[] = [];
  for (const [at, spec] of specs.entries()) {
    let field = fieldOf(fields, spec);
    if (field === null) {
      const digits = Math.max(0, ...rows.map((values) => decimalsOf(values[at] ?? '')));
      try {
        field = await api.createField(by, place, newField(spec, digits));
      } catch (error) {
        if (!(error instanceof VendorRefusal && TAKEN_NAMES.has(error.word))) throw error;
        // Another run has made it meanwhile, or an attempt whose answer was lost.
        fields = (await api.tables(by, place.base)).find(({ id }) => id === place.table)?.fields ?? [];
        field = fieldOf(fields, spec);
        if (field === null) throw error;
      }
    }
    if (!fits(spec, field.type)) throw unfit(spec, field);
    columns.push({ spec, id: field.id, type: field.type });
  }
  return columns;
}

/** By its mark, which outlasts another name; else by its name. */
function fieldOf(fields: readonly Field[], spec: ColumnSpec): Field | null {
  const header = spec.header.toLowerCase();
  return (
    fields.find(({ description }) => description === markOf(spec)) ??
    fields.find(({ name }) => name.toLowerCase() === header) ??
    null
  );
}

function unfit({ header, form }: ColumnSpec, { type }: Field): DestinationFailure {
  const kind = /^[A-Za-z]{1,40}$/.test(type) ? type : 'another type';
  return new DestinationFailure(
    'run_failed',
    `The column “${header}” of the Airtable table is of the type ${kind}, which does not hold a ${form.replace('_', ' ')} as it is: change its type, or rename it and another is made.`,
    { outcome: 'refused', retryable: false },
  );
}
