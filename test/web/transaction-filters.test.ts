import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { decimalThreshold } from '../../src/features/rules/pattern.ts';
import { presentTransaction } from '../../src/operations/v2/transactions/resource.ts';
import { currencyExponent } from '../../src/vocabulary/money.ts';
import { primaryCategoryOf, resolveCategory } from '../../src/vocabulary/provider-categories.ts';
import { comparePlaces, placeOf } from '../../src/vocabulary/transactions.ts';
import { movementOf } from '../../web/src/accounts/net-position.ts';
import { countedSpending } from '../../web/src/accounts/spending-rules.ts';
import { categorySpending } from '../../web/src/home/spending.ts';
import { entriesOf, newestFirst } from '../../web/src/transactions/entries.ts';
import { compareSize, matching, narrows } from '../../web/src/transactions/matching.ts';
import { recategorised } from '../../web/src/transactions/recategorised.ts';
import { anyRow, anyTransaction, transaction } from '../features/rules/rows.ts';

const shown = (row: Parameters<typeof presentTransaction>[0], category: string | null = null) =>
  presentTransaction(row, 'acct_1', category);
type Shown = ReturnType<typeof shown>;
const named = (id: string, more: Parameters<typeof transaction>[0]) => shown(transaction({ id, ...more }));

const category = (id: string, name: string, parent: string | null) => ({
  id,
  object: 'category' as const,
  name,
  parent,
  icon: '☕',
  color: '#000000',
  position: 0,
  archived: false,
  sources: [],
  category_count: 0,
  metadata: null,
  livemode: true as const,
  created: '2026-01-01T00:00:00Z',
  updated: '2026-01-01T00:00:00Z',
});
const TREE = [category('cat_food', 'Food', null), category('cat_coffee', 'Coffee', 'cat_food')];

describe('filters of transactions', () => {
  test('a size is compared exactly in the currency of the row, as rules compare it', () => {
    const size = fc.stringMatching(/^\d{1,9}(\.\d{1,4})?$/);
    fc.assert(
      fc.property(anyTransaction, size, (row, decimal) => {
        const { amount, currency } = row.amount;
        const expected = decimalThreshold(decimal)(Math.abs(amount), currency);
        assert.equal(Math.sign(compareSize(row, decimal)), Math.sign(expected));
      }),
    );
  });

  test('a group stands for its categories, and a search finds categories by name', () => {
    const rows = [
      shown(transaction({ id: 'a' }), 'cat_coffee'),
      shown(transaction({ id: 'b' }), null),
      shown(transaction({ id: 'c' }), 'cat_food'),
    ];
    const ids = (filter: Parameters<typeof matching>[1]) => matching(rows, filter, TREE).map(({ id }) => id);
    assert.deepEqual(ids({ category: 'cat_food' }), ['a', 'c']);
    assert.deepEqual(ids({ category: 'none' }), ['b']);
    assert.deepEqual(ids({ q: 'COFF' }), ['a']);
    assert.deepEqual(ids({ q: 'cafe sydney' }), ['a', 'b', 'c']);
    assert.deepEqual(ids({ least: '10.51' }), []);
    assert.deepEqual(ids({ least: '10.5', most: '10.50' }), ['a', 'b', 'c']);
    assert.deepEqual([narrows({ q: ' ' }), narrows({ least: '0' })], [false, true]);
  });
});

test('the code of a bank stands for its rows and those of its kinds, without those in a category of the person', () => {
  const rows = [
    shown(transaction({ id: 'a', provider_category: 'FOOD_AND_DRINK_COFFEE' })),
    shown(transaction({ id: 'b', provider_category: 'FOOD_AND_DRINK' })),
    shown(transaction({ id: 'c', provider_category: 'FOOD_AND_DRINK_COFFEE' }), 'cat_coffee'),
    shown(transaction({ id: 'd', provider_category: 'TRAVEL_FLIGHTS' })),
    shown(transaction({ id: 'e', provider_category: null })),
  ];
  const ids = (category: string) => matching(rows, { category }, TREE).map(({ id }) => id);
  assert.deepEqual(ids('FOOD_AND_DRINK'), ['a', 'b']);
  assert.deepEqual(ids('FOOD_AND_DRINK_COFFEE'), ['a']);
  assert.deepEqual(ids('FOOD_AND_DRINK_COFF'), []);
  assert.deepEqual(ids('uncategorised'), ['e']);
});

