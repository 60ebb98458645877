import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { NONE_SET_ASIDE } from '../../../src/features/provider-gateway/gateway-types.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { posted } from '../sync-engine/support/bank.ts';
import { Death } from '../sync-engine/support/death.ts';
import { newOwner } from '../sync-engine/support/world.ts';
import { Copy, FeedWorld } from './support/feed-world.ts';

const DAY_MS = 86_400_000;

let database: TestDatabase;
let world: FeedWorld;
let account: RowId<'account'>;

before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

async function open(limits: Parameters<typeof FeedWorld.open>[1] = {}): Promise<void> {
  world = await FeedWorld.open(database.db, limits);
  account = await world.account();
  world.rows = Array.from({ length: 10 }, (_, at) => rowOf(at));
}
beforeEach(() => open());

/** A row a day, the newest today. */
function rowOf(daysAgo: number, more: Partial<Transaction> = {}): Transaction {
  const date = world.daysAgo(daysAgo);
  return { ...posted(daysAgo), date, post_date: date, ...more };
}

/** Shows that the bank's history begins long before the days that are tracked. */
const earlier = (): Transaction => rowOf(45);

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id).toSorted();

function refused(code: ServiceError['code']) {
  return (error: unknown) => error instanceof ServiceError && error.code === code;
}

describe('a cursor', () => {
  test('is returned unchanged while nothing changes, and nothing is stored for it', async () => {
    const first = await world.page(account);
    assert.equal(first.added.length, 10);
    for (let at = 0; at < 5; at++) {
      world.clock.advance(DAY_MS);
      const next = await world.page(account, { cursor: first.cursor });
      assert.deepEqual([next.added, next.modified, next.removed, next.hasMore], [[], [], [], false]);
      assert.equal(next.cursor, first.cursor);
    }
    assert.equal((await world.stored()).snapshots, 1);
  });

  test('may be repeated after a lost answer, and each of the answers can be continued from', async () => {
    const { cursor } = await world.page(account);
    world.rows = [...world.rows, rowOf(0, { id: 'txn_fk_second' })];
    const lost = await world.page(account, { cursor });
    world.rows = world.rows.map((row) => (row.id === 'txn_fk_second' ? { ...row, description: 'now' } : row));
    const again = await world.page(account, { cursor });
    assert.deepEqual(idsOf(again.added), ['txn_fk_second']);
    assert.deepEqual((await world.page(account, { cursor: again.cursor })).modified, []);
    assert.deepEqual(idsOf((await world.page(account, { cursor: lost.cursor })).modified), ['txn_fk_second']);
  });

  test('of a round that was not finished can be begun with again, until the next round is begun', async () => {
    const { cursor } = await world.page(account);
    world.rows = [
      ...world.rows,
      ...Array.from({ length: 6 }, (_, at) => rowOf(at, { id: `txn_fk_more_${at}` })),
    ];
    const copy = new Copy(new Map(), cursor);
    for (let page = 0; page < 2; page++)
      copy.apply(await world.page(account, { cursor: copy.cursor, limit: 2 }));
    const again = new Copy(new Map(), cursor);
    for (let more = true; more; ) {
      const page = await world.page(account, { cursor: again.cursor, limit: 2 });
      again.apply(page);
      more = page.hasMore;
    }
    assert.equal(again.rows.size, 6);
    world.rows = [...world.rows, rowOf(0, { id: 'txn_fk_last' })];
    await world.page(account, { cursor: again.cursor });
    await assert.rejects(world.page(account, { cursor }), refused('cursor_expired'));
  });

  test('is not affected by what another client of the account does', async () => {
    const one = await world.page(account);
    const two = await world.page(account, { includePending: true, days: 60 });
    world.rows = world.rows.map((row) => ({ ...row, description: 'changed' }));
    const changed = await world.page(account, { cursor: one.cursor });
    await world.page(account, { cursor: changed.cursor });
    assert.equal((await world.page(account, { cursor: two.cursor })).modified.length, 10);
  });

  test('outlives a change of the encryption key and of the process, and is replaced by one under the new key', async () => {
    const { cursor } = await world.page(account);
    world.rotate();
    const next = await world.page(account, { cursor }, world.process());
    assert.notEqual(next.cursor, cursor);
    assert.deepEqual(next.added, []);
    world.forgetOldKeys();
    assert.deepEqual((await world.page(account, { cursor: next.cursor })).added, []);
    await assert.rejects(world.page(account, { cursor }), refused('cursor_invalid'));
  });

  test('is known for so many days after its last use [limit change_cursor_days]', async () => {
    await open({ change_cursor_days: 3 });
    const { cursor } = await world.page(account);
    for (let at = 0; at < 3; at++) {
      world.clock.advance(2.9 * DAY_MS);
      assert.equal((await world.page(account, { cursor })).cursor, cursor);
    }
    world.clock.advance(3.1 * DAY_MS);
    await assert.rejects(world.page(account, { cursor }), refused('cursor_expired'));
    assert.equal((await world.stored()).snapshots, 1);
    await world.process().prune();
    assert.equal((await world.stored()).snapshots, 0);
  });

  test('never goes back in time, also where another process has older rows in its cache', async () => {
    const before = { truncated: false, setAside: NONE_SET_ASIDE, rows: world.rows };
    const { cursor } = await world.page(account);
    const observedAt = world.clock.now();
    world.clock.advance(60_000);
    world.rows = [...world.rows, rowOf(0, { id: 'txn_fk_more' })];
    const next = await world.page(account, { cursor });
    world.cached = { value: before, observedAt };
    const { reads } = world;
    assert.deepEqual(
      (await world.page(account, { cursor })).added,
      [],
      'what it began with is recent enough',
    );
    assert.equal(world.reads, reads);
    const later = await world.page(account, { cursor: next.cursor });
    assert.deepEqual([later.removed, later.cursor, world.reads], [[], next.cursor, reads + 1]);
  });

  test('of another account or another owner is refused as one that was made up', async () => {
    const { cursor } = await world.page(account);
    const other = await world.account();
    const stranger = (await newOwner(database.db)).id;
    const theirs = await world.account(stranger);
    const signal = new AbortController().signal;
    const asked = { cursor, days: null, includePending: null, limit: 5, size: null };
    const answers = await Promise.all(
      [
        world.page(other, { cursor }),
        world.process().page(stranger, { ...asked, account: theirs }, signal),
        world.page(account, { cursor: 'made up' }),
        world.page(account, { cursor: `${cursor.slice(0, -4)}AAAA` }),
      ].map((answer) =>
        answer.then(
          () => assert.fail('it was taken'),
          (error: ServiceError) => [error.code, error.message, error.param],
        ),
      ),
    );
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.equal(answers[0]?.[0], 'cursor_invalid');
    await assert.rejects(
      world.process().page(stranger, { ...asked, account }, signal),
      refused('resource_missing'),
    );
  });

  test('refuses other days and another choice of pending rows than it began with', async () => {
    const { cursor } = await world.page(account, { days: 10 });
    await world.page(account, { cursor, days: 10, includePending: false });
    await assert.rejects(world.page(account, { cursor, days: 11 }), refused('parameter_invalid'));
    await assert.rejects(world.page(account, { cursor, includePending: true }), refused('parameter_invalid'));
  });
});

