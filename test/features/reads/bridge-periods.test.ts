import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInPeriod } from '../../../src/features/reads/epoch-window.ts';
import { addDays, type LocalDate, localDate, localDateAt } from '../../../src/vocabulary/moments.ts';

const HOUR = 3_600_000;
const today = localDate('2026-06-02');
/** 2 June, 7:30 in Sydney; 1 June in UTC. */
const now = Date.parse('2026-06-01T21:30:00Z');
const at = (timezone: string) => ({ now, timezone });

test("a period that ends now has the rows of the bank's day, before the day has begun in UTC", () => {
  for (const [timezone, datetime] of [
    ['Australia/Sydney', '2026-06-02T06:55:00+10:00'],
    ['Pacific/Auckland', '2026-06-02T08:00:00+12:00'],
    ['Australia/Sydney', null],
  ] as const) {
    const row = { date: today, datetime };
    assert.ok(
      isInPeriod(row, { from: now - 24 * HOUR, until: now }, at(timezone)),
      `${timezone} ${datetime}`,
    );
    assert.ok(!isInPeriod(row, { from: now - 48 * HOUR, until: now - 24 * HOUR }, at(timezone)));
  }
});

test('a period of whole days in UTC has the rows of those days of the bank, and each row is in one of them', () => {
  const earlier = { now: Date.parse('2026-06-20T00:00:00Z'), timezone: 'Australia/Sydney' };
  for (const datetime of ['2026-06-02T00:10:00+10:00', '2026-06-02T23:50:00+10:00', null]) {
    const holding: LocalDate[] = [];
    for (let day = addDays(today, -2); day < addDays(today, 3); day = addDays(day, 1)) {
      const period = { from: Date.parse(day), until: Date.parse(addDays(day, 1)) };
      if (isInPeriod({ date: today, datetime }, period, earlier)) holding.push(day);
    }
    assert.deepEqual(holding, [today]);
  }
  assert.equal(localDateAt(now, 'Australia/Sydney'), today);
});
