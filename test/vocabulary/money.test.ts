import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  currencyCode,
  currencyExponent,
  decimalFromMoney,
  exactMoney,
  isDecimal,
  moneyFromDecimal,
} from '../../src/vocabulary/money.ts';

/** ISO 4217, minor units other than two, written out again so that a slip in the product's table shows. */
const MINOR_UNITS: ReadonlyArray<readonly [number, readonly string[]]> = [
  [0, ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG']],
  [0, ['RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF']],
  [2, ['AUD', 'NZD', 'USD', 'EUR', 'GBP', 'CHF', 'CNY', 'INR', 'SGD', 'HKD', 'MGA', 'MRU', 'ZAR']],
  [3, ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']],
  [4, ['CLF', 'UYW']],
];
const ALL = MINOR_UNITS.flatMap(([exponent, codes]) => codes.map((code) => [code, exponent] as const));
const currency = fc.constantFrom(...ALL);

const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max });
const sign = fc.constantFrom('', '-', '+');
const decimal = fc
  .tuple(sign, digits(1, 30), fc.option(digits(1, 30), { nil: null }))
  .map(([of, units, fraction]) => `${of}${units}${fraction === null ? '' : `.${fraction}`}`);
/** Amounts a bank sends, so that in-range results are common. */
const usual = fc
  .tuple(sign, digits(1, 13), fc.option(digits(1, 6), { nil: null }))
  .map(([of, units, fraction]) => `${of}${units}${fraction === null ? '' : `.${fraction}`}`);

/** Exact minor units, half away from zero, in integers alone. */
function exactMinorUnits(text: string, exponent: number): bigint {
  const [, of = '', units = '', fraction = ''] = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const kept = fraction.slice(0, exponent).padEnd(exponent, '0');
  const rest = fraction.slice(exponent);
  const amount = BigInt(units + kept) + (rest !== '' && Number(rest.charAt(0)) >= 5 ? 1n : 0n);
  return of === '-' ? -amount : amount;
}

test('any decimal becomes exactly the minor units integer arithmetic gives, or is refused as out of range', () => {
  fc.assert(
    fc.property(fc.oneof(usual, decimal), currency, (text, [code, exponent]) => {
      const exact = exactMinorUnits(text, exponent);
      if (exact > BigInt(Number.MAX_SAFE_INTEGER) || exact < BigInt(Number.MIN_SAFE_INTEGER)) {
        assert.throws(() => moneyFromDecimal(text, code), RangeError);
        return;
      }
      const money = moneyFromDecimal(text, code);
      assert.equal(BigInt(money.amount), exact, text);
      assert.ok(!Object.is(money.amount, -0), 'no negative zero');
      assert.equal(money.currency, code.toLowerCase());
    }),
    { numRuns: 3000 },
  );
});

test('zeros that change nothing change nothing: the short way and the long way to an amount agree', () => {
  fc.assert(
    fc.property(usual, currency, digits(1, 4), (text, [code], zeros) => {
      const longer = `${text}${text.includes('.') ? '' : '.'}${'0'.repeat(zeros.length + 2)}`;
      const padded = longer.replace(/^([+-]?)/, '$100000000000000');
      assert.deepEqual(
        outcome(() => moneyFromDecimal(text, code)),
        outcome(() => moneyFromDecimal(longer, code)),
      );
      assert.deepEqual(
        outcome(() => moneyFromDecimal(text, code)),
        outcome(() => moneyFromDecimal(padded, code)),
      );
    }),
    { numRuns: 1000 },
  );
});

function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error instanceof RangeError ? 'refused' : error;
  }
}

test('a half is rounded away from zero on both sides', () => {
  assert.equal(moneyFromDecimal('0.005', 'AUD').amount, 1);
  assert.equal(moneyFromDecimal('-0.005', 'AUD').amount, -1);
  assert.equal(moneyFromDecimal('0.0049999999999999999999', 'AUD').amount, 0);
  assert.equal(moneyFromDecimal('1.005', 'AUD').amount, 101);
  assert.equal(moneyFromDecimal('+2.5', 'JPY').amount, 3);
  assert.equal(moneyFromDecimal('-2.5', 'JPY').amount, -3);
  assert.equal(moneyFromDecimal('8.0005', 'KWD').amount, 8001);
});

