import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import {
  ascending,
  descending,
  PageCollector,
  type RowPlace,
  type SortedPageRequest,
  sortedPage,
} from '../../../src/features/reads/sorted-page.ts';
import { holdingSchema, presentHolding } from '../../../src/operations/v2/holdings.ts';
import { presentTrade, tradeSchema } from '../../../src/operations/v2/trades.ts';
import { TRADE_TYPES } from '../../../src/vocabulary/holdings.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { exactMoney } from '../../../src/vocabulary/money.ts';

const rows = fc.uniqueArray(fc.record({ by: fc.constantFrom('', 'a', 'b', 'c'), id: fc.string() }), {
  selector: ({ id }) => id,
  maxLength: 30,
});
const itself = (row: RowPlace) => row;

test('pages join without gap or repeat, forwards and back, whatever the page size', () => {
  for (const compare of [ascending, descending]) {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 9 }), (all, limit) => {
        const sorted = all.toSorted(compare);
        const page = (after: RowPlace | null, before: RowPlace | null) =>
          sortedPage(all, { placeOf: itself, compare }, { limit, after, before });
        const walked: RowPlace[] = [];
        let at = page(null, null);
        assert.equal(at.hasPrevious, false);
        for (;;) {
          walked.push(...at.rows);
          if (!at.hasMore) break;
          at = page(at.rows.at(-1) ?? assert.fail('more than nothing'), null);
          assert.equal(at.hasPrevious, true);
        }
        assert.deepEqual(walked, sorted);
        const back = [...at.rows];
        while (at.hasPrevious) {
          at = page(null, at.rows[0] ?? assert.fail('before nothing'));
          assert.equal(at.hasMore, true);
          back.unshift(...at.rows);
        }
        assert.deepEqual(back, sorted);
      }),
    );
  }
});

test('a page is the same whether its rows come at once or in parts, in any order', () => {
  const place = fc.option(fc.record({ by: fc.constantFrom('', 'a', 'b', 'c'), id: fc.string() }));
  for (const compare of [ascending, descending]) {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 9 }), place, fc.boolean(), (all, limit, at, backwards) => {
        const request: SortedPageRequest = {
          limit,
          after: backwards ? null : at,
          before: backwards ? at : null,
        };
        const sorted = all.toSorted(compare);
        const side = (row: RowPlace) => at === null || compare(row, at) < 0 === backwards;
        const wanted = sorted.filter((row) => side(row) && (at === null || compare(row, at) !== 0));
        const collector = new PageCollector({ placeOf: itself, compare }, request);
        for (let from = 0; from < all.length; from += 4) collector.add(all.slice(from, from + 4));
        const { rows: found, hasMore, hasPrevious } = collector.page();
        const reversed = backwards && at !== null;
        assert.deepEqual(found, reversed ? wanted.slice(-limit) : wanted.slice(0, limit));
        const [further, others] = [wanted.length > limit, wanted.length < all.length];
        assert.deepEqual([hasMore, hasPrevious], reversed ? [others, further] : [further, others]);
      }),
    );
  }
});

test('a row that comes or goes while a caller walks neither hides nor repeats another', () => {
  const all = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ by: '', id }));
  const order = { placeOf: itself, compare: ascending };
  const first = sortedPage(all, order, { limit: 2, after: null, before: null });
  const last = first.rows.at(-1) ?? null;
  const changed = [...all.filter(({ id }) => id !== 'b'), { by: '', id: 'aa' }];
  const next = sortedPage(changed, order, { limit: 2, after: last, before: null });
  assert.deepEqual(
    next.rows.map(({ id }) => id),
    ['c', 'd'],
  );
});

test('what is shown of a holding and a trade fits its schema, with everything or with the least there can be', () => {
  const money = exactMoney('33.1234', 'usd');
  const account = 'acct_0000000000000000000000';
  const holding = {
    id: 'hold_st_1',
    currency: 'usd',
    quantity: '0.25',
    symbol: 'X',
    name: 'X',
    exchange: 'Y',
  };
  const trade = {
    id: 'trd_st_1',
    currency: 'usd',
    trade_date: localDate('2026-01-31'),
    symbol: 'X',
    name: 'X',
  };
  for (const value of [money, null]) {
    const amounts = {
      average_price: value,
      current_price: value,
      market_value: value,
      unrealized_pnl: value,
      asset_type: null,
    };
    const held = presentHolding({ ...holding, ...amounts }, account);
    assert.ok(Compile(holdingSchema).Check(held));
    assert.deepEqual(held.average_price, value === null ? null : { amount: 3312, currency: 'usd' });
    const nothing = {
      quantity: null,
      trade_datetime: null,
      settlement_date: null,
      settlement_datetime: null,
      description: null,
    };
    for (const type of TRADE_TYPES) {
      const traded = { ...trade, ...nothing, type, price: value, total_amount: value, fees: value };
      assert.ok(Compile(tradeSchema).Check(presentTrade(traded, account)));
    }
  }
});
