import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { DestinationCreations } from '../../../src/features/destinations/destination-creations.ts';
import { DestinationResourceReads } from '../../../src/features/destinations/destination-resources.ts';
import { createLog } from '../../../src/platform/log.ts';
import type { DestinationResourceType } from '../../../src/vocabulary/destinations.ts';
import { posted } from '../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { Scene } from './airtable/scene.ts';
import { grantOf } from './airtable/sign-in.ts';
import { linkedDestination, syncTo } from './support/linked-world.ts';

after(closeDatabase);

const MAKE = 'POST /v0/meta/*';
const { signal } = new AbortController();

const wanted = (parent: string | null, name = 'My money') =>
  ({ name, parent, type: 'transactions', mappingMode: 'bulk', accounts: [] }) as const;

async function draft(scene: Scene) {
  const { world, connector } = scene;
  const { clock, limits, database } = world;
  const row = await linkedDestination(world, 'airtable', await grantOf(connector.linking), {});
  const connectors = new Map([['airtable', connector] as const]);
  const make = new DestinationCreations({
    db: database.db,
    clock,
    limits,
    connectors,
    grants: scene.grants(),
  });
  return { row, create: (what: ReturnType<typeof wanted>) => make.create(row.account_record, row.id, what) };
}

const tablesOf = (scene: Scene) =>
  JSON.stringify(scene.control.bases()).match(/"name":"My money( \d)?"/g) ?? [];

describe('A table that is made in a base', () => {
  test('is one that a sync can write to without making a column', async () => {
    await using scene = await Scene.open();
    const { row, create } = await draft(scene);
    const made = await create(wanted(scene.base));
    assert.equal(made.row.target.base_id, scene.base);
    const account = scene.world.account();
    scene.world.bank.accounts.set(account, [posted(1)]);
    const sync = await syncTo(scene.world, { ...row, target: made.row.target }, [account]);
    assert.equal((await scene.run(sync)).added, 1);
    assert.ok(!scene.calls().includes('POST schema'));
    const columns = scene.control.fields(made.row.target.table_id ?? '').map(({ name }) => name);
    assert.deepEqual(columns.slice(0, 4), ['Description', 'Transaction ID', 'Date', 'Amount']);
  });

  for (const kind of ['drop-answer', 'connection-reset'] as const) {
    test(`is made once under one key when the call is cut off by ${kind}`, async () => {
      await using scene = await Scene.open();
      const { create } = await draft(scene);
      scene.control.addFault({ route: MAKE, kind });
      await assert.rejects(create(wanted(scene.base)), { code: 'upstream_failed' });
      assert.equal(tablesOf(scene).length, kind === 'drop-answer' ? 1 : 0);
      const made = await create(wanted(scene.base));
      assert.equal(tablesOf(scene).length, 1);
      assert.ok(scene.control.records(made.row.target.table_id ?? ''));
      assert.equal(made.row.creation_key, null);
    });
  }

  test('under another key is another one, whose name is free', async () => {
    await using scene = await Scene.open();
    for (let count = 1; count <= 2; count++) await (await draft(scene)).create(wanted(scene.base));
    assert.equal(tablesOf(scene).length, 2);
  });

  test('needs a base, which no one but a person can make', async () => {
    await using scene = await Scene.open();
    await assert.rejects((await draft(scene)).create(wanted(null)), {
      code: 'upstream_bad_request',
      message: /choose one as its parent/,
    });
    assert.deepEqual(
      scene.calls().filter((call) => call.startsWith('POST schema')),
      [],
    );
  });
});