test('the rows of spending add up to the sum of their category, refunds included and what does not count left out', () => {
  const accounts = [
    { id: 'acct_1', type: 'transaction', duplicate_of: null, in_totals: true },
    { id: 'acct_card', type: 'credit-card', duplicate_of: null, in_totals: true },
    { id: 'acct_loan', type: 'loan', duplicate_of: null, in_totals: true },
    { id: 'acct_again', type: 'transaction', duplicate_of: 'acct_1', in_totals: true },
    { id: 'acct_out', type: 'transaction', duplicate_of: null, in_totals: false },
  ] as const;
  const spending = countedSpending(accounts, TREE);
  const minor = fc.integer({ min: -100_000, max: 100_000 });
  const rowOf = fc
    .record({
      account: fc.constantFrom(...accounts.map(({ id }) => id)),
      amount: minor,
      status: fc.constantFrom('posted' as const, 'pending' as const),
      code: fc.constantFrom(
        null,
        'FOOD_AND_DRINK_COFFEE',
        'LOAN_PAYMENTS_CREDIT_CARD',
        'TRANSFER_IN_DEPOSIT',
        'INCOME_SALARY',
      ),
      own: fc.constantFrom(null, 'cat_coffee'),
    })
    .map(({ account, amount, status, code, own }) =>
      presentTransaction(
        transaction({
          amount: { amount, currency: 'aud' },
          direction: amount < 0 ? 'debit' : 'credit',
          status,
          provider_category: code,
        }),
        account,
        own,
      ),
    );
  const asked = fc.constantFrom('FOOD_AND_DRINK', 'LOAN_PAYMENTS', 'INCOME', 'cat_coffee', 'uncategorised');
  fc.assert(
    fc.property(fc.array(rowOf), asked, (rows, category) => {
      const listed = matching(rows, { kind: 'spending', category }, TREE, spending);
      const sum = listed.reduce((all, row) => all + BigInt(row.amount.amount), 0n);
      const counted = rows.filter(
        (row) => row.status === 'posted' && !['acct_again', 'acct_out'].includes(row.account),
      );
      const movements = counted.flatMap((row) => movementOf(row) ?? []);
      const month = movements[0]?.spentOn.slice(0, 7) ?? '2026-10';
      const of = category === 'uncategorised' ? null : category;
      assert.equal(-sum, categorySpending(movements, { month, category: of }, spending.rules).total);
    }),
  );
  const bought = { provider_category: 'FOOD_AND_DRINK', direction: 'debit' } as const;
  const rows = [
    named('paid', { ...bought, amount: { amount: -5_000, currency: 'aud' } }),
    named('refund', { ...bought, amount: { amount: 2_000, currency: 'aud' }, direction: 'credit' }),
    named('pay', { provider_category: 'INCOME_SALARY', direction: 'credit' }),
  ];
  const ids = matching(rows, { kind: 'spending' }, TREE, spending).map(({ id }) => id);
  assert.deepEqual(ids, ['paid', 'refund']);
});

