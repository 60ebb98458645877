import {
  BALANCE_FIELDS,
  type FieldForm,
  HOLDING_FIELDS,
  SYNC_FIELDS,
  SYNC_KEYS,
  TRADE_FIELDS,
  TRANSACTION_FIELDS,
} from '../../../vocabulary/row-fields.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import type { OpenedSync } from '../destination-opening.ts';
import { chosenFields } from '../kit/chosen-fields.ts';
import type { SheetColumn } from './sheet-column.ts';
import { TILLER_COLUMNS, TILLER_FIELDS, TILLER_SIGNS } from './tiller-columns.ts';

export interface SheetTable {
  readonly name: string;
  /** The column that says which row, or whose rows, are there. */
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

/** The column, and the value of a row, by which a position is found again. */
export const POSITION_ID = 'position_id';

/** Whose positions and balances are is in a hidden column at the right. */
const WHOSE: SheetColumn = {
  name: 'account_id',
  header: TRANSACTION_FIELDS.account_id.header,
  form: 'text',
  needed: true,
  updated: true,
  hidden: true,
  value: ({ values }) => values.account_id ?? null,
};

/** Which position is in a row: symbols and names may be missing, and more than one position may have them. */
const POSITION: SheetColumn = {
  ...WHOSE,
  name: POSITION_ID,
  header: 'Position ID',
  value: ({ values }) => values[POSITION_ID] ?? null,
};
const OWN: ReadonlySet<SheetColumn> = new Set([WHOSE, POSITION]);

/** Whether the column is for finding rows again, and not for people. */
export const isOwn = (column: SheetColumn): boolean => OWN.has(column);

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
  columns: [...columnsOf(HOLDING_FIELDS), WHOSE, POSITION],
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

/** What a tab of a sync's rows holds unless its owner chose columns or its headers say otherwise. */
const STANDARD: Readonly<Record<SyncType, SheetTable>> = {
  transactions: TRANSACTIONS,
  trades: TRADES,
  holdings: HOLDINGS,
};

/** Columns of a new tab, in order. */
export const neededColumns = ({ columns }: SheetTable): readonly SheetColumn[] =>
  columns.filter(({ needed }) => needed);

/** The table of a sync's type: of the columns that its owner chose, in their order, else of the standard ones. */
export function tableOf({ type, columns }: Pick<OpenedSync, 'type' | 'columns'>): SheetTable {
  const table = STANDARD[type];
  const chosen = chosenFields(columns, SYNC_FIELDS[type], SYNC_KEYS[type]);
  if (columns === null || chosen === null) return table;
  const shown = chosen.flatMap((name) => table.columns.filter((column) => column.name === name));
  const own = table.columns.filter(isOwn);
  return { ...table, columns: [...shown.map((column) => asChosen(column, columns)), ...own] };
}

/** Every chosen column is added where it is missing; one that is there for us alone is hidden. */
function asChosen(column: SheetColumn, columns: readonly string[]): SheetColumn {
  return { ...column, needed: true, hidden: !columns.includes(column.name) };
}

/** The table for a tab: that of a template whose headers it has, else that of the sync. */
export function tableFor(
  sync: Pick<OpenedSync, 'type' | 'options' | 'columns'>,
  headers: readonly string[],
  tags: ReadonlyMap<string, number>,
): SheetTable {
  const { type, options, columns } = sync;
  if (type !== 'transactions' || tags.has(tagOf(TRANSACTIONS, TRANSACTIONS.key))) return tableOf(sync);
  const there = new Set(headers.map(normal));
  const isTiller = TILLER_SIGNS.every((header) => there.has(normal(header)));
  if (!isTiller && !tags.has(tagOf(TILLER, TILLER.key))) return tableOf(sync);
  const template = options.custom_categories ? TILLER_WITH_CATEGORIES : TILLER;
  return columns === null ? template : chosenOfTemplate(template, columns);
}

/**
 * What the template makes of the chosen fields, by its own rules: what people write there stays theirs. The first of a
 * field's columns is added where the sheet lacks it; fields that the template does not know have a column of ours.
 */
function chosenOfTemplate(template: SheetTable, columns: readonly string[]): SheetTable {
  const chosen = chosenFields(columns, TRANSACTION_FIELDS, 'transaction_id') ?? [];
  const shown = chosen.flatMap((name) => {
    const made = template.columns.filter((column) => TILLER_FIELDS.get(column.name) === name);
    const own = made.length > 0 ? made : TRANSACTIONS.columns.filter((column) => column.name === name);
    return own.map((column, index) => (index === 0 ? asChosen(column, columns) : column));
  });
  const always = template.columns.filter((column) => !TILLER_FIELDS.has(column.name));
  return { ...template, columns: [...shown, ...always] };
}

/** A column's metadata. */
export const tagOf = (table: SheetTable, column: string): string => `${table.name}.${column}`;

/** Headers are compared without regard to case and to spaces around them. */
export const normal = (header: string): string => header.trim().toLowerCase();