test('the largest safe amount is taken and one more is refused', () => {
  assert.equal(moneyFromDecimal('90071992547409.91', 'aud').amount, Number.MAX_SAFE_INTEGER);
  assert.throws(() => moneyFromDecimal('90071992547409.92', 'aud'), RangeError);
  assert.throws(() => moneyFromDecimal('-90071992547409.92', 'aud'), RangeError);
});

test('what is not a plain decimal is refused, never guessed', () => {
  const bad = ['', ' ', '.', '.5', '5.', '1e3', '1,000.00', '$5', '0x10', 'NaN', 'Infinity', '--1', '+-1'];
  for (const text of [...bad, '1.2.3', ' 1', '1 ', '1\n', '１', '-', '+', '1_000', 'null', '1'.repeat(31)]) {
    assert.ok(!isDecimal(text), JSON.stringify(text));
    for (const code of ['AUD', 'JPY', 'KWD']) {
      assert.throws(() => moneyFromDecimal(text, code), RangeError, JSON.stringify(text));
    }
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (text) => {
      const wanted = /^[+-]?[0-9]{1,30}(\.[0-9]{1,30})?$/.test(text) && !text.includes('\n');
      assert.equal(isDecimal(text), wanted);
    }),
  );
});

test('minor units come back from their decimal text, which has exactly the currency’s decimals', () => {
  const amount = fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(amount, currency, (value, [code, exponent]) => {
      const money = { amount: value, currency: code.toLowerCase() };
      const text = decimalFromMoney(money);
      assert.match(text, exponent === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${exponent}}$`));
      assert.deepEqual(moneyFromDecimal(text, code), { ...money, amount: value === 0 ? 0 : value });
    }),
  );
  assert.equal(decimalFromMoney({ amount: -1050, currency: 'aud' }), '-10.50');
  assert.equal(decimalFromMoney({ amount: -5, currency: 'aud' }), '-0.05');
  assert.equal(decimalFromMoney({ amount: -5, currency: 'jpy' }), '-5');
  assert.equal(decimalFromMoney({ amount: 7, currency: 'clf' }), '0.0007');
});

test('every ISO 4217 currency has its own number of decimals, whatever the case of its code', () => {
  for (const [code, exponent] of ALL) {
    assert.equal(currencyExponent(code), exponent, code);
    assert.equal(currencyExponent(code.toLowerCase()), exponent, code);
  }
});

test('a currency code is three ASCII letters and comes out in lower case', () => {
  assert.equal(currencyCode('AUD'), 'aud');
  assert.equal(currencyCode('nzd'), 'nzd');
  for (const text of ['', 'AU', 'AUDX', 'A1D', ' AUD', 'AUD\n', '\u212ARW', 'ßßß', '€']) {
    assert.equal(currencyCode(text), null, JSON.stringify(text));
    assert.throws(() => moneyFromDecimal('1.00', text), RangeError);
  }
});

test('an exact amount keeps every digit it was sent with, beside the minor units they round to', () => {
  assert.deepEqual(exactMoney('33.1234', 'USD'), {
    money: { amount: 3312, currency: 'usd' },
    decimal: '33.1234',
  });
  assert.deepEqual(exactMoney('0.00001234', 'usd'), {
    money: { amount: 0, currency: 'usd' },
    decimal: '0.00001234',
  });
  fc.assert(
    fc.property(usual, currency, (text, [code, exponent]) => {
      // Beyond, minor units are no exact numbers any more, and nothing rounds to them.
      fc.pre(Math.abs(Number(text)) * 10 ** exponent < Number.MAX_SAFE_INTEGER);
      const { money, decimal: kept } = exactMoney(text, code);
      assert.deepEqual(money, moneyFromDecimal(text, code));
      assert.match(kept, /^-?\d+(\.\d+)?$/);
      assert.equal(text.startsWith('+') ? `+${kept}` : kept, text);
    }),
  );
});

test('an exact amount is refused where its minor units are', () => {
  for (const text of ['', '1e3', '1,5', '99999999999999999999'])
    assert.throws(() => exactMoney(text, 'usd'), RangeError, text);
});
