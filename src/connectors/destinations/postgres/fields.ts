import pg from 'pg';
import {
  BALANCE_FIELDS,
  type FieldForm,
  HOLDING_FIELDS,
  TRADE_FIELDS,
  TRANSACTION_FIELDS,
} from '../../../vocabulary/row-fields.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';

/** A name as it is in a statement, quoted by the driver. */
export function quoted(...names: readonly string[]): string {
  return names.map((name) => pg.escapeIdentifier(name)).join('.');
}

/** A text as it is in a statement that takes no parameters, quoted by the driver. */
export function literal(text: string): string {
  return pg.escapeLiteral(text);
}

/** The longest name that Postgres keeps; longer ones it cuts. */
const NAME_BYTES = 63;

/** A name with a suffix that is no longer than Postgres keeps. */
export function suffixed(name: string, suffix: string): string {
  let kept = name;
  while (Buffer.byteLength(kept + suffix) > NAME_BYTES) kept = [...kept].slice(0, -1).join('');
  return kept + suffix;
}

/** Where rows are written. */
export interface Place {
  readonly schema: string;
  readonly table: string;
}

/** What a table holds. */
export type Contents = SyncType | 'balances';

/** A column that this service writes. */
export interface Field {
  /** Its field in docs/columns.md, and what the column is called unless a person renames it. */
  readonly name: string;
  /** The type that it is made with. */
  readonly sqlType: 'text' | 'numeric' | 'date' | 'timestamptz';
  readonly standard: boolean;
}

const SQL_TYPES: Readonly<Record<FieldForm, Field['sqlType']>> = {
  text: 'text',
  long_text: 'text',
  choice: 'text',
  decimal: 'numeric',
  date: 'date',
};

/** What row-fields.ts says of one. */
interface RowField {
  readonly form: FieldForm;
  readonly standard: boolean;
}

const TABLES: Readonly<Record<Contents, Readonly<Record<string, RowField>>>> = {
  transactions: TRANSACTION_FIELDS,
  trades: TRADE_FIELDS,
  holdings: HOLDING_FIELDS,
  balances: BALANCE_FIELDS,
};

/** The fields of a table, in their order: those that the owner chose, or the standard ones. */
export function fieldsOf(contents: Contents, chosen: readonly string[] | null): readonly Field[] {
  const all = Object.entries(TABLES[contents]).map(([name, { form, standard }]): Field => {
    // A moment is text elsewhere, because spreadsheets have no type for it.
    const sqlType = name === 'last_updated' ? 'timestamptz' : SQL_TYPES[form];
    return { name, sqlType, standard };
  });
  if (chosen === null) return all.filter(({ standard }) => standard);
  return chosen.flatMap((name) => all.filter((field) => field.name === name));
}

/** Columns beside those of the fields: the row's key, and whose row it is. */
export const KEY: Field = { name: 'tributary_id', sqlType: 'text', standard: true };
export const OWNER: Field = { name: 'tributary_account', sqlType: 'text', standard: true };
/** Of snapshots: the sync that wrote the row, since others may write to the same table. */
export const WRITER: Field = { name: 'tributary_sync', sqlType: 'text', standard: true };
