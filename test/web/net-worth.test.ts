import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ReadAccount } from '../../web/src/accounts/coverage.ts';
import { compareDecimals, minorUnits, sumOf } from '../../web/src/format/decimals.ts';
import { converted } from '../../web/src/format/exchange.ts';
import { decimalText } from '../../web/src/format/money.ts';
import { currencyValues } from '../../web/src/home/invested.ts';
import { netWorthIn, ownTotal, worthByCurrency, worthLine } from '../../web/src/home/net-worth.ts';

const FROM = '2026-09-01';
const TODAY = '2026-10-31';
const currency = fc.constantFrom('aud', 'eur', 'usd', 'jpy');
const rates = fc
  .tuple(
    fc.subarray(['eur', 'usd', 'jpy']),
    fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { minLength: 3, maxLength: 3 }),
  )
  .map(([known, units]) =>
    known.map((from, at) => ({ from, to: 'aud', rate: `${decimalText(BigInt(units[at] ?? 1), 'clf')}` })),
  );
const cents = fc.integer({ min: -(10 ** 12), max: 10 ** 12 });
const balances = fc.array(fc.record({ currency, amount: cents }), { maxLength: 6 });
const decimal = fc.tuple(cents, fc.nat({ max: 999 })).map(([units, rest]) => `${units}.${rest}`);
const invested = fc
  .array(fc.array(fc.record({ currency, market_value_decimal: decimal }), { maxLength: 4 }), { maxLength: 3 })
  .map((accounts) => accounts.map(currencyValues));

test('every currency is either in the total at its rate or named beside it, and none is lost', () => {
  fc.assert(
    fc.property(balances, invested, rates, (banked, held, known) => {
      const worths = worthByCurrency(banked, held);
      const worth = netWorthIn('aud', worths, known);
      const all = new Set([
        ...banked.map((one) => one.currency),
        ...held.flatMap((values) => [...values.keys()]),
      ]);
      const shown = [...worth.parts, ...worth.apart].map((one) => one.currency);
      assert.deepEqual(shown.toSorted(), [...all].toSorted());
      for (const { currency: own, rate } of worth.parts) assert.equal(rate === null, own === 'aud');
      for (const { currency: own } of worth.apart) assert.ok(known.every(({ from }) => from !== own));
    }),
  );
});

test('what is held, owed and invested is the total to the cent, and so are the parts', () => {
  fc.assert(
    fc.property(balances, invested, rates, (banked, held, known) => {
      const worth = netWorthIn('aud', worthByCurrency(banked, held), known);
      assert.equal(worth.held + worth.owed + worth.invested, worth.total);
      assert.equal(
        worth.parts.reduce((sum, { value }) => sum + value, 0n),
        worth.total,
      );
      assert.ok(worth.owed <= 0n);
    }),
  );
});

test('in one currency, the total is the balances and the holdings, rounded once', () => {
  fc.assert(
    fc.property(balances, invested, (banked, held) => {
      for (const worth of worthByCurrency(banked, held)) {
        const { currency: own } = worth;
        const bank = banked
          .filter((one) => one.currency === own)
          .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
        const market = sumOf(held.map((values) => values.get(own) ?? '0'));
        assert.equal(compareDecimals(ownTotal(worth), sumOf([decimalText(bank, own), market])), 0);
        assert.equal(netWorthIn(own, [worth], []).total, bank + minorUnits(market, own));
      }
    }),
  );
});

const movement = fc.record({
  account: fc.constant('one'),
  day: fc.constantFrom('2026-09-01', '2026-09-15', '2026-10-01', TODAY, '2026-11-01'),
  spentOn: fc.constant(FROM),
  amount: fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
  currency,
  category: fc.constant(null),
  code: fc.constant(null),
  merchant: fc.constant({ key: 'grocer', name: 'Grocer' }),
});
const account: fc.Arbitrary<ReadAccount> = fc.record({
  name: fc.string(),
  balance: fc.record({ amount: cents.map(BigInt), currency }),
  isUnverified: fc.constant(false),
  history: fc.record({
    from: fc.constant('2026-08-01'),
    movements: fc.array(movement, { maxLength: 6 }),
    aside: fc.constant([]),
  }),
});

test('the line ends at the balances in the total, and its first day is what the movements since then add up to', () => {
  fc.assert(
    fc.property(fc.array(account, { minLength: 1, maxLength: 5 }), rates, (accounts, known) => {
      const read = accounts.flatMap(({ balance }) => balance ?? []);
      const money = read.map((balance) => ({ currency: balance.currency, amount: Number(balance.amount) }));
      const { held, owed } = netWorthIn('aud', worthByCurrency(money, []), known);
      const { points } = worthLine(accounts, { currency: 'aud', rates: known, from: FROM, today: TODAY });
      assert.equal(points.at(-1)?.banks ?? 0n, held + owed);
      const own = [...new Set(read.map((balance) => balance.currency))];
      const first = own.reduce((sum, code) => {
        const before = accounts
          .filter(({ balance }) => balance?.currency === code)
          .reduce((rest, { balance, history }) => {
            const since = (history?.movements ?? []).filter((one) => one.currency === code && one.day > FROM);
            return since.reduce((left, { amount }) => left - amount, rest + (balance?.amount ?? 0n));
          }, 0n);
        return sum + (converted(decimalText(before, code), code, 'aud', known) ?? 0n);
      }, 0n);
      assert.equal(points[0]?.banks ?? 0n, first);
    }),
  );
});

test('the line begins where the shortest history does, and names every account that it lacks', () => {
  const base: ReadAccount = {
    name: 'Everyday',
    balance: { amount: 100n, currency: 'aud' },
    isUnverified: false,
    history: { from: '2026-08-01', movements: [], aside: [] },
  };
  const asked = { currency: 'aud', rates: [{ from: 'eur', to: 'aud', rate: '2' }], from: FROM, today: TODAY };
  const euros = { amount: 50n, currency: 'eur' };
  const { points, coverage } = worthLine(
    [
      base,
      {
        ...base,
        name: 'Girokonto',
        balance: euros,
        history: { from: '2026-10-01', movements: [], aside: [] },
      },
      { ...base, name: 'Sparbuch', balance: euros, history: null },
      { ...base, name: 'Loan', isUnverified: true },
      { ...base, name: 'Closed', balance: null },
      { ...base, name: 'Dollars', balance: { amount: 1n, currency: 'usd' } },
    ],
    asked,
  );
  assert.deepEqual([points[0], points.at(-1)?.banks], [{ day: '2026-10-01', banks: 200n }, 200n]);
  assert.deepEqual(coverage, {
    withoutBalance: ['Closed'],
    unverified: ['Loan'],
    unread: ['Sparbuch'],
    short: ['Girokonto'],
    still: ['Everyday', 'Girokonto'],
    aside: [],
  });
  assert.deepEqual(worthLine([], asked).points, []);
});

test('the currency of most bank accounts comes first', () => {
  const order = worthByCurrency(
    [
      { currency: 'usd', amount: 9_000_000 },
      { currency: 'aud', amount: -1 },
      { currency: 'aud', amount: 1 },
    ],
    [currencyValues([{ currency: 'eur', market_value_decimal: '5' }])],
  );
  assert.deepEqual(
    order.map((one) => one.currency),
    ['aud', 'usd', 'eur'],
  );
});
