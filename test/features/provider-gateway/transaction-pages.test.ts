import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { pageOfRows, type RowPageRequest } from '../../../src/features/reads/transaction-window.ts';
import { addDays, formatInstant, localDate } from '../../../src/vocabulary/moments.ts';
import { newestFirst, placeOf, type Transaction } from '../../../src/vocabulary/transactions.ts';

const START = localDate('2026-01-01');

function rowAt(id: string, day: number, minute: number | null): Transaction {
  const date = addDays(START, day);
  return {
    id,
    status: 'posted',
    date,
    datetime: minute === null ? null : formatInstant(Date.parse(date) + minute * 60_000),
    post_date: null,
    post_datetime: null,
    value_date: null,
    value_datetime: null,
    description: id,
    reference: null,
    extended_description: null,
    amount: { amount: 1, currency: 'aud' },
    amount_decimal: '0.01',
    direction: 'credit',
    class: 'other',
    provider_category: null,
    primary_category: null,
    merchant_name: null,
    merchant_category_code: null,
  };
}

const rows = fc.uniqueArray(
  fc
    .tuple(fc.stringMatching(/^[a-z]{1,6}$/), fc.nat(5), fc.option(fc.nat(3)))
    .map(([id, day, minute]) => rowAt(id, day, minute)),
  { selector: (row) => row.id, maxLength: 40 },
);

function walk(states: readonly (readonly Transaction[])[], limit: number): string[] {
  const seen: string[] = [];
  let after: RowPageRequest['after'] = null;
  for (let turn = 0; ; turn++) {
    const state = states[Math.min(turn, states.length - 1)] ?? [];
    const page = pageOfRows(newestFirst(state), { limit, after, before: null });
    seen.push(...page.rows.map((row) => row.id));
    const last = page.rows.at(-1);
    if (!page.hasOlder || last === undefined) return seen;
    after = placeOf(last);
  }
}

describe('A walk through transactions', () => {
  it('meets every row once, in order, whatever the page size', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 10 }), (all, limit) => {
        assert.deepEqual(
          walk([all], limit),
          newestFirst(all).map((row) => row.id),
        );
      }),
    );
  });

  it('repeats no row and misses none that was there all along, while others arrive and vanish', () => {
    fc.assert(
      fc.property(
        rows,
        fc.array(fc.tuple(rows, fc.nat(39)), { maxLength: 6 }),
        fc.integer({ min: 1, max: 5 }),
        (all, changes, limit) => {
          const states: Transaction[][] = [all];
          const stable = new Set(all.map((row) => row.id));
          // A row that vanished does not come back with another date: that would be a row that moved.
          const gone = new Set<string>();
          for (const [more, vanishing] of changes) {
            const before = states.at(-1) ?? [];
            const vanished = before[vanishing]?.id;
            if (vanished !== undefined) gone.add(vanished);
            const kept = before.filter((row) => row.id !== vanished);
            const known = new Set([...gone, ...kept.map((row) => row.id)]);
            states.push([...kept, ...more.filter((row) => !known.has(row.id))]);
          }
          for (const id of gone) stable.delete(id);
          const seen = walk(states, limit);
          assert.equal(new Set(seen).size, seen.length);
          for (const id of stable) assert.ok(seen.includes(id), `${id} was missed`);
        },
      ),
    );
  });

  it('goes back over the pages it came by', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 10 }), fc.nat(39), (all, limit, start) => {
        const ordered = newestFirst(all);
        const from = ordered[start];
        if (from === undefined) return;
        const back = pageOfRows(ordered, { limit, after: null, before: placeOf(from) });
        assert.deepEqual(back.rows, ordered.slice(Math.max(0, start - limit), start));
        assert.equal(back.hasNewer, start - limit > 0);
        assert.equal(back.hasOlder, true);
      }),
    );
  });
});
