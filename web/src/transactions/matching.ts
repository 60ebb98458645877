import type { Category, Transaction } from '#client';
import { currencyExponent } from '../../../src/vocabulary/money.ts';
import { isWithinCode, primaryCategoryOf } from '../../../src/vocabulary/provider-categories.ts';
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
): readonly Transaction[] {
  const { q = '', kind, least, most } = filter;
  const wanted = q.trim().toLocaleLowerCase();
  const named = new Set(
    categories.filter(({ name }) => name.toLocaleLowerCase().includes(wanted)).map(({ id }) => id),
  );
  const code = bankCodeOf(filter.category);
  const isUncategorised = filter.category === UNCATEGORISED;
  const chosen = code === null && !isUncategorised ? chosenCategories(filter.category, categories) : null;
  return rows.filter(
    (row) =>
      (kind === undefined || isOfKind(row, kind)) &&
      (code === null || isOfCode(row, code)) &&
      (!isUncategorised || (row.category === null && primaryOf(row) === null)) &&
      (chosen === null || chosen.has(row.category ?? NO_CATEGORY)) &&
      (least === undefined || compareSize(row, least) >= 0) &&
      (most === undefined || compareSize(row, most) <= 0) &&
      (wanted === '' || wordsOf(row).includes(wanted) || (row.category !== null && named.has(row.category))),
  );
}

function isOfKind({ status, direction }: Transaction, kind: NonNullable<RowFilter['kind']>): boolean {
  if (kind === 'pending') return status === 'pending';
  return direction === (kind === 'in' ? 'credit' : 'debit');
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
  const scale = 10n ** BigInt(MOST_DECIMALS - currencyExponent(amount.currency));
  const size = BigInt(Math.abs(amount.amount)) * scale;
  if (size === threshold) return 0;
  return size < threshold ? -1 : 1;
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