describe('a posted row is removed', () => {
  test('only once two reads a day apart lack it, and never because of an error or a short answer', async () => {
    world.rows = [...world.rows, earlier()];
    const { cursor } = await world.page(account);
    const gone = rowOf(6);
    const removedBy = async (): Promise<string[]> => idsOf((await world.page(account, { cursor })).removed);
    world.rows = world.rows.filter(({ id }) => id !== gone.id);
    assert.deepEqual(await removedBy(), []);
    world.clock.advance(19 * 3_600_000);
    assert.deepEqual(await removedBy(), []);
    world.clock.advance(3_600_000);
    world.answer = () => ({ rows: [] });
    assert.deepEqual(await removedBy(), [], 'an empty answer');
    world.answer = (rows) => ({ rows: rows.slice(0, 2) });
    assert.deepEqual(await removedBy(), [], 'a short answer');
    world.answer = (rows) => ({ rows });
    world.loading = true;
    assert.deepEqual(await removedBy(), [], 'a provider that is still copying');
    world.loading = false;
    assert.deepEqual(await removedBy(), [], 'the short answer said nothing about it, so this is the first');
    world.clock.advance(20 * 3_600_000);
    assert.deepEqual(await removedBy(), [gone.id]);
  });

  test('not while the bank lists it unreadable, or more rows than are named', async () => {
    world.rows = [...world.rows, earlier()];
    const { cursor } = await world.page(account);
    const gone = world.rows.find(({ id }) => id === rowOf(6).id);
    assert.ok(gone);
    world.rows = world.rows.filter((row) => row !== gone);
    const aside = { id: gone.id, key: gone.id, day: gone.date, field: 'amount', reason: 'missing' } as const;
    for (const setAside of [
      { count: 1, rows: [aside] },
      { count: 2, rows: [{ ...aside, id: 'txn_fk_other' }] },
    ]) {
      world.answer = (rows) => ({ rows, setAside });
      for (let day = 0; day < 3; day++) {
        world.clock.advance(DAY_MS);
        assert.deepEqual((await world.page(account, { cursor })).removed, []);
      }
    }
  });

  test('and the evidence is kept until the page that has it', async () => {
    world.rows = [...world.rows, earlier()];
    const { cursor } = await world.page(account);
    const gone = [rowOf(5), rowOf(6)];
    world.rows = world.rows.filter(({ id }) => !gone.some((row) => row.id === id));
    await world.page(account, { cursor });
    world.clock.advance(DAY_MS);
    const copy = new Copy(new Map(gone.map((row) => [row.id, row])), cursor);
    const first = await world.page(account, { cursor, limit: 1 });
    copy.apply(first);
    assert.equal(first.hasMore, true);
    const second = await world.page(account, { cursor: first.cursor, limit: 1 });
    copy.apply(second);
    assert.deepEqual([copy.rows.size, second.hasMore], [0, false]);
  });
});

