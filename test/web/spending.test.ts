import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CATEGORY_TEMPLATE, claimsOf } from '../../src/vocabulary/category-template.ts';
import { PROVIDER_CATEGORIES, resolveCategory } from '../../src/vocabulary/provider-categories.ts';
import type { Movement } from '../../web/src/accounts/net-position.ts';
import { earnedBy, spendingRulesOf, spentBy } from '../../web/src/accounts/spending-rules.ts';
import { budgetByMonth, categoryOf, categorySpending, spendingByMonth } from '../../web/src/home/spending.ts';

const MONTHS = ['2026-08', '2026-09', '2026-10'];
const NO_CARDS = { loans: new Set<string>(), hasCards: false, kinds: new Map() };
const CARDS = { loans: new Set(['loan']), hasCards: true, kinds: new Map() };

const OWN = {
  ...spendingRulesOf(
    [],
    [
      { id: 'cat_food', parent: 'food', sources: ['FOOD_AND_DRINK', 'TRANSFER_OUT_SAVINGS'] },
      { id: 'cat_kids', parent: 'food', sources: [] },
      { id: 'cat_pay', parent: 'income', sources: ['INCOME_SALARY'] },
      { id: 'cat_moved', parent: 'transfers', sources: ['TRANSFER_IN', 'TRANSFER_OUT'] },
      { id: 'cat_own_moved', parent: 'transfers', sources: [] },
      { id: 'cat_card', parent: 'transfers', sources: ['LOAN_PAYMENTS_CREDIT_CARD'] },
    ],
  ),
};

const row = (more: Partial<Movement>): Movement => ({
  account: 'everyday',
  day: '2026-09-10',
  spentOn: '2026-09-08',
  amount: -1_000n,
  currency: 'aud',
  category: null,
  code: null,
  merchant: { key: 'grocer', name: 'Grocer' },
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
  merchant: fc.constantFrom({ key: 'grocer', name: 'Grocer' }, { key: 'baker', name: 'Baker' }),
  code: fc.constantFrom(null, 'SOMETHING_ELSE', ...PROVIDER_CATEGORIES.map(({ code }) => code)),
});

test('transfers and income are no spending, in either direction, unless the person’s own category says so', () => {
  for (const { code } of PROVIDER_CATEGORIES.filter((one) =>
    /^(?:TRANSFER_IN|TRANSFER_OUT|INCOME)/.test(one.code),
  ))
    for (const amount of [-1_000n, 1_000n]) {
      assert.equal(spentBy(row({ code, amount }), NO_CARDS), null, code);
      assert.equal(spentBy(row({ code, amount, category: 'cat_food' }), OWN), -amount, code);
    }
});

test('the person’s own category decides what is income and what is a transfer', () => {
  const unknown = row({ amount: 60_000n });
  assert.equal(earnedBy(unknown, OWN), 60_000n);
  assert.equal(earnedBy({ ...unknown, category: 'cat_moved' }, OWN), null);
  assert.equal(earnedBy({ ...unknown, category: 'cat_own_moved' }, OWN), null);
  assert.equal(earnedBy({ ...unknown, category: 'cat_pay' }, OWN), 60_000n);
  const coffee = row({ code: 'FOOD_AND_DRINK_COFFEE' });
  assert.equal(spentBy({ ...coffee, category: 'cat_moved' }, OWN), null);
  assert.equal(spentBy({ ...coffee, category: 'cat_kids' }, OWN), 1_000n);
  assert.equal(spentBy({ ...coffee, category: 'cat_card' }, { ...OWN, hasCards: true }), null);
  assert.equal(spentBy({ ...coffee, category: 'cat_card' }, OWN), 1_000n);
});

test('with the default categories everything counts as the bank’s codes alone say', () => {
  const categories = CATEGORY_TEMPLATE.flatMap((group) =>
    group.categories.map((one) => ({ id: one.name, parent: group.name, sources: [...claimsOf(one)] })),
  );
  const { kinds } = spendingRulesOf([], categories);
  const claims = new Map(categories.flatMap(({ id, sources }) => sources.map((code) => [code, id] as const)));
  for (const { code } of PROVIDER_CATEGORIES)
    for (const hasCards of [false, true])
      for (const amount of [-1_000n, 1_000n]) {
        const bare = row({ code, amount });
        const own = {
          ...bare,
          category: resolveCategory({ provider_category: code, primary_category: null }, claims),
        };
        const [byCode, byCategory] = [
          { ...NO_CARDS, hasCards },
          { ...NO_CARDS, hasCards, kinds },
        ];
        assert.equal(spentBy(own, byCategory), spentBy(bare, byCode), code);
        assert.equal(earnedBy(own, byCategory), earnedBy(bare, byCode), code);
      }
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
          for (const parts of [kinds.map(([, part]) => part), merchants.map((one) => one.amount)])
            assert.equal(
              parts.reduce((sum, part) => sum + part, 0n),
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
