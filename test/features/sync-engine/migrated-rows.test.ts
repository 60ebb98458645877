import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { removalOf } from '../../../src/features/sync-engine/compare/row-changes.ts';
import { deliveredChunk } from '../../../src/features/sync-engine/deliver/chunks.ts';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { posted } from './support/bank.ts';
import { closeDatabase, World } from './support/world.ts';

const DAY = 86_400_000;
after(closeDatabase);

const [a, b, c] = [posted(1, { day: 30 }), posted(2, { day: 30 }), posted(3, { day: 30 })];
/** So many and so old that one of the rows above is missed when it is not listed. */
const others = Array.from({ length: 20 }, (_, at) => posted(100 + at, { day: at }));
const was = (row: Transaction, ...former: Transaction[]): Transaction => ({
  ...row,
  former_ids: former.map(({ id }) => id),
});
const changed = (row: Transaction): Transaction => ({ ...row, description: 'changed' });

interface Delivered {
  readonly world: World;
  readonly sync: Sync;
  readonly account: RowId<'account'>;
  /** What the bank lists from now on. */
  list(...rows: Transaction[]): void;
  /** Runs once a day; each run succeeds. */
  days(count: number): Promise<void>;
  /** Of the destination, without the others. */
  ids(): string[];
}

async function delivered(...rows: Transaction[]): Promise<Delivered> {
  const world = await World.open();
  const account = world.account();
  const list = (...listed: Transaction[]) => void world.bank.accounts.set(account, [...listed, ...others]);
  list(...rows);
  // Young, so that everything is read again every day.
  world.bank.linkedAt = world.clock.now();
  const sync = await world.sync([account]);
  assert.equal((await world.run(sync)).status, 'succeeded');
  const days = async (count: number) => {
    for (let day = 0; day < count; day++) {
      world.clock.advance(DAY);
      const run = await world.run(sync);
      assert.deepEqual([run.status, await world.inDoubt(sync)], ['succeeded', []]);
    }
  };
  const kept = new Set(others.map(({ id }) => id));
  const ids = () => [...world.receiver.rows().keys()].filter((id) => !kept.has(id)).sort();
  return { world, sync, account, list, days, ids };
}

const idsOf = (...rows: Transaction[]) => rows.map(({ id }) => id);

describe('One row alone replaces another', () => {
  for (const pageSize of [1, 200]) {
    test(`where two name it: the second is a new row, in pages of ${pageSize}`, async () => {
      const { world, list, days, ids } = await delivered(a);
      world.bank.pageSize = pageSize;
      list(was(b, a), was(c, a));
      await days(1);
      assert.deepEqual(ids(), idsOf(b, c));
      const told = world.receiver.events.at(-1)?.data;
      assert.deepEqual(
        [told?.updated, told?.new].map((rows) =>
          rows?.map((row) => [row.transaction, row.replaces_transaction]),
        ),
        [[[b.id, a.id]], [[c.id, null]]],
      );
      await days(3);
      assert.deepEqual(ids(), idsOf(b, c));
      await world.close();
    });

    test(`and none that is listed itself, in pages of ${pageSize}`, async () => {
      const { world, list, days, ids } = await delivered(a);
      world.bank.pageSize = pageSize;
      list(changed(a), was(b, a));
      await days(1);
      assert.deepEqual(ids(), idsOf(a, b));
      assert.equal(world.receiver.rows().get(a.id)?.description, 'changed');
      await world.close();
    });

    test(`and none that took another's place in the same read, in pages of ${pageSize}`, async () => {
      const { world, list, days, ids } = await delivered(a, b);
      world.bank.pageSize = pageSize;
      list(was(changed(b), a), was(c, b));
      await days(1);
      assert.deepEqual(ids().slice(-2), idsOf(b, c));
      assert.equal(world.receiver.rows().get(b.id)?.description, 'changed');
      await world.close();
    });
  }

  test('and one that is listed only after another took its place is delivered by the next run', async () => {
    const { world, list, days, ids } = await delivered(a);
    world.bank.pageSize = 1;
    list(was(b, a), changed(a));
    await days(2);
    assert.deepEqual(ids(), idsOf(a, b));
    await world.close();
  });
});

describe('A former id', () => {
  test('that was listed beside the new one for a day is removed once it is listed no more', async () => {
    const { list, days, ids, world } = await delivered(a);
    list(a, was(b, a));
    await days(1);
    assert.deepEqual(ids(), idsOf(a, b));
    list(was(b, a));
    await days(4);
    assert.deepEqual(ids(), idsOf(b));
    await world.close();
  });

  test('that the provider goes back to replaces the new one', async () => {
    const { list, days, ids, world } = await delivered(a);
    list(was(b, a));
    await days(1);
    assert.deepEqual(ids(), idsOf(b));
    list(was(a, b));
    await days(1);
    assert.deepEqual(ids(), idsOf(a));
    await days(4);
    assert.deepEqual(ids(), idsOf(a));
    assert.equal(world.receiver.events.flatMap(({ data }) => data.removed).length, 0);
    await world.close();
  });
});

test('a row that was replaced in the chunk in which it changed is recorded once, as gone', async () => {
  const { world, sync } = await delivered(a);
  const stream = await world.database.db
    .selectFrom('delivery_streams')
    .selectAll()
    .where('sync', '=', sync.row.id)
    .executeTakeFirstOrThrow();
  const gone = removalOf({ ...stream, present: true }, a.id, null);
  const changes = [
    { ...gone, change: 'updated' as const },
    { ...gone, id: b.id, change: 'updated' as const, replaces: a.id },
    { ...gone, id: c.id, change: 'updated' as const, replaces: a.id },
  ];
  const written = { rejected: [], remoteRefs: new Map(), existed: new Map() };
  const { ledger } = deliveredChunk('evt', changes, written, { processed: 3, skipped: 0 }, new Date(0));
  const found = ledger.map(({ sourceId, retired }) => [sourceId, retired]);
  assert.deepEqual(found.toSorted(), [
    [a.id, true],
    [b.id, false],
    [c.id, false],
  ]);
  await world.close();
});
