import { addDays, type LocalDate, localDate } from '../../../vocabulary/moments.ts';
import type { FieldForm, TransactionField } from '../../../vocabulary/row-fields.ts';
import type { FieldValue } from '../row-values.ts';
import type { ColumnSource, SheetColumn } from './sheet-column.ts';

/** Headers that together only a sheet of that template has; the template may have further ones, or lack the others. */
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

/** The first day that the bank gave, the posting day before the others. */
const dayOf = ({ values }: ColumnSource): LocalDate | null => {
  const day = values.post_date ?? values.date ?? null;
  return day === null ? null : localDate(day);
};

const field =
  (name: string) =>
  ({ values }: ColumnSource): FieldValue =>
    values[name] ?? null;

/** What people write themselves there is written once, with the row, and never again. */
const THEIRS: Made = { updated: false };

/** The columns of Tiller's sheet `Transactions`. Only the id is added where it is missing. */
export const TILLER_COLUMNS: readonly SheetColumn[] = [
  column('Date', 'date', dayOf),
  column('Description', 'long_text', field('description')),
  // Left to the person, and to their own rules, unless the sync fills in categories of their own.
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

/** Which field of a transaction each of these columns is made of, by its name; the day a row is written is of none. */
export const TILLER_FIELDS: ReadonlyMap<string, TransactionField> = new Map([
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
