import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { type NewSync, statusOfSync } from '../../../src/features/syncs/syncs.ts';
import { updateAccountRecord } from '../../../src/storage/account-records.ts';
import type { ErrorCode } from '../../../src/vocabulary/error-codes.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { addDays, localDate, localDateAt, monthsBefore } from '../../../src/vocabulary/moments.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { ASKED, SOME_KEY } from '../../support/actors.ts';
import { EPOCH, posted } from '../sync-engine/support/bank.ts';
import { closeDatabase, World } from '../sync-engine/support/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());
after(closeDatabase);

const NOBODY = rowId('destination', '0192f0c4-0000-7000-8000-000000000001');
const page = { limit: 20, after: null, before: null };

async function refused(work: Promise<unknown>, code: ErrorCode, param: string | null = null): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.deepEqual([error.code, error.param], [code, param]);
    return true;
  });
}

let made = 0;
async function destination(path = `/hook/${made++}`) {
  const url = new URL(path, world.receiver.url).href;
  return (
    await world.destinations.create(world.owner.id, {
      type: 'webhook',
      name: 'Receiver',
      target: { url },
      signedIn: null,
      metadata: null,
    })
  ).row;
}

async function create(more: Partial<NewSync> = {}) {
  const base = {
    type: 'transactions',
    name: 'Sync',
    accounts: [world.account()],
    mappingMode: 'bulk',
    accountMappings: [],
    options: {},
    metadata: null,
    firstRun: null,
  } as const;
  return world.syncs.create(world.owner, {
    ...base,
    destination: more.destination ?? (await destination()).id,
    ...more,
  });
}

describe('creating a sync', () => {
  test('queues its first run in the same transaction unless run_now is false', async () => {
    const sync = await create({ firstRun: ASKED });
    assert.equal(sync.latestRun?.status, 'queued');
    assert.equal(statusOfSync(sync.row), 'running');
    assert.deepEqual(world.hints, [{ kind: 'sync_runs', id: world.owner.id }]);
    const quiet = await create({ destination: (await destination('/other')).id });
    assert.deepEqual([quiet.latestRun, statusOfSync(quiet.row), world.hints.length], [null, 'idle', 1]);
  });

  test('needs a destination that is there, active and free', async () => {
    await refused(create({ destination: NOBODY }), 'resource_missing', 'destination');
    const { id } = await destination();
    const { db } = world.database;
    for (const [status, code] of [
      ['incomplete', 'destination_incomplete'],
      ['reauth_required', 'destination_incomplete'],
      ['disabled', 'destination_disabled'],
    ] as const) {
      await db.updateTable('destinations').set({ status }).where('id', '=', id).execute();
      await refused(create({ destination: id }), code, 'destination');
    }
    await db.updateTable('destinations').set({ status: 'active' }).where('id', '=', id).execute();
    await create({ destination: id });
    await refused(create({ destination: id }), 'destination_in_use', 'destination');
  });

  test('ten at once on one destination make one sync', async () => {
    const { id } = await destination();
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => create({ destination: id })));
    assert.equal(results.filter((result) => result.status === 'fulfilled').length, 1);
  });

  test('takes banking accounts only, each once, at least one, and no more than allowed', async () => {
    const broker = world.account();
    world.providers.set(broker, 'brokerage');
    await refused(create({ accounts: [broker] }), 'parameter_invalid', 'accounts');
    await refused(create({ type: 'holdings' }), 'parameter_invalid', 'accounts');
    await refused(create({ type: 'holdings', accounts: [broker] }), 'parameter_invalid', 'destination');
    assert.equal((await create({ type: 'trades', accounts: [broker] })).row.type, 'trades');
    await refused(create({ accounts: [] }), 'parameter_invalid', 'accounts');
    const account = world.account();
    await refused(create({ accounts: [account, account] }), 'parameter_invalid', 'accounts');
    await refused(
      create({ accounts: Array.from({ length: world.limits.sync_accounts + 1 }, () => world.account()) }),
      'parameter_invalid',
      'accounts',
    );
    await refused(create({ accountMappings: [{ account }] }), 'parameter_invalid', 'account_mappings');
  });

  test('clamps data_from to the last 84 months and to today; without one it is 6 months, 3 on a trial', async () => {
    const today = localDateAt(world.start, 'Australia/Sydney');
    const from = async (path: string, asked?: string) => {
      const options = asked === undefined ? {} : { data_from: localDate(asked) };
      return (await create({ destination: (await destination(path)).id, options })).row.options.data_from;
    };
    assert.equal(await from('/1'), monthsBefore(today, 6));
    assert.equal(await from('/2', '1999-01-01'), monthsBefore(today, 84));
    assert.equal(await from('/3', '2999-01-01'), today);
    assert.equal(await from('/4', monthsBefore(today, 10)), monthsBefore(today, 10));
    world.owner.trial_ends_at = new Date(world.start + 86_400_000);
    world.owner.limits = { connections: 1, accounts: 1, syncs: 9, destinations: 9 };
    assert.equal(await from('/5'), monthsBefore(today, 3));
  });

  test("stops at the plan's limit, also when many ask at once [limit plan_syncs]", async () => {
    const limits = { connections: 1, accounts: 1, syncs: 2, destinations: 9 };
    await updateAccountRecord(world.database.db, world.owner.id, { limits }, new Date());
    const ids = await Promise.all(['/1', '/2', '/3', '/4'].map(async (path) => (await destination(path)).id));
    const results = await Promise.allSettled(ids.map((id) => create({ destination: id })));
    assert.equal(results.filter((result) => result.status === 'fulfilled').length, 2);
    await refused(create(), 'sync_limit_reached');
  });
});

