import { parsePublicId, publicId, type RowId } from '../../../vocabulary/ids.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import type { ShownRow } from '../destination-contract.ts';
import type { RowIds } from '../kit/shared-ids.ts';
import type { FieldValue } from '../row-values.ts';
import type { Cell, Session } from './client.ts';
import type { Column, Table } from './table.ts';

/** A row's account, and how keys and the table identify it. */
export interface Owned {
  readonly id: string;
  readonly of: RowId<'account'>;
  readonly account: string;
}

export function owned(of: RowId<'account'>, id: string): Owned {
  return { id, of, account: publicId('account', of) };
}

/** Whether rows of a sync always have their account in the key: equal trades of two accounts have the same id. */
const ALWAYS_QUALIFIED: Readonly<Record<SyncType, boolean>> = {
  transactions: false,
  trades: true,
  holdings: true,
};

/** The key of a row whose plain id is, or may be, that of another account's row. */
export function qualifiedKey({ id, account }: Pick<Owned, 'id' | 'account'>): string {
  return `${account}/${id}`;
}

/** What a verification finds a row by. */
export function keysOf(type: SyncType, id: string, account: RowId<'account'>): readonly string[] {
  return [ALWAYS_QUALIFIED[type] ? qualifiedKey(owned(account, id)) : id];
}

/** What a row read back is found by. */
export function foundBy(key: string, owner: string | null): Pick<ShownRow, 'row' | 'keys'> {
  const account = owner === null ? null : parsePublicId('account', owner);
  if (owner === null || account === null) return { keys: [key] };
  const isQualified = key.startsWith(`${owner}/`);
  const id = isQualified ? key.slice(`${owner}/`.length) : key;
  return { keys: [key], row: { account, id } };
}

/**
 * The keys of rows. A transaction has its id as its key, unless a row of another account of the sync has it: rows of
 * accounts that are not in the sync are the same rows, linked by another account record. Raises what `ask` raises.
 */
export async function keysIn(
  session: Session,
  { name, key, owner }: Table,
  type: SyncType,
  rows: readonly Owned[],
  ids: RowIds,
  signal: AbortSignal,
): Promise<(row: Owned) => string> {
  if (ALWAYS_QUALIFIED[type] || rows.length === 0) return qualifiedKey;
  if (!ids.isShared) return ({ id }) => id;
  const statement = `select ${key.name}::text as id, ${owner.name}::text as account from ${name}
    where ${key.name}::text = any($1::text[])`;
  const keys = new Set(rows.flatMap((row) => [row.id, qualifiedKey(row)]));
  const found = await session.ask(statement, [[...keys]], signal);
  const owners = new Map(found.map(({ id, account }) => [String(id), account]));
  for (const { id, account } of rows) if (owners.get(id) === null) owners.set(id, account);
  return (row) => {
    const { id, account } = row;
    if (owners.has(qualifiedKey(row))) return qualifiedKey(row);
    if (owners.get(id) === account) return id;
    const isAnothers = owners.has(id) && ids.others({ id, account: row.of }).length > 0;
    return isAnothers ? qualifiedKey(row) : id;
  };
}

/** A row to be written to the table. */
export interface GivenRow {
  /** The source id. */
  readonly id: string;
  /** Its value in the column of keys. */
  readonly key: string;
  /** The account's id in v2. */
  readonly account: string;
  /** The key of the pending row that it replaces. */
  readonly replaces: string | null;
  readonly values: Readonly<Record<string, Cell>>;
}

/** The text of a row: its values by field, so that it can also be read after the choice of columns changes. */
export function encoded(values: readonly (readonly [field: string, value: FieldValue])[]): string {
  return JSON.stringify(Object.fromEntries(values.map(([field, value]) => [field, storable(value)])));
}

/** Postgres cannot store NUL or half a surrogate pair. */
function storable(value: FieldValue): FieldValue {
  return value === null ? null : value.replaceAll('\0', '\ufffd').toWellFormed();
}

/** @throws TypeError for text that is not from `encoded`; it does not repeat the text */
export function valuesOf(text: string): Readonly<Record<string, Cell>> {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Errors of JSON.parse repeat the beginning of the text, which is a row.
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

/** Columns of the table with their values in `given`. */
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
