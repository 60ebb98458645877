import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Trade } from '#client';
import { dayAway } from '../../web/src/format/days.ts';
import {
  asideOf,
  latestPages,
  nextToRead,
  type TradePage,
  tradesOf,
} from '../../web/src/investments/trade-pages.ts';

const PAGE = 3;

const trade = (account: string, id: string, day: string): Trade => ({
  id,
  object: 'trade',
  account,
  symbol: null,
  name: null,
  type: 'buy',
  quantity: null,
  price: null,
  price_decimal: null,
  currency: 'usd',
  total_amount: null,
  total_amount_decimal: null,
  fees: null,
  fees_decimal: null,
  trade_date: day,
  settlement_date: null,
  description: null,
  livemode: true,
});

const newestFirst = (a: Trade, b: Trade) =>
  a.trade_date === b.trade_date ? (a.id < b.id ? 1 : -1) : a.trade_date < b.trade_date ? 1 : -1;

/** Accounts with trades on days so long ago. */
const accounts = fc
  .array(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 12 }), { minLength: 1, maxLength: 4 })
  .map((all) =>
    all.map((days, at) =>
      days
        .map((day, number) => trade(`acct_${at}`, `trd_${at}_${number}`, dayAway('2026-11-24', -day)))
        .sort(newestFirst),
    ),
  );

test('trades that could not be read are named once for each list of days, however many pages it has', () => {
  const page = (days: string, id: string): TradePage => ({
    account: 'acct_1',
    rows: [],
    days,
    aside: [{ id, day: null, field: 'price', reason: 'missing' }],
    next: null,
    error: null,
  });
  const reads = [[page('2025-11-24', 'trd_1')], [page('2025-11-24', 'trd_1')], [page('2024-11-23', 'trd_2')]];
  assert.deepEqual(
    asideOf(reads, 'acct_1').map(({ id }) => id),
    ['trd_1', 'trd_2'],
  );
  assert.deepEqual(asideOf(reads, 'acct_2'), []);
});

test('trades of several accounts come newest first, each once, and none is put in front of one that is shown', () => {
  fc.assert(
    fc.property(accounts, (all) => {
      const pageOf = (account: number, from: number): TradePage => {
        const rows = all[account] ?? [];
        const more = from + PAGE < rows.length;
        const asked = { account: `acct_${account}`, from: '2025-01-01', to: '2026-11-24' };
        const page = String(from + PAGE);
        return {
          account: asked.account,
          rows: rows.slice(from, from + PAGE),
          days: asked.from,
          aside: [],
          next: more ? { ...asked, page } : null,
          error: null,
        };
      };
      const reads: TradePage[][] = [all.map((_, at) => pageOf(at, 0))];
      let shown = tradesOf(reads);
      for (let next = nextToRead(latestPages(reads)); next !== null; next = nextToRead(latestPages(reads))) {
        reads.push([pageOf(Number(next.account.slice(5)), Number(next.page))]);
        const now = tradesOf(reads);
        const last = shown.at(-1)?.trade_date;
        const settled = shown.filter(({ trade_date: day }) => day !== last);
        assert.deepEqual(now.slice(0, settled.length), settled);
        shown = now;
      }
      assert.deepEqual(shown, all.flat().sort(newestFirst));
    }),
    { numRuns: 300 },
  );
});
