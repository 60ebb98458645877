import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { decimalThreshold } from '../../src/features/rules/pattern.ts';
import { presentTransaction } from '../../src/operations/v2/transactions/resource.ts';
import { primaryCategoryOf, resolveCategory } from '../../src/vocabulary/provider-categories.ts';
import { comparePlaces, placeOf } from '../../src/vocabulary/transactions.ts';
import { entriesOf, newestFirst } from '../../web/src/transactions/entries.ts';
import { compareSize, matching, narrows } from '../../web/src/transactions/matching.ts';
import { recategorised } from '../../web/src/transactions/recategorised.ts';
import { anyRow, anyTransaction, transaction } from '../features/rules/rows.ts';

const shown = (row: Parameters<typeof presentTransaction>[0], category: string | null = null) =>
  presentTransaction(row, 'acct_1', category);
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
          const sizes = listed.map(({ amount }) => Math.abs(amount.amount));
          if (sort === 'largest')
            assert.deepEqual(
              sizes,
              sizes.toSorted((a, b) => b - a),
            );
          if (sort === 'smallest')
            assert.deepEqual(
              sizes,
              sizes.toSorted((a, b) => a - b),
            );
        },
      ),
    );
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
        const now = recategorised(shown(row, resolveCategory(row, before)), claimed, after);
        assert.equal(now.category, resolveCategory(row, after));
      },
    ),
    { numRuns: 2000 },
  );
});