describe('What a person can choose from', () => {
  const reads = (scene: Scene, limit: number) => {
    const { database, clock, limits, owner } = scene.world;
    const list = new DestinationResourceReads({
      db: database.db,
      clock,
      limits: { ...limits, destination_resources: limit },
      log: createLog({ level: 'silent' }),
      grants: scene.grants(),
      connectors: new Map([['airtable', scene.connector] as const]),
    });
    return (type: DestinationResourceType, parent: string | null = null) =>
      list.list(owner.id, scene.destination.id, { type, parent }, signal);
  };

  test('are the bases that can be written to, page by page, and no more than requested', async () => {
    await using scene = await Scene.open();
    scene.control.setBasesAPage(2);
    for (let number = 1; number <= 5; number++) scene.control.addBase(`Base ${number}`);
    const all = await reads(scene, 100)('base');
    assert.deepEqual(
      all.items.map(({ name }) => name),
      ['Household', 'Money', 'Base 1', 'Base 2', 'Base 3', 'Base 4', 'Base 5'],
    );
    assert.equal(all.truncated, false);
    scene.control.clearRequests();
    const some = await reads(scene, 3)('base');
    assert.deepEqual([some.items.length, some.truncated], [3, true]);
    assert.equal(scene.calls().length, 3, 'a page holds two bases, and one of them can only be read');
  });

  test('are the tables of a base, with the address of each', async () => {
    await using scene = await Scene.open();
    const { items } = await reads(scene, 100)('table');
    const url = `${scene.simulator.url}/${scene.base}/${scene.table}`;
    assert.deepEqual(items, [{ id: scene.table, name: 'Transactions', url }]);
    assert.equal((await fetch(url)).status, 200);
  });

  test('is not in a missing base', async () => {
    await using scene = await Scene.open();
    await assert.rejects(reads(scene, 100)('table', 'appNowhere'), { code: 'upstream_bad_request' });
  });
});

describe('A sync with balances', () => {
  async function withBalances(accounts: number) {
    const scene = await Scene.open();
    const ids = Array.from({ length: accounts }, () => scene.world.account());
    for (const [at, id] of ids.entries()) scene.world.bank.accounts.set(id, [posted(at)]);
    let cents = 123_450;
    scene.world.bank.balance = () => ({
      readAt: scene.world.clock.now(),
      currency: 'aud',
      current: { amount: cents, currency: 'aud' },
      available: null,
    });
    const sync = await syncTo(scene.world, scene.destination, ids, {
      options: { include_balances_tab: true },
    });
    const setCents = (next: number) => {
      cents = next;
    };
    const shown = () => {
      const bases: { readonly tables: readonly { readonly id: string; readonly name: string }[] }[] =
        JSON.parse(JSON.stringify(scene.control.bases()));
      const table = bases.flatMap(({ tables }) => tables).find(({ name }) => name.startsWith('Balances'));
      return { id: table?.id ?? '', records: table === undefined ? [] : scene.control.records(table.id) };
    };
    return { scene, sync, setCents, shown };
  }

  test('has one record for each account in a table of their own, written ten at a time', async () => {
    const { scene, sync, setCents, shown } = await withBalances(12);
    await using _ = scene;
    assert.equal((await scene.run(sync)).added, 12);
    assert.equal(shown().records.length, 12);
    setCents(-5);
    assert.equal((await scene.run(sync)).status, 'succeeded');
    assert.deepEqual(
      scene.calls().filter((call) => call !== 'POST token'),
      ['PATCH records', 'PATCH records'],
    );
    const { records } = shown();
    assert.equal(records.length, 12);
    for (const { fields } of records) assert.match(JSON.stringify(fields), /"Current":-0.05,/);
    assert.equal(scene.ids.length, 12, 'balances are no rows');
  });

  test('finds the table that a person renamed, and makes another for one that they removed', async () => {
    const { scene, sync, shown } = await withBalances(1);
    await using _ = scene;
    await scene.run(sync);
    const { id } = shown();
    scene.control.renameTable(id, 'Balances of ours');
    scene.forgetColumns();
    await scene.run(sync);
    assert.equal(shown().id, id);
    scene.control.deleteTable(id);
    assert.equal((await scene.run(sync)).status, 'succeeded');
    assert.notEqual(shown().id, id);
    assert.equal(shown().records.length, 1);
  });
});
