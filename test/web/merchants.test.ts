import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { presentTransaction } from '../../src/operations/v2/transactions/resource.ts';
import { localDate } from '../../src/vocabulary/moments.ts';
import type { Movement } from '../../web/src/accounts/net-position.ts';
import { merchantOf } from '../../web/src/api/merchants.ts';
import { merchantRows } from '../../web/src/merchants/merchant-rows.ts';
import { merchantSums, searchFor } from '../../web/src/merchants/merchant-sums.ts';
import { finished } from '../../web/src/parts/steps.ts';
import { transaction } from '../features/rules/rows.ts';

const keyOf = (merchant_name: string | null, description = '') =>
  merchantOf({ merchant_name, description }).key;

describe('the key of a merchant', () => {
  test('is the same for its name however it is written', () => {
    for (const name of ['McDonald’s', "McDonald's", 'MCDONALDS', ' mcdonalds '])
      assert.equal(keyOf(name), 'mcdonalds');
    assert.equal(keyOf('7-Eleven'), '7-eleven');
    assert.notEqual(keyOf('Route 66'), keyOf('Route 77'));
    assert.equal(keyOf('Whānau Kai'), 'whānau-kai');
  });

  test('is that of the description without numbers and dates where there is no name', () => {
    assert.equal(keyOf(null, 'TELCO NORTH DD 004411'), 'telco-north-dd');
    assert.equal(keyOf(null, 'SALARY ACME 03 NOV 2026 REF P1A2'), 'salary-acme-ref');
    assert.equal(keyOf('', 'RENT 12/40 ELM ST'), keyOf(null, 'Rent 12/41 Elm St'));
    // Months without a number beside them are names.
    assert.notEqual(keyOf(null, 'PAYMENT TO MAY'), keyOf(null, 'PAYMENT TO JUNE'));
    assert.equal(keyOf(null, '004411'), '004411');
  });

  test('is safe in an address and within bounds, whatever the name is', () => {
    const names = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('..', '.', '/', '%2e%2e', '../../x', '?q=#', '☕️', '\ud800', '＜script＞', ' '),
      fc.string({ minLength: 200, maxLength: 600 }),
    );
    fc.assert(
      fc.property(names, fc.boolean(), (name, isName) => {
        const key = isName ? keyOf(name) : keyOf(null, name);
        assert.match(key, /^(?:|_[\da-f-]+|[\p{L}\p{M}\p{N}-]+)$/u);
        assert.ok(Array.from(key).length <= 120);
        assert.equal(decodeURIComponent(encodeURIComponent(key)), key);
        assert.equal(
          new URL(`/merchants/${encodeURIComponent(key)}`, 'http://x').pathname.split('/').length,
          3,
        );
        assert.equal(key === '', name.trim() === '');
      }),
    );
  });
});

const RULES = { loans: new Set<string>(), hasCards: false, kinds: new Map() };
const spent = (day: string, amount: bigint, name: string, more: Partial<Movement> = {}): Movement => ({
  account: 'everyday',
  day,
  spentOn: day,
  amount,
  currency: 'aud',
  category: null,
  code: 'FOOD_AND_DRINK_COFFEE',
  merchant: merchantOf({ merchant_name: name, description: '' }),
  ...more,
});

test('spending at each merchant is exact, by currency, highest first, under the latest name', () => {
  const sums = finished(
    merchantSums(
      [
        spent('2026-10-02', -9_007_199_254_740_993n, 'BAKER'),
        spent('2026-10-09', -2n, 'Baker'),
        spent('2026-10-03', -700n, 'Grocer'),
        spent('2026-10-04', 200n, 'Grocer'),
        spent('2026-10-05', -80n, 'Grocer', { currency: 'nzd' }),
        spent('2025-10-05', -80n, 'Before'),
        spent('2026-10-05', -80n, 'Saver', { code: 'TRANSFER_OUT_SAVINGS' }),
      ],
      RULES,
      '2026-01-01',
    ),
  );
  assert.deepEqual(
    [...sums].map(([currency, of]) => [currency, of.map((one) => [one.name, one.spent, one.count, one.day])]),
    [
      [
        'aud',
        [
          ['Baker', 9_007_199_254_740_995n, 2, '2026-10-09'],
          ['Grocer', 500n, 2, '2026-10-04'],
        ],
      ],
      ['nzd', [['Grocer', 80n, 1, '2026-10-05']]],
    ],
  );
});

test('the sums of 10,000 payments give way at least every 500 of them', () => {
  const payments = Array.from({ length: 10_000 }, (_, at) => spent('2026-10-02', -1n, `Shop ${at % 40}`));
  let yields = 0;
  const steps = merchantSums(payments, RULES, '2026-01-01');
  for (let next = steps.next(); next.done !== true; next = steps.next()) yields += 1;
  assert.ok(yields >= 20, String(yields));
});

test('the rows of a merchant are found in steps, with their names, sums and what comes regularly', () => {
  const row = (id: string, text: string, more: Parameters<typeof transaction>[0] = {}) => {
    const date = localDate(text);
    return presentTransaction(transaction({ id, date, post_date: date, ...more }), 'acct_1', null);
  };
  const gym = ['2026-11-02', '2026-10-02', '2026-09-02', '2026-08-02'].map((date, at) =>
    row(`gym_${at}`, date, { merchant_name: at === 0 ? 'GYM' : 'Gym', provider_category: null }),
  );
  const others = Array.from({ length: 5_000 }, (_, at) =>
    row(`other_${at}`, '2026-11-01', { merchant_name: `Shop ${at}` }),
  );
  const pending = row('held', '2026-11-03', { merchant_name: 'Gym', status: 'pending' });
  const among = [pending, ...others, ...gym];
  const steps = merchantRows(among, 'gym', RULES, '2026-11-20');
  let yields = 0;
  let last = steps.next();
  for (; last.done !== true; last = steps.next()) yields += 1;
  assert.ok(yields >= 10, `${yields}`);
  const { rows, names, movements, series } = last.value;
  assert.deepEqual(rows, [pending, ...gym]);
  assert.deepEqual(names, ['Gym', 'GYM']);
  assert.equal(movements.length, 4);
  assert.deepEqual(
    series.map(({ cadence }) => cadence),
    ['monthly'],
  );
});

test('what is looked for among transactions finds every row of the merchant', () => {
  assert.equal(searchFor(['Baker']), 'Baker');
  assert.equal(searchFor(['TELCO NORTH DD 004411', 'Telco North DD 004599']), 'TELCO NORTH DD 004');
  assert.equal(searchFor(['Ab 1', 'Xy 1']), 'Ab 1');
});
