import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import { withOwnId } from '../../../src/platform/shared-row-ids.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { addDays } from '../../../src/vocabulary/moments.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { SOME_KEY } from '../../support/actors.ts';
import { posted } from './support/bank.ts';
import { runAndDie } from './support/death.ts';
import { closeDatabase, World } from './support/world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let world: World;
let account: RowId<'account'>;
let sync: Sync;
beforeEach(async () => {
  world = await World.open();
  account = world.account();
});
afterEach(() => world.close());
after(closeDatabase);

/** The row under the id of another session of the bank. */
const reissued = (row: Transaction, session = 'b'): Transaction => ({ ...row, id: `${row.id}_${session}` });
const moved = (row: Transaction, days: number): Transaction => {
  const date = addDays(row.post_date ?? assert.fail(), days);
  return { ...row, date, post_date: date, datetime: null, post_datetime: null };
};
const list = (...rows: readonly Transaction[]): void => void world.bank.accounts.set(account, [...rows]);
const rowsOf = (count: number): readonly Transaction[] =>
  Array.from({ length: count }, (_, at) => posted(at, { day: at % 45 }));
/** What the receiver has, as the bank would list it. */
const held = (): string[] => [...world.receiver.rows().keys()].toSorted();
const idsOf = (rows: readonly Transaction[]): string[] => rows.map(({ id }) => id).toSorted();

async function delivered(rows: readonly Transaction[]): Promise<void> {
  list(...rows);
  world.bank.linkedAt = world.clock.now();
  sync = await world.sync([account]);
  assert.equal((await world.run(sync)).status, 'succeeded');
}

async function run(after = 0) {
  world.clock.advance(after);
  const row = await world.run(sync);
  assert.equal(row.status, 'succeeded');
  return row;
}

async function attention(): Promise<string | null> {
  return (await world.syncs.read(world.owner.id, sync.row.id)).row.attention;
}

