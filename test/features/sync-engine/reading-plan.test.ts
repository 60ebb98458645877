import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  dueSweeps,
  MISSING_CONFIRM_MS,
  type PlanInput,
  planRead,
  SWEEP_REST_MS,
} from '../../../src/features/sync-engine/read/reading-plan.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { NEVER_READ, type StreamReading } from '../../../src/storage/stream-readings.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { addDays, localDate } from '../../../src/vocabulary/moments.ts';
import { SWEEP_NAMES, type Sweep } from '../../../src/vocabulary/sweeps.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-11-22T03:00:00Z');
const TODAY = localDate('2026-11-22');
const owner = rowId('account_record', newRowId(new SimulatedClock(NOW)));

const daysAgo = (days: number): Date => new Date(NOW - days * DAY);

function input(
  more: Partial<Omit<PlanInput, 'reading' | 'limits'>> & {
    swept?: Partial<Record<Sweep, Date | null>>;
    reading?: Partial<StreamReading>;
    limits?: Partial<Limits>;
  } = {},
): PlanInput {
  const { swept, reading, limits, ...rest } = more;
  const just = new Date(NOW);
  return {
    now: NOW,
    owner,
    cursor: daysAgo(1),
    known: true,
    source: { timezone: 'UTC', linkedAt: NOW - 400 * DAY, stored: false },
    options: { data_from: localDate('2024-01-01'), include_pending: false },
    ...rest,
    limits: { ...DEFAULT_LIMITS, ...limits },
    reading: { ...NEVER_READ, swept: { recent: just, year: just, all: just, ...swept }, ...reading },
  };
}

/** What was read first and looked through first, and what that counts as. */
const summary = (given: PlanInput) => {
  const { window, sweeps, expected, everything } = planRead(given);
  const since = window.since === null ? null : (given.now - window.since) / DAY;
  return { since, from: window.from, expected: expected?.from ?? null, sweeps, everything };
};

describe('what is read of an account', () => {
  const longAgo = daysAgo(3000);
  const all = { sweeps: ['recent', 'year', 'all'], everything: true };
  const usual = { since: 15, from: localDate('2024-01-01'), expected: null, sweeps: [], everything: false };
  const rows: ReadonlyArray<readonly [string, PlanInput, ReturnType<typeof summary> | object]> = [
    ['nothing is due: what was recorded since the cursor less the overlap', input(), usual],
    [
      'no cursor and nothing delivered: everything from the first day, and nothing can be missing',
      input({ cursor: null, known: false }),
      { since: null, from: '2024-01-01', expected: null, ...all },
    ],
    [
      'no cursor but rows delivered: everything',
      input({ cursor: null }),
      { since: null, from: '2023-12-01', expected: '2024-01-01', ...all },
    ],
    [
      'the recent days are due',
      input({ swept: { recent: longAgo } }),
      {
        since: null,
        from: addDays(TODAY, -121),
        expected: addDays(TODAY, -90),
        sweeps: ['recent'],
        everything: false,
      },
    ],
    [
      'the year is due, and the recent days lie in it',
      input({ swept: { year: longAgo } }),
      {
        since: null,
        from: addDays(TODAY, -396),
        expected: addDays(TODAY, -365),
        sweeps: ['recent', 'year'],
        everything: false,
      },
    ],
    [
      'everything is due',
      input({ swept: { all: longAgo } }),
      { since: null, from: '2023-12-01', expected: '2024-01-01', ...all },
    ],
    [
      'the widest of what is due',
      input({ swept: { recent: longAgo, year: longAgo } }),
      {
        since: null,
        from: addDays(TODAY, -396),
        expected: addDays(TODAY, -365),
        sweeps: ['recent', 'year'],
        everything: false,
      },
    ],
    [
      'a sync that begins within the year: a year of it is everything',
      input({
        swept: { year: longAgo },
        options: { data_from: localDate('2026-06-01'), include_pending: false },
      }),
      { since: null, from: '2026-05-01', expected: '2026-06-01', ...all },
    ],
    [
      'never swept',
      input({ swept: { recent: null, year: null, all: null } }),
      { since: null, from: '2023-12-01', expected: '2024-01-01', ...all },
    ],
    [
      'other days and hours are set',
      input({ swept: { recent: daysAgo(3) }, limits: { sweep_recent_days: 10, sweep_recent_hours: 24 } }),
      {
        since: null,
        from: addDays(TODAY, -41),
        expected: addDays(TODAY, -10),
        sweeps: ['recent'],
        everything: false,
      },
    ],
    [
      'a sweep failed an hour ago',
      input({ swept: { all: longAgo }, reading: { sweepAfter: new Date(NOW + SWEEP_REST_MS - HOUR) } }),
      usual,
    ],
    [
      'a sweep failed by a clock that ran a day ahead',
      input({ swept: { all: longAgo }, reading: { sweepAfter: new Date(NOW + DAY) } }),
      { since: null, from: '2023-12-01', expected: '2024-01-01', ...all },
    ],
    ['a row is missing since an hour ago', input({ reading: { missingSince: new Date(NOW - HOUR) } }), usual],
    [
      'a row is missing since yesterday',
      input({ reading: { missingSince: new Date(NOW - MISSING_CONFIRM_MS) } }),
      { since: null, from: '2023-12-01', expected: '2024-01-01', ...all },
    ],
  ];
  for (const [what, given, wanted] of rows) {
    test(what, () => assert.deepEqual(summary(given), wanted));
  }

  test('everything once a day while the connection is young [limit sweep_young_days]', () => {
    const linked = (days: number) =>
      input({
        swept: { all: daysAgo(1.01) },
        source: { timezone: 'UTC', linkedAt: NOW - days * DAY, stored: false },
      });
    assert.deepEqual(dueSweeps(linked(6.9)), ['all']);
    assert.deepEqual(dueSweeps(linked(7.1)).includes('all'), turnChanged('all', NOW - 1.01 * DAY, NOW));
  });
});

