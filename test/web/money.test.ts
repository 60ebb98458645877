import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { currencyExponent } from '../../src/vocabulary/money.ts';
import { moneyText, totals } from '../../web/src/format/money.ts';

test('an amount is shown to its last digit, whatever its size and its currency', () => {
  const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
      fc.constantFrom('aud', 'jpy', 'kwd', 'clf', 'usd'),
      (amount, currency) => {
        const text = moneyText(amount, currency);
        assert.equal(digitsOf(text), String(amount < 0n ? -amount : amount));
        const decimals = /[.,](\d+)\D*$/.exec(text)?.[1] ?? '';
        if (currencyExponent(currency) > 0) assert.equal(decimals.length, currencyExponent(currency));
        assert.equal(/[-−]/.test(text), amount < 0n);
      },
    ),
  );
});

test('an amount with its sign shows the sign of money that comes in as well', () => {
  assert.match(moneyText(1250n, 'aud', 'always'), /\+.*12\.50/);
  assert.doesNotMatch(moneyText(0n, 'aud', 'always'), /[+-]/);
});

test('sums are kept apart by currency and lose no unit', () => {
  const largest = Number.MAX_SAFE_INTEGER;
  const sums = totals([
    { amount: largest, currency: 'aud' },
    { amount: largest, currency: 'aud' },
    { amount: -1, currency: 'jpy' },
  ]);
  assert.deepEqual(
    [...sums],
    [
      ['aud', 2n * BigInt(largest)],
      ['jpy', -1n],
    ],
  );
});