describe('days that are no longer tracked', () => {
  test('move with today 31 days after it, and their rows are neither removed nor added again', async () => {
    const first = await world.page(account, { days: 5 });
    assert.deepEqual([first.added.length, first.firstDay], [6, world.daysAgo(5)]);
    world.clock.advance(4 * DAY_MS);
    const soon = await world.page(account, { cursor: first.cursor });
    assert.deepEqual([soon.added, soon.firstDay], [[], first.firstDay]);
    world.clock.advance(16 * DAY_MS);
    await world.page(account, { cursor: first.cursor });
    world.clock.advance(15 * DAY_MS);
    const next = await world.page(account, { cursor: first.cursor });
    assert.deepEqual([next.added, next.removed, next.firstDay], [[], [], world.daysAgo(36)]);
    world.rows = [];
    for (let day = 0; day < 4; day++) {
      world.clock.advance(DAY_MS);
      assert.deepEqual((await world.page(account, { cursor: first.cursor })).removed, []);
    }
  });

  test('include none that the client has not seen, however long it was away', async () => {
    const { cursor } = await world.page(account, { days: 5 });
    world.clock.advance(25 * DAY_MS);
    world.rows = [
      ...world.rows,
      ...Array.from({ length: 25 }, (_, at) => rowOf(at, { id: `txn_fk_new_${at}` })),
    ];
    const page = await world.page(account, { cursor });
    assert.equal(page.added.length, 25);
  });

  test('begin later if one cursor would track more rows [limit change_rows]', async () => {
    await open({ change_rows: 4 });
    const first = await world.page(account);
    assert.deepEqual([first.added.length, first.truncated, first.firstDay], [10, true, world.daysAgo(3)]);
    world.rows = world.rows.map((row) => ({ ...row, description: 'changed' }));
    const next = await world.page(account, { cursor: first.cursor });
    assert.deepEqual([idsOf(next.modified), next.added], [idsOf([0, 1, 2, 3].map((at) => rowOf(at))), []]);
  });

  test('begin later if one read cannot have them all, without removing what it cut off', async () => {
    await open({ transaction_rows: 6 });
    const first = await world.page(account);
    assert.deepEqual([first.added.length, first.truncated, first.firstDay], [5, true, world.daysAgo(4)]);
    world.rows = [...world.rows, rowOf(0, { id: 'txn_fk_more' })];
    for (let day = 0; day < 4; day++) {
      const next = await world.page(account, { cursor: first.cursor });
      assert.deepEqual(next.removed, []);
      world.clock.advance(DAY_MS);
    }
  });

  test('a bank that refuses the days before them is read from the first of them', async () => {
    const { cursor, firstDay } = await world.page(account);
    world.beforeRead = ({ from }) => {
      if (from < firstDay) throw new ServiceError('upstream_bad_request');
    };
    world.rows = [...world.rows, rowOf(0, { id: 'txn_fk_more' })];
    assert.deepEqual(idsOf((await world.page(account, { cursor })).added), ['txn_fk_more']);
  });
});