describe('a sync', () => {
  test('is updated in part; options not named stay, metadata keys set to null go', async () => {
    const sync = await create({ metadata: { a: '1', b: '2' } });
    const accounts = [world.account(), world.account()];
    const updated = await world.syncs.update(world.owner, sync.row.id, {
      name: 'New',
      accounts,
      options: { include_pending: true },
      metadata: { a: null, c: '3' },
    });
    assert.equal(updated.row.name, 'New');
    assert.deepEqual(updated.accounts, accounts);
    assert.deepEqual(updated.row.options, { ...sync.row.options, include_pending: true });
    assert.deepEqual(updated.row.metadata, { b: '2', c: '3' });
  });

  test('that begins earlier than before reads the whole window again, and doubles nothing', async () => {
    const account = world.account();
    world.bank.accounts.set(account, [posted(2, { day: 0 }), posted(1, { day: -30 })]);
    const sync = await world.sync([account], { options: { data_from: addDays(EPOCH, -16) } });
    assert.equal((await world.run(sync)).added, 1);
    await world.syncs.update(world.owner, sync.row.id, { options: { data_from: addDays(EPOCH, -60) } });
    assert.equal((await world.run(sync)).added, 1);
    assert.equal(world.receiver.newCounts().get('txn_fk_row_0000002'), 1);
  });

  test('of another account record looks as if it were not there', async () => {
    const sync = await create({ firstRun: ASKED });
    const other = await World.open();
    try {
      const run = sync.latestRun?.id ?? assert.fail();
      await refused(other.syncs.read(other.owner.id, sync.row.id), 'resource_missing');
      await refused(other.syncs.update(other.owner, sync.row.id, { name: 'mine' }), 'resource_missing');
      await refused(other.syncs.delete(other.owner.id, sync.row.id), 'resource_missing');
      await refused(other.runs.start(other.owner.id, sync.row.id, ASKED), 'resource_missing');
      await refused(other.runs.resync(other.owner.id, sync.row.id, SOME_KEY), 'resource_missing');
      await refused(other.runs.read(other.owner.id, run, true), 'resource_missing');
      await refused(other.runs.cancel(other.owner.id, run), 'resource_missing');
      await refused(
        other.runs.list(other.owner.id, { sync: sync.row.id, statuses: [] }, page, true),
        'resource_missing',
      );
      await refused(other.destinations.read(other.owner.id, sync.destination.id), 'resource_missing');
      await refused(other.destinations.delete(other.owner.id, sync.destination.id), 'resource_missing');
      await refused(other.destinations.rotateSecret(other.owner.id, sync.destination.id), 'resource_missing');
      await refused(
        other.syncs.list(other.owner.id, { destination: sync.destination.id }, page),
        'resource_missing',
        'destination',
      );
      assert.deepEqual((await other.syncs.list(other.owner.id, {}, page)).items, []);
      assert.deepEqual((await other.destinations.list(other.owner.id, page)).items, []);
    } finally {
      await other.close();
    }
    assert.equal((await world.syncs.read(world.owner.id, sync.row.id)).row.name, 'Sync');
  });

  test('is listed newest first and found by its status, its destination and whether it is enabled', async () => {
    const idle = await create();
    const running = await create({ destination: (await destination('/2')).id, firstRun: ASKED });
    const troubled = await create({ destination: (await destination('/3')).id });
    await world.database.db
      .updateTable('syncs')
      .set({ attention: 'run_failed', enabled: false })
      .where('id', '=', troubled.row.id)
      .execute();
    const found = async (filter: Parameters<typeof world.syncs.list>[1]) =>
      (await world.syncs.list(world.owner.id, filter, page)).items.map((sync) => sync.row.id);
    assert.deepEqual(await found({}), [troubled.row.id, running.row.id, idle.row.id]);
    assert.deepEqual(await found({ status: ['running'] }), [running.row.id]);
    assert.deepEqual(await found({ status: ['idle', 'attention'] }), [troubled.row.id, idle.row.id]);
    assert.deepEqual(await found({ enabled: false }), [troubled.row.id]);
    assert.deepEqual(await found({ destination: idle.destination.id }), [idle.row.id]);
    for (const sync of (await world.syncs.list(world.owner.id, {}, page)).items) {
      assert.deepEqual(await found({ status: [statusOfSync(sync.row)], destination: sync.destination.id }), [
        sync.row.id,
      ]);
    }
  });
});

