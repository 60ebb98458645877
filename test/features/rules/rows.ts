import fc from 'fast-check';
import type { CompileContext } from '../../../src/features/rules/compile-condition.ts';
import { validatedPatternLimits } from '../../../src/features/rules/pattern.ts';
import { type RuleCategories, type WorkingRow, workingRow } from '../../../src/features/rules/working-row.ts';
import { publicId, type ResourceType, rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { addDays, localDate } from '../../../src/vocabulary/moments.ts';
import { decimalFromMoney } from '../../../src/vocabulary/money.ts';
import {
  directionOf,
  TRANSACTION_CLASSES,
  TRANSACTION_STATUSES,
  type Transaction,
} from '../../../src/vocabulary/transactions.ts';

/** A public id that is the same for the same number. */
export function idOf(resource: ResourceType, number: number): string {
  return publicId(resource, rowId(resource, `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`));
}

export const GROUP = idOf('category', 1);
export const FOOD = idOf('category', 2);
export const COFFEE = idOf('category', 3);
export const RENT = idOf('category', 4);
export const GONE = idOf('category', 5);
export const ACCOUNTS = [idOf('account', 1), idOf('account', 2)];

/** A group of two and a category that is in another; GONE was deleted. */
export const CATEGORIES: RuleCategories = new Map([
  [GROUP, { group: null }],
  [FOOD, { group: GROUP }],
  [COFFEE, { group: GROUP }],
  [RENT, { group: idOf('category', 6) }],
]);

export const CONTEXT: CompileContext = {
  limits: validatedPatternLimits(DEFAULT_LIMITS),
  categories: CATEGORIES,
};

/** A few words in the spellings that make a difference, so that random conditions meet random rows. */
export const WORDS = [
  '',
  ' ',
  'cafe',
  'Cafe',
  'CAFE Sydney',
  'café',
  'cafe\u0301',
  'Straße',
  'ß',
  'İ',
  'ΟΔΟΣ',
  'οδος 5',
  'οδοσα',
  'a.b*c',
  '☕ 5',
];
const text = fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 6 }));
const textOrNull = fc.option(text, { nil: null });
const DAYS = [0, 1, 2, 40].map((days) => addDays(localDate('2026-10-01'), days));
export const day = fc.constantFrom(...DAYS);

export function transaction(
  more: Partial<Transaction> & { cents?: number; currency?: string } = {},
): Transaction {
  const { cents = -1050, currency = 'aud', ...rest } = more;
  const amount = { amount: cents, currency };
  return {
    id: 'txn_fk_1',
    status: 'posted',
    date: localDate('2026-10-01'),
    datetime: '2026-10-01T10:00:00+10:00',
    post_date: localDate('2026-10-02'),
    post_datetime: '2026-10-02T10:00:00+10:00',
    value_date: null,
    value_datetime: null,
    description: 'EFTPOS CAFE SYDNEY',
    reference: null,
    extended_description: null,
    amount,
    amount_decimal: decimalFromMoney(amount),
    direction: directionOf(cents),
    class: 'payment',
    provider_category: 'FOOD_AND_DRINK_COFFEE',
    primary_category: 'FOOD_AND_DRINK',
    merchant_name: null,
    merchant_category_code: null,
    ...rest,
  };
}

export function row(
  more: Parameters<typeof transaction>[0] = {},
  category: string | null = null,
): WorkingRow {
  return workingRow(transaction(more), ACCOUNTS[0] ?? '', category);
}

export const anyTransaction: fc.Arbitrary<Transaction> = fc
  .record({
    cents: fc.oneof(
      fc.integer({ min: -2000, max: 2000 }),
      fc.constantFrom(0, 1050, -1050, Number.MAX_SAFE_INTEGER),
    ),
    currency: fc.constantFrom('aud', 'jpy', 'kwd', 'clf'),
    status: fc.constantFrom(...TRANSACTION_STATUSES),
    class: fc.constantFrom(...TRANSACTION_CLASSES),
    date: fc.option(day, { nil: null }),
    description: text,
    reference: textOrNull,
    extended_description: textOrNull,
    merchant_name: textOrNull,
    provider_category: fc.constantFrom(null, 'FOOD_AND_DRINK', 'FOOD_AND_DRINK_COFFEE', 'RENT'),
    merchant_category_code: fc.constantFrom(null, '5814', '5411'),
  })
  .map((parts) => transaction(parts));

export const anyRow: fc.Arbitrary<WorkingRow> = fc
  .tuple(anyTransaction, fc.constantFrom(...ACCOUNTS), fc.constantFrom(null, FOOD, COFFEE, RENT, GONE))
  .map(([read, account, category]) => workingRow(read, account, category));
