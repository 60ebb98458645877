import type { Category, Transaction } from '#client';
import { currencyExponent } from '../../../src/vocabulary/money.ts';
import { isWithinCode, primaryCategoryOf } from '../../../src/vocabulary/provider-categories.ts';
import { type CountedSpending, countedSpending, isSpending } from '../accounts/spending-rules.ts';
import { readDecimal } from '../format/typed-decimals.ts';
import type { TransactionsSearch } from './search.ts';

/** In an address, rows that are in no category of the person. */
export const NO_CATEGORY = 'none';
/** In an address, rows to which the bank gives no category either. */
export const UNCATEGORISED = 'uncategorised';

export type RowFilter = Pick<TransactionsSearch, 'q' | 'kind' | 'category' | 'least' | 'most'>;

/** Whether the filter leaves anything out. */
export function narrows({ q = '', kind, category, least, most }: RowFilter): boolean {
  return [kind, category, least, most].some((one) => one !== undefined) || q.trim() !== '';
}

/** The rows that match what a person is looking for. */
export function matching(
  rows: readonly Transaction[],
  filter: RowFilter,
  categories: readonly Category[],
  spending?: CountedSpending,
): readonly Transaction[] {
  return rows.filter(matcher(filter, categories, spending));
}

/** Of no account. */
const NO_SPENDING = countedSpending([], []);

/** Whether a row matches what a person is looking for. `spending`: what the kind of that name means. */
export function matcher(
  filter: RowFilter,
  categories: readonly Category[],
  spending: CountedSpending = NO_SPENDING,
): (row: Transaction) => boolean {
  const { q = '', kind, least, most } = filter;
  const wanted = q.trim().toLocaleLowerCase();
  const named = new Set(
    categories.filter(({ name }) => name.toLocaleLowerCase().includes(wanted)).map(({ id }) => id),
  );
  const amount = soughtAmount(q);
  const code = bankCodeOf(filter.category);
  const isUncategorised = filter.category === UNCATEGORISED;
  const chosen = code === null && !isUncategorised ? chosenCategories(filter.category, categories) : null;
  return (row) =>
    (kind === undefined || isOfKind(row, kind, spending)) &&
    (code === null || isOfCode(row, code)) &&
    (!isUncategorised || (row.category === null && primaryOf(row) === null)) &&
    (chosen === null || chosen.has(row.category ?? NO_CATEGORY)) &&
    (least === undefined || compareSize(row, least) >= 0) &&
    (most === undefined || compareSize(row, most) <= 0) &&
    (wanted === '' ||
      wordsOf(row).includes(wanted) ||
      (row.category !== null && named.has(row.category)) ||
      amount?.(row) === true);
}

const MINUS = /^[-\u2212]|^\p{Sc}[-\u2212]/u;
const PLUS = /^\+/;
const MARKS = /[-+\u2212]|\p{L}*\p{Sc}|\p{Sc}\p{L}*/gu;

/** Whether a row has the amount that is looked for, to its last digit; with a sign, of that sign. Null for words. */
function soughtAmount(q: string): ((row: Transaction) => boolean) | null {
  const text = q.trim();
  const decimal = readDecimal(text.replaceAll(MARKS, '').trim());
  if (decimal === null) return null;
  return (row) => {
    if (MINUS.test(text) && row.amount.amount > 0) return false;
    if (PLUS.test(text) && row.amount.amount < 0) return false;
    return compareSize(row, decimal) === 0;
  };
}

function isOfKind(
  row: Transaction,
  kind: NonNullable<RowFilter['kind']>,
  spending: CountedSpending,
): boolean {
  switch (kind) {
    case 'pending':
      return row.status === 'pending';
    case 'spending':
      return isSpending(row, spending);
    case 'in':
      return row.direction === 'credit';
    case 'out':
      return row.direction === 'debit';
  }
}

/** The bank's code that an address names as a category; null for a person's own, and for none. */
export function bankCodeOf(category: string | undefined): string | null {
  return category !== undefined && primaryCategoryOf(category) !== null ? category : null;
}

function primaryOf({ provider_category: code }: Transaction): string | null {
  return code === null ? null : primaryCategoryOf(code);
}

/** As spending is counted: the person's own category comes first. */
function isOfCode({ category, provider_category: own }: Transaction, code: string): boolean {
  return category === null && own !== null && isWithinCode(own, code);
}

/** A group means every category in it. */
function chosenCategories(
  chosen: string | undefined,
  categories: readonly Category[],
): ReadonlySet<string> | null {
  if (chosen === undefined) return null;
  return new Set([chosen, ...categories.filter(({ parent }) => parent === chosen).map(({ id }) => id)]);
}

/** Decimals of the currency with the most of them. */
const MOST_DECIMALS = 4;

/** Compares the size of a row's amount, whatever its sign, with a decimal in the row's currency. */
export function compareSize({ amount }: Pick<Transaction, 'amount'>, decimal: string): number {
  const [units = '0', fraction = ''] = decimal.split('.');
  const threshold = BigInt(units + fraction.padEnd(MOST_DECIMALS, '0'));
  const size = sizeOf(amount);
  if (size === threshold) return 0;
  return size < threshold ? -1 : 1;
}

/** An amount whatever its sign, in ten-thousandths of its currency's unit, so that ¥1,000 is more than $10.00. */
export function sizeOf({ amount, currency }: Transaction['amount']): bigint {
  return BigInt(Math.abs(amount)) * 10n ** BigInt(MOST_DECIMALS - currencyExponent(currency));
}

/** The searchable text of a row, made once per row. */
const words = new WeakMap<Transaction, string>();

function wordsOf(row: Transaction): string {
  const known = words.get(row);
  if (known !== undefined) return known;
  const { description, merchant_name: merchant, reference, extended_description: more } = row;
  const text = [description, merchant, reference, more]
    .filter((part) => part !== null)
    .join('\n')
    .toLocaleLowerCase();
  words.set(row, text);
  return text;
}