describe('what is stored', () => {
  test('contains neither texts nor amounts, and is gone with the account', async () => {
    world.rows = [rowOf(0, { description: 'SECRET SHOP' })];
    await world.page(account);
    const row = await database.db
      .selectFrom('change_snapshots')
      .selectAll()
      .where('account', '=', account)
      .executeTakeFirstOrThrow();
    assert.ok(!Buffer.from(row.state).includes('SECRET'));
    assert.ok(row.state.length < 100, `${row.state.length} bytes`);
    await database.db.deleteFrom('accounts').where('id', '=', account).execute();
    assert.equal((await world.stored()).snapshots, 0);
  });

  test('of one owner ends with the least recently used feed, and leaves others alone [limit change_feeds]', async () => {
    await open({ change_feeds: 3 });
    const other = await FeedWorld.open(database.db, { change_feeds: 3 });
    const theirs = await other.account();
    const kept = await other.page(theirs);
    const cursors: string[] = [];
    for (let at = 0; at < 4; at++) {
      world.clock.advance(2 * 3_600_000);
      if (at === 3) await world.page(account, { cursor: cursors[0] ?? '' });
      cursors.push((await world.page(account)).cursor);
    }
    assert.equal((await world.stored()).feeds, 3);
    await assert.rejects(world.page(account, { cursor: cursors[1] ?? '' }), refused('cursor_expired'));
    for (const at of [0, 2, 3]) await world.page(account, { cursor: cursors[at] ?? '' });
    await other.page(theirs, { cursor: kept.cursor });
  });

  test('of one owner takes so many bytes, whatever is asked for at once [limit change_bytes]', async () => {
    const most = 4096;
    await open({ change_bytes: most });
    await Promise.all(Array.from({ length: 20 }, () => world.page(account)));
    const { bytes, feeds } = await world.stored();
    assert.ok(bytes <= most, `${bytes} bytes`);
    assert.ok(feeds > 1 && feeds < 20, `${feeds} feeds`);
    world.rows = Array.from({ length: 400 }, (_, at) => rowOf(at % 20, { id: `txn_fk_many_${at}` }));
    const large = await world.page(account);
    assert.equal((await world.stored()).feeds, 1, 'the one in use is kept, and no other');
    assert.deepEqual((await world.page(account, { cursor: large.cursor })).added, []);
  });

  test('of repeated requests is no more than of a few', async () => {
    const { cursor } = await world.page(account);
    world.rows = [...world.rows, rowOf(0, { id: 'txn_fk_more' })];
    for (let at = 0; at < 10; at++) await world.page(account, { cursor });
    assert.equal((await world.stored()).snapshots, 4);
  });
});

test('a process that dies before any statement of a request leaves cursors that lead to the same rows', async () => {
  let deaths = 0;
  for (let statement = 0; ; statement++) {
    await open();
    const copy = new Copy();
    copy.apply(await world.page(account, { limit: 4 }));
    world.rows = [...world.rows.slice(0, 9), rowOf(0, { id: 'txn_fk_more' })];
    const death = new Death(statement);
    const dying = world.process(database.db.withPlugin(death));
    await world.page(account, { cursor: copy.cursor, limit: 4 }, dying).then(
      () => undefined,
      (error) => assert.ok(death.happened, String(error)),
    );
    for (let more = true; more; ) {
      const page = await world.page(account, { cursor: copy.cursor, limit: 4 });
      copy.apply(page);
      more = page.hasMore;
    }
    assert.deepEqual(idsOf([...copy.rows.values()]).length, 10 + Number(copy.rows.has(rowOf(9).id)));
    assert.deepEqual(
      idsOf(world.rows).filter((id) => !copy.rows.has(id)),
      [],
    );
    if (!death.happened) break;
    deaths += 1;
  }
  assert.ok(deaths >= 5, `${deaths} statements`);
});

test('one page has so many changes, and the next one the others [limit change_page_rows]', async () => {
  const copy = new Copy();
  const sizes: number[] = [];
  for (let more = true; more; ) {
    const page = await world.page(account, { cursor: copy.cursor, limit: 4 });
    sizes.push(page.added.length);
    copy.apply(page);
    more = page.hasMore;
    // The bank changes between two pages.
    if (sizes.length === 1) world.rows = [...world.rows, rowOf(1, { id: 'txn_fk_between' })];
  }
  assert.deepEqual(sizes, [4, 4, 3]);
  assert.deepEqual(idsOf([...copy.rows.values()]), idsOf(world.rows));
});
