import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { DestinationFailure } from '../../../../src/connectors/destinations/destination-failure.ts';
import { DestinationCreations } from '../../../../src/features/destinations/destination-creations.ts';
import { DestinationGrants } from '../../../../src/features/destinations/destination-grants.ts';
import { createLog } from '../../../../src/platform/log.ts';
import type { RowId } from '../../../../src/vocabulary/ids.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { linkedDestination } from '../support/linked-world.ts';
import { Google, Scene } from './scene.ts';

after(closeDatabase);

const signal = new AbortController().signal;

const account = (id: RowId<'account'>, name: string) =>
  ({ id, name, institution: 'Bank', type: 'transaction', maskedNumber: null }) as const;

/** What a person wants made: a spreadsheet for a sync of two accounts of the same name. */
function wanted(scene: Scene, key: string, more: { again?: boolean } = {}) {
  return {
    key,
    again: more.again ?? false,
    name: 'My money',
    parent: null,
    target: null,
    type: 'transactions',
    mappingMode: 'per_account',
    accounts: [account(scene.world.account(), 'Everyday'), account(scene.world.account(), 'Everyday')],
  } as const;
}

async function creating() {
  const scene = await Scene.open();
  const { connector } = scene.google;
  const create = connector.create?.bind(connector) ?? assert.fail();
  return { scene, create, access: scene.google.access(await scene.google.grant()) };
}

describe('a spreadsheet that is made', () => {
  test('has a tab for the rows and one for each account, with exactly the columns', async () => {
    const { scene, create, access } = await creating();
    await using _ = scene;
    const request = wanted(scene, 'key-1');
    const made = await create(access, request, signal);
    const book = scene.google.control.spreadsheets().find(({ id }) => id === made.target.spreadsheet_id);
    assert.deepEqual(
      book?.tabs.map(({ title, rowCount, columnCount }) => [title, rowCount, columnCount]),
      [
        ['Transactions', 2, 14],
        ['Everyday', 2, 14],
        ['Everyday 2', 2, 14],
      ],
    );
    assert.deepEqual(
      [made.target.spreadsheet_name, made.target.sheet_id, made.target.sheet_name],
      ['My money', '0', 'Transactions'],
    );
    assert.deepEqual(
      made.mappings.map(({ account: of, sheet_id: tab, sheet_name: name }) => [of, tab, name]),
      request.accounts.map(({ id }, index) => [
        id,
        String(book?.tabs[index + 1]?.sheetId),
        book?.tabs[index + 1]?.title,
      ]),
    );
    assert.equal(scene.google.control.grid(book?.id ?? '', 0)[0]?.[0], 'Transaction ID');
  });

  test('for holdings gets the column that says whose they are with the first rows, hidden', async () => {
    const { scene, create, access } = await creating();
    await using _ = scene;
    const { world, google } = scene;
    const request = { ...wanted(scene, 'key-1'), type: 'holdings', accounts: [] } as const;
    const { target } = await create(access, request, signal);
    const id = target.spreadsheet_id ?? assert.fail();
    const headers = () => (google.control.grid(id, 0)[0] ?? []).filter((name) => name !== '');
    assert.deepEqual([headers().length, headers().at(-1)], [11, 'Last Updated']);
    const one = world.account();
    world.providers.set(one, 'brokerage');
    const money = {
      average_price: null,
      current_price: null,
      market_value: null,
      unrealized_pnl: null,
      asset_type: null,
    };
    const acme = {
      id: 'hold_1',
      symbol: 'ACME',
      name: 'Acme',
      exchange: null,
      currency: 'usd',
      quantity: '1',
    };
    world.bank.holdings.set(one, [{ ...acme, ...money }]);
    const destination = await linkedDestination(world, 'sheets', await google.grant(), { ...target });
    const sync = await scene.sync([one], { type: 'holdings', destination: destination.id });
    assert.equal((await world.run(sync)).status, 'succeeded');
    assert.deepEqual([headers().length, headers().at(-1)], [13, 'Position ID']);
    const html = await (await fetch(`${google.simulator.url}/spreadsheets/d/${id}/edit`)).text();
    assert.deepEqual([html.includes('ACME'), html.includes('Account ID')], [true, false]);
  });

  for (const kind of ['drop-answer', 'connection-reset'] as const) {
    test(`is made once where the first attempt ended with ${kind}`, async () => {
      const { scene, create, access } = await creating();
      await using _ = scene;
      const before = scene.google.control.spreadsheets().length;
      const request = wanted(scene, 'key-1');
      scene.google.control.addFault({ route: 'POST /v4/spreadsheets', kind });
      await assert.rejects(
        create(access, request, signal),
        (error) => error instanceof DestinationFailure && error.outcome === 'unknown',
      );
      await create(access, wanted(scene, 'key-2'), signal);
      const made = await create(access, { ...request, again: true }, signal);
      assert.equal(made.mappings.length, 2);
      assert.equal(scene.google.control.spreadsheets().length, before + 2);
      const repeated = await create(access, { ...request, again: true }, signal);
      assert.deepEqual(repeated, made);
    });
  }

  test('becomes the target of a draft, and is written to', async () => {
    await using scene = await Scene.open();
    const { clock, limits, secrets, database } = scene.world;
    const { db } = database;
    const row = await linkedDestination(scene.world, 'sheets', await scene.google.grant(), {});
    const grants = new DestinationGrants({ db, clock, limits, secrets, log: createLog({ level: 'silent' }) });
    const connectors = new Map([['sheets', scene.google.connector] as const]);
    const creations = new DestinationCreations({ db, clock, limits, connectors, grants });
    const one = scene.world.account();
    const made = await creations.create(row.account_record, row.id, {
      name: 'Bob’s money',
      parent: null,
      type: 'transactions',
      mappingMode: 'bulk',
      accounts: [],
    });
    assert.equal(made.row.status, 'active');
    scene.world.bank.accounts.set(one, [posted(2), posted(1)]);
    const sync = await scene.sync([one], { destination: row.id });
    assert.equal((await scene.world.run(sync)).added, 2);
    const grid = scene.google.control.values(made.row.target.spreadsheet_id ?? '', 0);
    assert.deepEqual(
      grid.map(([id]) => id),
      ['Transaction ID', posted(2).id, posted(1).id],
    );
    assert.equal(typeof grid[1]?.[1], 'number', 'a date is a date');
    assert.equal(scene.grid().length, 0);
  });

  test('gets a tab for each further account, once, also where the answer is lost', async () => {
    const { scene, create, access } = await creating();
    await using _ = scene;
    const target = {
      spreadsheet_id: scene.spreadsheet,
      sheet_id: '0',
      spreadsheet_name: 'Money',
      sheet_name: 'Sheet1',
    };
    const request = { ...wanted(scene, 'key-1'), target };
    scene.google.control.addFault({ route: 'POST *batchUpdate', kind: 'drop-answer' });
    await assert.rejects(create(access, request, signal));
    const made = await create(access, { ...request, again: true }, signal);
    assert.deepEqual(made.target, target);
    const [book] = scene.google.control.spreadsheets().filter(({ id }) => id === scene.spreadsheet);
    assert.deepEqual(
      book?.tabs.slice(1).map(({ sheetId }) => String(sheetId)),
      made.mappings.map(({ sheet_id: id }) => id),
    );
  });
});

