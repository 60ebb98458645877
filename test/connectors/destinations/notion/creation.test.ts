import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type {
  CreationRequest,
  DestinationAccess,
} from '../../../../src/connectors/destinations/destination-contract.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

const signal = (): AbortSignal => AbortSignal.timeout(60_000);
const WANTED: CreationRequest = {
  key: 'e0a4a3f6-6f1c-4d0e-9d53-1c7a2b9f0e11',
  again: false,
  name: 'My money',
  parent: null,
  target: null,
  type: 'transactions',
  mappingMode: 'bulk',
  accounts: [],
};

function accessOf({ world, destination }: Scene): DestinationAccess {
  const grant = world.secrets.grant(destination) ?? assert.fail();
  return { owner: 'o', current: async () => grant, renew: () => assert.fail('it is not over') };
}

const make = (scene: Scene, more: Partial<CreationRequest> = {}) =>
  scene.connector.create(accessOf(scene), { ...WANTED, ...more }, signal());
const named = ({ notion }: Scene, title = WANTED.name) =>
  notion.control.workspace().databases.filter((database) => database.title === title);

describe('a database that is made', () => {
  test('is on the oldest shared page, has our properties, and accepts rows at once', async () => {
    await using scene = await Scene.open();
    const { target, mappings } = await make(scene);
    const [made] = named(scene);
    assert.deepEqual([target, mappings], [{ database_id: made?.id }, []]);
    const { pages } = scene.notion.control.workspace();
    assert.equal(pages.find(({ id }) => id === made?.parent)?.title, 'Money');
    assert.deepEqual(
      made?.properties.map(({ name, type }) => `${name}: ${type}`),
      [
        'Transaction ID: rich_text',
        'Date: date',
        'Description: title',
        'Amount: number',
        'Currency: rich_text',
        'Direction: select',
        'Category: rich_text',
        'Merchant: rich_text',
        'Account: rich_text',
        'Status: select',
        'Class: rich_text',
        'Post Date: date',
        'Memo: rich_text',
        'Tags: rich_text',
      ],
    );
    const { world, destination } = scene;
    await world.database.db
      .updateTable('destinations')
      .set({ target: JSON.stringify(target) })
      .where('id', '=', destination.id)
      .execute();
    const account = world.account();
    world.bank.accounts.set(account, [posted(1)]);
    assert.equal((await world.run(await scene.sync([account]))).added, 1);
    assert.equal(scene.count('PATCH /v1/data_sources/:id'), 0, 'nothing was missing');
    assert.deepEqual(
      scene.rows.map(({ place }) => place),
      ['My money'],
    );
  });

  test('is on the requested page', async () => {
    await using scene = await Scene.open();
    const travel = scene.notion.control.workspace().pages.find(({ title }) => title === 'Travel');
    await make(scene, { parent: travel?.id ?? '' });
    assert.equal(named(scene)[0]?.parent, travel?.id);
  });

  test('is not made on a page that is not shared, nor where nothing is', async () => {
    await using scene = await Scene.open();
    const { pages } = scene.notion.control.workspace();
    const diary = pages.find(({ title }) => title === 'Diary');
    const refused = { code: 'destination_resource_missing', outcome: 'refused' };
    await assert.rejects(make(scene, { parent: diary?.id ?? '' }), refused);
    for (const { id } of pages) scene.notion.control.share(id, false);
    await assert.rejects(make(scene), { ...refused, message: /Share a page/ });
    assert.deepEqual(named(scene), []);
  });

  const losses = [
    { what: 'dropped after it was made', kind: 'drop-answer', made: 1 },
    { what: 'dropped before it was made', kind: 'connection-reset', made: 0 },
  ] as const;
  for (const { what, kind, made } of losses) {
    for (const indexLagMs of [0, 60_000]) {
      test(`is there once when the answer was ${what}${indexLagMs === 0 ? '' : ', and searches trail'}`, async () => {
        await using scene = await Scene.open();
        scene.world.clock.advance(120_000);
        scene.notion.control.set({ indexLagMs });
        scene.notion.control.addFault({ route: 'POST /v1/databases', kind });
        await assert.rejects(make(scene), { outcome: 'unknown' });
        assert.equal(named(scene).length, made);
        const first = await make(scene, { again: true });
        assert.deepEqual(
          named(scene).map(({ id }) => id),
          [first.target.database_id],
        );
        assert.deepEqual(await make(scene, { again: true }), first);
        assert.equal(named(scene).length, 1);
      });
    }
  }

  test('under another key is another one, of the same name', async () => {
    await using scene = await Scene.open();
    await make(scene);
    await make(scene, { key: 'another-key', again: true });
    assert.equal(named(scene).length, 2);
  });

  test('is left as it is where there is a target', async () => {
    await using scene = await Scene.open();
    const target = { database_id: scene.database };
    assert.deepEqual(await make(scene, { target }), { target, mappings: [] });
    assert.deepEqual(scene.calls, []);
  });
});

describe('the databases to choose from', () => {
  const list = (scene: Scene, limit: number) =>
    scene.connector.resources.list(accessOf(scene), { type: 'database', parent: null, limit }, signal());

  test('are those that are shared, once each, by their names', async () => {
    await using scene = await Scene.open();
    const { control } = scene.notion;
    control.addSource(scene.database, 'Second source');
    const [found, ...others] = await list(scene, 10);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [found?.id, found?.name.split(', ').toSorted()],
      [scene.database, ['Second source', 'Transactions']],
    );
    assert.match(found?.url ?? '', /^https:/);
    control.trash(scene.database, true);
    assert.deepEqual(await list(scene, 10), []);
  });

  test('are no more than requested, and no further page is read', async () => {
    await using scene = await Scene.open();
    const { control } = scene.notion;
    const page = control.workspace().pages.find(({ title }) => title === 'Money')?.id ?? '';
    for (let made = 0; made < 150; made++)
      control.addDatabase(`Number ${made}`, page, [{ name: 'Name', type: 'title' }]);
    assert.equal((await list(scene, 101)).length, 101);
    assert.equal(scene.count('POST /v1/search'), 2);
    assert.equal((await list(scene, 1000)).length, 151);
    scene.notion.control.clearRequests();
    assert.equal((await list(scene, 50)).length, 50);
    assert.equal(scene.count('POST /v1/search'), 1);
  });

  test('without a name are called so', async () => {
    await using scene = await Scene.open();
    scene.notion.control.renameDatabase(scene.database, '');
    assert.equal((await list(scene, 1))[0]?.name, 'Untitled');
  });
});
