import type { Account, Category, Transaction } from '#client';
import { primaryCategoryOf } from '../../../src/vocabulary/provider-categories.ts';
import { isInTotals } from './linked-accounts.ts';
import { type Movement, movementOf } from './net-position.ts';

/** What else decides whether a movement is spending. */
export interface SpendingRules {
  /** Accounts that are loans: what is booked there was or will be paid from another account. */
  readonly loans: ReadonlySet<string>;
  /** Whether purchases on cards are among the movements; then paying a card off would count them twice. */
  readonly hasCards: boolean;
  /** What is in the person's own categories, by id. A movement in none of them is what its bank calls it. */
  readonly kinds: ReadonlyMap<string, CategoryKind>;
}

/** `card`: payments of cards, which are spending where no card is linked, and transfers otherwise. */
export type CategoryKind = 'income' | 'transfer' | 'card' | 'spending';

const CARD_PAYMENT = 'LOAN_PAYMENTS_CREDIT_CARD';

/**
 * What a movement adds to spending, in minor units; a refund takes from it. Null for what is not spending: income,
 * transfers, movements of a loan account, and payments of a card whose purchases are counted. Other loan repayments
 * count, because the person pays them each month. The person's own category decides before the bank's code.
 */
export function spentBy(movement: Movement, rules: SpendingRules): bigint | null {
  const { account, amount, code } = movement;
  if (rules.loans.has(account)) return null;
  const primary = code === null ? null : primaryCategoryOf(code);
  const kind = kindOf(movement, rules);
  if (kind === 'income' || kind === 'transfer') return null;
  if (primary === 'LOAN_PAYMENTS' || kind === 'card') {
    const isCard = kind === 'card' || code === CARD_PAYMENT;
    return amount < 0n && !(rules.hasCards && isCard) ? -amount : null;
  }
  if (kind === 'spending') return -amount;
  switch (primary) {
    case 'TRANSFER_IN':
    case 'TRANSFER_OUT':
    case 'INCOME':
      return null;
    case null:
      return amount < 0n ? -amount : null;
    default:
      return -amount;
  }
}

/** What a movement adds to income, in minor units; null for what is spending, a refund of it, or a transfer. */
export function earnedBy(movement: Movement, rules: SpendingRules): bigint | null {
  const { account, amount, code } = movement;
  if (rules.loans.has(account)) return null;
  const kind = kindOf(movement, rules);
  if (kind !== null) return kind === 'income' ? amount : null;
  const primary = code === null ? null : primaryCategoryOf(code);
  if (primary === 'INCOME') return amount;
  return primary === null && amount > 0n ? amount : null;
}

function kindOf({ category }: Movement, { kinds }: SpendingRules): CategoryKind | null {
  return category === null ? null : (kinds.get(category) ?? null);
}

/** What the sums of spending are made of: the accounts that count, and the rules for what is booked on them. */
export interface CountedSpending {
  readonly accounts: ReadonlySet<string>;
  readonly rules: SpendingRules;
}

/** Of those of these accounts that count in totals, in these categories. */
export function countedSpending(
  accounts: readonly Pick<Account, 'id' | 'type' | 'duplicate_of' | 'in_totals'>[],
  categories: readonly Pick<Category, 'id' | 'parent' | 'sources'>[],
): CountedSpending {
  const counted = accounts.filter(isInTotals);
  return {
    accounts: new Set(counted.map(({ id }) => id)),
    rules: spendingRulesOf(counted, categories),
  };
}

/** Whether a row is part of those sums, as what was spent or as a refund. */
export function isSpending(row: Transaction, { accounts, rules }: CountedSpending): boolean {
  if (row.status !== 'posted' || !accounts.has(row.account)) return false;
  const movement = movementOf(row);
  return movement !== null && spentBy(movement, rules) !== null;
}

/** The rules for movements of these accounts, in these categories. */
export function spendingRulesOf(
  accounts: readonly Pick<Account, 'id' | 'type'>[],
  categories: readonly Pick<Category, 'id' | 'parent' | 'sources'>[],
): SpendingRules {
  const of = (type: string) => accounts.filter((one) => one.type === type).map(({ id }) => id);
  return { loans: new Set(of('loan')), hasCards: of('credit-card').length > 0, kinds: kindsOf(categories) };
}

/** By the codes that a category claims; one that claims none is what the others in its group are. */
function kindsOf(
  categories: readonly Pick<Category, 'id' | 'parent' | 'sources'>[],
): ReadonlyMap<string, CategoryKind> {
  const groups = Map.groupBy(categories, ({ parent }) => parent);
  return new Map(
    categories.flatMap(({ id, parent, sources }) => {
      if (parent === null) return [];
      const siblings = (groups.get(parent) ?? []).flatMap((one) => one.sources);
      return [[id, kindOfCodes(sources.length > 0 ? sources : siblings)] as const];
    }),
  );
}

function kindOfCodes(codes: readonly string[]): CategoryKind {
  const every = (test: (code: string) => boolean) => codes.length > 0 && codes.every(test);
  if (every((code) => code === CARD_PAYMENT)) return 'card';
  if (every((code) => primaryCategoryOf(code) === 'INCOME')) return 'income';
  if (every((code) => code === CARD_PAYMENT || code.startsWith('TRANSFER_'))) return 'transfer';
  return 'spending';
}
