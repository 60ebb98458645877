import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foundLive, LIVE_DAYS } from '../../../src/features/documents/live-rows.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { posted } from '../sync-engine/support/bank.ts';

const DAY_MS = 86_400_000;
const dateOf = (day: number) =>
  localDate(new Date(Date.UTC(2026, 8, 1) + day * DAY_MS).toISOString().slice(0, 10));
const inFile = (day: number, cents: number) => ({
  date: dateOf(day),
  amount: (cents / 100).toFixed(2),
  currency: 'aud',
});
const inFeed = (day: number, cents: number, at: number) =>
  posted(at, { cents, date: dateOf(day), post_date: dateOf(day) });

test('rows of a file are found in the live feed one to one, with the same amount and at most three days apart', () => {
  const row = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.constantFrom(-450, 2_500_00));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), fc.array(row, { maxLength: 20 }), (file, feed) => {
      const found = foundLive(
        file.map(([day, cents]) => inFile(day, cents)),
        feed.map(([day, cents], at) => inFeed(day, cents, at)),
      );
      for (const [at, [day, cents]] of file.entries()) {
        const near = feed.some(([other, same]) => same === cents && Math.abs(other - day) <= LIVE_DAYS);
        if (found[at]) assert.ok(near);
      }
      for (const cents of [-450, 2_500_00]) {
        const matched = found.filter((one, at) => one && file[at]?.[1] === cents).length;
        assert.ok(matched <= feed.filter(([, same]) => same === cents).length);
      }
      const exact = foundLive(
        file.map(([day, cents]) => inFile(day, cents)),
        file.map(([day, cents], at) => inFeed(day, cents, at)),
      );
      assert.ok(
        exact.every((one) => one),
        'a feed with the same rows has all of them',
      );
    }),
  );
});

test('50,000 equal rows beside 50,000 of the feed are compared in one pass, not each with each', () => {
  const rows = 50_000;
  const found = foundLive(
    Array.from({ length: rows }, () => inFile(1, -450)),
    Array.from({ length: rows }, (_, at) => inFeed(2, -450, at)),
  );
  assert.ok(found.every((one) => one));
  const twice = foundLive(
    Array.from({ length: rows }, () => inFile(1, -450)),
    Array.from({ length: rows }, (_, at) => inFeed(9, -450, at)),
  );
  assert.ok(twice.every((one) => !one));
});
