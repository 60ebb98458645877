import { primaryCategoryOf } from '../../../src/vocabulary/provider-categories.ts';
import type { Flow } from '../accounts/money-flow.ts';
import type { Movement } from '../accounts/net-position.ts';
import { earnedBy, type SpendingRules, spentBy } from '../accounts/spending-rules.ts';
import type { Merchant } from '../api/merchants.ts';
import { monthOf } from '../format/days.ts';

/** Income and spending in one currency, by month of the transaction. Months without any are there with nothing. */
export function budgetByMonth(
  movements: readonly Movement[],
  months: readonly string[],
  rules: SpendingRules,
): ReadonlyMap<string, Flow> {
  const spending = spendingByMonth(movements, months, rules);
  const income = new Map<string, bigint>();
  for (const movement of movements) {
    const month = monthOf(movement.spentOn);
    income.set(month, (income.get(month) ?? 0n) + (earnedBy(movement, rules) ?? 0n));
  }
  return new Map(
    months.map((month) => [month, { in: income.get(month) ?? 0n, out: spending.get(month)?.total ?? 0n }]),
  );
}

/** Under what a movement is counted: the person's own category, else the provider's primary one, else nothing. */
export function categoryOf({ category, code }: Movement): string | null {
  return category ?? (code === null ? null : primaryCategoryOf(code));
}

/** What the spending of a category in a month is made of, the largest first. */
export interface CategorySpending {
  readonly total: bigint;
  /** By the provider's code, null without one. */
  readonly kinds: readonly (readonly [code: string | null, amount: bigint])[];
  readonly merchants: readonly MerchantSpending[];
}

interface MerchantSpending extends Merchant {
  readonly amount: bigint;
}

/** The spending of one category in one month, in more detail. */
export function categorySpending(
  movements: Iterable<Movement>,
  { month, category }: { readonly month: string; readonly category: string | null },
  rules: SpendingRules,
): CategorySpending {
  let total = 0n;
  const kinds = new Map<string | null, bigint>();
  const merchants = new Map<string, MerchantSpending>();
  for (const movement of movements) {
    const spent = spentBy(movement, rules);
    if (spent === null || monthOf(movement.spentOn) !== month || categoryOf(movement) !== category) continue;
    const { code, merchant } = movement;
    total += spent;
    kinds.set(code, (kinds.get(code) ?? 0n) + spent);
    const { key, name, amount } = merchants.get(merchant.key) ?? { ...merchant, amount: 0n };
    merchants.set(key, { key, name, amount: amount + spent });
  }
  return {
    total,
    kinds: largestFirst(kinds),
    merchants: [...merchants.values()].toSorted((a, b) => larger(a.amount, b.amount)),
  };
}

function largestFirst<K>(amounts: ReadonlyMap<K, bigint>): readonly (readonly [K, bigint])[] {
  return [...amounts].toSorted(([, a], [, b]) => larger(a, b));
}

function larger(a: bigint, b: bigint): number {
  return a < b ? 1 : a > b ? -1 : 0;
}

export interface MonthSpending {
  readonly total: bigint;
  /** By `categoryOf`, the largest first. */
  readonly categories: readonly (readonly [category: string | null, amount: bigint])[];
}

/** Spending in one currency, by month of the transaction. Months without any are included as zero. */
export function spendingByMonth(
  movements: Iterable<Movement>,
  months: readonly string[],
  rules: SpendingRules,
): ReadonlyMap<string, MonthSpending> {
  const sums = new Map(months.map((month) => [month, new Map<string | null, bigint>()]));
  for (const movement of movements) {
    const month = sums.get(monthOf(movement.spentOn));
    const spent = month === undefined ? null : spentBy(movement, rules);
    if (month === undefined || spent === null) continue;
    const category = categoryOf(movement);
    month.set(category, (month.get(category) ?? 0n) + spent);
  }
  return new Map(
    [...sums].map(([month, categories]) => [
      month,
      {
        total: [...categories.values()].reduce((sum, amount) => sum + amount, 0n),
        categories: largestFirst(categories),
      },
    ]),
  );
}
