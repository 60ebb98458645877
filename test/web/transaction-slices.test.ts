import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Days } from '../../web/src/api/held-rows.ts';
import { dayAway, daysIn } from '../../web/src/format/days.ts';
import { nextSlice } from '../../web/src/transactions/slices.ts';

const LONGEST = 2600;
const period = fc
  .tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: LONGEST }))
  .map(([back, length]) => {
    const to = dayAway('2026-11-24', -back);
    return { from: dayAway(to, -length), to };
  });

/** Reads a period to its beginning; each slice holds as many rows as the statement says a day has. */
function slicesOf(days: Days, rowsADay: number, wholeFrom = Number.POSITIVE_INFINITY) {
  const read: (Days & { readonly count: number })[] = [];
  for (;;) {
    const next = nextSlice(days, read, read.length >= wholeFrom);
    if (next === null) return read;
    read.push({ ...next, count: daysIn(next) * rowsADay });
    assert.ok(read.length <= LONGEST + 1, 'it ends');
  }
}

test('slices cover every day of a period once, from its last day back, whenever the rest is asked for', () => {
  fc.assert(
    fc.property(
      period,
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 0, max: 9 }),
      (days, rows, whole) => {
        const slices = slicesOf(days, rows, whole);
        assert.equal(slices[0]?.to, days.to);
        assert.equal(slices.at(-1)?.from, days.from);
        for (const [at, slice] of slices.entries()) {
          assert.ok(slice.from <= slice.to);
          const before = slices[at - 1];
          if (before !== undefined) assert.equal(slice.to, dayAway(before.from, -1));
        }
        assert.ok(slices.length <= whole + 1 || whole === 0);
      },
    ),
  );
});

test('years of few rows and months of many take no more requests than a minute allows', () => {
  const ALLOWED = 30;
  const years = slicesOf({ from: '2019-11-25', to: '2026-11-24' }, 1);
  assert.ok(years.length <= 10, `${years.length}`);
  const busy = slicesOf({ from: '2026-06-28', to: '2026-11-24' }, 667);
  assert.ok(busy.length < ALLOWED, `${busy.length}`);
});