/** By asking whether it is due, with nothing else that could make it so. */
const turnChanged = (sweep: Sweep, last: number, now: number, who = owner): boolean =>
  dueSweeps(
    input({
      owner: who,
      now,
      swept: { recent: new Date(now), year: new Date(now), all: new Date(now), [sweep]: new Date(last) },
    }),
  ).includes(sweep);

test('a row that the bank still has is read wherever it is looked for, at every edge and in every zone', () => {
  const day = fc.integer({ min: -1200, max: 1 }).map((days) => addDays(TODAY, days));
  fc.assert(
    fc.property(
      fc.record({
        posted: day,
        lag: fc.integer({ min: 0, max: 31 }),
        moved: fc.integer({ min: 0, max: 1 }),
        first: day,
        zone: fc.constantFrom('Pacific/Kiritimati', 'Australia/Sydney', 'UTC', 'Pacific/Pago_Pago'),
        setBackMs: fc.integer({ min: 0, max: DAY }),
        due: fc.subarray([...SWEEP_NAMES], { minLength: 1 }),
      }),
      ({ posted, lag, moved, first, zone, setBackMs, due }) => {
        const swept = Object.fromEntries(due.map((sweep) => [sweep, null]));
        const { window, expected } = planRead(
          input({
            now: NOW - setBackMs,
            swept,
            source: { timezone: zone, linkedAt: 0, stored: false },
            options: { data_from: first, include_pending: false },
          }),
        );
        if (expected === null || posted < expected.from || posted > expected.to) return;
        const purchased = addDays(posted, Math.max(-lag, -30) + moved);
        assert.ok(window.from <= purchased && purchased <= window.to && window.since === null);
      },
    ),
    { numRuns: 2000 },
  );
});

test('a wide read has a narrower one to fall back to, within the days of the sync, which looks for what it can show', () => {
  const within = (given: PlanInput) => planRead(given).within;
  const [first, soon] = [localDate('2024-01-01'), addDays(TODAY, -100)];
  const all = { swept: { all: daysAgo(3000) } };
  const fallback = within(input(all));
  assert.deepEqual([fallback?.window.from, fallback?.window.since], [first, null]);
  assert.deepEqual(fallback?.expected, { from: addDays(first, 31), to: addDays(TODAY, -3) });
  const recent = input({
    swept: { recent: daysAgo(3000) },
    options: { data_from: soon, include_pending: true },
  });
  assert.equal(planRead(recent).everything, false);
  assert.deepEqual([within(recent)?.window.from, within(recent)?.expected?.from], [soon, addDays(soon, 31)]);
  assert.equal(within(input({ cursor: null, known: false })), null);
  assert.equal(within(input({ swept: { recent: daysAgo(3000) } })), null);
  assert.equal(within(input()), null);
});

