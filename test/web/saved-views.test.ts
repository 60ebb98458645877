import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { FIXED_LIMITS } from '../../src/vocabulary/limits.ts';
import { daysIn } from '../../web/src/format/days.ts';
import { daysOf, MOST_DAYS, transactionsSearch } from '../../web/src/transactions/search.ts';
import {
  afterSaving,
  daysUpTo,
  isAsSaved,
  queryOfSearch,
  searchOfView,
  withPeriod,
} from '../../web/src/transactions/view-filters.ts';

const id = 'sv_0123456789ABCDEFGHIJKL';
const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2050-12-31'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10));
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
/** Whatever an address can say. */
const search = fc
  .record({
    account: some(fc.constantFrom('acct_1', 'conn_1')),
    days: some(fc.integer({ min: 1, max: 3660 }).map(String)),
    from: some(day),
    to: some(day),
    q: some(fc.string({ unit: 'grapheme', minLength: 1 })),
    kind: some(fc.constantFrom('in', 'out', 'pending')),
    category: some(fc.constantFrom('cat_1', 'none', 'FOOD_AND_DRINK')),
    least: some(fc.constantFrom('20', '20.50')),
    sort: some(fc.constantFrom('oldest', 'largest')),
    view: some(fc.constant('sv_other')),
  })
  .map((one) => transactionsSearch(JSON.parse(JSON.stringify(one))));

describe('a saved view', () => {
  test('shows the filters that it was saved from, and is unchanged until one of them changes', () => {
    fc.assert(
      fc.property(search, search, (saved, other) => {
        const view = { id, query: queryOfSearch(saved) };
        const shown = searchOfView(view);
        assert.equal(shown.view, id);
        assert.equal(queryOfSearch(shown), view.query);
        assert.ok(isAsSaved(shown, view) && isAsSaved(saved, view));
        assert.equal(isAsSaved(other, view), queryOfSearch(other) === view.query);
      }),
    );
  });

  test('of the usual period moves along, and so does one that was chosen as days up to today', () => {
    assert.equal(queryOfSearch({ kind: 'out' }), 'days=90&kind=out');
    const chosen = { from: '2026-11-01', kind: 'out' } as const;
    const count = daysUpTo('2026-11-28', { from: '2026-11-01', to: '2026-11-28' });
    assert.equal(queryOfSearch(withPeriod(chosen, count)), 'days=28&kind=out');
    assert.equal(queryOfSearch(withPeriod(chosen, null)), 'from=2026-11-01&kind=out');
  });

  test('that moves along has the days it was saved with, and is offered only if an address can say how many', () => {
    fc.assert(
      fc.property(day, day, (one, other) => {
        const [from = '', today = ''] = [one, other].toSorted();
        const count = daysUpTo(today, { from, to: today });
        const isOffered = from !== today && daysIn({ from, to: today }) <= MOST_DAYS;
        assert.equal(count !== null, isOffered);
        const shown = searchOfView({ id, query: queryOfSearch(withPeriod({ from }, count)) });
        assert.deepEqual(daysOf(shown, today), { from, to: today });
        if (count !== null) assert.equal(count, daysIn({ from, to: today }));
      }),
    );
    assert.equal(daysUpTo('2026-11-28', { from: '2016-01-01', to: '2026-11-28' }), null);
    assert.equal(daysIn(daysOf({}, '2026-11-28')), 90);
  });

  test('can be saved of whatever an address says [limit view_query_characters]', () => {
    for (const character of ['\uffff', '😀', 'é', '%', 'a', '\ud800']) {
      const text = character.repeat(5000);
      const amount = `${'9'.repeat(12)}.9999`;
      const days = { from: '2016-01-01', to: '2026-11-28' };
      const others = { kind: 'pending', sort: 'smallest', least: amount, most: amount, view: text };
      const longest = transactionsSearch({ account: text, q: text, category: text, ...days, ...others });
      const query = queryOfSearch(longest);
      assert.ok(query.length <= FIXED_LIMITS.view_query_characters, `${character}: ${query.length}`);
      if (character.isWellFormed()) assert.ok(isAsSaved(longest, { id, query }), character);
      const { q = '' } = transactionsSearch({ q: text });
      assert.ok((q.length >= 199 && text.startsWith(q)) || character === '\ud800', character);
    }
  });

  test('that was saved is shown with what was chosen meanwhile, and in place of no other view', () => {
    const saved = { from: '2026-11-01', kind: 'out' } as const;
    const view = { id, query: 'days=28&kind=out' };
    assert.deepEqual(afterSaving(saved, saved, view), { days: '28', kind: 'out', view: id });
    assert.deepEqual(afterSaving({ ...saved, q: 'tea' }, saved, view), { ...saved, q: 'tea', view: id });
    const other = { kind: 'in', view: 'sv_other' } as const;
    assert.deepEqual(afterSaving(other, saved, view), other);
  });

  test('of two days stays at them', () => {
    assert.equal(daysUpTo('2026-11-28', { from: '2026-10-01', to: '2026-10-31' }), null);
    assert.equal(daysUpTo('2026-11-28', { from: '2026-11-28', to: '2026-11-28' }), null);
    const october = { from: '2026-10-01', to: '2026-10-31' };
    assert.deepEqual(searchOfView({ id, query: queryOfSearch(october) }), { ...october, view: id });
  });

  test('with filters of another release shows those that the page knows', () => {
    const query = 'kind=out&days=99999&from=yesterday&shape=round&q=tea';
    assert.deepEqual(searchOfView({ id, query }), { kind: 'out', q: 'tea', view: id });
  });
});
