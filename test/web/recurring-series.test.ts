import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Movement } from '../../web/src/accounts/net-position.ts';
import { dayAway } from '../../web/src/format/days.ts';
import { finished } from '../../web/src/parts/steps.ts';
import {
  CADENCES,
  type Cadence,
  dayAt,
  dayNumber,
  dayOfNumber,
  type Schedule,
  slotNear,
} from '../../web/src/recurring/cadences.ts';
import { type Series, seriesIn } from '../../web/src/recurring/series.ts';
import { expectedIn, totalsOf } from '../../web/src/recurring/upcoming.ts';
import { leastMs } from '../support/patience.ts';

const TODAY = '2026-11-20';
const RULES = { loans: new Set(['loan']), hasCards: true, kinds: new Map() };

const paid = (day: string, amount: bigint, more: Partial<Movement> = {}): Movement => ({
  account: 'everyday',
  day,
  spentOn: day,
  amount,
  currency: 'aud',
  category: null,
  code: null,
  merchant: { key: 'stream', name: 'Stream' },
  ...more,
});
const onDays = (days: readonly string[], amounts: readonly bigint[], more: Partial<Movement> = {}) =>
  days.map((day, at) => paid(day, amounts[at] ?? amounts.at(-1) ?? 0n, more));
const found = (movements: readonly Movement[], today = TODAY) => finished(seriesIn(movements, RULES, today));
const only = (series: readonly Series[]): Series => {
  assert.equal(series.length, 1, `one series, not ${series.length}`);
  return series[0] ?? assert.fail();
};

describe('a series is found', () => {
  const MONTHLY = ['2026-07-15', '2026-08-15', '2026-09-15', '2026-10-15', '2026-11-15'];

  test('with its cadence, its fixed amount, and the day on which it comes next', () => {
    const one = only(found(onDays(MONTHLY, [-1_599n])));
    assert.equal(one.cadence, 'monthly');
    assert.deepEqual([one.isFixed, one.usual, one.change, one.next], [true, 1_599n, null, '2026-12-15']);
  });

  test('where weekends and holidays move its days, and it comes at the end of months', () => {
    const ends = only(
      found(onDays(['2026-06-30', '2026-07-31', '2026-08-31', '2026-09-30', '2026-10-30'], [-900n])),
    );
    assert.deepEqual([ends.cadence, ends.next], ['monthly', '2026-11-30']);
    const moved = only(
      found(onDays(['2026-07-03', '2026-08-03', '2026-09-01', '2026-10-01', '2026-11-02'], [-900n])),
    );
    assert.equal(moved.cadence, 'monthly');
  });

  test('where one payment was missed, and not where two in a row were', () => {
    const missed = MONTHLY.toSpliced(2, 1);
    assert.equal(only(found(onDays(missed, [-900n]))).cadence, 'monthly');
    assert.deepEqual(found(onDays(MONTHLY.toSpliced(2, 2), [-900n])), []);
  });

  test('with varying amounts, which are said to vary, the median being what is expected', () => {
    const one = only(found(onDays(MONTHLY, [-5_000n, -7_000n, -6_000n, -9_000n, -8_000n])));
    assert.deepEqual([one.isFixed, one.usual, one.change], [false, 7_000n, null]);
  });

  test('with the change of its price, on the day of it', () => {
    const one = only(found(onDays(MONTHLY, [-999n, -999n, -999n, -1_199n, -1_199n])));
    assert.deepEqual(one.change, { day: '2026-10-15', before: 999n, after: 1_199n });
    assert.deepEqual([one.isFixed, one.usual], [true, 1_199n]);
  });

  test('with a price that changed with the last payment, among other purchases of the merchant', () => {
    const purchases = onDays(
      ['2026-07-02', '2026-07-29', '2026-08-03', '2026-09-24', '2026-10-02', '2026-10-27', '2026-11-01'],
      [-4_321n, -12_345n, -777n, -5_050n, -8_888n, -30_000n, -6_100n],
    );
    const one = only(found([...onDays(MONTHLY, [-999n, -999n, -999n, -999n, -1_199n]), ...purchases]));
    assert.deepEqual(one.change, { day: '2026-11-15', before: 999n, after: 1_199n });
  });

  test('apart from another of the same merchant', () => {
    const other = onDays(['2026-07-28', '2026-08-28', '2026-09-28', '2026-10-28'], [-299n]);
    const both = found([...onDays(MONTHLY, [-1_499n]), ...other]);
    assert.deepEqual(both.map(({ cadence, usual, next }) => [cadence, usual, next]).toSorted(), [
      ['monthly', 1_499n, '2026-12-15'],
      ['monthly', 299n, '2026-11-28'],
    ]);
  });

  test('of money that comes in, but not of what loans, transfers and paid cards are', () => {
    assert.equal(only(found(onDays(MONTHLY, [400_000n]))).direction, 'in');
    for (const more of [
      { account: 'loan' },
      { code: 'TRANSFER_OUT_SAVINGS' },
      { code: 'LOAN_PAYMENTS_CREDIT_CARD' },
    ])
      assert.deepEqual(found(onDays(MONTHLY, [-50_000n], more)), []);
  });

  test('of two payments a year apart, if they are alike and the only ones', () => {
    const yearly = onDays(['2025-11-10', '2026-11-12'], [-12_000n, -13_000n]);
    assert.deepEqual([only(found(yearly)).cadence, only(found(yearly)).next], ['yearly', '2027-11-10']);
    assert.deepEqual(found(onDays(['2025-11-10', '2026-11-12'], [-12_000n, -3_000n])), []);
    assert.deepEqual(found([...yearly, paid('2026-03-03', -500n)]), []);
  });

  test('and has ended when it was not seen for longer than its interval and some patience', () => {
    assert.equal(only(found(onDays(MONTHLY, [-900n]), '2026-12-24')).next, '2026-12-15');
    assert.equal(only(found(onDays(MONTHLY, [-900n]), '2026-12-25')).next, null);
  });
});

