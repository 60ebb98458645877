import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type KnownAccount, netPosition } from '../../web/src/accounts/net-position.ts';
import { dayAway, daysBetween, monthsUntil } from '../../web/src/format/days.ts';

const TODAY = '2026-11-24';
const FROM = '2026-09-01';
const huge = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
const day = fc.integer({ min: 0, max: 90 }).map((days) => dayAway(TODAY, -days));

const account: fc.Arbitrary<KnownAccount> = fc.record({
  balance: huge,
  movements: fc.array(fc.record({ day, amount: huge }), { maxLength: 30 }),
  from: fc.constantFrom(FROM, '2026-10-05'),
});

test('each day differs from the one before by exactly what moved on it, and the last is what the balances say', () => {
  fc.assert(
    fc.property(fc.array(account, { minLength: 1, maxLength: 6 }), (accounts) => {
      const points = netPosition(accounts, { from: FROM, today: TODAY });
      assert.equal(
        points.at(-1)?.amount,
        accounts.reduce((sum, { balance }) => sum + balance, 0n),
      );
      for (const [at, { day: on, amount }] of points.entries()) {
        const before = points[at - 1];
        if (before === undefined) continue;
        assert.equal(on, dayAway(before.day, 1));
        const moved = accounts
          .flatMap(({ movements }) => movements)
          .filter((one) => one.day === on)
          .reduce((sum, one) => sum + one.amount, 0n);
        assert.equal(amount - before.amount, moved);
      }
    }),
  );
});

test('the line begins at the day from which every account is known, and never after today', () => {
  fc.assert(
    fc.property(fc.array(account, { minLength: 1 }), (accounts) => {
      const [first] = netPosition(accounts, { from: FROM, today: TODAY });
      const expected = accounts.some(({ from }) => from > FROM) ? '2026-10-05' : FROM;
      assert.equal(first?.day, expected);
    }),
  );
  const ahead = { balance: 5n, movements: [], from: '2026-12-01' };
  assert.deepEqual(netPosition([ahead], { from: FROM, today: TODAY }), [{ day: TODAY, amount: 5n }]);
});

test('a row of tomorrow, where the bank is ahead, is in the balance already and counts today', () => {
  const movements = [{ day: '2026-11-25', amount: -300n }];
  const points = netPosition([{ balance: 700n, movements, from: FROM }], {
    from: '2026-11-23',
    today: TODAY,
  });
  assert.deepEqual(points, [
    { day: '2026-11-23', amount: 1_000n },
    { day: TODAY, amount: 700n },
  ]);
});

test('without an account there is no line', () => {
  assert.deepEqual(netPosition([], { from: FROM, today: TODAY }), []);
});

test('days and months are those of the calendar, over ends of months, years and clock changes', () => {
  assert.deepEqual(daysBetween('2026-02-27', '2026-03-02'), [
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ]);
  assert.deepEqual(daysBetween('2026-03-02', '2026-03-01'), []);
  assert.equal(daysBetween('2024-01-01', '2024-12-31').length, 366);
  assert.deepEqual(monthsUntil('2026-02-28', 4), ['2025-11', '2025-12', '2026-01', '2026-02']);
  assert.deepEqual(monthsUntil('2026-12-31', 1), ['2026-12']);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 24 }), day, (count, on) => {
      const months = monthsUntil(on, count);
      assert.deepEqual([months.length, new Set(months).size, months.at(-1)], [count, count, on.slice(0, 7)]);
      assert.deepEqual(months.toSorted(), months);
    }),
  );
});
