import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { formatInstant, localDateAt, parseInstant } from '../../src/vocabulary/moments.ts';

const pad = (value: number, width: number) => String(value).padStart(width, '0');
const between = (min: number, max: number) => fc.integer({ min, max });
const offset = fc.oneof(
  fc.constantFrom('Z', 'z', '+00:00', '-00:00'),
  fc
    .tuple(fc.constantFrom('+', '-'), between(0, 23), between(0, 59))
    .map(([sign, h, m]) => `${sign}${pad(h, 2)}:${pad(m, 2)}`),
);
const fraction = fc.oneof(
  fc.constant(''),
  fc
    .string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 20 })
    .map((text) => `.${text}`),
);
/** Every combination of fields in range, days that no month has included. */
const moment = fc
  .record({
    y: between(0, 9999),
    mo: between(1, 12),
    d: between(1, 31),
    t: fc.constantFrom('T', 't'),
    h: between(0, 23),
    mi: between(0, 59),
    s: between(0, 59),
    fraction,
    offset,
  })
  .map(
    (f) =>
      `${pad(f.y, 4)}-${pad(f.mo, 2)}-${pad(f.d, 2)}${f.t}${pad(f.h, 2)}:${pad(f.mi, 2)}:${pad(f.s, 2)}${f.fraction}${f.offset}`,
  );

/** A day away from the first and the last that there is, which no zone is further off. */
const FIRST = Date.parse('0001-01-02T00:00:00Z');
const LAST = Date.parse('9999-12-30T23:59:59.999Z');

/** What Temporal reads, which takes nine digits of a fraction and an upper-case T and Z. */
function inTemporal(text: string): number | null {
  const upper = text.toUpperCase().replace(/(\.\d{9})\d+/, '$1');
  try {
    const at = Temporal.Instant.from(upper.replace('-00:00', 'Z')).epochMilliseconds;
    return at >= FIRST && at <= LAST ? at : null;
  } catch {
    return null;
  }
}

test('every RFC 3339 moment is read as Temporal reads it, and days that do not exist are refused', () => {
  fc.assert(
    fc.property(moment, (text) => {
      assert.equal(parseInstant(text), inTemporal(text), text);
    }),
    { numRuns: 5000 },
  );
});

test('the 30th of February is refused and not read as the 2nd of March', () => {
  for (const day of ['2026-02-29', '2026-02-30', '2026-04-31', '2026-11-31', '2026-01-00', '2026-13-01']) {
    assert.equal(parseInstant(`${day}T00:00:00Z`), null, day);
  }
});

test('a moment without offset, a bare date and every other spelling is refused', () => {
  for (const text of [
    '',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00Z',
    '2026-01-01T00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:61Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00,5Z',
    '2026-01-01T00:00:00+10',
    '2026-01-01T00:00:00+1000',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+10:60',
    '2026-01-01T00:00:00 +10:00',
    '2026-01-01T00:00:00Z[UTC]',
    '2026-01-01T00:00:00Z\n',
    ' 2026-01-01T00:00:00Z',
    '+002026-01-01T00:00:00Z',
    '20260101T000000Z',
    '2026-W01-1T00:00:00Z',
    '1767225600',
    'Thu, 01 Jan 2026 00:00:00 GMT',
    'now',
  ]) {
    assert.equal(parseInstant(text), null, JSON.stringify(text));
  }
});

test('no text whatever makes reading a moment raise', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      assert.equal(parseInstant(text), null);
    }),
  );
});

test('a leap second is the second after it, and a second 60 anywhere else is refused', () => {
  const newYear = Date.parse('2017-01-01T00:00:00Z');
  assert.equal(parseInstant('2016-12-31T23:59:60Z'), newYear);
  assert.equal(parseInstant('2016-12-31T23:59:60.25Z'), newYear + 250);
  assert.equal(parseInstant('2017-01-01T10:59:60+11:00'), newYear);
  assert.equal(parseInstant('2016-12-31T15:59:60-08:00'), newYear);
  assert.equal(parseInstant('2015-06-30T23:59:60Z'), Date.parse('2015-07-01T00:00:00Z'));
  for (const text of [
    '2016-12-30T23:59:60Z',
    '2016-12-31T23:58:60Z',
    '2016-12-31T22:59:60Z',
    '2016-12-31T23:59:60+11:00',
    '9999-12-31T23:59:60Z',
  ]) {
    assert.equal(parseInstant(text), null, text);
  }
});

test('a moment without a day of the years 1 to 9999 in some zone is refused, and every other one has a day in each', () => {
  for (const text of [
    '9999-12-31T23:59:59Z',
    '9999-12-31T00:00:00Z',
    '0001-01-01T23:59:59Z',
    '0000-06-01T00:00:00Z',
  ])
    assert.equal(parseInstant(text), null, text);
  assert.equal(parseInstant('9999-12-30T23:59:59.999Z'), LAST);
  assert.equal(parseInstant('0001-01-02T00:00:00Z'), FIRST);
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    assert.match(localDateAt(LAST, zone), /^9999-12-3/, zone);
    assert.match(localDateAt(FIRST, zone), /^0001-01-0/, zone);
  }
});

test('what is written is RFC 3339 UTC with milliseconds and reads back as the same moment', () => {
  const first = Date.parse('0000-01-01T00:00:00Z');
  const last = Date.parse('9999-12-31T23:59:59.999Z');
  fc.assert(
    fc.property(fc.integer({ min: FIRST, max: LAST }), (at) => {
      const text = formatInstant(at);
      assert.match(text, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
      assert.equal(parseInstant(text), at);
    }),
  );
  for (const at of [first - 1, last + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => formatInstant(at), RangeError);
  }
});