const at = (schedule: Schedule, slots: number, jitter: readonly number[], missed: number | null) =>
  Array.from({ length: slots }, (_, slot) => slot)
    .filter((slot) => slot !== missed)
    .map((slot, place) => dayOfNumber(dayAt(schedule, slot) + (jitter[place] ?? 0)));

const JITTER: Readonly<Record<Cadence, number>> = {
  weekly: 1,
  fortnightly: 1,
  four_weekly: 2,
  monthly: 2,
  quarterly: 3,
  yearly: 4,
};
const LEAST_SLOTS: Readonly<Record<Cadence, number>> = {
  weekly: 6,
  fortnightly: 6,
  four_weekly: 7,
  monthly: 7,
  quarterly: 5,
  yearly: 3,
};

const generated = fc
  .record({
    cadence: fc.constantFrom(...CADENCES),
    more: fc.nat(6),
    start: fc.nat(400),
    jitter: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 13, maxLength: 13 }),
    missed: fc.option(fc.nat(20)),
    amount: fc.bigInt({ min: 1n, max: 10n ** 9n }),
  })
  .map(({ cadence, more, start, jitter, missed, amount }) => {
    const begin = dayNumber('2024-01-01') + start;
    const isMonthly = cadence === 'monthly' || cadence === 'quarterly' || cadence === 'yearly';
    const schedule = isMonthly
      ? { cadence, start: 648 + Math.floor(start / 30), dayOfMonth: 1 + (start % 31) }
      : { cadence, start: begin, dayOfMonth: 0 };
    const slots = LEAST_SLOTS[cadence] + more;
    const gap = cadence === 'yearly' || missed === null || missed < 1 || missed > slots - 2 ? null : missed;
    const moves = jitter.map((part) => Math.round(part * JITTER[cadence]));
    const days = at(schedule, slots, moves, gap);
    return { cadence, days, movements: onDays(days, [-amount]) };
  });

describe('of generated rows', () => {
  test('series whose days are off by weekends and holidays are found whole, with their cadence', () => {
    fc.assert(
      fc.property(generated, ({ cadence, days, movements }) => {
        const one = only(found(movements, days.at(-1) ?? TODAY));
        assert.equal(one.cadence, cadence);
        assert.deepEqual(
          one.payments.map(({ day }) => day),
          days,
        );
        assert.notEqual(one.next, null);
      }),
    );
  });

  test('the order of the rows does not matter', () => {
    const noise = fc.array(
      fc.record({ day: fc.nat(390), amount: fc.bigInt({ min: -20_000n, max: 20_000n }), shop: fc.nat(3) }),
      { maxLength: 60 },
    );
    const rows = fc.tuple(generated, noise).map(([{ movements }, others]) => [
      ...movements,
      ...others.map(({ day, amount, shop }) =>
        paid(dayAway('2025-01-01', day), amount, {
          merchant: { key: `shop-${shop}`, name: `Shop ${day}` },
        }),
      ),
    ]);
    const shuffled = rows.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, mixed]) => {
        assert.deepEqual(found(mixed, '2026-01-26'), found(all, '2026-01-26'));
      }),
    );
  });

  test('rows of another account, currency, merchant or direction never join a series', () => {
    const other = fc.constantFrom<Partial<Movement>>(
      { account: 'savings' },
      { currency: 'nzd' },
      { merchant: { key: 'streams', name: 'Streams' } },
    );
    fc.assert(
      fc.property(generated, other, fc.boolean(), ({ movements, days }, more, turned) => {
        const split = movements.map((one, place) =>
          place % 2 === 0 ? one : turned ? { ...one, amount: -one.amount } : { ...one, ...more },
        );
        for (const { payments, account, currency, direction, merchant } of found(split, days.at(-1) ?? TODAY))
          for (const { day } of payments)
            assert.ok(
              split.some(
                (one) =>
                  one.spentOn === day &&
                  one.account === account &&
                  one.currency === currency &&
                  one.merchant.key === merchant.key &&
                  (one.amount < 0n ? 'out' : 'in') === direction,
              ),
            );
      }),
    );
  });

  test('of merchants visited on any days for any amounts, less than two in a hundred look regular', () => {
    const visits = fc.array(fc.record({ day: fc.nat(394), amount: fc.bigInt({ min: 300n, max: 20_000n }) }), {
      minLength: 3,
      maxLength: 40,
      size: 'max',
    });
    const [shops] = fc.sample(fc.array(visits, { minLength: 3_000, maxLength: 3_000 }), { numRuns: 1 });
    const rows = (shops ?? []).flatMap((days, shop) =>
      days.map(({ day, amount }) =>
        paid(dayAway('2025-10-20', day), -amount, { merchant: { key: `${shop}`, name: `${shop}` } }),
      ),
    );
    const { length } = found(rows);
    assert.ok(length < 60, `${length} of 3,000`);
  });
});

