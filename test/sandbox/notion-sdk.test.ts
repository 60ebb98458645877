import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  APIErrorCode,
  Client,
  collectAllDataSourceRows,
  isFullDatabase,
  isFullDataSource,
  isFullPage,
  isNotionClientError,
} from '@notionhq/client';
import { type NotionSimulator, startNotionSimulator } from '../../sandbox/notion/server.ts';
import { NOW, notionToken } from './notion-visitor.ts';

const CLIENT = { clientId: 'id', clientSecret: 'secret' } as const;

/** Notion's own client, which is someone else's code, finds in the simulator what it expects of the vendor. */
describe('Notion’s own client against the simulator', () => {
  let simulator: NotionSimulator;
  let notion: Client;
  let now = NOW;
  let source = '';
  before(async () => {
    // A second for each question of the time: the client knows no quota.
    simulator = await startNotionSimulator({ ...CLIENT, clock: { now: () => (now += 1_000) } });
    const { access } = await notionToken(simulator, CLIENT);
    notion = new Client({ auth: access, baseUrl: simulator.url, retry: false });
    const [database] = simulator.control.workspace().databases;
    const found = await notion.databases.retrieve({ database_id: database?.id ?? '' });
    assert.ok(isFullDatabase(found));
    source = found.data_sources[0]?.id ?? '';
  });
  after(() => simulator.close());

  it('says who it is', async () => {
    assert.equal((await notion.users.me({})).type, 'bot');
  });

  it('finds the shared data sources, and changes the properties of one', async () => {
    const { results } = await notion.search({ filter: { property: 'object', value: 'data_source' } });
    assert.deepEqual(
      results.map(({ id }) => id),
      [source],
    );
    const changed = await notion.dataSources.update({
      data_source_id: source,
      properties: { Amount: { number: { format: 'number' } }, Status: { select: {} }, Id: { rich_text: {} } },
    });
    assert.ok(isFullDataSource(changed));
    assert.deepEqual(Object.keys(changed.properties), ['Name', 'Amount', 'Status', 'Id']);
  });

  it('creates, reads, changes and trashes rows', async () => {
    const made = await notion.pages.create({
      parent: { data_source_id: source },
      properties: {
        Name: { title: [{ text: { content: 'Coffee' } }] },
        Amount: { number: -4.5 },
        Status: { select: { name: 'posted' } },
        Id: { rich_text: [{ text: { content: 'txn_1' } }] },
      },
    });
    assert.ok(isFullPage(made));
    const read = await notion.pages.retrieve({ page_id: made.id });
    assert.deepEqual(read, made);
    const found = await notion.dataSources.query({
      data_source_id: source,
      filter: { property: 'Id', rich_text: { equals: 'txn_1' } },
      filter_properties: ['title'],
    });
    assert.deepEqual(
      found.results.map((row) => (isFullPage(row) ? Object.keys(row.properties) : [])),
      [['Name']],
    );
    await notion.pages.update({ page_id: made.id, properties: { Amount: { number: 1 } } });
    const gone = await notion.pages.update({ page_id: made.id, in_trash: true });
    assert.ok(isFullPage(gone) && gone.in_trash);
    await assert.rejects(
      notion.pages.update({ page_id: made.id, properties: { Amount: { number: 2 } } }),
      (error) => isNotionClientError(error) && error.code === APIErrorCode.ValidationError,
    );
  });

  it('reads past the most rows of one query, by the times of their creation', async () => {
    simulator.control.set({ queryResultLimit: 120 });
    for (let row = 0; row < 260; row++) {
      now += 60_000;
      await notion.pages.create({
        parent: { data_source_id: source },
        properties: { Name: { title: [{ text: { content: `row ${row}` } }] } },
      });
    }
    const first = await notion.dataSources.query({ data_source_id: source });
    assert.deepEqual([first.results.length, first.has_more], [100, true]);
    const rows = await collectAllDataSourceRows(notion, { data_source_id: source });
    assert.equal(new Set(rows.map(({ id }) => id)).size, 260);
    simulator.control.set({ queryResultLimit: 10_000 });
  });

  it('creates a database on a page and finds it among what is there', async () => {
    const [page] = simulator.control.workspace().pages;
    const parent = { type: 'page_id', page_id: page?.id ?? '' } as const;
    const made = await notion.databases.create({
      parent,
      title: [{ text: { content: 'Made' } }],
      initial_data_source: { properties: { What: { title: {} } } },
    });
    const { results } = await notion.blocks.children.list({ block_id: parent.page_id });
    assert.ok(results.some(({ id }) => id === made.id));
  });

  it('is told of what it may not see as of what is not there', async () => {
    const hidden = simulator.control.workspace().databases.find(({ shared }) => !shared);
    for (const id of [hidden?.id ?? '', '00000000-0000-4000-8000-000000000000']) {
      await assert.rejects(
        notion.databases.retrieve({ database_id: id }),
        (error) => isNotionClientError(error) && error.code === APIErrorCode.ObjectNotFound,
      );
    }
  });

  it('exchanges, introspects and revokes tokens', async () => {
    const { refresh } = await notionToken(simulator, CLIENT);
    const own = { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret };
    const next = await notion.oauth.token({ ...own, grant_type: 'refresh_token', refresh_token: refresh });
    assert.notEqual(next.refresh_token, refresh);
    assert.equal((await notion.oauth.introspect({ ...own, token: next.access_token })).active, true);
    await notion.oauth.revoke({ ...own, token: next.access_token });
    assert.equal((await notion.oauth.introspect({ ...own, token: next.access_token })).active, false);
  });
});
