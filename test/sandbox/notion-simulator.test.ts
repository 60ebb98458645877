import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type NotionSimulator, startNotionSimulator } from '../../sandbox/notion/server.ts';
import { type Ask, asking, NOW, notionToken } from './notion-visitor.ts';
import { list, record } from './visitor.ts';

const CLIENT = { clientId: 'id', clientSecret: 'secret' } as const;

describe('the simulated Notion', () => {
  let simulator: NotionSimulator;
  let ask: Ask;
  let now = NOW;
  let database = '';
  let source = '';
  before(async () => {
    simulator = await startNotionSimulator({ ...CLIENT, clock: { now: () => now } });
    ask = asking(simulator, (await notionToken(simulator, CLIENT)).access);
    const [first] = simulator.control.workspace().databases;
    database = first?.id ?? '';
    source = first?.sources[0] ?? '';
    for (const [name, type] of [
      ['Id', 'rich_text'],
      ['Amount', 'number'],
      ['Day', 'date'],
      ['Kind', 'select'],
    ] as const)
      simulator.control.addProperty(database, { name, type });
  });
  after(() => simulator.close());
  beforeEach(() => {
    now += 3_600_000;
    simulator.control.clear();
  });
  const row = (id: string, more: Record<string, unknown> = {}) => ({
    parent: { type: 'data_source_id', data_source_id: source },
    properties: { Id: { rich_text: [{ text: { content: id } }] }, ...more },
  });
  const refusal = async (method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await ask(method, path, body, headers);
    assert.equal(answer.body.object, 'error');
    assert.equal(answer.body.status, answer.status);
    return [answer.status, answer.body.code];
  };

  test('wants a token, a version, and for the calls of OAuth the client’s own credentials', async () => {
    assert.deepEqual(await refusal('GET', '/v1/users/me', undefined, { authorization: 'Bearer no' }), [
      401,
      'unauthorized',
    ]);
    const basic = `Basic ${Buffer.from('id:secret').toString('base64')}`;
    assert.deepEqual(await refusal('GET', '/v1/users/me', undefined, { authorization: basic }), [
      401,
      'unauthorized',
    ]);
    assert.deepEqual(await refusal('GET', '/v1/users/me', undefined, { 'notion-version': '2022-06-28' }), [
      400,
      'validation_error',
    ]);
    const bare = await fetch(`${simulator.url}/v1/users/me`, { headers: { authorization: 'Bearer x' } });
    assert.equal(bare.status, 401);
    assert.deepEqual(
      await refusal('POST', '/v1/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x' }),
      [401, 'unauthorized'],
    );
    const wrong = { authorization: `Basic ${Buffer.from('id:wrong').toString('base64')}` };
    assert.deepEqual(
      await refusal('POST', '/v1/oauth/token', { grant_type: 'authorization_code', code: 'x' }, wrong),
      [401, 'invalid_client'],
    );
    const right = { authorization: basic };
    assert.deepEqual(
      await refusal('POST', '/v1/oauth/token', { grant_type: 'authorization_code', code: 'x' }, right),
      [400, 'invalid_grant'],
    );
    assert.deepEqual(await refusal('POST', '/v1/nothing', {}), [400, 'invalid_request_url']);
  });

  test('ends a grant whose refresh token is used twice', async () => {
    const { access, refresh } = await notionToken(simulator, CLIENT);
    const right = { authorization: `Basic ${Buffer.from('id:secret').toString('base64')}` };
    const body = { grant_type: 'refresh_token', refresh_token: refresh };
    const next = await ask('POST', '/v1/oauth/token', body, right);
    assert.equal(next.status, 200);
    assert.equal(
      (await ask('GET', '/v1/users/me', undefined, { authorization: `Bearer ${access}` })).status,
      401,
    );
    assert.deepEqual(await refusal('POST', '/v1/oauth/token', body, right), [400, 'invalid_grant']);
    const bearer = { authorization: `Bearer ${String(next.body.access_token)}` };
    assert.deepEqual(await refusal('GET', '/v1/users/me', undefined, bearer), [401, 'unauthorized']);
  });

  test('types the properties of rows, and names the place of what is wrong', async () => {
    const wrong: readonly (readonly [Record<string, unknown>, RegExp])[] = [
      [{ Amount: { number: '1' } }, /body\.properties\.Amount\.number should be a number/],
      [{ Amount: { rich_text: [] } }, /Amount is expected to be number/],
      [{ Nothing: { number: 1 } }, /Nothing is not a property that exists/],
      [{ Day: { date: { start: '2026-02-30' } } }, /body\.properties\.Day\.date\.start/],
      [{ Day: { date: '2026-02-20' } }, /body\.properties\.Day\.date should be an object/],
      [{ Kind: { select: { name: 'a,b' } } }, /commas not allowed/],
      [{ Kind: { select: { name: 'a'.repeat(101) } } }, /select\.name\.length should be ≤ `100`/],
      [
        { Id: { rich_text: [{ text: { content: 'a'.repeat(2_001) } }] } },
        /content\.length should be ≤ `2000`, instead was `2001`/,
      ],
      [
        { Id: { rich_text: Array.from({ length: 101 }, () => ({ text: { content: 'a' } })) } },
        /rich_text\.length should be ≤ `100`/,
      ],
      [{ Id: { rich_text: [{ text: { content: 'a', colour: 'red' } }] } }, /colour should be not present/],
    ];
    for (const [properties, text] of wrong) {
      now += 1_000;
      const { status, body } = await ask('POST', '/v1/pages', row('x', properties));
      assert.deepEqual([status, body.code], [400, 'validation_error']);
      assert.match(String(body.message), text);
    }
    assert.deepEqual(await refusal('POST', '/v1/pages', { ...row('x'), extra: 1 }), [
      400,
      'validation_error',
    ]);
    assert.deepEqual(
      await refusal(
        'POST',
        '/v1/pages',
        row('x', {
          Name: {
            title: [{ text: { content: 'é'.repeat(2_000) } }].flatMap((one) =>
              Array.from({ length: 100 }, () => one),
            ),
          },
          Id: { rich_text: Array.from({ length: 100 }, () => ({ text: { content: 'é'.repeat(2_000) } })) },
        }),
      ),
      [400, 'validation_error'],
    );
    assert.equal(simulator.control.rows(database).length, 0);
  });

  test('gives pages of at most 100 rows, with cursors that lead on in the same query alone', async () => {
    for (let at = 0; at < 130; at++) {
      now += 1_000;
      await ask('POST', '/v1/pages', row(`r${at}`, { Amount: { number: at } }));
    }
    const path = `/v1/data_sources/${source}/query`;
    const first = await ask('POST', path, { page_size: 100 });
    assert.deepEqual([list(first.body, 'results').length, first.body.has_more], [100, true]);
    const next = await ask('POST', path, { start_cursor: first.body.next_cursor });
    assert.deepEqual(
      [list(next.body, 'results').length, next.body.has_more, next.body.next_cursor],
      [30, false, null],
    );
    assert.deepEqual(next.body.request_status, { type: 'complete' });
    const other = {
      start_cursor: first.body.next_cursor,
      filter: { property: 'Amount', number: { equals: 1 } },
    };
    assert.deepEqual(await refusal('POST', path, other), [400, 'validation_error']);
    assert.deepEqual(await refusal('POST', path, { start_cursor: 'mine' }), [400, 'validation_error']);
    assert.deepEqual(await refusal('POST', path, { page_size: 101 }), [400, 'validation_error']);
  });

  test('answers with no more rows than the cap, and says so', async () => {
    simulator.control.set({ queryResultLimit: 110 });
    const path = `/v1/data_sources/${source}/query`;
    const first = await ask('POST', path, {});
    const next = await ask('POST', path, { start_cursor: first.body.next_cursor });
    assert.deepEqual([list(next.body, 'results').length, next.body.has_more], [10, false]);
    assert.deepEqual(next.body.request_status, {
      type: 'incomplete',
      incomplete_reason: 'query_result_limit_reached',
    });
    simulator.control.set({ queryResultLimit: 10_000 });
  });

  test('filters by type, in groups, and shows the properties that are asked for', async () => {
    const path = `/v1/data_sources/${source}/query`;
    const ids = async (filter: unknown) => {
      now += 1_000;
      const { body } = await ask('POST', `${path}?filter_properties=Id`, { filter });
      return list(body, 'results').map((one) => {
        const properties = record(record(one).properties);
        assert.deepEqual(Object.keys(properties), ['Id']);
        return String(record(list(record(properties.Id), 'rich_text')[0]).plain_text);
      });
    };
    const equals = (text: string) => ({ property: 'Id', rich_text: { equals: text } });
    assert.deepEqual(await ids({ or: ['r3', 'r5', 'none'].map(equals) }), ['r3', 'r5']);
    assert.deepEqual(await ids({ and: [equals('r3'), { property: 'Amount', number: { equals: 3 } }] }), [
      'r3',
    ]);
    assert.deepEqual(await ids({ property: 'Day', date: { on_or_after: '2026-01-01' } }), []);
    const created = { timestamp: 'created_time', created_time: { on_or_after: '2030-01-01T00:00:00.000Z' } };
    assert.deepEqual(await ids(created), []);
    const tooMany = { or: Array.from({ length: 101 }, () => equals('r1')) };
    assert.deepEqual(await refusal('POST', path, { filter: tooMany }), [400, 'validation_error']);
    assert.deepEqual(await refusal('POST', path, { filter: { property: 'Id', number: { equals: 1 } } }), [
      400,
      'validation_error',
    ]);
    assert.deepEqual(await refusal('POST', path, { filter: { property: 'Gone', number: { equals: 1 } } }), [
      400,
      'validation_error',
    ]);
  });

  test('hides what was just written from queries for as long as it is told to', async () => {
    simulator.control.set({ indexLagMs: 10_000 });
    await ask('POST', '/v1/pages', row('late'));
    const find = async () => {
      const filter = { property: 'Id', rich_text: { equals: 'late' } };
      return list((await ask('POST', `/v1/data_sources/${source}/query`, { filter })).body, 'results').length;
    };
    assert.equal(await find(), 0);
    now += 10_000;
    assert.equal(await find(), 1);
    simulator.control.set({ indexLagMs: 0 });
  });

  test('tells times by the minute', async () => {
    const { body } = await ask('POST', '/v1/pages', row('minute'));
    assert.match(String(body.created_time), /:\d\d:00\.000Z$/);
  });

  test('limits calls to three a second on average, and says for how long', async () => {
    let limited = 0;
    for (let call = 0; call < 40; call++) {
      const { status, headers, body } = await ask('GET', '/v1/users/me');
      if (status === 200) continue;
      limited += 1;
      assert.deepEqual([status, body.code], [429, 'rate_limited']);
      assert.equal(record(body.additional_data).rate_limit_reason, 'connection');
      assert.match(headers.get('retry-after') ?? '', /^\d+$/);
    }
    assert.equal(limited, 5);
    now += 10_000;
    assert.equal((await ask('GET', '/v1/users/me')).status, 200);
  });

  test('can be told by its control API all that a person does there', async () => {
    const control = async (path: string, body?: unknown) => {
      const answer = await fetch(`${simulator.controlUrl}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      assert.ok(answer.ok, `${path}: ${text}`);
      return text === '' ? {} : record(JSON.parse(text));
    };
    const page = await control('/pages', { title: 'Budget', shared: true });
    const made = await control('/databases', {
      title: 'Made',
      parent: page.id,
      properties: [{ name: 'Name', type: 'title' }],
    });
    const at = `/databases/${String(made.id)}`;
    await control(`${at}/properties`, { name: 'Note', type: 'rich_text' });
    await control(`${at}/properties/rename`, { name: 'Note', to: 'Remark' });
    await control(`${at}/properties/move`, { name: 'Remark', place: 0 });
    await control(`${at}/rename`, { name: 'Renamed' });
    await control(`${at}/sources`, { name: 'Second' });
    const [source = ''] =
      simulator.control.workspace().databases.find(({ id }) => id === made.id)?.sources ?? [];
    const parent = { type: 'data_source_id', data_source_id: source };
    const { body } = await ask('POST', '/v1/pages', { parent, properties: {} });
    const id = String(body.id);
    await control(`/rows/${id}/text`, { name: 'Remark', text: 'mine' });
    await control(`/rows/${id}/copy`, {});
    await control(`/items/${id}/trash`, { in_trash: true });
    assert.deepEqual(
      list(await control(`${at}/rows`), 'rows').map((one) => record(one).inTrash),
      [true, false],
    );
    await control(`/items/${id}/purge`, {});
    await control(`${at}/properties/remove`, { name: 'Remark' });
    const shown = simulator.control.workspace().databases.find((one) => one.id === made.id);
    assert.deepEqual([shown?.title, shown?.properties.map(({ name }) => name)], ['Renamed', ['Name']]);
    await control(`/items/${String(page.id)}/share`, { shared: false });
    assert.deepEqual(await refusal('GET', `/v1${at}`), [404, 'object_not_found']);
    await control('/settings', { indexLagMs: 0 });
    assert.deepEqual(await control('/grants'), { count: simulator.control.grants().count });
    await control('/grants/expire', {});
    assert.deepEqual(await refusal('GET', '/v1/users/me'), [401, 'unauthorized']);
    await control('/grants/revoke', {});
    assert.equal(simulator.control.grants().count, 0);
    const bad = await fetch(`${simulator.controlUrl}${at}/rename`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    assert.equal(bad.status, 400);
  });
});

describe('the pages of the simulated Notion', () => {
  test('list the databases, show 200 rows at a time and each row whole, without script', async () => {
    let now = NOW;
    const simulator = await startNotionSimulator({
      ...CLIENT,
      clock: { now: () => (now += 400) },
      pagesUrl: 'https://app.example/sandbox/notion',
    });
    try {
      const ask = asking(simulator, (await notionToken(simulator, CLIENT)).access);
      const [database] = simulator.control.workspace().databases;
      const id = database?.id ?? '';
      simulator.control.addProperty(id, { name: 'Amount', type: 'number' });
      simulator.control.addProperty(id, { name: 'Note', type: 'rich_text' });
      const parent = { type: 'data_source_id', data_source_id: database?.sources[0] };
      const text = (content: string) => [{ text: { content } }];
      let last = '';
      for (let row = 0; row < 201; row++) {
        const note = row === 200 ? text('x'.repeat(2_000)) : [];
        const properties = {
          Name: { title: text(`<b>${row}</b>`) },
          Amount: { number: row },
          Note: { rich_text: note },
        };
        last = String((await ask('POST', '/v1/pages', { parent, properties })).body.id);
      }
      const show = async (path: string) => {
        const answer = await fetch(`${simulator.url}${path}`);
        const html = await answer.text();
        assert.equal(answer.status, 200, html);
        assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
        assert.doesNotMatch(html, /<script/);
        assert.match(html, /prefers-color-scheme:dark/);
        assert.ok(Buffer.byteLength(html) < 256 * 1024);
        return html;
      };
      const index = await show('/databases');
      assert.ok(index.includes(`href="/sandbox/notion/databases/${id}"`));
      const first = await show(`/databases/${id}`);
      assert.equal(first.match(/&lt;b&gt;\d+&lt;\/b&gt;/g)?.length, 200);
      assert.match(first, /<td class="number">7<\/td><td class="empty"><\/td>/);
      assert.match(first, /Page 1 of 2/);
      const second = await show(`/databases/${id}?page=2`);
      assert.match(second, /x{160}…/);
      assert.match(await show(`/pages/${last}`), /x{2000}</);
      assert.deepEqual(simulator.received.pages(), ['/databases', `/databases/${id}`]);
      assert.equal(simulator.received.rows().length, 201);
      assert.equal((await fetch(`${simulator.url}/databases/none`)).status, 404);
    } finally {
      await simulator.close();
    }
  });

  test('stay small enough to be passed on when every text is long', async () => {
    let now = NOW;
    const simulator = await startNotionSimulator({ ...CLIENT, clock: { now: () => (now += 400) } });
    try {
      const ask = asking(simulator, (await notionToken(simulator, CLIENT)).access);
      const [database] = simulator.control.workspace().databases;
      const id = database?.id ?? '';
      const names = Array.from({ length: 13 }, (_one, at) => `Text ${at}`);
      for (const name of names) simulator.control.addProperty(id, { name, type: 'rich_text' });
      const parent = { type: 'data_source_id', data_source_id: database?.sources[0] };
      const cell = { rich_text: [{ text: { content: 'é'.repeat(500) } }] };
      for (let row = 0; row < 200; row++)
        await ask('POST', '/v1/pages', {
          parent,
          properties: Object.fromEntries(names.map((name) => [name, cell])),
        });
      const html = await (await fetch(`${simulator.url}/databases/${id}`)).text();
      assert.ok(Buffer.byteLength(html) < 256 * 1024, `${Buffer.byteLength(html)} bytes`);
    } finally {
      await simulator.close();
    }
  });
});

test('grants and rows are there after a restart', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'notion-'));
  t.after(() => rm(directory, { recursive: true }));
  const stateFile = join(directory, 'notion.json');
  let now = NOW;
  const options = { ...CLIENT, stateFile, clock: { now: () => (now += 400) } };
  const first = await startNotionSimulator(options);
  const { access } = await notionToken(first, CLIENT);
  const [database] = first.control.workspace().databases;
  const parent = { type: 'data_source_id', data_source_id: database?.sources[0] };
  const properties = { Name: { title: [{ text: { content: 'kept' } }] } };
  await asking(first, access)('POST', '/v1/pages', { parent, properties });
  await first.close();
  const second = await startNotionSimulator(options);
  try {
    assert.deepEqual(
      second.received.rows().map(({ values }) => values.Name),
      ['kept'],
    );
    const made = await asking(second, access)('POST', '/v1/pages', { parent, properties });
    assert.equal(made.status, 200);
    assert.equal(new Set(second.control.rows(database?.id ?? '').map(({ id }) => id)).size, 2);
  } finally {
    await second.close();
  }
});
