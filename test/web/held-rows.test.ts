import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Transaction } from '#client';
import { presentTransaction } from '../../src/operations/v2/transactions/resource.ts';
import { localDate } from '../../src/vocabulary/moments.ts';
import { type FoundRows, HeldRows, type RowAside } from '../../web/src/api/held-rows.ts';
import { dayAway, daysBetween } from '../../web/src/format/days.ts';
import { transaction } from '../features/rules/rows.ts';

const LAST = '2026-11-28';
const MINUTE_MS = 60_000;
const ACCOUNT = 'acct_1';

const row = (day: string, id = `txn_fk_${day}`) =>
  presentTransaction(
    transaction({ id, date: localDate(day), post_date: localDate(day), status: 'posted' }),
    ACCOUNT,
    null,
  );
/** A row on each day, newest first, as an account is read. */
const rowsOf = (from: string, to: string) =>
  only(
    ...daysBetween(from, to)
      .toReversed()
      .map((day) => row(day)),
  );
const only = (...rows: readonly Transaction[]): FoundRows => ({ rows, aside: [] });
const idsOf = (found: FoundRows | null) => found?.rows.map(({ id }) => id) ?? null;
const aside = (id: string | null, day: string | null): RowAside => ({
  id,
  day,
  field: 'amount',
  reason: 'unreadable',
});

function open(mostRows = 1_000) {
  const at = { now: 0 };
  return { at, held: new HeldRows(() => at.now, mostRows) };
}

test('what one page has read answers another for the same days or fewer, and no more', () => {
  const { held } = open();
  const days = { from: '2026-09-01', to: LAST };
  held.add(ACCOUNT, days, rowsOf(days.from, days.to));
  assert.equal(held.missing(ACCOUNT, days), null);
  assert.deepEqual(idsOf(held.find(ACCOUNT, days)), idsOf(rowsOf(days.from, days.to)));
  const fewer = { from: '2026-10-05', to: '2026-10-09' };
  assert.deepEqual(idsOf(held.find(ACCOUNT, fewer)), idsOf(rowsOf(fewer.from, fewer.to)));
  assert.equal(held.find(ACCOUNT, { from: '2026-08-31', to: LAST }), null);
  assert.equal(held.find('acct_2', fewer), null);
});

test('only the days before those that are held are missing', () => {
  const { held } = open();
  held.add(ACCOUNT, { from: '2026-11-15', to: LAST }, rowsOf('2026-11-15', LAST));
  assert.deepEqual(held.missing(ACCOUNT, { from: '2026-09-01', to: LAST }), {
    from: '2026-09-01',
    to: '2026-11-14',
  });
  held.add(ACCOUNT, { from: '2026-09-01', to: '2026-11-14' }, rowsOf('2026-09-01', '2026-11-14'));
  assert.deepEqual(
    idsOf(held.find(ACCOUNT, { from: '2026-09-01', to: LAST })),
    idsOf(rowsOf('2026-09-01', LAST)),
  );
});

test('reads in any order give every row once, newest first, as if all had been read at once', () => {
  const day = fc.integer({ min: 0, max: 60 });
  fc.assert(
    fc.property(fc.array(fc.tuple(day, day), { minLength: 1, maxLength: 8 }), (windows) => {
      const { held } = open();
      for (const [a, b] of windows) {
        const [from, to] = [dayAway(LAST, -Math.max(a, b)), dayAway(LAST, -Math.min(a, b))];
        const span = held.add(ACCOUNT, { from, to }, rowsOf(from, to));
        assert.deepEqual(idsOf(span), idsOf(rowsOf(span.from, span.to)));
      }
    }),
  );
});

test('rows that could not be read are held with the others: each once, of the days asked for, until they can be read', () => {
  const { held } = open();
  const read = (from: string, to: string, rows: readonly Transaction[], without: readonly RowAside[]) =>
    held.add(ACCOUNT, { from, to }, { rows, aside: without });
  const broken = aside('txn_fk_broken', '2026-11-26');
  const dayless = aside(null, null);
  read('2026-11-20', LAST, [], [broken, aside(null, '2026-11-21'), dayless]);
  read('2026-11-01', '2026-11-19', [], [aside('txn_fk_older', '2026-11-02'), dayless]);
  const of = (from: string, to = LAST) =>
    held.find(ACCOUNT, { from, to })?.aside.map(({ id, day }) => id ?? day);
  assert.deepEqual(of('2026-11-01')?.toSorted(), ['2026-11-21', null, 'txn_fk_broken', 'txn_fk_older']);
  assert.deepEqual(of('2026-11-25'), ['txn_fk_broken', null]);
  assert.deepEqual(of('2026-11-22', '2026-11-24'), [null], 'one without a day may be of any');
  // It can be read now, under another day.
  read('2026-11-20', LAST, [row('2026-11-27', 'txn_fk_broken')], []);
  assert.equal(of('2026-11-01')?.includes('txn_fk_broken'), false);
  const { rows } = read('2026-11-20', LAST, [], [broken]);
  assert.deepEqual(rows, [], 'and a row that cannot be read any more is not shown as it was');
});

test('a row that the bank lists no longer goes when its day is read again', () => {
  const { held } = open();
  const days = { from: '2026-11-20', to: LAST };
  held.add(ACCOUNT, days, only(row('2026-11-27', 'txn_fk_gone'), row('2026-11-21')));
  held.add(ACCOUNT, { from: '2026-11-25', to: LAST }, only(row('2026-11-27', 'txn_fk_posted')));
  assert.deepEqual(idsOf(held.find(ACCOUNT, days)), ['txn_fk_posted', 'txn_fk_2026-11-21']);
});

test('rows are held for five minutes from the oldest read among them', () => {
  const { at, held } = open();
  const days = { from: '2026-11-01', to: LAST };
  held.add(ACCOUNT, { from: '2026-11-15', to: LAST }, rowsOf('2026-11-15', LAST));
  at.now += 4 * MINUTE_MS;
  held.add(ACCOUNT, { from: '2026-11-01', to: '2026-11-14' }, rowsOf('2026-11-01', '2026-11-14'));
  assert.notEqual(held.find(ACCOUNT, days), null);
  at.now += MINUTE_MS;
  assert.equal(held.find(ACCOUNT, days), null);
  assert.deepEqual(held.missing(ACCOUNT, days), days);
});

test('no more rows are held than allowed: those of the account that was used least recently go', () => {
  const { held } = open(50);
  const days = { from: dayAway(LAST, -19), to: LAST };
  for (const account of ['acct_1', 'acct_2']) held.add(account, days, rowsOf(days.from, days.to));
  held.find('acct_1', days);
  held.add('acct_3', days, rowsOf(days.from, days.to));
  assert.deepEqual(
    ['acct_1', 'acct_2', 'acct_3'].map((account) => held.find(account, days) !== null),
    [true, false, true],
  );
  const span = held.add('acct_4', { from: dayAway(LAST, -99), to: LAST }, rowsOf(dayAway(LAST, -99), LAST));
  assert.equal(span.rows.length, 100, 'who read them has them');
  assert.equal(held.find('acct_4', days), null);
});

test('what changes of a row is changed in what is held, and forgetting forgets all', () => {
  const { held } = open();
  const days = { from: '2026-11-20', to: LAST };
  held.add(ACCOUNT, days, rowsOf(days.from, days.to));
  held.change((one) => ({ ...one, category: 'cat_1' }));
  assert.ok(held.find(ACCOUNT, days)?.rows.every(({ category }) => category === 'cat_1'));
  held.forget();
  assert.equal(held.find(ACCOUNT, days), null);
});
