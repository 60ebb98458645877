import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sumOf } from '../../web/src/format/decimals.ts';
import { converted } from '../../web/src/format/exchange.ts';
import { ALLOCATIONS, allocationsOf } from '../../web/src/investments/allocation.ts';

const RATES = [{ from: 'usd', to: 'aud', rate: '1.52' }];
const holding = fc.record({
  asset_type: fc.constantFrom('stock', 'etf', null),
  account: fc.constantFrom('acct_1', 'acct_2'),
  currency: fc.constantFrom('aud', 'usd', 'jpy'),
  symbol: fc.constantFrom('VTI', null),
  name: fc.constantFrom('Total Market', 'Bonds', null),
  market_value_decimal: fc.option(
    fc
      .tuple(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), fc.nat({ max: 9_999 }))
      .map(([units, rest]) => `${units}.${rest}`),
  ),
});

test('an allocation holds every value once, and its total is what the currencies come to at their rates', () => {
  fc.assert(
    fc.property(fc.array(holding, { maxLength: 12 }), fc.constantFrom(...ALLOCATIONS), (holdings, by) => {
      const allocations = allocationsOf(holdings, by, RATES);
      const valued = holdings.filter((one) => one.market_value_decimal !== null);
      const sumIn = (currency: string) =>
        sumOf(valued.flatMap((one) => (one.currency === currency ? (one.market_value_decimal ?? []) : [])));
      const covered: string[] = [];
      for (const { currency, total, shares, rates } of allocations) {
        const joined = [currency, ...rates.map(({ from, to }) => (from === currency ? to : from))];
        covered.push(...joined);
        const expected = joined.reduce(
          (sum, own) => sum + (converted(sumIn(own), own, currency, RATES) ?? 0n),
          0n,
        );
        assert.equal(total, expected);
        const added = shares.reduce((sum, { value }) => sum + value, 0n);
        const missed = added > total ? added - total : total - added;
        assert.ok(missed <= BigInt((shares.length + 1) * joined.length), `${missed} minor units`);
        assert.equal(new Set(shares.map(({ key }) => key)).size, shares.length);
        for (const [at, { value }] of shares.entries()) assert.ok(value <= (shares[at - 1]?.value ?? value));
      }
      assert.equal(new Set(covered).size, covered.length);
      for (const one of valued) assert.ok(covered.includes(one.currency));
    }),
  );
});

test('the same position in two accounts is one, and a currency without a rate stands for itself', () => {
  const one = { asset_type: null, symbol: 'VTI', name: 'Total Market', market_value_decimal: '100.005' };
  const allocations = allocationsOf(
    [
      { ...one, account: 'acct_1', currency: 'aud' },
      { ...one, account: 'acct_2', currency: 'aud' },
      { ...one, account: 'acct_2', currency: 'usd', name: 'Bonds' },
      { ...one, account: 'acct_2', currency: 'jpy', market_value_decimal: '7' },
    ],
    'position',
    RATES,
  );
  assert.deepEqual(
    allocations.map(({ currency, total, shares }) => ({ currency, total, shares })),
    [
      {
        currency: 'aud',
        total: 35_202n,
        shares: [
          { key: 'Total Market', value: 20_001n },
          { key: 'Bonds', value: 15_201n },
        ],
      },
      { currency: 'jpy', total: 7n, shares: [{ key: 'Total Market', value: 7n }] },
    ],
  );
});
