import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { isTimeZone, localDate, localDateAt, startOfDay } from '../../src/vocabulary/moments.ts';

const ZONES = [
  'Australia/Sydney',
  'Pacific/Auckland',
  'America/New_York',
  'UTC',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
];
/** Zones with unusual switches: at midnight, one minute past it, by whole days, by half hours. */
const ODD_ZONES = [
  'America/St_Johns',
  'America/Sao_Paulo',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'Africa/Monrovia',
  'Africa/Casablanca',
  'Asia/Gaza',
  'Pacific/Chatham',
];
const zone = fc.constantFrom(...ZONES);
const from = Date.parse('1970-01-01T00:00:00Z');
const to = Date.parse('2100-01-01T00:00:00Z');

function dayInTemporal(at: number, name: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name).toPlainDate().toString();
}

const formats = new Map<string, Intl.DateTimeFormat>();
function dayInIntl(at: number, name: string): string {
  const known = formats.get(name) ?? new Intl.DateTimeFormat('en-CA', { timeZone: name, dateStyle: 'short' });
  formats.set(name, known);
  return known.format(at);
}

test('the day of an instant is the one both Temporal and the runtime’s own calendar give', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: from, max: to }),
      fc.oneof(zone, fc.constantFrom(...ODD_ZONES)),
      (at, name) => {
        assert.equal(localDateAt(at, name), dayInTemporal(at, name), name);
        assert.equal(localDateAt(at, name), dayInIntl(at, name), name);
      },
    ),
    { numRuns: 3000 },
  );
});

test('on every day of a switch from 1985 to 2035 each minute around it falls on the right day', () => {
  for (const name of [...ZONES, ...ODD_ZONES]) {
    let at = Temporal.Instant.from('1985-01-01T00:00:00Z').toZonedDateTimeISO(name);
    for (;;) {
      const next: Temporal.ZonedDateTime | null = at.getTimeZoneTransition('next');
      if (next === null || next.year > 2035) break;
      at = next;
      for (let minute = -30; minute <= 30; minute++) {
        const moment: number = next.epochMilliseconds + minute * 60_000 - (minute === 0 ? 1 : 0);
        assert.equal(
          localDateAt(moment, name),
          dayInIntl(moment, name),
          `${name} ${new Date(moment).toISOString()}`,
        );
      }
      const midnight = startOfDay(localDate(next.toPlainDate().toString()), name);
      assert.equal(localDateAt(midnight, name), next.toPlainDate().toString());
    }
  }
});

test('a switch off the quarter hour moves the day at its own minute', () => {
  // Newfoundland turned its clocks at one minute past midnight until 2011: 00:01 became 23:01 of the day before.
  const zoneName = 'America/St_Johns';
  const turn = Date.parse('2010-11-07T02:31:00Z');
  assert.equal(localDateAt(turn - 61_000, zoneName), '2010-11-06');
  assert.equal(localDateAt(turn - 1, zoneName), '2010-11-07');
  assert.equal(localDateAt(turn, zoneName), '2010-11-06');
  assert.equal(localDateAt(turn + 59 * 60_000, zoneName), '2010-11-07');
});

test('a day begins at its first instant, midnight or where the clocks jumped over it', () => {
  fc.assert(
    fc.property(fc.integer({ min: from, max: to }), zone, (at, name) => {
      const date = localDateAt(at, name);
      const start = startOfDay(date, name);
      assert.equal(localDateAt(start, name), date);
      assert.ok(localDateAt(start - 1, name) < date);
      assert.ok(start <= at);
    }),
  );
  assert.equal(startOfDay(localDate('2026-10-04'), 'Australia/Sydney'), Date.parse('2026-10-03T14:00:00Z'));
  assert.equal(startOfDay(localDate('2026-10-05'), 'Australia/Sydney'), Date.parse('2026-10-04T13:00:00Z'));
  assert.equal(startOfDay(localDate('2018-11-04'), 'America/Sao_Paulo'), Date.parse('2018-11-04T03:00:00Z'));
});

test('a banking moment late in the UTC evening belongs to the next day in Sydney', () => {
  assert.equal(localDateAt(Date.parse('2026-08-31T17:18:00Z'), 'Australia/Sydney'), '2026-09-01');
  assert.equal(localDateAt(Date.parse('2026-10-03T13:59:59.999Z'), 'Australia/Sydney'), '2026-10-03');
  assert.equal(localDateAt(Date.parse('2026-10-03T14:00:00Z'), 'Australia/Sydney'), '2026-10-04');
});

test('an instant whose day has no four-digit year, and an unknown zone, raise a RangeError', () => {
  assert.throws(() => localDateAt(Date.parse('9999-12-31T20:00:00Z'), 'Australia/Sydney'), RangeError);
  assert.throws(() => localDateAt(Date.parse('0000-06-01T00:00:00Z'), 'UTC'), RangeError);
  for (const name of ['Mars/Olympus', '', 'Sydney', 'Australia/Sydney ']) {
    assert.throws(() => localDateAt(0, name), RangeError, name);
    assert.throws(() => startOfDay(localDate('2026-01-01'), name), RangeError, name);
  }
});

test('every zone the runtime lists is a zone and can be asked for its day; an offset is no zone', () => {
  const at = Date.parse('2026-06-30T12:00:00Z');
  for (const name of Intl.supportedValuesOf('timeZone')) {
    assert.ok(isTimeZone(name), name);
    assert.equal(localDateAt(at, name), dayInIntl(at, name), name);
  }
  for (const name of [
    '+10:00',
    '-05:00',
    '+10',
    '',
    ' ',
    'Mars/Olympus',
    'Australia/Sydney\n',
    'UTC+10',
    '\0',
    // ICU has these, and no calculation takes them.
    'JST',
    'PST',
    'IST',
  ]) {
    assert.ok(!isTimeZone(name), JSON.stringify(name));
  }
});