describe('resources', () => {
  async function listing() {
    const google = await Google.open();
    const access = google.access(await google.grant());
    const { resources } = google.connector;
    const list = async (query: { type: 'spreadsheet' | 'sheet'; parent: string | null; limit: number }) =>
      (await resources?.list(access, query, signal)) ?? assert.fail();
    return { google, list };
  }

  test('are the spreadsheets that the application may see, latest first, and no more than requested', async () => {
    const { google, list } = await listing();
    await using _ = google;
    const ids = ['One', 'Two', 'Three'].map((title) => {
      google.time.pass(60_000);
      return google.control.addSpreadsheet({ title });
    });
    google.control.addSpreadsheet({ title: 'Private', picked: false });
    google.control.setTrashed(google.control.addSpreadsheet({ title: 'Old' }), true);
    const all = await list({ type: 'spreadsheet', parent: null, limit: 10 });
    assert.deepEqual(
      all.map(({ id, name }) => [id, name]),
      [
        [ids[2], 'Three'],
        [ids[1], 'Two'],
        [ids[0], 'One'],
      ],
    );
    assert.match(all[0]?.url ?? '', /\/spreadsheets\/d\//);
    const two = await list({ type: 'spreadsheet', parent: null, limit: 2 });
    assert.deepEqual(
      two.map(({ name }) => name),
      ['Three', 'Two'],
    );
  });

  test('go on over Drive’s pages', async () => {
    const { google, list } = await listing();
    await using _ = google;
    for (let index = 0; index < 1010; index++) google.control.addSpreadsheet({ title: `Book ${index}` });
    assert.equal((await list({ type: 'spreadsheet', parent: null, limit: 1005 })).length, 1005);
  });

  test('of a spreadsheet are its tabs; of an unknown one, a refused request', async () => {
    const { google, list } = await listing();
    await using _ = google;
    const parent = google.control.addSpreadsheet({ title: 'Money' });
    google.control.edit(parent, [{ addSheet: { properties: { sheetId: 7, title: 'Trades' } } }]);
    const tabs = await list({ type: 'sheet', parent, limit: 10 });
    assert.deepEqual(
      tabs.map(({ id, name }) => [id, name]),
      [
        ['0', 'Sheet1'],
        ['7', 'Trades'],
      ],
    );
    assert.match(tabs[1]?.url ?? '', /#gid=7$/);
    assert.equal((await list({ type: 'sheet', parent, limit: 1 })).length, 1);
    await assert.rejects(list({ type: 'sheet', parent: 'nope', limit: 10 }), { situation: 'bad_request' });
  });
});
