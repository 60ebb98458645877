import {
  BALANCE_FIELDS,
  type FieldForm,
  HOLDING_FIELDS,
  TRADE_FIELDS,
  TRANSACTION_FIELDS,
} from '../../../vocabulary/row-fields.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import type { OpenedSync } from '../destination-opening.ts';
import type { SheetColumn } from './sheet-column.ts';
import { TILLER_COLUMNS, TILLER_SIGNS } from './tiller-columns.ts';

export interface SheetTable {
  readonly name: string;
  /** The column that says which row, or whose rows, stand there. */
  readonly key: string;
  readonly columns: readonly SheetColumn[];
  /** Whether cells of columns that people made get our number format: not in a template, which has its own. */
  readonly formats: boolean;
}

type Fields = Readonly<
  Record<string, { readonly header: string; readonly form: FieldForm; readonly standard: boolean }>
>;

function columnsOf(fields: Fields): readonly SheetColumn[] {
  return Object.entries(fields).map(([name, { header, form, standard }]) => ({
    name,
    header,
    form,
    needed: standard,
    updated: true,
    hidden: false,
    value: ({ values }) => values[name] ?? null,
  }));
}

/** Positions and balances have no id of their own: whose they are is in a hidden column at the right. */
const WHOSE: SheetColumn = {
  name: 'account_id',
  header: TRANSACTION_FIELDS.account_id.header,
  form: 'text',
  needed: true,
  updated: true,
  hidden: true,
  value: ({ values }) => values.account_id ?? null,
};

const TRANSACTIONS: SheetTable = {
  name: 'transactions',
  key: 'transaction_id',
  columns: columnsOf(TRANSACTION_FIELDS),
  formats: true,
};
const TRADES: SheetTable = {
  name: 'trades',
  key: 'trade_id',
  columns: columnsOf(TRADE_FIELDS),
  formats: true,
};
const HOLDINGS: SheetTable = {
  name: 'holdings',
  key: 'account_id',
  columns: [...columnsOf(HOLDING_FIELDS), WHOSE],
  formats: true,
};
export const BALANCES: SheetTable = {
  name: 'balances',
  key: 'account_id',
  columns: [...columnsOf(BALANCE_FIELDS), WHOSE],
  formats: true,
};
const TILLER: SheetTable = { name: 'tiller', key: 'transaction_id', columns: TILLER_COLUMNS, formats: false };
/** Where the sync fills in the person's own categories, a changed one reaches its row. */
const TILLER_WITH_CATEGORIES: SheetTable = {
  ...TILLER,
  columns: TILLER_COLUMNS.map((column) =>
    column.name === 'category' ? { ...column, updated: true } : column,
  ),
};

/** What a tab of a sync's rows holds unless its headers say otherwise. */
export const TABLES: Readonly<Record<SyncType, SheetTable>> = {
  transactions: TRANSACTIONS,
  trades: TRADES,
  holdings: HOLDINGS,
};

/** Columns of a new tab, in order. */
export const neededColumns = ({ columns }: SheetTable): readonly SheetColumn[] =>
  columns.filter(({ needed }) => needed);

/** The table for a tab: that of a template whose headers it has, else the standard one of the sync's type. */
export function tableFor(
  { type, options }: Pick<OpenedSync, 'type' | 'options'>,
  headers: readonly string[],
  tags: ReadonlyMap<string, number>,
): SheetTable {
  const table = TABLES[type];
  if (table !== TRANSACTIONS || tags.has(tagOf(TRANSACTIONS, TRANSACTIONS.key))) return table;
  const there = new Set(headers.map(normal));
  const isTiller = TILLER_SIGNS.every((header) => there.has(normal(header)));
  if (!isTiller && !tags.has(tagOf(TILLER, TILLER.key))) return table;
  return options.custom_categories ? TILLER_WITH_CATEGORIES : TILLER;
}

/** A column's metadata. */
export const tagOf = (table: SheetTable, column: string): string => `${table.name}.${column}`;

/** Headers are compared without regard to case and to spaces around them. */
export const normal = (header: string): string => header.trim().toLowerCase();