describe('sweeps over time', () => {
  const periods = { recent: DAY, year: 7 * DAY, all: 30 * DAY } as const;
  const owners = fc
    .integer({ min: 0, max: 1e9 })
    .map(() => rowId('account_record', newRowId(new SimulatedClock(NOW))));

  test('each comes once in its time, however often someone runs the sync [limit sweep_recent_hours] [limit sweep_year_hours] [limit sweep_all_hours]', () => {
    fc.assert(
      fc.property(
        owners,
        fc.constantFrom(...SWEEP_NAMES),
        fc.array(fc.integer({ min: 1, max: 12 * 60 }), { minLength: 50, maxLength: 300 }),
        (who, sweep, minutes) => {
          let now = NOW;
          let last = NOW;
          let swept = 0;
          for (const step of minutes) {
            now += step * 60_000;
            if (!turnChanged(sweep, last, now, who)) continue;
            // Never later than one turn and one step after the last.
            assert.ok(now - last <= periods[sweep] + 12 * HOUR);
            last = now;
            swept += 1;
          }
          assert.ok(swept <= Math.ceil((now - NOW) / periods[sweep]));
          assert.ok(swept >= Math.floor((now - NOW) / periods[sweep]) - 1);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('a clock that jumps ahead and back neither starves a sweep nor repeats it more than once for each jump', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SWEEP_NAMES), fc.integer({ min: -40, max: 40 }), (sweep, days) => {
        const jumped = NOW + days * DAY;
        let swept = turnChanged(sweep, NOW, jumped) ? 1 : 0;
        let last = swept === 1 ? jumped : NOW;
        for (let now = NOW; now <= NOW + 2 * periods[sweep]; now += 6 * HOUR) {
          if (!turnChanged(sweep, last, now)) continue;
          last = now;
          swept += 1;
        }
        assert.ok(swept >= 2 && swept <= 5, `${swept}`);
        assert.ok(NOW + 2 * periods[sweep] - last <= periods[sweep] + 6 * HOUR);
      }),
    );
  });

  test('are spread over the day by account record', () => {
    const hours = new Set<number>();
    for (let at = 0; at < 400; at++) {
      const who = rowId('account_record', newRowId(new SimulatedClock(NOW)));
      for (let hour = 1; hour <= 24; hour++) {
        if (!turnChanged('recent', NOW, NOW + hour * HOUR, who)) continue;
        hours.add(hour);
        break;
      }
    }
    assert.equal(hours.size, 24);
  });

  test('reach as far back as is set [limit sweep_recent_days] [limit sweep_year_days]', () => {
    for (const [sweep, days] of [
      ['recent', 'sweep_recent_days'],
      ['year', 'sweep_year_days'],
    ] as const) {
      const { expected } = planRead(input({ swept: { [sweep]: daysAgo(3000) }, limits: { [days]: 33 } }));
      assert.equal(expected?.from, addDays(TODAY, -33));
    }
  });
});

test('rows that could not be read are read again: the usual days reach back to the earliest of them, as far as 90 days', () => {
  const since = (unread: string | null) =>
    (NOW - (planRead(input({ unread: unread === null ? null : localDate(unread) })).window.since ?? 0)) / DAY;
  const dayBack = (days: number) => new Date(NOW - days * DAY).toISOString().slice(0, 10);
  const usual = since(null);
  assert.ok(usual < 30);
  assert.equal(since(dayBack(1)), usual);
  const reached = since(dayBack(60));
  assert.ok(reached >= 60 && reached <= 62, String(reached));
  const bounded = since(dayBack(400));
  assert.ok(bounded >= 90 && bounded <= 92, String(bounded));
});
