import type { FieldValue } from '../row-values.ts';
import type { Cell } from './session.ts';
import type { Column, Table } from './table.ts';

/** A row on its way to the table. */
export interface GivenRow {
  /** The source id. */
  readonly id: string;
  /** What it has in the column of keys. */
  readonly key: string;
  /** The account's id in v2. */
  readonly account: string;
  /** The key of the pending row whose place it takes. */
  readonly replaces: string | null;
  readonly values: Readonly<Record<string, Cell>>;
}

/** The text of a row: its values by field, so that a later choice of columns reads it as well. */
export function encoded(values: readonly (readonly [field: string, value: FieldValue])[]): string {
  return JSON.stringify(Object.fromEntries(values.map(([field, value]) => [field, storable(value)])));
}

/** Postgres holds no NUL and no half of a surrogate pair. */
function storable(value: FieldValue): FieldValue {
  return value === null ? null : value.replaceAll('\0', '\ufffd').toWellFormed();
}

/** @throws TypeError for text that `encoded` has not made; it does not repeat the text */
export function valuesOf(text: string): Readonly<Record<string, Cell>> {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // What JSON.parse raises repeats the beginning of the text, which is a row.
  }
  if (!isEncoded(value)) throw new TypeError('an encoded row has an unknown form');
  return value;
}

function isEncoded(value: unknown): value is Readonly<Record<string, Cell>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((cell) => cell === null || typeof cell === 'string');
}

/** Parameters of a statement that takes many rows: a list for each column. */
export function listsOf(table: Table, rows: readonly GivenRow[]): readonly (readonly Cell[])[] {
  return [
    rows.map(({ key }) => key),
    rows.map(({ account }) => account),
    rows.map(({ replaces }) => replaces),
    ...table.columns.map(({ field }) => rows.map(({ values }) => values[field.name] ?? null)),
  ];
}

/** The rows of `listsOf` as the table `given`, each value with the type of its column. */
export function givenOf(table: Table): string {
  const lists = Array.from({ length: table.columns.length + 3 }, (_, at) => `$${at + 1}::text[]`);
  const names = table.columns.map((_, at) => `v${at}`);
  return `given as (select * from unnest(${lists.join(', ')}) as given (key, account, replaces${names.map((name) => `, ${name}`).join('')}))`;
}

/** Columns of the table beside their values in `given`. */
export function assignments({
  key,
  owner,
  columns,
}: Table): readonly (readonly [column: Column, value: string])[] {
  return [
    [key, `given.key::${key.type}`],
    [owner, `given.account::${owner.type}`],
    ...columns.map((column, at) => [column, `given.v${at}::${column.type}`] as const),
  ];
}