test('the page may draw after every few hundred rows, and after every merchant', () => {
  let taken = 0;
  const merchants = 300;
  function* rows() {
    for (; taken < 20_000; taken += 1)
      yield paid(dayAway('2025-10-20', taken % 395), -BigInt(500 + taken), {
        merchant: { key: `shop-${taken % merchants}`, name: 'Shop' },
      });
  }
  const steps = seriesIn(rows(), RULES, TODAY);
  let before = 0;
  let most = 0;
  let after = 0;
  while (steps.next().done !== true) {
    most = Math.max(most, taken - before);
    if (before === taken) after += 1;
    before = taken;
  }
  assert.ok(most <= 500, `${most} rows between two steps`);
  assert.ok(after >= merchants, `${after} steps for ${merchants} merchants`);
});

/** About five times what it takes; work that grew with the square of the rows would take minutes. */
const MOST_MS = 6_000;

test('a hundred thousand rows take a second or two, however they are spread over merchants', async () => {
  const spread = (count: number, merchants: number) =>
    Array.from({ length: count }, (_, row) =>
      paid(dayAway('2025-10-20', (row * 7_919) % 395), -BigInt(500 + ((row * 104_729) % 9_000)), {
        merchant: { key: `shop-${row % merchants}`, name: 'Shop' },
      }),
    );
  for (const merchants of [1, 10, 1_400, 33_000]) {
    const rows = spread(100_000, merchants);
    const ms = await leastMs(MOST_MS, () => found(rows));
    assert.ok(ms < MOST_MS, `${merchants} merchants: ${ms} ms`);
  }
});

describe('what is expected', () => {
  const weekly = onDays(['2026-10-22', '2026-10-29', '2026-11-05', '2026-11-12'], [-2_000n], {
    merchant: { key: 'gym', name: 'Gym' },
  });

  test('is each payment of the next days, and what is late by how many days', () => {
    const series = found(weekly);
    assert.deepEqual(
      expectedIn(series, TODAY, 14).map(({ day, late }) => [day, late]),
      [
        ['2026-11-19', 1],
        ['2026-11-26', 0],
        ['2026-12-03', 0],
      ],
    );
    assert.deepEqual(expectedIn(found(weekly, '2027-01-01'), '2027-01-01', 30), []);
  });

  test('is summed by currency and direction, exactly', () => {
    const big = 9_007_199_254_740_993n;
    const pay = onDays(['2026-08-28', '2026-09-28', '2026-10-28'], [big], {
      merchant: { key: 'pay', name: 'Pay' },
    });
    const foreign = onDays(['2026-08-25', '2026-09-25', '2026-10-25'], [-700n], { currency: 'nzd' });
    assert.deepEqual(
      totalsOf(expectedIn(found([...weekly, ...pay, ...foreign]), TODAY, 14)).map(
        ({ currency, out, in: comes }) => [currency, out, comes],
      ),
      [
        ['aud', 6_000n, big],
        ['nzd', 700n, 0n],
      ],
    );
  });
});

test('the number of a day in a schedule is that of the nearest day', () => {
  for (const cadence of CADENCES)
    for (const dayOfMonth of [1, 15, 28, 31]) {
      const schedule = { cadence, start: 20, dayOfMonth };
      for (let slot = 0; slot < 40; slot++) assert.equal(slotNear(schedule, dayAt(schedule, slot)), slot);
    }
});
