import type { AirtableAccess, AirtableApi, TablePlace } from './client.ts';
import { BALANCE_ID_COLUMN, type ColumnSpec, ID_COLUMN, markedKey } from './columns.ts';
import { bothFilled } from './formulas.ts';
import type { Field, Table } from './wire.ts';

/** Where a table's column for a field is. */
export interface OwnField {
  readonly spec: ColumnSpec;
  /** Null where the table has none. */
  readonly field: Field | null;
}

/**
 * The columns that are ours, for each of the fields: by the mark, which outlasts another name, else by the name. In a
 * table with rows of ours, a column that only its name makes ours is left to the person where one of those rows shows
 * something in it. Calls Airtable only where there is such a column. Raises DestinationFailure.
 */
export async function ownFields(
  api: AirtableApi,
  by: AirtableAccess,
  place: TablePlace,
  { fields }: Pick<Table, 'fields'>,
  specs: readonly ColumnSpec[],
): Promise<readonly OwnField[]> {
  const key = specs.some((spec) => spec.key === ID_COLUMN) ? ID_COLUMN : BALANCE_ID_COLUMN;
  const ids = fields.find((field) => markedKey(field) === key);
  const own: OwnField[] = [];
  for (const spec of specs) {
    const field = fieldOf(fields, spec);
    const isSure = field === null || ids === undefined || markedKey(field) !== null;
    const isTheirs = !isSure && (await isFilled(api, by, place, ids.id, field.id));
    own.push({ spec, field: isTheirs ? null : field });
  }
  return own;
}

/** A person's copy of a column bears its mark too: then the name decides. One with another field's mark shows that. */
export function fieldOf(fields: readonly Field[], spec: ColumnSpec): Field | null {
  const header = spec.header.toLowerCase();
  const isNamed = ({ name }: Field): boolean => name.toLowerCase() === header;
  const ours = fields.filter((field) => markedKey(field) === spec.key);
  return (
    ours.find(isNamed) ??
    ours[0] ??
    fields.find((field) => isNamed(field) && markedKey(field) === null) ??
    null
  );
}

async function isFilled(
  api: AirtableApi,
  by: AirtableAccess,
  place: TablePlace,
  ids: string,
  column: string,
): Promise<boolean> {
  const wanted = { formula: bothFilled(ids, column), fields: [ids] };
  for await (const records of api.pages(by, place, wanted)) if (records.length > 0) return true;
  return false;
}