describe('runs', () => {
  test('are one at a time, however many ask', async () => {
    const sync = await create();
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => world.runs.start(world.owner.id, sync.row.id, ASKED)),
    );
    assert.equal(results.filter((result) => result.status === 'fulfilled').length, 1);
    await refused(world.runs.start(world.owner.id, sync.row.id, ASKED), 'sync_already_running');
  });

  test('are refused while the sync or its destination is disabled', async () => {
    const sync = await create();
    await world.syncs.update(world.owner, sync.row.id, { enabled: false });
    await refused(world.runs.start(world.owner.id, sync.row.id, ASKED), 'sync_disabled');
    await refused(world.runs.resync(world.owner.id, sync.row.id, SOME_KEY), 'sync_disabled');
    await world.syncs.update(world.owner, sync.row.id, { enabled: true });
    await world.database.db
      .updateTable('destinations')
      .set({ status: 'disabled' })
      .where('id', '=', sync.destination.id)
      .execute();
    await refused(world.runs.start(world.owner.id, sync.row.id, ASKED), 'destination_disabled');
  });

  test('can be called off only while queued', async () => {
    const sync = await create({ firstRun: ASKED });
    const id = sync.latestRun?.id ?? assert.fail();
    const { row } = await world.runs.cancel(world.owner.id, id);
    assert.deepEqual(
      [row.status, row.failure, row.completed_at?.getTime()],
      ['cancelled', null, world.clock.now()],
    );
    await refused(world.runs.cancel(world.owner.id, id), 'run_not_cancellable');
    await world.engine().run(id, new AbortController().signal);
    assert.equal((await world.readRun(id)).status, 'cancelled');
    const { lines } = await world.runs.read(world.owner.id, id, true);
    assert.deepEqual(
      lines?.map((line) => line.status),
      ['incomplete'],
    );
  });

  test('are listed for 90 days and by status', async () => {
    const account = world.account();
    const sync = await world.sync([account]);
    await world.run(sync);
    world.clock.advance(89 * 86_400_000);
    const open = await world.runs.start(world.owner.id, sync.row.id, ASKED);
    const ids = async (statuses: Parameters<typeof world.runs.list>[1]['statuses']) =>
      (await world.runs.list(world.owner.id, { sync: sync.row.id, statuses }, page, false)).items.map(
        (run) => run.row.status,
      );
    assert.deepEqual(await ids([]), ['queued', 'succeeded']);
    assert.deepEqual(await ids(['queued', 'failed']), ['queued']);
    world.clock.advance(2 * 86_400_000);
    assert.deepEqual(await ids([]), ['queued']);
    assert.equal(open.row.trigger, 'api');
  });
});
