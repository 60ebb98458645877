import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compareDecimals, sumOf } from '../../web/src/format/decimals.ts';
import { currencyValues, investedIn } from '../../web/src/home/invested.ts';

const CURRENCIES = ['aud', 'jpy', 'usd'] as const;
const holding = (currency: string, value: string | null) => ({ currency, market_value_decimal: value });
const values = (...held: ReturnType<typeof holding>[]) => currencyValues(held);

describe('what investments come to', () => {
  test('is counted in each currency in all digits, without the holdings that have no value', () => {
    const sums = values(
      holding('aud', '0.1'),
      holding('aud', '0.25'),
      holding('aud', null),
      holding('jpy', '7'),
    );
    assert.deepEqual(
      [...sums],
      [
        ['aud', '0.35'],
        ['jpy', '7'],
      ],
    );
  });

  test('loses nothing of any account, in any order', () => {
    const decimal = fc
      .bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
      .map((units) => sumOf([`${units}`.replace(/^(-?)(\d)$/, '$10$2').replace(/(\d{1})$/, '.$1')]));
    const held = fc.record({ currency: fc.constantFrom(...CURRENCIES), market_value_decimal: decimal });
    fc.assert(
      fc.property(fc.array(fc.array(held, { maxLength: 5 }), { maxLength: 5 }), (accounts) => {
        const sums = investedIn(accounts.map(currencyValues));
        for (const currency of CURRENCIES) {
          const all = accounts.flat().filter((one) => one.currency === currency);
          const found = sums.find((one) => one.currency === currency);
          const expected = sumOf(all.map((one) => one.market_value_decimal).toReversed());
          assert.equal(compareDecimals(found?.value ?? '0', expected), 0);
          assert.equal(found === undefined, all.length === 0);
        }
      }),
    );
  });
});
