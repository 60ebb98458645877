import assert from 'node:assert/strict';
import { test } from 'node:test';
import Big from 'big.js';
import fc from 'fast-check';
import { exchangeRateText, parseExchangeRate } from '../../src/vocabulary/exchange-rates.ts';
import { currencyExponent } from '../../src/vocabulary/money.ts';
import { sumOf } from '../../web/src/format/decimals.ts';
import { converted, rateText } from '../../web/src/format/exchange.ts';
import { decimalText } from '../../web/src/format/money.ts';

const currency = fc.constantFrom('aud', 'eur', 'usd', 'jpy', 'kwd', 'clf');
const rate = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }))
  .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(12, '0')}`)
  .filter((text) => /[1-9]/.test(text));
const pair = fc.record({ from: currency, to: currency, rate }).filter(({ from, to }) => from !== to);
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.nat({ max: 8 }))
  .map(([units, digits]) => new Big(String(units)).div(new Big(10).pow(digits)).toFixed());

test('a rate is read as it was written, and anything else is not read at all', () => {
  fc.assert(
    fc.property(pair, (one) => assert.deepEqual(parseExchangeRate(exchangeRateText(one)), { ...one })),
  );
  for (const text of ['', 'EUR:AUD', 'EUR:AUD=', 'EUR:AUD=0.0', 'EUR:EUR=1', 'EUR:AUD=1.', ' EUR:AUD=1'])
    assert.equal(parseExchangeRate(text), null, text);
  assert.equal(rateText({ from: 'eur', to: 'aud', rate: '1.650' }), '1 EUR = 1.650 AUD');
});

test('a conversion is the exact product, rounded once to the minor unit, half away from zero', () => {
  fc.assert(
    fc.property(decimal, pair, (amount, one) => {
      const exact = new Big(amount).times(one.rate).times(new Big(10).pow(currencyExponent(one.to)));
      const expected = BigInt(exact.round(0, Big.roundHalfUp).toFixed());
      assert.equal(converted(amount, one.from, one.to, [one]), expected);
    }),
  );
  const rates = [{ from: 'eur', to: 'aud', rate: '1.65' }];
  assert.equal(converted('0.10', 'eur', 'aud', rates), 17n);
  assert.equal(converted('-0.10', 'eur', 'aud', rates), -17n);
  assert.equal(converted('100', 'eur', 'jpy', rates), null);
  assert.equal(converted('12.345', 'aud', 'aud', []), 1_235n);
});

test('against its direction a rate divides: converting back misses by no more than the rounding of the two minor units', () => {
  fc.assert(
    fc.property(decimal, pair, (amount, one) => {
      const back = converted(amount, one.to, one.from, [one]);
      assert.ok(back !== null);
      const unit = (code: string) => new Big(10).pow(-currencyExponent(code));
      const missed = new Big(decimalText(back, one.from)).times(one.rate).minus(amount).abs();
      const allowed = unit(one.from).times(one.rate).div(2);
      assert.ok(missed.lte(allowed), `${missed} > ${allowed}`);
    }),
  );
});

test('amounts keep their sign and their order, and opposite amounts cancel out', () => {
  fc.assert(
    fc.property(decimal, decimal, pair, (a, b, one) => {
      const of = (text: string) => converted(text, one.from, one.to, [one]) ?? assert.fail();
      const [low, high] = new Big(a).lte(b) ? [a, b] : [b, a];
      assert.ok(of(low) <= of(high));
      const negative = sumOf([a]).startsWith('-') ? a.slice(1) : `-${a}`;
      assert.equal(of(a) + of(negative), 0n);
    }),
  );
});
