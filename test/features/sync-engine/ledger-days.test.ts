import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  completeEntries,
  ledgerEntries,
  type PostedEntry,
  postedEntries,
  provisionalEntries,
} from '../../../src/storage/delivery-ledger.ts';
import { claimRun } from '../../../src/storage/run-leases.ts';
import { addDays, localDate } from '../../../src/vocabulary/moments.ts';
import { ASKED } from '../../support/actors.ts';
import { EPOCH, pending, posted } from './support/bank.ts';
import { closeDatabase, World } from './support/world.ts';

after(closeDatabase);

const FIRST = Date.parse(EPOCH) / 86_400_000;

async function streamOf(world: World, sync: string): Promise<number> {
  const streams = await world.database.db.selectFrom('delivery_streams').select(['id', 'sync']).execute();
  return streams.find((stream) => stream.sync === sync)?.id ?? assert.fail('no stream');
}

async function all(world: World, stream: number, from: number, to: number, limit: number) {
  const entries: PostedEntry[] = [];
  let after: number | null = null;
  for (let pages = 1; ; pages++) {
    const page = await postedEntries(world.database.db, stream, { from, to, after, limit });
    assert.ok(page.entries.length <= limit);
    entries.push(...page.entries);
    if (page.next === null) return { entries, pages };
    after = page.next;
  }
}

test('the ledger lists the posted rows of a window of days, each once, whatever the size of a page', async () => {
  const world = await World.open();
  const account = world.account();
  const rows = Array.from({ length: 60 }, (_, number) => posted(number, { day: number % 50 }));
  const bought = posted(60, { day: 10, post_date: addDays(EPOCH, 12) });
  world.bank.accounts.set(account, [...rows, bought, pending(1, { day: 40 })]);
  const options = { data_from: localDate('2020-01-01'), include_pending: true };
  const sync = await world.sync([account], { options });
  await world.run(sync);
  const stream = await streamOf(world, sync.row.id);

  const wanted = [...rows, bought]
    .map((row) => ({ id: row.id, day: Date.parse(row.post_date ?? '') / 86_400_000 }))
    .filter(({ day }) => day >= FIRST + 5 && day <= FIRST + 12);
  for (const limit of [1, 7, 62, 1000]) {
    const { entries } = await all(world, stream, FIRST + 5, FIRST + 12, limit);
    assert.deepEqual(
      entries
        .map(({ source_id, day }) => ({ id: source_id, day }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      wanted.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    assert.deepEqual(
      entries.map(({ slot }) => slot),
      entries.map(({ slot }) => slot).toSorted((a, b) => a - b),
    );
  }
  assert.equal((await all(world, stream, FIRST - 10_000_000, FIRST + 10_000_000, 10)).entries.length, 61);
  assert.deepEqual((await all(world, stream, FIRST + 60, FIRST + 90, 1000)).entries, []);
  assert.deepEqual((await all(world, stream + 1_000_000, FIRST, FIRST + 90, 1000)).entries, []);

  const [entry] = await provisionalEntries(world.database.db, stream);
  assert.deepEqual([entry?.source_id, entry?.day], [pending(1).id, FIRST + 40]);
  await world.close();
});

test('a row that is retired is not listed', async () => {
  const world = await World.open();
  const account = world.account();
  const options = { data_from: localDate('2020-01-01'), include_pending: true };
  world.bank.accounts.set(account, [posted(1, { day: 41 }), pending(1, { day: 41, cents: -5 })]);
  const sync = await world.sync([account], { options });
  await world.run(sync);
  world.bank.accounts.set(account, [posted(1, { day: 41 })]);
  await world.run(sync);
  const stream = await streamOf(world, sync.row.id);
  const { entries } = await all(world, stream, FIRST, FIRST + 90, 10);
  assert.deepEqual(
    entries.map((entry) => entry.source_id),
    [posted(1).id],
  );
  await world.close();
});

test('the day of a row whose content stands is set by who holds the lease, and by no one else', async () => {
  const world = await World.open();
  const account = world.account();
  world.bank.accounts.set(account, [posted(1, { day: 41 }), posted(2, { day: 42 })]);
  const sync = await world.sync([account]);
  await world.run(sync);
  const { db } = world.database;
  const stream = await streamOf(world, sync.row.id);
  await db.updateTable('delivery_ledger').set({ day: null }).where('stream', '=', stream).execute();
  assert.deepEqual((await all(world, stream, FIRST, FIRST + 90, 10)).entries, []);

  const { row } = await world.runs.start(world.owner.id, sync.row.id, ASKED);
  const now = world.clock.now();
  const held = await claimRun(db, { run: row.id }, new Date(now), new Date(now + 15_000));
  const known = await ledgerEntries(db, stream, [posted(1).id, posted(2).id, posted(3).id]);
  assert.deepEqual(
    [...known.values()].map((entry) => entry.day),
    [null, null],
  );
  const days = [...known.values()].map(({ slot }, at) => ({ slot, day: FIRST + 41 + at }));
  const lease = { run: row.id, fence: held?.fence ?? 0 };
  assert.equal(await completeEntries(db, { ...lease, fence: lease.fence - 1 }, stream, days), false);
  assert.deepEqual((await all(world, stream, FIRST, FIRST + 90, 10)).entries, []);
  assert.equal(await completeEntries(db, lease, stream, days), true);
  assert.equal((await all(world, stream, FIRST + 41, FIRST + 42, 10)).entries.length, 2);
  await world.close();
});
