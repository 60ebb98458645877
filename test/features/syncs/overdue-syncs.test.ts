import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import { OVERDUE_AGES, serviceFigures } from '../../../src/storage/service-figures.ts';
import { isLocalTime } from '../../../src/vocabulary/local-times.ts';
import { ATTENTION_CODES, type AttentionCode, type SyncSchedule } from '../../../src/vocabulary/syncs.ts';
import { closeDatabase, World } from '../sync-engine/support/world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let world: World;
beforeEach(async () => {
  world = await World.open();
  // Those of earlier tests, and of other files that share the database.
  await sql`update syncs set enabled = false`.execute(world.database.db);
});
afterEach(() => world.close());
after(closeDatabase);

const never = new AbortController().signal;

/** How many syncs are overdue by more than each bound, once so much more time has passed. */
async function overdueAfter(ms: number): Promise<readonly number[]> {
  world.clock.advance(ms);
  const { overdueBy } = await serviceFigures(world.database.db, new Date(world.clock.now()), world.limits);
  assert.equal(overdueBy.length, OVERDUE_AGES.length);
  return overdueBy;
}

const scheduled = (schedule: SyncSchedule | null): Promise<Sync> =>
  world.sync([world.account()], { firstRun: null, ...(schedule === null ? {} : { schedule }) });

describe('a sync is overdue once it has not succeeded for longer than its own schedule', () => {
  for (const [name, schedule, interval] of [
    ['as often as the service allows', null, 6 * HOUR],
    ['every week', { interval_minutes: 7 * 24 * 60 }, 7 * DAY],
    ['once a day', { times: ['08:00'].filter(isLocalTime), timezone: 'Australia/Sydney' }, DAY],
  ] as const)
    test(name, async () => {
      await scheduled(schedule);
      assert.deepEqual(await overdueAfter(interval + HOUR), [0, 0, 0]);
      assert.deepEqual(await overdueAfter(1000), [1, 0, 0]);
      assert.deepEqual(await overdueAfter(3 * DAY - HOUR - 1000), [1, 1, 0]);
      assert.deepEqual(await overdueAfter(1000), [1, 1, 1]);
    });

  test('and is not once it succeeded', async () => {
    const sync = await scheduled(null);
    assert.deepEqual(await overdueAfter(4 * DAY), [1, 1, 1]);
    await world.database.db
      .updateTable('syncs')
      .set({ last_synced_at: new Date(world.clock.now()) })
      .where('id', '=', sync.row.id)
      .execute();
    assert.deepEqual(await overdueAfter(6 * HOUR), [0, 0, 0]);
  });

  test('nor while it has no next run, and has a whole interval once it is enabled again', async () => {
    const sync = await scheduled(null);
    await world.syncs.update(world.owner, sync.row.id, { enabled: false }, never);
    assert.deepEqual(await overdueAfter(30 * DAY), [0, 0, 0]);
    await world.syncs.update(world.owner, sync.row.id, { enabled: true }, never);
    assert.deepEqual(await overdueAfter(7 * HOUR), [0, 0, 0]);
    assert.deepEqual(await overdueAfter(12 * HOUR), [1, 0, 0]);
  });

  test('nor while only its owner can help, unlike when runs fail or data is invalid', async () => {
    const sync = await scheduled(null);
    world.clock.advance(10 * DAY);
    const overdue = new Set<AttentionCode>();
    for (const attention of ATTENTION_CODES) {
      await world.database.db.updateTable('syncs').set({ attention }).where('id', '=', sync.row.id).execute();
      const [first] = await overdueAfter(0);
      if (first === 1) overdue.add(attention);
    }
    assert.deepEqual([...overdue], ['data_invalid', 'run_failed']);
  });

  for (const status of ['disabled', 'reauth_required'] as const)
    test(`nor while its destination is ${status}, and has a whole interval afterwards`, async () => {
      const sync = await scheduled(null);
      const become = (to: 'active' | typeof status) =>
        world.database.db
          .updateTable('destinations')
          .set({ status: to, updated: new Date(world.clock.now()) })
          .where('id', '=', sync.destination.id)
          .execute();
      await become(status);
      assert.deepEqual(await overdueAfter(30 * DAY), [0, 0, 0]);
      await become('active');
      assert.deepEqual(await overdueAfter(7 * HOUR), [0, 0, 0]);
      assert.deepEqual(await overdueAfter(12 * HOUR), [1, 0, 0]);
    });
});
