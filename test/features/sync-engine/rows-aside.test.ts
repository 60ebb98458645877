import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SyncSource } from '../../../src/features/sync-engine/read/sync-source.ts';
import { listRejectedRows, REJECTED_ROWS_KEPT } from '../../../src/storage/rejected-rows.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import type { SetAsideRow } from '../../../src/vocabulary/set-aside-rows.ts';
import { pending, posted } from './support/bank.ts';
import { closeDatabase, World } from './support/world.ts';

after(closeDatabase);

const WHY = { field: 'amount', reason: 'unreadable' } as const;

/** The bank, with rows set aside beside those that it lists. */
function setting(world: World, aside: readonly SetAsideRow[]): SyncSource {
  return {
    open: async (owner, account) => {
      const opened = await world.bank.open(owner, account);
      return {
        ...opened,
        async *pages(window, signal) {
          for (const row of aside) window.setAside?.(row);
          yield* opened.pages(window, signal);
        },
      };
    },
  };
}

test('of a sync 1,000 rows that cannot be read are remembered, and those beyond are counted', async () => {
  const world = await World.open();
  const account = world.account();
  world.bank.accounts.set(account, [posted(1)]);
  const aside = Array.from({ length: REJECTED_ROWS_KEPT + 7 }, (_, at) => ({
    id: `txn_fk_${at}`,
    key: `txn_fk_${at}`,
    day: null,
    ...WHY,
  }));
  world.source = setting(world, aside);
  const sync = await world.sync([account]);
  const run = await world.run(sync);
  assert.deepEqual([run.status, run.added, run.rejected, run.rejected_unlisted], ['succeeded', 1, 1007, 7]);
  const filter = { sync: sync.row.id, run: run.id, origin: null };
  const page = { limit: 2000, after: null, before: null };
  const listed = await listRejectedRows(world.database.db, world.owner.id, filter, page);
  assert.equal(listed.items.length, REJECTED_ROWS_KEPT);
  world.source = world.bank;
  await world.run(sync);
  await world.close();
});

test('a delivered row that may be one set aside without an id is not removed, and is once the bank shows that it is gone', async () => {
  const world = await World.open();
  const account = world.account();
  const options = { data_from: localDate('2020-01-01'), include_pending: true };
  const held = pending(1, { day: 40 });
  world.bank.accounts.set(account, [posted(1), held]);
  const sync = await world.sync([account], { options });
  await world.run(sync);
  world.bank.accounts.set(account, [posted(1)]);
  world.source = setting(world, [{ id: null, key: 'a hash', day: held.date, ...WHY }]);
  const run = await world.run(sync);
  assert.deepEqual([run.status, run.rejected], ['succeeded', 1]);
  const removed = () => world.receiver.events.flatMap(({ data }) => data.removed);
  assert.deepEqual(removed(), []);
  const filter = { sync: sync.row.id, run: null, origin: null };
  const page = { limit: 10, after: null, before: null };
  const { items } = await listRejectedRows(world.database.db, world.owner.id, filter, page);
  assert.deepEqual([items.length, items[0]?.source_id], [1, null]);
  assert.match(items[0]?.row_key ?? '', /^mac:[0-9a-f]{24}$/);
  world.source = world.bank;
  await world.run(sync);
  assert.equal(removed().length, 1);
  await world.close();
});
