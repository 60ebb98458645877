import { publicId } from '../../../vocabulary/ids.ts';
import { BALANCE_FIELDS, type FieldForm, TRANSACTION_FIELDS } from '../../../vocabulary/row-fields.ts';
import { TRANSACTION_CLASSES, TRANSACTION_STATUSES } from '../../../vocabulary/transactions.ts';
import type { BalanceSnapshot, TransactionRow } from '../delivery-rows.ts';
import type { OpenedSync } from '../destination-contract.ts';
import {
  BALANCE_VALUES,
  chosenFields,
  encodeValues,
  type FieldValue,
  TRANSACTION_VALUES,
} from '../row-values.ts';
import type { Field, NewField } from './client.ts';

/** A column that this service fills. */
export interface ColumnSpec {
  /** The name of the field. */
  readonly key: string;
  readonly header: string;
  readonly form: FieldForm;
  /** For a choice: its initial options. */
  readonly choices: readonly string[];
}

const TEXTS = ['singleLineText', 'multilineText'] as const;

/** By form: the type of a column created here, and other types that a person may have given it. */
const TYPES: Readonly<Record<FieldForm, { readonly made: string; readonly others: readonly string[] }>> = {
  text: { made: 'singleLineText', others: ['multilineText', 'singleSelect'] },
  long_text: { made: 'multilineText', others: ['singleLineText'] },
  choice: { made: 'singleSelect', others: TEXTS },
  decimal: { made: 'number', others: ['currency', ...TEXTS] },
  date: { made: 'date', others: TEXTS },
};
/** Airtable merges on text; a choice would get an option for every row. */
const MERGE_TYPES: readonly string[] = TEXTS;
/** The minimum and maximum number of decimals of a number column. */
const [FEWEST_DIGITS, MOST_DIGITS] = [2, 8];

/** Characters of a description. */
const MOST_DESCRIBED = 20_000;

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  direction: ['credit', 'debit'],
  status: TRANSACTION_STATUSES,
  class: TRANSACTION_CLASSES,
};

const READERS = new Map(Object.entries(TRANSACTION_VALUES));

/** The standard columns of transactions, in the order of the vocabulary. */
export const TRANSACTION_COLUMNS: readonly ColumnSpec[] = Object.entries(TRANSACTION_FIELDS)
  .filter(([, { standard }]) => standard)
  .map(([key, field]) => columnOf(key, field));

/** The columns that the owner of a sync chose, in their order, else the standard ones. */
export function columnsOf({ columns }: Pick<OpenedSync, 'columns'>): readonly ColumnSpec[] {
  const chosen = chosenFields(columns, TRANSACTION_FIELDS, ID_COLUMN);
  return chosen?.map((key) => columnOf(key, TRANSACTION_FIELDS[key])) ?? TRANSACTION_COLUMNS;
}

function columnOf(key: string, { header, form }: Pick<ColumnSpec, 'header' | 'form'>): ColumnSpec {
  // A choice of any number of currencies would need a person who may add options.
  return { key, header, form: key === 'currency' ? 'text' : form, choices: CHOICES[key] ?? [] };
}

/** The column that identifies a row. */
export const ID_COLUMN = 'transaction_id';
/** The column by which people recognise a row: Airtable shows it first. */
export const PRIMARY_COLUMN = 'description';

/** The columns of balances. Two accounts may have the same name: they are identified by their id. */
export const BALANCE_COLUMNS: readonly ColumnSpec[] = [
  ...Object.entries(BALANCE_FIELDS).map(([key, { header, form }]) => ({
    key,
    header,
    form: key === 'currency' ? ('text' as const) : form,
    choices: [],
  })),
  { key: 'account_id', header: TRANSACTION_FIELDS.account_id.header, form: 'text', choices: [] },
];
export const BALANCE_ID_COLUMN = 'account_id';
const BALANCE_READERS = Object.values(BALANCE_VALUES);

/** Text of a row, its values in the order of the columns. */
export function encodeTransaction(row: TransactionRow, columns: readonly ColumnSpec[]): string {
  return encodeValues(columns.map(({ key }) => READERS.get(key)?.(row) ?? null));
}

/** The values of a balance, in the order of BALANCE_COLUMNS. */
export function balanceValues(snapshot: BalanceSnapshot): readonly FieldValue[] {
  return [...BALANCE_READERS.map((read) => read(snapshot)), publicId('account', snapshot.account.id)];
}

/** The type of the column if we create it. */
export const madeType = ({ form }: Pick<ColumnSpec, 'form'>): string => TYPES[form].made;

/** Whether a column of this type can contain the column's values exactly. */
export function fits({ form, key }: ColumnSpec, type: string): boolean {
  if (key === ID_COLUMN || key === BALANCE_ID_COLUMN) return MERGE_TYPES.includes(type);
  const { made, others } = TYPES[form];
  return type === made || others.includes(type);
}

/** The mark of the column of a field, whatever its name: the beginning of its description. */
const markOf = ({ key }: Pick<ColumnSpec, 'key'>): string => `Filled by Tributary: ${key}`;
const MARKED = /^Filled by Tributary: ([a-z_]+)(?!\S)/;

/** The field whose mark a column has; null if it has none. */
export function markedKey({ description }: Pick<Field, 'description'>): string | null {
  return MARKED.exec(description ?? '')?.[1] ?? null;
}

/** The description of a column that a person created, once it is ours. What they wrote follows the mark. */
export function markedDescription(
  spec: ColumnSpec,
  { description = '' }: Pick<Field, 'description'>,
): string {
  return `${markOf(spec)} ${description}`.slice(0, MOST_DESCRIBED).toWellFormed().trim();
}

/** The column in the form to create at Airtable. `digits`: the decimals of the current values. */
export function newField(spec: ColumnSpec, digits: number): NewField {
  const { header, form, choices } = spec;
  const field = { name: header, type: TYPES[form].made, description: markOf(spec) };
  switch (form) {
    case 'decimal':
      return {
        ...field,
        options: { precision: Math.min(MOST_DIGITS, Math.max(FEWEST_DIGITS, digits)) },
      };
    case 'date':
      return { ...field, options: { dateFormat: { name: 'iso' } } };
    case 'choice':
      return { ...field, options: { choices: choices.map((name) => ({ name })) } };
    default:
      return field;
  }
}
