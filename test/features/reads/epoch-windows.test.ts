import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { epochWindow } from '../../../src/features/reads/epoch-window.ts';
import { momentOnDay } from '../../../src/vocabulary/day-moments.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { formatInstant, localDateAt } from '../../../src/vocabulary/moments.ts';

const ZONES = [
  'Australia/Sydney',
  'Australia/Perth',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'America/New_York',
  'Pacific/Pago_Pago',
  'UTC',
] as const;
const zones = fc.constantFrom(...ZONES);
const moments = fc.integer({ min: Date.parse('2019-01-01'), max: Date.parse('2027-01-01') });

describe('A moment on a day', () => {
  test('is on that day in UTC and in the zone, whatever the zone and the moment of the bank', () => {
    fc.assert(
      fc.property(moments, zones, fc.option(moments), (at, zone, other) => {
        const day = localDateAt(at, zone);
        const given = other === null ? null : formatInstant(other);
        for (const instant of [given, formatInstant(at), null]) {
          const shown = momentOnDay(day, instant, zone);
          assert.equal(localDateAt(shown, 'UTC'), day);
          assert.equal(localDateAt(shown, zone), day);
        }
      }),
    );
  });

  test('is the bank’s own where that is on the day everywhere', () => {
    const noon = '2026-03-10T02:00:00.000Z';
    assert.equal(
      momentOnDay(localDateAt(Date.parse(noon), 'UTC'), noon, 'Australia/Sydney'),
      Date.parse(noon),
    );
  });
});

describe('The window of a period', () => {
  const limits = DEFAULT_LIMITS;

  test('has the days of every moment in it: a row is kept in exactly one of the pieces of a period', () => {
    const cut = fc.array(fc.integer({ min: 1, max: 90 * 86_400_000 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(moments, moments, zones, cut, (now, at, zone, lengths) => {
        fc.pre(at < now && now - at < 6 * 365 * 86_400_000);
        const day = localDateAt(at, zone);
        const row = momentOnDay(day, formatInstant(at), zone);
        let from = row - 10 * 86_400_000;
        let kept = 0;
        let end = from;
        for (const length of lengths) {
          end = from + length;
          const window = epochWindow({ from, until: end }, { now, timezone: zone }, limits);
          if (window.kind === 'days' && row >= window.from && row < window.until) {
            assert.ok(window.days.from <= day && day <= window.days.to, `${day} is read`);
            kept += 1;
          }
          from = end;
        }
        assert.equal(kept, row < end ? 1 : 0);
      }),
      { numRuns: 500 },
    );
  });

  test('that ends before the history is told from one that has nothing', () => {
    const now = Date.parse('2026-11-23T00:00:00Z');
    const at = { now, timezone: 'Australia/Sydney' };
    const kind = (from: number | null, until: number | null) => epochWindow({ from, until }, at, limits).kind;
    assert.equal(kind(0, Date.parse('2019-11-21T00:00:00Z')), 'before_history');
    assert.equal(kind(0, Date.parse('2019-11-24T00:00:00Z')), 'days');
    assert.equal(kind(now, now), 'empty');
    assert.equal(kind(now + 3 * 86_400_000, null), 'empty');
    assert.equal(kind(null, null), 'days');
  });
});
