import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { nextRunOf, requireSchedule, scheduleColumns } from '../../../src/features/syncs/sync-schedules.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import type { SyncSchedule } from '../../../src/vocabulary/syncs.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** By hours, by half an hour, not at all, at midnight, by a whole day. */
const ZONES = [
  'Pacific/Auckland',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'Pacific/Apia',
] as const;
const owner = rowId('account_record', newRowId(new SimulatedClock(0)));

const limited = (minutes: number): Limits => ({ ...DEFAULT_LIMITS, sync_interval_minutes: minutes });

function nextOf(schedule: SyncSchedule, now: number, leastMinutes: number): number {
  const sync = { ...scheduleColumns(schedule), account_record: owner };
  return nextRunOf(sync, now, limited(leastMinutes)).getTime();
}

/** The moments in UTC at which a schedule runs next, one after another. */
function runs(zone: string, times: readonly string[], from: string, count: number, least = 60): string[] {
  const schedule = requireSchedule({ times, timezone: zone }, limited(1));
  const found: string[] = [];
  for (let at = Date.parse(from); found.length < count; ) {
    at = nextOf(schedule, at, least);
    found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
}

const padded = (number: number) => String(number).padStart(2, '0');
/** Any, and as often one in the hours in which clocks change. */
const time = fc
  .oneof(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 0, max: 180 }))
  .map((minute) => `${padded(Math.floor(minute / 60))}:${padded(minute % 60)}`);
/** Any day of sixty years, and as often one around a change of clocks. */
const moment = fc.constantFrom(...ZONES).chain((zone) =>
  fc.record({
    zone: fc.constant(zone),
    now: fc
      .integer({ min: Date.parse('1995-01-01T00:00:00Z'), max: Date.parse('2055-01-01T00:00:00Z') })
      .chain((at) => {
        const change = Temporal.Instant.fromEpochMilliseconds(at)
          .toZonedDateTimeISO(zone)
          .getTimeZoneTransition('next')?.epochMilliseconds;
        const around = fc.integer({ min: -2 * DAY, max: 2 * DAY }).map((by) => (change ?? at) + by);
        return fc.oneof(fc.constant(at), around);
      }),
  }),
);

/** Whether clocks of the zone showed none of the minutes before the moment because they were put forward. */
function endsGap(at: number, zone: string): boolean {
  const offset = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds;
  return offset(at) > offset(at - 1);
}

describe('a schedule of times of day', () => {
  test('runs next after now, at a listed time or where a gap ends, and never sooner than the limit lets it', () => {
    fc.assert(
      fc.property(
        moment,
        fc.uniqueArray(time, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 2000 }),
        fc.array(fc.nat({ max: 100 }), { minLength: 8, maxLength: 8 }),
        ({ zone, now }, times, least, delays) => {
          const schedule = requireSchedule({ times, timezone: zone }, limited(1));
          let [at, previous] = [now, Number.NEGATIVE_INFINITY];
          for (const delay of delays) {
            const next = nextOf(schedule, at, least);
            assert.ok(next > at);
            assert.ok(next - previous >= least * MINUTE, 'two runs are closer together than the limit');
            const shown = Temporal.Instant.fromEpochMilliseconds(next).toZonedDateTimeISO(zone);
            const listed = times.includes(shown.toPlainTime().toString().slice(0, 5));
            assert.ok(listed || endsGap(next, zone), `${shown} is not listed`);
            previous = next;
            // A run ends, or is asked about, some time after it was due, and before the next is.
            const following = nextOf(schedule, next, least);
            at = next + Math.floor(((following - next - 1) * delay) / 100);
            assert.ok(nextOf(schedule, at, least) >= following, 'a later question is never answered earlier');
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  test('runs daily at the same local time, whatever the clocks do, if the limit leaves room', () => {
    assert.deepEqual(runs('Pacific/Auckland', ['08:00'], '2026-09-25T00:00:00Z', 3), [
      '2026-09-25T20:00',
      '2026-09-26T19:00',
      '2026-09-27T19:00',
    ]);
    assert.deepEqual(runs('Asia/Kathmandu', ['08:00', '18:30'], '2026-06-01T00:00:00Z', 2), [
      '2026-06-01T02:15',
      '2026-06-01T12:45',
    ]);
  });

  test('runs at the first moment after the gap on a day that lacks the time, and once on a day that has it twice', () => {
    // 02:00 becomes 03:00, and in autumn 03:00 becomes 02:00.
    assert.deepEqual(runs('Pacific/Auckland', ['02:30'], '2026-09-25T15:00:00Z', 2), [
      '2026-09-26T14:00',
      '2026-09-27T13:30',
    ]);
    assert.deepEqual(runs('Pacific/Auckland', ['02:30'], '2026-04-03T14:00:00Z', 2), [
      '2026-04-04T13:30',
      '2026-04-05T14:30',
    ]);
    // Lord Howe: half an hour, from 02:00 to 02:30.
    assert.deepEqual(runs('Australia/Lord_Howe', ['02:15'], '2026-10-03T00:00:00Z', 2), [
      '2026-10-03T15:30',
      '2026-10-04T15:15',
    ]);
    // Two times of one gap are one moment.
    assert.deepEqual(runs('America/New_York', ['02:10', '02:50'], '2026-03-08T05:00:00Z', 2, 1), [
      '2026-03-08T07:00',
      '2026-03-09T06:10',
    ]);
  });

  test('leaves out the times that a limit raised later, or clocks put forward, bring too near', () => {
    const four = ['00:00', '06:00', '12:00', '18:00'];
    assert.deepEqual(runs('Asia/Kathmandu', four, '2026-06-01T18:20:00Z', 3, 720), [
      '2026-06-02T06:15',
      '2026-06-02T18:15',
      '2026-06-03T06:15',
    ]);
    // Between midnight and six there are five hours on this day, and the limit says six.
    assert.deepEqual(runs('America/New_York', four, '2026-03-08T04:00:00Z', 2, 360), [
      '2026-03-08T05:00',
      '2026-03-08T16:00',
    ]);
  });
});

test('an interval that the limit has overtaken runs as often as the limit lets it', () => {
  const now = Date.parse('2026-06-01T00:00:00Z');
  const next = nextOf({ interval_minutes: 360 }, now, 1440);
  assert.equal(nextOf({ interval_minutes: 360 }, next, 1440) - next, DAY);
  assert.equal(nextOf({ interval_minutes: 2880 }, now, 1440), nextOf({ interval_minutes: 2880 }, now, 360));
});

test('a zone that is not known any more keeps no sync from running', () => {
  const columns = { schedule_minutes: null, schedule_timezone: 'Atlantis/Capital' };
  const [time] =
    scheduleColumns(requireSchedule({ times: ['08:00'], timezone: 'UTC' }, limited(1))).schedule_times ?? [];
  const sync = { ...columns, schedule_times: time === undefined ? null : [time], account_record: owner };
  const now = Date.UTC(2026, 10, 1);
  const next = nextRunOf(sync, now, limited(360)).getTime();
  assert.ok(next > now && next <= now + 360 * MINUTE);
});
