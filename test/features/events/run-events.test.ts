import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { EventTrigger } from '../../../src/features/events/event-log.ts';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { ASKED, SOME_KEY } from '../../support/actors.ts';
import { posted } from '../sync-engine/support/bank.ts';
import { closeDatabase, World } from '../sync-engine/support/world.ts';

let world: World;
/** Kinds that make the transaction fail in which they fire. */
let refused: string | null;

/** Writes each event into a table, with the transaction that emitted it: what was rolled back is not there. */
const events: EventTrigger = async (trx, owner, kind, subject) => {
  if (kind === refused) throw new Error(`the outbox refuses ${kind}`);
  await sql`insert into heard (owner, kind, subject) values (${owner}, ${kind}, ${subject})`.execute(trx);
};

beforeEach(async () => {
  refused = null;
  world = await World.open({ events });
  await sql`create table if not exists heard (
    at bigint generated always as identity, owner text, kind text, subject text)`.execute(world.database.db);
});
afterEach(() => world.close());
after(closeDatabase);

/** What was emitted about a thing and committed, in order. */
const emitted = async (subject: string): Promise<string[]> => {
  const rows = await sql<{ kind: string }>`
    select kind from heard where owner = ${world.owner.id} and subject = ${subject} order by at`.execute(
    world.database.db,
  );
  return rows.rows.map(({ kind }) => kind);
};

async function syncOf(rows = 1): Promise<Sync> {
  const account = world.account();
  world.bank.accounts.set(
    account,
    Array.from({ length: rows }, (_, at) => posted(at)),
  );
  return world.sync([account]);
}

const opened = async (sync: Sync) => {
  const { latestRun } = await world.syncs.read(world.owner.id, sync.row.id);
  return latestRun?.id ?? assert.fail('no run');
};

describe('an event of a run and its sync reports', () => {
  test('that it was queued, started and succeeded, each once', async () => {
    const sync = await syncOf();
    const { id } = await world.run(sync);
    assert.deepEqual(await emitted(id), ['sync_run.queued', 'sync_run.started', 'sync_run.succeeded']);
    assert.deepEqual(await emitted(sync.row.id), []);
  });

  test('that it failed; and that the sync needs attention once, until that is another', async () => {
    const sync = await syncOf();
    const reasons: [ServiceError, boolean, string][] = [
      [new ServiceError('upstream_unavailable'), false, 'run_failed'],
      [new ServiceError('upstream_timeout'), false, 'run_failed'],
      [new ServiceError('upstream_auth_failed'), false, 'connection_lost'],
      [new ServiceError('upstream_auth_failed'), true, 'consent_expired'],
      [new ServiceError('upstream_auth_failed'), true, 'consent_expired'],
    ];
    for (const [error, consentOver, attention] of reasons) {
      world.bank.refusal = () => error;
      world.bank.consentOver = () => consentOver;
      const { id } = await world.run(sync);
      assert.deepEqual(await emitted(id), ['sync_run.queued', 'sync_run.started', 'sync_run.failed']);
      const { row } = await world.syncs.read(world.owner.id, sync.row.id);
      assert.equal(row.attention, attention);
    }
    assert.deepEqual(await emitted(sync.row.id), Array(3).fill('sync.attention'));
    world.bank.refusal = () => null;
    await world.run(sync);
    world.bank.refusal = () => new ServiceError('upstream_unavailable');
    await world.run(sync);
    assert.equal((await emitted(sync.row.id)).length, 4, 'a trouble that comes back is reported again');
  });

  test('that it started only once, however often it changes hands', async () => {
    const sync = await syncOf(400);
    const stopping = new AbortController();
    world.bank.beforePage = (_account, page) => {
      if (page === 1) stopping.abort();
    };
    const id = await opened(sync);
    await world.engine().run(id, stopping.signal);
    assert.deepEqual(await emitted(id), ['sync_run.queued', 'sync_run.started']);
    world.clock.advance(60_000);
    await world.engine().run(id, new AbortController().signal);
    assert.deepEqual(await emitted(id), ['sync_run.queued', 'sync_run.started', 'sync_run.succeeded']);
  });

  test('that it was cancelled, by the caller or because its sync or destination was deleted', async () => {
    const [one, two, three] = [await syncOf(), await syncWithOwnUrl(), await syncWithOwnUrl()];
    const [first, second, third] = [await opened(one), await opened(two), await opened(three)];
    await world.runs.cancel(world.owner.id, first);
    await assert.rejects(world.runs.cancel(world.owner.id, first), { code: 'run_not_cancellable' });
    await world.syncs.delete(world.owner.id, two.row.id);
    await world.destinations.delete(world.owner.id, three.row.destination);
    for (const run of [first, second, third]) {
      assert.deepEqual(await emitted(run), ['sync_run.queued', 'sync_run.cancelled']);
    }
  });

  test('that it failed, when a resync took its place', async () => {
    const sync = await syncOf();
    const id = await opened(sync);
    const again = await world.runs.resync(world.owner.id, sync.row.id, SOME_KEY);
    assert.deepEqual(await emitted(id), ['sync_run.queued', 'sync_run.failed']);
    assert.deepEqual(await emitted(again.id), ['sync_run.queued']);
  });
});

describe('an event of a destination reports', () => {
  test('that it was disabled, once', async () => {
    const sync = await syncOf();
    world.receiver.behave = () => ({ status: 410 });
    await world.run(sync);
    assert.deepEqual(await emitted(sync.row.destination), ['destination.disabled']);
    assert.deepEqual(await emitted(sync.row.id), ['sync.attention']);
  });
});

describe('an event', () => {
  test('commits or fails with the change: a change whose event cannot be written is undone', async () => {
    refused = 'sync_run.queued';
    const before = await world.destinations.list(world.owner.id, { limit: 9, after: null, before: null });
    await assert.rejects(syncOf(), { code: 'sync_create_failed' });
    refused = 'sync_run.cancelled';
    const sync = await syncWithOwnUrl();
    const id = await opened(sync);
    await assert.rejects(world.runs.cancel(world.owner.id, id));
    assert.equal((await world.readRun(id)).status, 'queued');
    assert.deepEqual(await emitted(id), ['sync_run.queued']);
    assert.equal(before.items.length, 0);
  });
});

/** A second sync of a world needs a second destination. */
async function syncWithOwnUrl(): Promise<Sync> {
  const account = world.account();
  world.bank.accounts.set(account, [posted(1)]);
  const destination = await world.destinations.create(world.owner.id, {
    type: 'webhook',
    name: 'Another',
    target: { url: `${world.receiver.url}/${account}` },
    signedIn: null,
    metadata: null,
  });
  return world.syncs.create(world.owner, {
    type: 'transactions',
    name: 'Another',
    destination: destination.id,
    accounts: [account],
    mappingMode: 'bulk',
    accountMappings: [],
    options: {},
    metadata: null,
    firstRun: ASKED,
  });
}
