import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { addDays, isLocalDate, localDate, monthsBefore } from '../../src/vocabulary/moments.ts';

const pad = (value: number, width: number) => String(value).padStart(width, '0');
const year = fc.oneof(
  fc.integer({ min: 0, max: 9999 }),
  fc.constantFrom(0, 1, 4, 50, 99, 100, 400, 1900, 2000, 9999),
);
const dayText = fc
  .tuple(year, fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }))
  .map(([y, m, d]) => `${pad(y, 4)}-${pad(m, 2)}-${pad(d, 2)}`);
const day = dayText.filter(isLocalDate);

function existsInTemporal(text: string): boolean {
  try {
    Temporal.PlainDate.from(text);
    return true;
  } catch {
    return false;
  }
}

test('a text is a day exactly when the calendar has it, for the years 1 to 9999', () => {
  fc.assert(
    fc.property(dayText, (text) => {
      assert.equal(isLocalDate(text), existsInTemporal(text) && !text.startsWith('0000'), text);
    }),
    { numRuns: 5000 },
  );
});

test('29 February exists in leap years only, by all three rules', () => {
  for (const leap of ['0004', '0096', '0400', '1600', '2000', '2024', '2028', '9996']) {
    assert.ok(isLocalDate(`${leap}-02-29`), leap);
  }
  for (const common of ['0001', '0099', '0100', '1900', '2023', '2026', '2100', '9999']) {
    assert.ok(!isLocalDate(`${common}-02-29`), common);
  }
});

test('nothing but YYYY-MM-DD is a day', () => {
  for (const text of [
    '',
    '2026-1-01',
    '2026-01-1',
    '26-01-01',
    '02026-01-01',
    '+002026-01-01',
    '-000001-01-01',
    '2026/01/01',
    '20260101',
    '2026-01-01T00:00:00Z',
    '2026-01-01 ',
    ' 2026-01-01',
    '2026-01-01\n',
    '２０２６-01-01',
  ]) {
    assert.ok(!isLocalDate(text), JSON.stringify(text));
    assert.throws(() => localDate(text), RangeError);
  }
});

test('adding days is the calendar’s addition, across months, leap days and years before 100', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: -40_000, max: 40_000 }), (date, days) => {
      const expected = Temporal.PlainDate.from(date).add({ days });
      if (expected.year < 1 || expected.year > 9999) {
        assert.throws(() => addDays(date, days), RangeError);
        return;
      }
      assert.equal(addDays(date, days), expected.toString());
      assert.equal(addDays(addDays(date, days), -days), date);
    }),
    { numRuns: 2000 },
  );
});

test('days at the ends of months and of the calendar', () => {
  assert.equal(addDays(localDate('2028-02-28'), 1), '2028-02-29');
  assert.equal(addDays(localDate('2027-02-28'), 1), '2027-03-01');
  assert.equal(addDays(localDate('2028-03-01'), -1), '2028-02-29');
  assert.equal(addDays(localDate('2026-12-31'), 1), '2027-01-01');
  assert.equal(addDays(localDate('0099-12-31'), 1), '0100-01-01');
  assert.throws(() => addDays(localDate('9999-12-31'), 1), RangeError);
  assert.throws(() => addDays(localDate('0001-01-01'), -1), RangeError);
});

test('months before is the same day of the month, or the last of a shorter month', () => {
  assert.equal(monthsBefore(localDate('2026-03-31'), 1), '2026-02-28');
  assert.equal(monthsBefore(localDate('2028-03-31'), 1), '2028-02-29');
  assert.equal(monthsBefore(localDate('2028-02-29'), 12), '2027-02-28');
  assert.equal(monthsBefore(localDate('2028-02-29'), 48), '2024-02-29');
  assert.equal(monthsBefore(localDate('2026-01-31'), 84), '2019-01-31');
  assert.equal(monthsBefore(localDate('2026-08-31'), 6), '2026-02-28');
  assert.equal(monthsBefore(localDate('2026-05-15'), 0), '2026-05-15');
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 1200 }), (date, months) => {
      const total = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 - months;
      const [y, m] = [Math.floor(total / 12), (total % 12) + 1];
      if (y < 1) {
        assert.throws(() => monthsBefore(date, months), RangeError);
        return;
      }
      const result = monthsBefore(date, months);
      assert.equal(result.slice(0, 7), `${pad(y, 4)}-${pad(m, 2)}`);
      const last = new Temporal.PlainYearMonth(y, m).daysInMonth;
      assert.equal(Number(result.slice(8)), Math.min(Number(date.slice(8)), last));
    }),
    { numRuns: 1000 },
  );
});
