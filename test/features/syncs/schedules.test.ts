import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Schedules } from '../../../src/background/schedules.ts';
import { nextRetry, nextRunOf, scheduleColumns } from '../../../src/features/syncs/sync-schedules.ts';
import { createLog } from '../../../src/platform/log.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { ASKED } from '../../support/actors.ts';
import { posted } from '../sync-engine/support/bank.ts';
import { closeDatabase, World } from '../sync-engine/support/world.ts';

const HOUR = 3_600_000;
let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());
after(closeDatabase);

function scheduler(): Schedules {
  const { clock, limits } = world;
  return new Schedules({
    db: world.database.db,
    clock,
    limits,
    log: createLog({ level: 'silent' }),
    syncRuns: world.runs,
  });
}

describe('schedules', () => {
  test("moments lie one interval apart and are spread over it by the record's id", () => {
    const now = world.clock.now();
    const owners = Array.from({ length: 300 }, () => rowId('account_record', newRowId(world.clock)));
    const sixths = new Set<number>();
    for (const owner of owners) {
      const after = (at: number) =>
        nextRunOf({ ...scheduleColumns(null), account_record: owner }, at, world.limits).getTime();
      const next = after(now);
      assert.ok(next > now && next <= now + 6 * HOUR);
      assert.equal(after(next), next + 6 * HOUR);
      assert.equal(after(next - 1), next);
      sixths.add(Math.floor((next - now) / HOUR));
    }
    assert.equal(sixths.size, 6);
  });

  test('a failure is tried again ever later, and never later than the schedule', () => {
    const scheduled = new Date(90 * 60_000);
    const minutes = [1, 2, 3, 4, 5].map((failed) => nextRetry(0, failed, scheduled).getTime() / 60_000);
    assert.deepEqual(minutes, [15, 30, 60, 90, 90]);
  });

  test('a due sync is queued once by however many schedulers, and its next moment is set', async () => {
    const account = world.account();
    const sync = await world.sync([account], { firstRun: null });
    await scheduler().queueDue();
    assert.equal((await world.allRuns(sync)).length, 0);
    world.clock.advance((sync.row.next_run_at?.getTime() ?? 0) - world.clock.now());
    await Promise.all([scheduler().queueDue(), scheduler().queueDue(), scheduler().queueDue()]);
    const runs = await world.allRuns(sync);
    assert.deepEqual(
      runs.map((run) => [run.trigger, run.status]),
      [['schedule', 'queued']],
    );
    const { row } = await world.syncs.read(world.owner.id, sync.row.id);
    assert.equal(row.next_run_at?.getTime(), world.clock.now() + 6 * HOUR);
  });

  test('of more due syncs than one statement finds, none waits for the next round', async () => {
    const sync = await world.sync([world.account()], { firstRun: null });
    const { db } = world.database;
    await sql`
      with copied as (
        insert into destinations
        select (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'target_mac', null))).*
        from destinations as one cross join generate_series(1, 120) where one.id = ${sync.destination.id}
        returning id
      )
      insert into syncs
      select (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'destination', copied.id))).*
      from syncs as one cross join copied where one.id = ${sync.row.id}`.execute(db);
    await world.clock.runFor(6 * HOUR);
    await scheduler().queueDue();
    const { rows } = await sql`
      select from sync_runs join syncs on syncs.id = sync_runs.sync
      where syncs.name = ${sync.row.name} and sync_runs.status = 'queued'`.execute(db);
    assert.ok(rows.length >= 121, String(rows.length));
  });

  test('a disabled sync is not queued', async () => {
    const sync = await world.sync([world.account()], { firstRun: null });
    await world.syncs.update(world.owner, sync.row.id, { enabled: false });
    await world.clock.runFor(12 * HOUR);
    await scheduler().queueDue();
    assert.equal((await world.allRuns(sync)).length, 0);
  });

  test('history older than 90 days is forgotten, an open run never', async () => {
    const sync = await world.sync([world.account()]);
    const done = await world.run(sync);
    const { row } = await world.runs.start(world.owner.id, sync.row.id, ASKED);
    world.clock.advance(91 * 24 * HOUR);
    await scheduler().prune();
    await assert.rejects(world.readRun(done.id));
    assert.equal((await world.readRun(row.id)).status, 'queued');
  });
});

describe('a webhook that keeps failing', () => {
  const runFor = async (hours: number, status: number) => {
    const account = world.account();
    world.bank.accounts.set(account, [posted(1)]);
    const sync = await world.sync([account]);
    world.receiver.behave = () => ({ status });
    const statuses: string[] = [];
    for (let run = 0; run < 6; run++) {
      const { row } = await world.destinations.read(world.owner.id, sync.destination.id);
      statuses.push(row.status);
      if (row.status === 'disabled') break;
      await world.run(sync);
      await world.clock.runFor(hours * HOUR);
    }
    return { sync, statuses };
  };

  test('is disabled after five failed runs over at least a day, and its sync rests', async () => {
    const { sync, statuses } = await runFor(6, 500);
    assert.deepEqual(statuses, ['active', 'active', 'active', 'active', 'active', 'disabled']);
    const { row } = await world.syncs.read(world.owner.id, sync.row.id);
    assert.deepEqual([row.attention, row.next_run_at], ['destination_disabled', null]);
  });

  test('within a day is not', async () => {
    const { statuses } = await runFor(1, 500);
    assert.ok(statuses.every((status) => status === 'active'));
  });

  test('with 410 is disabled at once; enabled again it starts afresh and delivers what waits', async () => {
    const { sync, statuses } = await runFor(1, 410);
    assert.deepEqual(statuses, ['active', 'disabled']);
    const enabled = await world.destinations.enable(world.owner.id, sync.destination.id);
    assert.deepEqual([enabled.row.status, enabled.row.failed_runs], ['active', 0]);
    const { row } = await world.syncs.read(world.owner.id, sync.row.id);
    assert.equal(row.attention, null);
    assert.ok(row.next_run_at !== null);
    world.receiver.behave = () => 'ok';
    assert.equal((await world.run(sync)).added, 1);
  });

  test('is forgiven by one success', async () => {
    const account = world.account();
    world.bank.accounts.set(account, [posted(1)]);
    const sync = await world.sync([account]);
    world.receiver.behave = (request) => (request < 4 ? { status: 401 } : 'ok');
    for (let run = 0; run < 4; run++) await world.run(sync);
    const failing = await world.destinations.read(world.owner.id, sync.destination.id);
    assert.equal(failing.row.failed_runs, 4);
    assert.equal(
      (await world.syncs.read(world.owner.id, sync.row.id)).row.attention,
      'destination_auth_expired',
    );
    await world.run(sync);
    const forgiven = await world.destinations.read(world.owner.id, sync.destination.id);
    assert.deepEqual([forgiven.row.failed_runs, forgiven.row.first_failed_at], [0, null]);
  });
});
