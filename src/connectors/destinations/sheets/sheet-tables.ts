import { addDays, type LocalDate, localDate } from '../../../vocabulary/moments.ts';
import {
  BALANCE_FIELDS,
  type FieldForm,
  HOLDING_FIELDS,
  SYNC_FIELDS,
  SYNC_KEYS,
  TRADE_FIELDS,
  TRANSACTION_FIELDS,
  type TransactionField,
} from '../../../vocabulary/row-fields.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import type { OpenedSync } from '../destination-contract.ts';
import { chosenFields, type FieldValue } from '../row-values.ts';
import type { ColumnSource, SheetColumn } from './sheet-requests.ts';

/** Headers that together identify a sheet of that template; the template may have further ones, or lack the others. */
export const TILLER_SIGNS: readonly string[] = [
  'Date',
  'Description',
  'Amount',
  'Month',
  'Week',
  'Date Added',
];

type Made = Partial<Pick<SheetColumn, 'needed' | 'updated'>>;

function column(
  header: string,
  form: FieldForm,
  value: (source: ColumnSource) => FieldValue,
  { needed = false, updated = true }: Made = {},
): SheetColumn {
  const name = header.toLowerCase().replaceAll(' ', '_').replace('#', 'number');
  return { name, header, form, needed, updated, hidden: false, value };
}

/** The first day that the bank gave, with the posting day before the others. */
const dayOf = ({ values }: ColumnSource): LocalDate | null => {
  const day = values.post_date ?? values.date ?? null;
  return day === null ? null : localDate(day);
};

const field =
  (name: string) =>
  ({ values }: ColumnSource): FieldValue =>
    values[name] ?? null;

/** Columns that people edit themselves are written once, with the row, and never again. */
const THEIRS: Made = { updated: false };

/** The columns of Tiller's sheet `Transactions`. Only the id is added if it is missing. */
const TILLER_COLUMNS: readonly SheetColumn[] = [
  column('Date', 'date', dayOf),
  column('Description', 'long_text', field('description')),
  // Left to the person, and their own rules, unless the sync fills in their own categories.
  column('Category', 'text', field('custom_category'), THEIRS),
  column('Amount', 'decimal', field('amount')),
  column('Account', 'text', field('account')),
  column('Account #', 'text', field('account_number')),
  column('Institution', 'text', field('institution')),
  column('Month', 'date', (source) => {
    const day = dayOf(source);
    return day === null ? null : `${day.slice(0, 7)}-01`;
  }),
  column('Week', 'date', (source) => {
    const day = dayOf(source);
    return day === null ? null : addDays(day, -weekday(day));
  }),
  column('Transaction ID', 'text', field('transaction_id'), { needed: true }),
  column('Account ID', 'text', field('account_id')),
  column('Full Description', 'long_text', field('description')),
  column('Date Added', 'date', ({ today }) => today, THEIRS),
  column('Category Hint', 'text', field('category')),
  column('Merchant Name', 'text', field('merchant')),
  column('Note', 'long_text', field('memo'), THEIRS),
  column('Tags', 'text', field('tags'), THEIRS),
];

/**
 * The field of a transaction that each of these columns is derived from, by its name; the day a row is written has
 * none.
 */
const TILLER_FIELDS: ReadonlyMap<string, TransactionField> = new Map([
  ['date', 'date'],
  ['month', 'date'],
  ['week', 'date'],
  ['description', 'description'],
  ['full_description', 'description'],
  ['category', 'category'],
  ['category_hint', 'category'],
  ['amount', 'amount'],
  ['account', 'account'],
  ['account_number', 'account_number'],
  ['institution', 'institution'],
  ['transaction_id', 'transaction_id'],
  ['account_id', 'account_id'],
  ['merchant_name', 'merchant'],
  ['note', 'memo'],
  ['tags', 'tags'],
]);

/** 0 on a Sunday. */
function weekday(day: LocalDate): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

export interface SheetTable {
  readonly name: string;
  /** The column that identifies the row, or the account of rows. */
  readonly key: string;
  readonly columns: readonly SheetColumn[];
  /** Whether cells of columns that people created get our number format: not in a template, which has its own. */
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

/** The account of positions and balances is in a hidden column on the right. */
const WHOSE: SheetColumn = {
  name: 'account_id',
  header: TRANSACTION_FIELDS.account_id.header,
  form: 'text',
  needed: true,
  updated: true,
  hidden: true,
  value: ({ values }) => values.account_id ?? null,
};

/** Identifies the position in a row: symbols and names may be missing, or shared by several positions. */
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
/** If the sync fills in the person's own categories, a changed one is updated in its row. */
const TILLER_WITH_CATEGORIES: SheetTable = {
  ...TILLER,
  columns: TILLER_COLUMNS.map((column) =>
    column.name === 'category' ? { ...column, updated: true } : column,
  ),
};

/** What a tab of a sync's rows contains unless its owner chose columns or its headers say otherwise. */
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

/** Every chosen column is added if it is missing; one that only we need is hidden. */
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
 * What the template derives from the chosen fields, by its own rules: what people write there is kept. The first of a
 * field's columns is added if the sheet lacks it; fields that the template does not know get one of our columns.
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
