import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { addDays, localDate, localDateAt } from '../../../src/vocabulary/moments.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { EPOCH, pending, posted } from './support/bank.ts';
import { problemsOf, verified } from './support/verification.ts';
import { closeDatabase, World } from './support/world.ts';

const DAY = 86_400_000;
after(closeDatabase);

/** A row for each day from 100 days before the test on; some are posted days after the purchase. */
function daily(first: string, number: number) {
  const bought = addDays(localDate(first), number - 100);
  const settled = addDays(bought, number % 6);
  return posted(number, {
    date: bought,
    datetime: `${bought}T10:00:00+10:00`,
    post_date: settled,
    post_datetime: `${settled}T20:00:00+10:00`,
  });
}

for (const [days, perDay] of [
  [90, 1],
  [40, 1],
  [90, 20],
] as const) {
  test(`what falls out of the last ${days} days that a bank shows, ${perDay} rows a day, stays at the destination`, async () => {
    const world = await World.open();
    const account = world.account();
    const first = localDateAt(world.clock.now(), 'Australia/Sydney');
    const rows = Array.from({ length: 112 * perDay }, (_, number) => ({
      ...daily(first, Math.floor(number / perDay)),
      id: posted(number).id,
    }));
    const show = (today: number) =>
      world.bank.accounts.set(
        account,
        rows.slice((101 + today - days) * perDay, (101 + today) * perDay).reverse(),
      );
    show(0);
    // Young, so that everything is read again every day.
    world.bank.linkedAt = world.clock.now();
    const options = { data_from: localDate('2020-01-01') };
    const sync = await world.sync([account], { options });
    await world.run(sync);
    for (let today = 1; today <= 10; today++) {
      world.clock.advance(DAY);
      show(today);
      assert.equal((await world.run(sync)).status, 'succeeded');
    }
    assert.equal(world.receiver.rows().size, (days + 10) * perDay);
    assert.ok(world.receiver.events.every(({ data }) => data.removed.length === 0));
    const { row } = await world.syncs.read(world.owner.id, sync.row.id);
    assert.equal(row.attention, null, 'and nobody is asked to look into it');
  });
}

test('a bank that opens the past no further than the sync begins is read in full, and keeps losing what it takes back', async () => {
  const world = await World.open();
  const account = world.account();
  const first = localDateAt(world.clock.now(), 'Australia/Sydney');
  const floor = addDays(first, -100);
  const rows = Array.from({ length: 30 }, (_, number) => daily(first, 3 * number));
  const held = { ...pending(1), date: addDays(first, -1) };
  world.bank.accounts.set(account, [held, ...rows]);
  world.bank.linkedAt = world.clock.now();
  // Pending rows come first, and whatever the window is.
  world.bank.beforePage = (_, page) => {
    const from = world.bank.windows.at(-1)?.from ?? first;
    if (page === 1 && from < floor) throw new ServiceError('upstream_bad_request');
  };
  world.bank.pageSize = 1;
  const sync = await world.sync([account], { options: { data_from: floor, include_pending: true } });
  const runDaily = async (days: number) => {
    for (let day = 0; day < days; day++) {
      assert.equal((await world.run(sync)).status, 'succeeded');
      world.clock.advance(DAY);
    }
  };
  await runDaily(2);
  assert.ok(world.bank.windows.some(({ from }) => from < floor));
  assert.equal(world.receiver.rows().size, 31);
  const late = daily(first, 85);
  // One of the sync's first month, of which such a read shows too little, and one of later.
  world.bank.accounts.set(account, [
    held,
    late,
    ...rows.filter((_, number) => number !== 1 && number !== 20),
  ]);
  await runDaily(3);
  const names = [...world.receiver.rows().values()].map(({ description }) => description);
  assert.equal(names.length, 31);
  assert.deepEqual(
    ['row 85', 'row 3', 'row 60'].map((name) => names.includes(name)),
    [true, true, false],
  );
  assert.ok([...world.receiver.newCounts().values()].every((count) => count === 1));
});

test('a bank that leaves out most rows of a small account empties nothing, and asks for attention', async () => {
  const world = await World.open();
  const account = world.account();
  const first = localDateAt(world.clock.now(), 'Australia/Sydney');
  const rows = Array.from({ length: 9 }, (_, number) => daily(first, number * 10));
  world.bank.accounts.set(account, rows);
  world.bank.linkedAt = world.clock.now();
  const options = { data_from: localDate('2020-01-01') };
  const sync = await world.sync([account], { options });
  await world.run(sync);
  world.bank.accounts.set(account, rows.slice(0, 2));
  for (let day = 0; day < 4; day++) {
    world.clock.advance(DAY);
    assert.equal((await world.run(sync)).status, 'succeeded');
  }
  assert.equal(world.receiver.rows().size, 9);
  const attention = async () => (await world.syncs.read(world.owner.id, sync.row.id)).row.attention;
  assert.equal(await attention(), 'data_invalid');
  // One of them was taken back indeed.
  world.bank.accounts.set(account, [...rows.slice(0, 4), ...rows.slice(5)]);
  for (let day = 0; day < 4; day++) {
    world.clock.advance(DAY);
    await world.run(sync);
  }
  assert.equal(world.receiver.rows().size, 8);
  assert.equal(await attention(), null);
});

