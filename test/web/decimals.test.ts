import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Big from 'big.js';
import fc from 'fast-check';
import {
  compareDecimals,
  exactMoneyText,
  negated,
  quantityText,
  ratioOf,
  sumOf,
  valueText,
} from '../../web/src/format/decimals.ts';

const decimal = fc
  .tuple(
    fc.boolean(),
    fc.bigInt({ min: 0n, max: 10n ** 20n }),
    fc.option(fc.stringMatching(/^\d{1,18}$/), { nil: null }),
  )
  .map(([minus, units, fraction]) => `${minus ? '-' : ''}${units}${fraction === null ? '' : `.${fraction}`}`);

const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+(?=\d)/, '');

describe('decimals of brokers', () => {
  test('a price and a quantity are shown to their last digit, below a cent as well', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        assert.equal(digitsOf(quantityText(text)), digitsOf(text));
        const fraction = text.split('.')[1] ?? '';
        const shown = digitsOf(exactMoneyText(text, 'usd'));
        assert.equal(shown, digitsOf(`${text}${'0'.repeat(Math.max(0, 2 - fraction.length))}`));
      }),
    );
    assert.match(exactMoneyText('0.000012', 'usd'), /0\.000012$/);
    assert.match(valueText('0.0004', 'usd'), /0\.0004$/);
    assert.match(valueText('36937.82634327', 'usd', 'always'), /^\+.*36,937\.83$/);
    assert.match(quantityText('0.012345678901234567'), /^0\.012345678901234567$/);
  });

  test('sums, comparisons and opposites are exact', () => {
    fc.assert(
      fc.property(fc.array(decimal), decimal, decimal, (all, a, b) => {
        const expected = all.reduce((sum, one) => sum.plus(one), new Big(0));
        assert.ok(new Big(sumOf(all)).eq(expected));
        assert.equal(compareDecimals(a, b), new Big(a).cmp(b));
        assert.ok(new Big(negated(a)).plus(a).eq(0));
      }),
    );
  });

  test('a part of nothing is no number, and any other is near the part it is', () => {
    assert.equal(ratioOf('1', '0.00'), null);
    fc.assert(
      fc.property(decimal, decimal, (part, whole) => {
        const ratio = ratioOf(part, whole);
        if (ratio === null) return assert.ok(new Big(whole).eq(0));
        const expected = Number(new Big(part).div(whole));
        assert.ok(Math.abs(ratio - expected) <= 1e-6 + Math.abs(expected) * 1e-9, `${ratio} ${expected}`);
      }),
    );
  });
});
