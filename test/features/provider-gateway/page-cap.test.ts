import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { MostPages } from '../../../src/features/provider-gateway/gateway-types.ts';
import { PageBudget } from '../../../src/features/provider-gateway/upstream-calls.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';

/** How many pages are read of pages with so many rows. */
function read(most: MostPages, pages: readonly number[]): number {
  const budget = new PageBudget(DEFAULT_LIMITS, most);
  const end = pages.findIndex((rows) => budget.endsWith({ rows, wanted: 1, pending: 0 }));
  return end === -1 ? pages.length : end + 1;
}

describe('the cap on pages of the provider', () => {
  test('ends a read after so many full pages', () => {
    const full = Array.from({ length: 20 }, () => 1000);
    for (const most of [1, 3, 7]) assert.equal(read(most, full), most);
    assert.equal(read(null, full), 20);
  });

  test('gives small pages as many turns as it takes to begin the last full one', () => {
    assert.equal(
      read(
        3,
        Array.from({ length: 100 }, () => 100),
      ),
      21,
    );
    assert.equal(read(3, [0, 0, 0, 0, 1000, 1000, 1]), 7);
  });

  test('never reads fewer rows than so many pages but one hold, where there are as many', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 60 }),
        (most, pages) => {
          const count = read(most, pages);
          const rows = pages.slice(0, count).reduce((sum, one) => sum + one, 0);
          if (count < pages.length) assert.ok(rows > (most - 1) * 1000 && count >= most);
          assert.ok(rows <= most * 1000 || count <= most);
        },
      ),
    );
  });
});