describe('a verification takes no row for withdrawn', () => {
  async function delivered(rows: readonly Transaction[]) {
    const world = await World.open();
    const account = world.account();
    const bank = (...now: Transaction[]) => world.bank.accounts.set(account, now);
    bank(...rows);
    const sync = await world.sync([account]);
    assert.equal((await world.run(sync)).status, 'succeeded');
    return { world, sync, bank };
  }

  test('that fell out of the days that the bank shows', async () => {
    const shown = [20, 30, 40, 45].map((day, number) => posted(number + 10, { day }));
    const { world, sync, bank } = await delivered([posted(1, { day: 2 }), posted(2, { day: 10 }), ...shown]);
    bank(...shown);
    const { problems, counts } = await verified(world, sync);
    assert.deepEqual([problems, counts.alike], [[], 4]);
    const [withdrawn] = shown.slice(2);
    bank(...shown.filter((row) => row !== withdrawn));
    assert.deepEqual(problemsOf(await verified(world, sync)), [['withdrawn_by_bank', withdrawn?.id]]);
    await world.close();
  });

  test('while the bank still loads the history', async () => {
    const rows = [posted(1, { day: 20 }), posted(2, { day: 30 }), posted(3, { day: 30 })];
    const { world, sync, bank } = await delivered(rows);
    bank(...rows.slice(0, 2));
    world.bank.history = () => 'loading';
    assert.deepEqual((await verified(world, sync)).problems, []);
    world.bank.history = () => 'complete';
    assert.deepEqual(problemsOf(await verified(world, sync)), [['withdrawn_by_bank', posted(3).id]]);
    await world.close();
  });

  test('that was bought before a first day that was moved forward, and posted after it', async () => {
    const late = posted(1, { day: 19, post_date: addDays(EPOCH, 22) });
    const { world, sync } = await delivered([late, posted(2, { day: 18 }), posted(3, { day: 45 })]);
    const first = addDays(EPOCH, 20);
    await world.syncs.update(world.owner, sync.row.id, { options: { data_from: first } });
    const { problems, counts } = await verified(world, sync);
    assert.deepEqual([problems, counts.alike], [[], 1]);
    // As where a consent opens no more of the past.
    world.bank.beforePage = () => {
      const from = world.bank.windows.at(-1)?.from ?? first;
      if (from < first) throw new ServiceError('upstream_bad_request');
    };
    assert.deepEqual((await verified(world, sync)).problems, []);
    await world.close();
  });
});

describe('rows that the service has itself', () => {
  /** Nine rows, delivered by the first run. */
  const nine = async () => {
    const world = await World.open();
    const account = world.account();
    const first = localDateAt(world.clock.now(), 'Australia/Sydney');
    const rows = Array.from({ length: 9 }, (_, number) => daily(first, number));
    world.bank.accounts.set(account, rows);
    world.bank.stored = true;
    world.bank.history = () => ({ version: 'first' });
    const sync = await world.sync([account], { options: { data_from: localDate('2020-01-01') } });
    await world.run(sync);
    assert.equal(world.receiver.rows().size, 9);
    world.clock.advance(60_000);
    return { world, account, rows, sync };
  };

  test('are removed by the run after they are missing, however soon', async () => {
    const { world, account, rows, sync } = await nine();
    for (const [version, left] of [
      ['second', rows.slice(1)],
      ['third', []],
    ] as const) {
      world.bank.history = () => ({ version });
      world.bank.accounts.set(account, [...left]);
      await world.run(sync);
      assert.equal(world.receiver.rows().size, left.length);
    }
    await world.close();
  });

  test('are read from the first day only when there is another version', async () => {
    const { world, sync } = await nine();
    const wide = async (): Promise<boolean> => {
      world.bank.windows.length = 0;
      await world.run(sync);
      return world.bank.windows.some(({ since }) => since === null);
    };
    assert.equal(await wide(), false);
    world.bank.history = () => ({ version: 'second' });
    assert.equal(await wide(), true);
    assert.equal(await wide(), false);
    await world.close();
  });

  test('stay if they were forgotten, or there is another version, while they were read', async () => {
    for (const meanwhile of ['forgotten', { version: 'third' }] as const) {
      const { world, account, rows, sync } = await nine();
      let asked = 0;
      world.bank.history = () => {
        asked += 1;
        return asked === 1 ? { version: 'second' } : meanwhile;
      };
      world.bank.accounts.set(account, []);
      await world.run(sync);
      assert.equal(asked, 2);
      assert.equal(world.receiver.rows().size, 9);
      // The next run reads everything again.
      world.bank.accounts.set(account, rows.slice(1));
      await world.run(sync);
      assert.equal(world.receiver.rows().size, meanwhile === 'forgotten' ? 9 : 8);
      await world.close();
    }
  });
});