describe('the order of transactions', () => {
  test('newest first is the order in which v2 lists them', () => {
    const placed = fc
      .tuple(anyTransaction, fc.integer({ min: 0, max: 3 }), fc.constantFrom(null, '10:00', '10:01'))
      .map(([row, number, time]) => ({
        ...row,
        id: `txn_${number}`,
        datetime: time === null ? null : `2026-10-01T${time}:00+10:00`,
      }));
    fc.assert(
      fc.property(placed, placed, (a, b) => {
        const expected = comparePlaces(placeOf(a), placeOf(b));
        assert.equal(Math.sign(newestFirst(shown(a), shown(b))), Math.sign(expected));
      }),
      { numRuns: 2000 },
    );
  });

  test('no order loses or repeats a row, and amounts go by their size', () => {
    fc.assert(
      fc.property(
        fc.array(anyRow),
        fc.constantFrom(undefined, 'oldest', 'largest', 'smallest'),
        (all, sort) => {
          const rows = all
            .map(({ transaction: row }, at) => shown({ ...row, id: `txn_${at}` }))
            .sort(newestFirst);
          const listed = entriesOf(rows, sort, true).flatMap((one) => (one.kind === 'row' ? [one.row] : []));
          assert.deepEqual(listed.map(({ id }) => id).toSorted(), rows.map(({ id }) => id).toSorted());
          const inUnitsOf = (a: Shown, b: Shown) =>
            BigInt(Math.abs(a.amount.amount)) * 10n ** BigInt(currencyExponent(b.amount.currency));
          const isOrdered = (a: Shown, b: Shown) =>
            sort === 'largest' ? inUnitsOf(a, b) >= inUnitsOf(b, a) : inUnitsOf(a, b) <= inUnitsOf(b, a);
          if (sort !== 'largest' && sort !== 'smallest') return;
          for (const [at, row] of listed.entries()) {
            const next = listed[at + 1] ?? row;
            if (next.amount.currency === row.amount.currency)
              assert.ok(isOrdered(row, next), `${at} of ${sort}`);
            else assert.ok(listed.slice(at + 1).every((one) => one.amount.currency !== row.amount.currency));
          }
        },
      ),
    );
  });

  test('by amount, each currency has a heading of its own, because no amount of one is more than one of another', () => {
    const of = (id: string, amount: number, currency: string) =>
      shown({ ...transaction({ id }), amount: { amount, currency } });
    const rows = [of('ten', 10_00, 'usd'), of('thousand', -1_000, 'jpy'), of('two', -20_00, 'usd')];
    const ids = (all: typeof rows, sort: 'largest' | 'smallest') =>
      entriesOf(all, sort, true).map((one) =>
        one.kind === 'row' ? one.row.id : one.kind === 'currency' ? one.currency : one.kind,
      );
    assert.deepEqual(ids(rows, 'largest'), ['usd', 'two', 'ten', 'jpy', 'thousand']);
    assert.deepEqual(ids(rows, 'smallest'), ['usd', 'ten', 'two', 'jpy', 'thousand']);
    assert.deepEqual(
      ids(
        rows.filter(({ amount }) => amount.currency === 'usd'),
        'largest',
      ),
      ['two', 'ten'],
    );
  });

  test('an amount that is searched for is found to its last digit, with and without sign, currency and groups', () => {
    const of = (id: string, amount: number, currency = 'aud') =>
      shown({ ...transaction({ id }), amount: { amount, currency } });
    const rows = [of('out', -1_243_17), of('in', 1_243_17), of('other', -1_243_18), of('yen', -1_243, 'jpy')];
    const ids = (q: string) => matching(rows, { q }, TREE).map(({ id }) => id);
    for (const q of ['1243.17', '1,243.17', '$1,243.17', 'A$1,243.17', ' AU$ 1243.17 '])
      assert.deepEqual(ids(q), ['out', 'in'], q);
    for (const q of ['-1,243.17', '−1243.17', '-$1,243.17', '$-1243.17'])
      assert.deepEqual(ids(q), ['out'], q);
    assert.deepEqual(ids('+1243.17'), ['in']);
    assert.deepEqual(ids('1243'), ['yen']);
    assert.deepEqual(ids('1243.1'), []);
  });

  test('every day has one heading, and pending rows are in front of all of them', () => {
    const { date } = transaction();
    const rows = [
      named('a', { status: 'pending', date: null }),
      named('b', { date }),
      named('c', { status: 'pending', date }),
      named('d', { date }),
    ];
    const kinds = (isPendingOpen: boolean) =>
      entriesOf(rows, undefined, isPendingOpen).map((one) => (one.kind === 'row' ? one.row.id : one.kind));
    assert.deepEqual(kinds(true), ['pending', 'a', 'c', 'day', 'b', 'd']);
    assert.deepEqual(kinds(false), ['pending', 'day', 'b', 'd']);
  });
});

test('after a claim a row is shown in the category in which v2 shows it at the next read', () => {
  const code = fc.constantFrom(
    'FOOD_AND_DRINK',
    'FOOD_AND_DRINK_COFFEE',
    'FOOD_AND_DRINK_BAR',
    'TRAVEL',
    'X',
  );
  const claims = fc
    .dictionary(code, fc.constantFrom('cat_1', 'cat_2', 'cat_3'))
    .map((all) => new Map<string, string>(Object.entries(all)));
  fc.assert(
    fc.property(
      fc.option(code, { nil: null }),
      claims,
      code,
      fc.constantFrom('cat_1', 'cat_2'),
      (own, before, claimed, by) => {
        const row = transaction({
          provider_category: own,
          primary_category: own === null ? null : primaryCategoryOf(own),
        });
        const after = new Map(before).set(claimed, by);
        const now = recategorised(shown(row, resolveCategory(row, before)), [claimed], after, before);
        assert.equal(now.category, resolveCategory(row, after));
        const assigned = shown(row, 'cat_own');
        assert.equal(recategorised(assigned, [claimed], after, before), assigned, 'its own category stays');
      },
    ),
    { numRuns: 2000 },
  );
});
