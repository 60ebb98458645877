import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { currencyExponent } from '../../src/vocabulary/money.ts';
import { moneyText, shortMoneyText, totals } from '../../web/src/format/money.ts';

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

test('an axis of a chart writes the currency as the figures beside it do', () => {
  const markOf = (text: string) => text.replace(/[\d.,\s-]/g, '').replace(/[KM]$/, '');
  for (const currency of ['aud', 'nzd', 'usd', 'cad', 'jpy', 'chf'])
    assert.equal(markOf(shortMoneyText(12_300_000n, currency)), markOf(moneyText(12_300_000n, currency)));
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

test('an axis names a currency as the figures do, and shows no odd decimal', () => {
  const markOf = (text: string) => text.replaceAll(/[\d.,\s\u2212-]|[KMBT]\b/gu, '');
  for (const currency of ['aud', 'nzd', 'usd', 'eur', 'jpy'])
    for (const amount of [0n, 150n, 1_234_56n, -98_765_43n])
      assert.equal(markOf(shortMoneyText(amount, currency)), markOf(moneyText(amount, currency)));
  assert.match(shortMoneyText(1_50n, 'usd'), /1\.50$/);
  assert.match(shortMoneyText(120_50n, 'usd'), /12[01]$/);
});