describe('Rows that come back under new ids stay one row each', () => {
  for (const some of [100, 5]) {
    test(`${some} of 100, in the next read of everything, as updates under their new ids`, async () => {
      const rows = rowsOf(100);
      await delivered(rows);
      const now = rows.map((row, at) => (at < some ? reissued(row) : row));
      list(...now);
      const { added, updated } = await run(DAY);
      assert.deepEqual([added, updated, held()], [0, some, idsOf(now)]);
      assert.equal(await attention(), null);
      const quiet = await run(DAY);
      assert.deepEqual([quiet.added, quiet.updated], [0, 0]);
    });
  }

  test('in every read again, by a bank whose ids belong to a session', async () => {
    const rows = rowsOf(40);
    await delivered(rows);
    for (const session of ['b', 'c', 'd']) {
      list(...rows.map((row) => reissued(row, session)));
      assert.equal((await run(6 * HOUR)).added, 0);
      assert.equal(held().length, 40);
    }
    list(...rows);
    const { added } = await run(DAY);
    assert.deepEqual([added, held()], [0, idsOf(rows)], 'and under the ids they had first');
  });

  test('in a ledger that does not grow with each session of the bank [limit retired_rows]', async () => {
    await world.close();
    world = await World.open({ limits: { retired_rows: 100 } });
    account = world.account();
    const rows = rowsOf(40);
    await delivered(rows);
    const entries = async () => {
      const { db } = world.database;
      const streams = db.selectFrom('delivery_streams').select('id').where('sync', '=', sync.row.id);
      const { id } = await streams.executeTakeFirstOrThrow();
      return db.selectFrom('delivery_ledger').select('state').where('stream', '=', id).execute();
    };
    const counts: number[] = [];
    for (let session = 0; session < 7; session++) {
      const now = rows.map((row) => reissued(row, `s${session}`));
      list(...now);
      assert.equal((await run(DAY)).added, 0);
      assert.deepEqual(held(), idsOf(now));
      counts.push((await entries()).length);
    }
    assert.deepEqual(counts, [80, 120, 90, 130, 90, 130, 90]);
  });

  test('beside genuinely equal rows, which stay separate', async () => {
    const coffee = Array.from({ length: 4 }, (_, at) => ({
      ...posted(1, { day: 30 }),
      id: `txn_fk_coffee${at}`,
    }));
    await delivered([...coffee, ...rowsOf(20)]);
    const now = [...coffee.map((row) => reissued(row)), { ...posted(1, { day: 30 }), id: 'txn_fk_coffee9' }];
    list(...now, ...rowsOf(20));
    const { added, updated } = await run(DAY);
    assert.deepEqual([added, updated], [1, 4]);
    assert.deepEqual(held(), idsOf([...now, ...rowsOf(20)]));
  });

  test('when the booking day, the category or the spelling of the text changed as well', async () => {
    const rows = rowsOf(30);
    await delivered(rows);
    const now = rows.map((row, at) => {
      const other = reissued(row);
      if (at % 3 === 0) return moved(other, 1);
      if (at % 3 === 1) return { ...other, provider_category: 'TRAVEL', merchant_name: 'Elsewhere' };
      return { ...other, description: ` ${other.description.toLowerCase()}  ` };
    });
    list(...now);
    const { added } = await run(DAY);
    assert.deepEqual([added, held()], [0, idsOf(now)]);
  });

  test('in a read that is resumed after a crash, and in memory of a bounded number of rows', async () => {
    await world.close();
    world = await World.open({ limits: { pending_rows: 7 } });
    account = world.account();
    const rows = rowsOf(60);
    await delivered(rows);
    world.bank.pageSize = 11;
    list(...rows.map((row) => reissued(row)));
    const { added, updated } = await run(DAY);
    assert.deepEqual([added, updated], [0, 60]);
  });

  test('in a read that lists each row on two pages', async () => {
    const rows = rowsOf(20);
    await delivered(rows);
    world.bank.pageSize = 1;
    const now = rows.map((row) => reissued(row));
    list(...now.flatMap((row) => [row, row]));
    const { added, updated } = await run(DAY);
    assert.deepEqual([added, updated, held()], [0, 20, idsOf(now)]);
  });

  test('when the process dies between sending and recording them, at a bank whose ids belong to a session', async () => {
    const rows = rowsOf(30);
    for (let statement = 1, died = true; died; statement++) {
      await world.close();
      world = await World.open({ limits: { webhook_chunk_rows: 7 } });
      account = world.account();
      list(...rows);
      world.bank.linkedAt = world.clock.now();
      sync = await world.sync([account]);
      died = await runAndDie(world, sync, statement);
      list(...rows.map((row) => reissued(row, 'b')));
      await run();
      await run(DAY);
      assert.deepEqual(
        held(),
        idsOf(rows.map((row) => reissued(row, 'b'))),
        `new rows, statement ${statement}`,
      );
      list(...rows.map((row) => reissued(row, 'c')));
      world.clock.advance(DAY);
      died = (await runAndDie(world, sync, statement)) || died;
      list(...rows.map((row) => reissued(row, 'd')));
      await run();
      await run(DAY);
      assert.deepEqual(
        held(),
        idsOf(rows.map((row) => reissued(row, 'd'))),
        `updates, statement ${statement}`,
      );
    }
  });
});

describe('What cannot be paired one to one', () => {
  test('is left alone and reported, and settles with what the bank shows', async () => {
    const [one, two] = [moved(posted(1), 20), moved({ ...posted(1), id: 'txn_fk_two' }, 17)];
    await delivered([one, two, ...rowsOf(30).slice(2)]);
    const between = reissued(moved(one, -1));
    const now = [between, ...rowsOf(30).slice(2)];
    list(...now);
    const { added } = await run(DAY);
    assert.deepEqual([added, await attention()], [1, 'data_invalid']);
    for (let day = 0; day < 4; day++) await run(DAY);
    assert.deepEqual([held(), await attention()], [idsOf(now), null]);
  });

  test('other rows of the same amount are never taken for each other', async () => {
    const rows = rowsOf(20);
    await delivered(rows);
    const other = { ...reissued(rows[14] ?? assert.fail()), description: 'Something else' };
    const now = [...rows.filter((_, at) => at !== 14), other];
    list(...now);
    const { added, updated } = await run(DAY);
    assert.deepEqual([added, updated], [1, 0]);
    for (let day = 0; day < 3; day++) await run(DAY);
    assert.deepEqual(held(), idsOf(now));
  });
});

