import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { ascending, descending, type RowPlace, sortedPage } from '../../src/features/sorted-page.ts';
import { presentHolding, presentTrade } from '../../src/surfaces/v2/presenters/holdings.ts';
import { holdingSchema } from '../../src/surfaces/v2/schemas/holdings.ts';
import { tradeSchema } from '../../src/surfaces/v2/schemas/trades.ts';
import { localDate } from '../../src/vocabulary/moments.ts';

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
          sortedPage(all, itself, compare, { limit, after, before });
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

test('a row that comes or goes while a caller walks neither hides nor repeats another', () => {
  const all = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ by: '', id }));
  const first = sortedPage(all, itself, ascending, { limit: 2, after: null, before: null });
  const last = first.rows.at(-1) ?? null;
  const changed = [...all.filter(({ id }) => id !== 'b'), { by: '', id: 'aa' }];
  const next = sortedPage(changed, itself, ascending, { limit: 2, after: last, before: null });
  assert.deepEqual(
    next.rows.map(({ id }) => id),
    ['c', 'd'],
  );
});

test('what is shown of a holding and a trade fits its schema, with everything or with the least there can be', () => {
  const money = { amount: 150, currency: 'usd' };
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
    };
    assert.ok(Compile(holdingSchema).Check(presentHolding({ ...holding, ...amounts }, account)));
    const rest = { type: null, quantity: null, settlement_date: null, description: null };
    const shown = presentTrade(
      { ...trade, ...rest, price: value, total_amount: value, fees: value },
      account,
    );
    assert.ok(Compile(tradeSchema).Check(shown));
  }
});
