import { DestinationFailure } from '../destination-failure.ts';
import { VendorRefusal } from '../kit/failures.ts';
import { decimalsOf, exactNumber, type FieldValue } from '../row-values.ts';
import type { AirtableAccess, AirtableApi, Field, Table, TablePlace } from './client.ts';
import {
  BALANCE_ID_COLUMN,
  type ColumnSpec,
  fits,
  ID_COLUMN,
  markedDescription,
  markedKey,
  newField,
} from './columns.ts';
import { TAKEN_NAMES } from './failures.ts';

/** A formula that matches the records whose column contains one of the texts. */
export function oneOfTexts(column: string, texts: readonly string[]): string {
  return `OR(${texts.map((text) => `{${column}}=${quoted(text)}`).join(',')})`;
}

/** A formula that matches the records that are not empty in either column; a zero is not empty. */
function bothFilled(one: string, other: string): string {
  return `AND({${one}}!="",CONCATENATE({${other}},"")!="")`;
}

/** A formula that matches the records with these ids. */
export function oneOfRecords(ids: readonly string[]): string {
  return `OR(${ids.map((id) => `RECORD_ID()=${quoted(id)}`).join(',')})`;
}

/** A text literal in a formula. Line breaks would end it. */
function quoted(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return `"${escaped}"`;
}

/** The index of a table's column for a field. */
export interface OwnField {
  readonly spec: ColumnSpec;
  /** Null if the table has none. */
  readonly field: Field | null;
}

/**
 * The columns that are ours, for each of the fields: by the mark, which survives renaming, else by the name. In a table
 * with rows of ours, a column identified only by its name is left to the person if one of those rows has something in
 * it. Calls Airtable only if there is such a column. Raises DestinationFailure.
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

/**
 * A person's copy of a column also has its mark: then the name decides. One with another field's mark belongs to that
 * field.
 */
function fieldOf(fields: readonly Field[], spec: ColumnSpec): Field | null {
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

/** Tables whose columns are remembered; about 2 kB each. */
const MOST_TABLES = 1_000;

interface KnownTable {
  readonly place: TablePlace;
  readonly columns: readonly TableColumn[];
}

/**
 * Columns of tables by what is written there, cached so that most runs need not request them. They are dropped when
 * Airtable no longer knows one of them, refuses a row, or shows something else than it was sent.
 */
export class ColumnCache {
  readonly #tables = new Map<string, KnownTable>();

  get(name: string): KnownTable | null {
    return this.#tables.get(name) ?? null;
  }

  set(name: string, table: KnownTable): void {
    this.forget(name);
    this.#tables.set(name, table);
    const [oldest] = this.#tables.keys();
    if (this.#tables.size > MOST_TABLES && oldest !== undefined) this.#tables.delete(oldest);
  }

  forget(name: string): void {
    this.#tables.delete(name);
  }
}

/** The name, with a number if it is already used. */
export function freeName(wanted: string, others: readonly Pick<Table, 'name'>[]): string {
  const taken = new Set(others.map(({ name }) => name.toLowerCase()));
  let name = wanted;
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${wanted} ${number}`;
  return name;
}

/** The column of a table that a field is written to. */
export interface TableColumn {
  readonly spec: ColumnSpec;
  readonly id: string;
  readonly type: string;
}

/** The table's columns for the fields, in their order; missing ones are created. Raises DestinationFailure. */
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
  // The ids last: once they have their mark, any filled column without one counts as a person's own.
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
    // Another run has created it in the meantime, or an attempt whose answer was lost.
    const now = (await api.tables(by, place.base)).find(({ id }) => id === place.table)?.fields ?? [];
    const made = now.find((field) => markedKey(field) === spec.key);
    if (made === undefined) throw error;
    return made;
  }
}

/** False if Airtable refuses it, as for a person who may not change columns: then names still decide. */
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

/** A record was written, and Airtable shows something other than what was sent in one of its cells. */
export class ChangedCell extends DestinationFailure {
  constructor({ header, form }: ColumnSpec) {
    const advice = form === 'decimal' ? 'numbers or of text' : 'text';
    super(
      'run_failed',
      `Airtable shows something else in the column “${header}” than it was sent: make it a column of ${advice}.`,
      { outcome: 'unknown', retryable: false },
    );
  }
}

/** The cells of a record to write, by the ids of their columns. */
export type Cells = Readonly<Record<string, string | number | null>>;

const NUMBERS: ReadonlySet<string> = new Set(['number', 'currency']);
/** The most characters of a text in Airtable. */
const MOST_CHARACTERS = 100_000;
const CUT = '…';

/** The cells of a row; null for a row with a number that Airtable, which uses doubles, would change. */
export function cellsOf(columns: readonly TableColumn[], values: readonly FieldValue[]): Cells | null {
  const cells: Record<string, string | number | null> = {};
  for (const [at, { id, type }] of columns.entries()) {
    const value = values[at] ?? null;
    if (value === null) cells[id] = null;
    else if (NUMBERS.has(type)) {
      const number = exactNumber(value);
      if (number === null) return null;
      cells[id] = number;
    } else cells[id] = shortened(value);
  }
  return cells;
}

/** Whether a record has these cells. */
export function shows(fields: Readonly<Record<string, unknown>>, cells: Cells): boolean {
  return Object.entries(cells).every(([id, cell]) => isSame(fields[id], cell));
}

/**
 * The first column in which the record does not show what was sent; null if all do. Texts may differ in spaces and
 * invisible characters: one such row must not fail every run.
 */
export function changedColumn(
  columns: readonly TableColumn[],
  fields: Readonly<Record<string, unknown>>,
  cells: Cells,
): TableColumn | null {
  const isChanged = ({ id, spec: { form } }: TableColumn): boolean => {
    const [shown, sent] = [fields[id], cells[id] ?? null];
    if (isSame(shown, sent)) return false;
    const isText = form === 'text' || form === 'long_text';
    return !(isText && typeof sent === 'string' && visible(shown ?? '') === visible(sent));
  };
  return columns.find(isChanged) ?? null;
}

/** Airtable leaves empty cells out. */
function isSame(shown: unknown, sent: string | number | null): boolean {
  return sent === null || sent === '' ? (shown ?? '') === '' : shown === sent;
}

/** The visible part of a text; null for anything else. */
function visible(text: unknown): string | null {
  return typeof text === 'string' ? text.normalize('NFC').replaceAll(/[\s\p{C}]+/gu, '') : null;
}

/** Cut between characters, never within one. */
export function shortened(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const end = MOST_CHARACTERS - CUT.length;
  const high = text.charCodeAt(end - 1);
  return text.slice(0, high >= 0xd800 && high <= 0xdbff ? end - 1 : end) + CUT;
}
