import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PROVIDER_CATEGORIES } from '../../src/vocabulary/provider-categories.ts';
import type { Movement } from '../../web/src/accounts/net-position.ts';
import {
  budgetByMonth,
  categoryOf,
  categorySpending,
  earnedBy,
  spendingByMonth,
  spentBy,
} from '../../web/src/home/spending.ts';

const MONTHS = ['2026-08', '2026-09', '2026-10'];
const NO_CARDS = { loans: new Set<string>(), hasCards: false };
const CARDS = { loans: new Set(['loan']), hasCards: true };

const row = (more: Partial<Movement>): Movement => ({
  account: 'everyday',
  day: '2026-09-10',
  spentOn: '2026-09-08',
  amount: -1_000n,
  currency: 'aud',
  category: null,
  code: null,
  merchant: null,
  ...more,
});

const movement: fc.Arbitrary<Movement> = fc.record({
  account: fc.constantFrom('everyday', 'loan', 'card'),
  day: fc.constant('2026-10-30'),
  spentOn: fc.constantFrom(
    '2026-07-31',
    '2026-08-01',
    '2026-08-31',
    '2026-09-30',
    '2026-10-01',
    '2026-11-01',
  ),
  amount: fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
  currency: fc.constant('aud'),
  category: fc.constantFrom(null, 'cat_food', 'cat_home'),
  merchant: fc.constantFrom(null, 'Grocer', 'Baker'),
  code: fc.constantFrom(null, 'SOMETHING_ELSE', ...PROVIDER_CATEGORIES.map(({ code }) => code)),
});

test('transfers and income are no spending, in either direction and whatever their own category is', () => {
  for (const { code } of PROVIDER_CATEGORIES.filter((one) =>
    /^(?:TRANSFER_IN|TRANSFER_OUT|INCOME)/.test(one.code),
  ))
    for (const amount of [-1_000n, 1_000n])
      assert.equal(spentBy(row({ code, amount, category: 'cat_food' }), NO_CARDS), null, code);
});

test('purchases count, refunds take from them, and money that comes in without a category is no refund', () => {
  assert.equal(spentBy(row({ code: 'FOOD_AND_DRINK_COFFEE' }), NO_CARDS), 1_000n);
  assert.equal(spentBy(row({ code: 'FOOD_AND_DRINK_COFFEE', amount: 400n }), NO_CARDS), -400n);
  assert.equal(spentBy(row({}), NO_CARDS), 1_000n);
  assert.equal(spentBy(row({ amount: 1_000n }), NO_CARDS), null);
  assert.equal(spentBy(row({ code: 'NOT_OF_THE_LIST', amount: 1_000n }), NO_CARDS), null);
});

test('paying a card counts only where its purchases are not seen; other repayments count once, where they are paid', () => {
  const card = row({ code: 'LOAN_PAYMENTS_CREDIT_CARD' });
  assert.equal(spentBy(card, NO_CARDS), 1_000n);
  assert.equal(spentBy(card, CARDS), null);
  assert.equal(spentBy({ ...card, account: 'card', amount: 1_000n }, CARDS), null);
  const home = row({ code: 'LOAN_PAYMENTS_MORTGAGE' });
  assert.equal(spentBy(home, CARDS), 1_000n);
  assert.equal(spentBy({ ...home, account: 'loan', amount: 1_000n }, CARDS), null);
  assert.equal(spentBy(row({ account: 'loan', code: 'BANK_FEES_INTEREST_CHARGE' }), CARDS), null);
});

test('the own category comes before that of the provider, of which the primary is taken', () => {
  assert.equal(categoryOf(row({ category: 'cat_food', code: 'TRAVEL_FLIGHTS' })), 'cat_food');
  assert.equal(categoryOf(row({ code: 'TRAVEL_FLIGHTS' })), 'TRAVEL');
  assert.equal(categoryOf(row({ code: 'UNKNOWN' })), null);
});

test('every month is there, its categories add up to it exactly, and all of it is what was spent in these months', () => {
  fc.assert(
    fc.property(fc.array(movement), fc.constantFrom(NO_CARDS, CARDS), (movements, rules) => {
      const byMonth = spendingByMonth(movements, MONTHS, rules);
      assert.deepEqual([...byMonth.keys()], MONTHS);
      let all = 0n;
      for (const { total, categories } of byMonth.values()) {
        assert.equal(
          total,
          categories.reduce((sum, [, amount]) => sum + amount, 0n),
        );
        for (const [at, [, amount]] of categories.entries())
          assert.ok(amount <= (categories[at - 1]?.[1] ?? amount));
        all += total;
      }
      const expected = movements
        .filter(({ spentOn }) => spentOn >= '2026-08-01' && spentOn <= '2026-10-31')
        .reduce((sum, one) => sum + (spentBy(one, rules) ?? 0n), 0n);
      assert.equal(all, expected);
    }),
  );
});

test('the kinds and the merchants of a category each add up to what it has in the month', () => {
  fc.assert(
    fc.property(fc.array(movement), fc.constantFrom(NO_CARDS, CARDS), (movements, rules) => {
      for (const [month, { categories }] of spendingByMonth(movements, MONTHS, rules)) {
        for (const [category, amount] of categories) {
          const { total, kinds, merchants } = categorySpending(movements, { month, category }, rules);
          assert.equal(total, amount);
          for (const parts of [kinds, merchants])
            assert.equal(
              parts.reduce((sum, [, part]) => sum + part, 0n),
              amount,
            );
        }
      }
    }),
  );
});

test('a purchase counts in the month in which it was made, not in that in which it posted', () => {
  const byMonth = spendingByMonth([row({ spentOn: '2026-08-31', day: '2026-09-02' })], MONTHS, NO_CARDS);
  assert.deepEqual([byMonth.get('2026-08')?.total, byMonth.get('2026-09')?.total], [1_000n, 0n]);
});

test('no movement is both income and spending, and a month saves what its counted movements come to', () => {
  fc.assert(
    fc.property(fc.array(movement), fc.constantFrom(NO_CARDS, CARDS), (movements, rules) => {
      for (const one of movements) {
        const counted = [earnedBy(one, rules), spentBy(one, rules)].filter((part) => part !== null);
        assert.ok(counted.length <= 1, JSON.stringify({ ...one, amount: String(one.amount) }));
      }
      for (const [month, flow] of budgetByMonth(movements, MONTHS, rules)) {
        const saved = movements
          .filter(({ spentOn }) => spentOn.startsWith(month))
          .filter((one) => earnedBy(one, rules) !== null || spentBy(one, rules) !== null)
          .reduce((sum, { amount }) => sum + amount, 0n);
        assert.equal(flow.in - flow.out, saved);
      }
    }),
  );
});