describe('A resync', () => {
  test('removes what the bank has not, again was missing than is believed', async () => {
    const rows = rowsOf(60);
    await delivered(rows);
    const now = rows.map((row) => ({ ...reissued(row), description: `renamed ${row.id}` }));
    list(...now);
    await run(DAY);
    assert.deepEqual([held().length > 60, await attention()], [true, 'data_invalid']);
    await world.runs.resync(world.owner.id, sync.row.id, SOME_KEY);
    await run();
    assert.deepEqual([held(), await attention()], [idsOf(now), null]);
  });

  test('removes nothing because of an answer without rows', async () => {
    const rows = rowsOf(30);
    await delivered(rows);
    list();
    await run(DAY);
    await world.runs.resync(world.owner.id, sync.row.id, SOME_KEY);
    await run();
    assert.equal(held().length, 30);
  });

  test('of rows under new ids sends each once, as an update', async () => {
    const rows = rowsOf(30);
    await delivered(rows);
    list(...rows.map((row) => reissued(row)));
    await world.runs.resync(world.owner.id, sync.row.id, SOME_KEY);
    const { added, updated } = await run(DAY);
    assert.deepEqual([added, updated, held().length], [0, 30, 30]);
  });
});

describe('Two rows under one id are two rows', () => {
  const under = (days: number, description: string, cents: number): Transaction => ({
    ...moved(posted(1), days),
    id: 'txn_fk_shared',
    description,
    amount: { amount: cents, currency: 'aud' },
  });

  test('which of them is in the window makes no difference', async () => {
    const [older, newer] = [under(-100, 'Rent', -90_000), under(-20, 'Power', -12_345)];
    const others = rowsOf(20).slice(2);
    await delivered([older, ...others]);
    list(newer, older, ...others);
    await run(6 * HOUR);
    const shown = () =>
      [...world.receiver.rows().values()].map(({ description }) => String(description)).toSorted();
    const wanted = [...others.map(({ description }) => description), 'Power', 'Rent'].toSorted();
    for (let day = 0; day < 9; day++) await run(DAY);
    assert.deepEqual(shown(), wanted);
    const ids = held();
    for (const listed of [[older], [newer], [older, newer]]) {
      list(...listed, ...others);
      await run(6 * HOUR);
    }
    assert.deepEqual([held(), shown()], [ids, wanted]);
  });

  test('each keeps its id, whichever of them is listed first, alone or twice, in every read of everything', async () => {
    const [older, newer] = [under(-100, 'Rent', -90_000), under(-20, 'Power', -12_345)];
    // Older than both, so that either would be missed.
    const others = [...rowsOf(20).slice(2), { ...moved(posted(1), -150), id: 'txn_fk_oldest' }];
    // Made of the rows, whose days move with today.
    const own = [`Power ${withOwnId(newer).id}`, `Rent ${withOwnId(older).id}`];
    const alone = [[newer], [older]];
    const pairs = [
      [newer, older],
      [older, newer],
    ];
    const shown = () =>
      [...world.receiver.rows()]
        .flatMap(([id, { description }]) => (id.startsWith('txn_fk_shared') ? [`${description} ${id}`] : []))
        .toSorted();
    for (const first of [...alone, ...pairs]) {
      await world.close();
      // Every read is one of everything, whichever hours the account record's sweeps are due in.
      world = await World.open({ limits: { sweep_all_hours: 1 } });
      account = world.account();
      await delivered([...first, ...others]);
      list(...[newer, older], ...others);
      await run(6 * HOUR);
      assert.deepEqual(shown(), own, 'the same ids, whatever was seen first');
      for (const listed of [...pairs, ...alone, ...pairs, [older, newer, older], ...pairs]) {
        list(...listed, ...others);
        const { added, updated } = await run(6 * HOUR);
        assert.deepEqual([added, updated], [0, 0]);
      }
      for (let day = 0; day < 3; day++) {
        list(...(day % 2 === 0 ? [older, newer] : [newer, older]), ...others);
        const { added, updated } = await run(DAY);
        assert.deepEqual([added, updated], [0, 0], 'none was missed');
      }
      assert.deepEqual(shown(), own);
    }
  });

  test('a few days apart, neither replaces the other', async () => {
    const [one, other] = [under(-20, 'Rent', -90_000), under(-19, 'Power', -12_345)];
    const others = rowsOf(20).slice(2);
    await world.close();
    world = await World.open({ limits: { sweep_all_hours: 1 } });
    account = world.account();
    await delivered([one, ...others]);
    for (const listed of [
      [other, one],
      [one, other],
    ]) {
      for (let day = 0; day < 3; day++) {
        list(...listed, ...others);
        await run(DAY);
        const ids = held().filter((id) => id.startsWith('txn_fk_shared'));
        assert.equal(ids.length, 2);
        assert.ok(ids.every((id) => id.includes('~~')));
        assert.equal(held().length, others.length + 2);
      }
    }
  });
});
