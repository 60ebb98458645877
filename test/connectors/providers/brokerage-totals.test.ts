import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mapTrade } from '../../../src/connectors/providers/brokerage/map-trade.ts';
import type { Trade } from '../../../src/vocabulary/holdings.ts';

const trade = (more: Record<string, unknown>): Trade =>
  mapTrade(
    { trade_date: '2026-03-10T00:00:00Z', symbol: { symbol: 'VTI' }, currency: { code: 'USD' }, ...more },
    { timezone: 'America/New_York', currency: 'usd' },
  ).trade(1);

describe('The total of a trade', () => {
  it('is what units and price come to where the broker names no amount, with the sign of what is paid', () => {
    const total = (more: Record<string, unknown>) =>
      trade({ type: 'BUY', units: '2', price: '10.5', amount: null, ...more }).total_amount?.decimal ?? null;
    assert.equal(total({}), '-21');
    assert.equal(total({ type: 'SELL', units: '-2' }), '21');
    assert.equal(total({ units: '0.3', price: '0.1' }), '-0.03');
    assert.equal(total({ type: 'REI' }), '-21');
    assert.equal(total({ type: 'SELL', units: '2' }), '21', 'whichever sign the units sold have');
    assert.equal(total({ amount: '0' }), '-21', 'an amount of 0 is one that was left out');
    assert.equal(total({ amount: '0', type: 'SELL', units: '2' }), '21');
    assert.equal(total({ units: '-2' }), null, 'negative units bought may be a correction');
    assert.equal(total({ amount: '0.00', price: null }), null);
    assert.equal(total({ type: 'DIVIDEND' }), null);
    assert.equal(total({ type: 'DIVIDEND', amount: '0' }), '0');
    assert.equal(
      total({ symbol: null, option_symbol: { ticker: 'VTI  30C' } }),
      null,
      'a contract is over many',
    );
  });

  it('of a purchase or sale without an amount never has the sign of the other', () => {
    const signs = fc.constantFrom('', '-');
    const amounts = fc.constantFrom(null, '0', '0.00');
    const digits = fc.integer({ min: 1, max: 9_999 }).map((number) => (number / 100).toFixed(2));
    fc.assert(
      fc.property(
        fc.constantFrom('BUY', 'REI', 'SELL'),
        signs,
        amounts,
        digits,
        digits,
        (type, sign, amount, units, price) => {
          const { total_amount: total } = trade({ type, amount, units: `${sign}${units}`, price });
          if (type === 'SELL') assert.ok(total !== null && Number(total.decimal) > 0);
          else assert.ok(total === null ? sign === '-' : Number(total.decimal) < 0);
        },
      ),
    );
  });
});
