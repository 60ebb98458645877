import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { addDays, type LocalDate } from '../../../src/vocabulary/moments.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { posted } from '../sync-engine/support/bank.ts';
import { Copy, FeedWorld } from './support/feed-world.ts';

const DAY_MS = 86_400_000;

let database: TestDatabase;
let world: FeedWorld;
let account: RowId<'account'>;
/** The day on which the feed begins. */
let start: LocalDate;

before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

beforeEach(async () => {
  world = await FeedWorld.open(database.db);
  account = await world.account();
  start = world.today;
  // The bank's history begins long before the days that are tracked.
  world.rows = Array.from({ length: 90 }, (_, at) => rowOf(addDays(start, -at - 1), at));
});

function rowOf(date: LocalDate, number: number, more: Partial<Transaction> = {}): Transaction {
  return { ...posted(number, { cents: -(number * 100 + 7) }), date, post_date: date, ...more };
}

const HOLD = { id: 'txn_fk_hold', status: 'pending', post_date: null, post_datetime: null } as const;
const hold = (): Transaction => rowOf(start, 500, HOLD);

/** Follows the feed once a day, and returns what the answers were about, without the first one. */
async function follow(
  asked: { readonly days: number; readonly includePending?: boolean },
  onDay: (day: number) => void,
  last: number,
): Promise<{ readonly copy: Copy; readonly added: string[]; readonly removed: unknown[] }> {
  const copy = new Copy();
  const added: string[] = [];
  const removed: unknown[] = [];
  copy.apply(await world.page(account, asked));
  for (let day = 1; day <= last; day++) {
    world.clock.advance(DAY_MS);
    onDay(day);
    const page = await world.page(account, { cursor: copy.cursor });
    copy.apply(page);
    added.push(...page.added.map(({ id }) => id));
    removed.push(...page.removed);
  }
  return { copy, added, removed };
}

describe('a feed of few days', () => {
  for (const days of [1, 3, 7]) {
    test(`of ${days} shows a row that posts days after its purchase, dated by the purchase`, async () => {
      const { added } = await follow(
        { days },
        (day) => {
          if (day === 5) world.rows.push(rowOf(start, 501, { id: 'txn_fk_late', post_date: world.today }));
        },
        6,
      );
      assert.deepEqual(added, ['txn_fk_late']);
    });

    test(`of ${days} replaces a pending row by the one it posts as, also days later`, async () => {
      world.rows.push(hold());
      const { removed, added } = await follow(
        { days, includePending: true },
        (day) => {
          if (day !== 5) return;
          const { today } = world;
          world.rows = world.rows.filter(({ id }) => id !== HOLD.id);
          world.rows.push(rowOf(today, 500, { id: 'txn_fk_posted' }));
        },
        40,
      );
      assert.deepEqual(removed, [{ id: HOLD.id, replacedBy: 'txn_fk_posted' }]);
      assert.deepEqual(added, ['txn_fk_posted']);
    });

    test(`of ${days} removes a posted row that the bank withdraws`, async () => {
      world.rows.push(rowOf(start, 502, { id: 'txn_fk_wrong' }));
      const { removed } = await follow(
        { days },
        (day) => {
          if (day === 2) world.rows = world.rows.filter(({ id }) => id !== 'txn_fk_wrong');
        },
        8,
      );
      assert.deepEqual(removed, [{ id: 'txn_fk_wrong', replacedBy: null }]);
    });
  }

  test('removes a pending row that the bank lists for months and then drops', async () => {
    world.rows.push(hold());
    const { removed, copy } = await follow(
      { days: 3, includePending: true },
      (day) => {
        if (day === 60) world.rows = world.rows.filter(({ id }) => id !== HOLD.id);
      },
      61,
    );
    assert.deepEqual(removed, [{ id: HOLD.id, replacedBy: null }]);
    assert.ok(!copy.rows.has(HOLD.id));
  });
});

describe('X-Service-Truncated', () => {
  test('is not claimed where the read was cut before the first day that is tracked', async () => {
    world = await FeedWorld.open(database.db, { transaction_rows: 20 });
    account = await world.account();
    world.rows = Array.from({ length: 90 }, (_, at) => rowOf(addDays(start, -at), at));
    const first = await world.page(account, { days: 5 });
    assert.deepEqual([first.truncated, first.added.length], [false, 6]);
    const next = await world.page(account, { cursor: first.cursor });
    assert.deepEqual([next.truncated, next.firstDay], [false, first.firstDay]);
  });

  test('is claimed where all that a read has is of the first day that is tracked', async () => {
    world = await FeedWorld.open(database.db, { transaction_rows: 4 });
    account = await world.account();
    world.rows = Array.from({ length: 6 }, (_, at) => rowOf(addDays(start, -5), at));
    assert.equal((await world.page(account, { days: 5 })).truncated, true);
  });
});
