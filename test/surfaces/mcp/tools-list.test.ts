import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ACTS_LATER, SHOWS_SYNC_ROWS } from '../../../src/operations/mcp/operation-listing.ts';
import { LEFT_OUT } from '../../../src/operations/mcp/search-tools.ts';
import { FIRST_TOOLS, TOOLS, toolNameOf } from '../../../src/operations/mcp/tool-table.ts';
import { V1_TOOLS } from '../../../src/operations/mcp/v1-tools.ts';
import { OPERATIONS } from '../../../src/operations/operation-table.ts';
import { OAUTH_SCOPES } from '../../../src/vocabulary/oauth-scopes.ts';
import { SCOPES, type Scope } from '../../../src/vocabulary/scopes.ts';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { type Agent, agentOf } from './support/agent.ts';

let service: TestService;
let owner: TestOwner;
let agent: Agent;
/** The same at the address that lists every tool. */
const allOf = (key: string): Agent => agentOf(service.url, key, '2025-11-25', '/mcp?tools=all');
before(async () => {
  service = await commonService();
  owner = await service.owner();
  agent = agentOf(service.url, owner.key);
});
after(() => service.close());

async function pagesOf(one: Agent): Promise<Json[]> {
  const pages: Json[] = [];
  for (let cursor: string | undefined; ; ) {
    const { body, text } = await one.ask(
      'tools/list',
      cursor === undefined ? {} : { cursor },
      'ListToolsResult',
    );
    assert.ok(body.result, text);
    pages.push({ ...body.result, bytes: Buffer.byteLength(text) });
    cursor = body.result.nextCursor;
    if (cursor === undefined) return pages;
  }
}

const namesOf = async (one: Agent): Promise<string[]> =>
  (await pagesOf(one)).flatMap(({ tools }) => tools.map((tool: Json) => tool.name));

describe('the list of tools', () => {
  test('has a tool for every operation of v2 but those left out with a reason', () => {
    const ids = OPERATIONS.map(({ id }) => id);
    for (const id of [...Object.keys(LEFT_OUT), ...ACTS_LATER, ...SHOWS_SYNC_ROWS])
      assert.ok(ids.includes(id), id);
    const names = new Set(TOOLS.map(({ name }) => name));
    for (const id of ids) assert.equal(names.has(toolNameOf(id)), !Object.hasOwn(LEFT_OUT, id), id);
    assert.equal(TOOLS.length, names.size);
    assert.equal(names.size, ids.length - Object.keys(LEFT_OUT).length + V1_TOOLS.length + 1);
  });

  test('leaves out every operation that is streamed, carries a file or answers nothing but a secret, and no other', () => {
    const makes = ['create_destination', 'create_event_destination'];
    const reasons = OPERATIONS.filter(
      ({ id, streamed, file, answersSecret }) =>
        streamed !== null || file !== null || id.endsWith('_file') || (answersSecret && !makes.includes(id)),
    );
    assert.deepEqual(reasons.map(({ id }) => id).toSorted(), Object.keys(LEFT_OUT).toSorted());
  });

  test('is one page of at most 25 tools and 24 kB, which covers what people ask agents for and no access', async () => {
    const pages = await pagesOf(agent);
    assert.equal(pages.length, 1, 'clients that read one page see all of it');
    const [{ tools, bytes }] = pages;
    assert.ok(bytes <= 24_000, String(bytes));
    assert.ok(tools.length <= 25 && tools.length > 15, String(tools.length));
    assert.deepEqual(
      tools.map((tool: Json) => tool.name),
      FIRST_TOOLS.map(({ name }) => name),
    );
    const listed = new Set(tools.map((tool: Json) => tool.name));
    for (const name of [
      ...V1_TOOLS.map((tool) => tool.name),
      'search_tools',
      'create_sync',
      'run_sync',
      'verify_sync',
    ])
      assert.ok(listed.has(name), name);
    for (const tool of FIRST_TOOLS) {
      assert.notEqual(tool.scope, 'keys:write', tool.name);
      assert.equal(tool.hints.destructiveHint, false, tool.name);
    }
    const { result } = await agent.call('search_tools', { query: 'cancel a run', limit: 1 });
    assert.equal(result.tools[0].name, 'cancel_sync_run', 'the rest is found');
    const { failure } = await agent.call('cancel_sync_run', { id: 'run_0000000000000000000000' });
    assert.equal(failure.code, 'resource_missing', 'and called by name');
  });

  test('has tools that change keys only for who asks for all of them and holds the scope, which no app can be granted', async () => {
    const holders = await service.owner(['keys:write']);
    const others = await service.owner(SCOPES.filter((scope) => scope !== 'keys:write'));
    const ofKeys = TOOLS.filter(({ scope }) => scope === 'keys:write').map(({ name }) => name);
    const shown = async (one: Agent) => (await namesOf(one)).filter((name) => ofKeys.includes(name));
    assert.deepEqual(await shown(allOf(holders.key)), ofKeys);
    assert.deepEqual(await shown(agentOf(service.url, holders.key)), []);
    assert.deepEqual(await shown(allOf(others.key)), []);
    assert.ok(!Object.hasOwn(OAUTH_SCOPES, 'keys:write'));
  });

  test('takes `all` as the only value of tools in its address', async () => {
    for (const search of ['?tools=', '?tools=ALL', '?tools=some&tools=all']) {
      const { status, body } = await agentOf(service.url, owner.key, '2025-11-25', `/mcp${search}`).ask(
        'tools/list',
      );
      assert.deepEqual([status, body.error.message], [400, 'tools takes all.'], search);
    }
    assert.deepEqual(
      await namesOf(agentOf(service.url, owner.key, '2025-11-25', '/mcp/?tools=all')),
      TOOLS.map(({ name }) => name),
    );
  });

  test('of all tools comes in pages of at most 24 kB, begins with the six, and is the same each time [limit mcp_list_bytes]', async () => {
    const all = allOf(owner.key);
    const pages = await pagesOf(all);
    assert.ok(pages.length > 1);
    for (const { bytes } of pages) assert.ok(bytes <= 24_000, String(bytes));
    const [first] = pages;
    assert.deepEqual(
      first.tools.slice(0, 7).map((tool: Json) => tool.name),
      [...V1_TOOLS.map(({ name }) => name), 'search_tools'],
    );
    assert.deepEqual(
      await namesOf(all),
      TOOLS.map(({ name }) => name),
    );
    const again = await pagesOf(all);
    assert.deepEqual(
      again.map(({ tools }) => tools),
      pages.map(({ tools }) => tools),
    );
  });

  test('takes only a cursor that it gave', async () => {
    for (const cursor of [
      '',
      'tools-0',
      'tools-9999',
      'tools--1',
      'tools-1e2',
      '__proto__',
      'x'.repeat(5000),
    ]) {
      const { body } = await agent.ask('tools/list', { cursor });
      assert.equal(body.error.code, -32_602, cursor);
    }
    const { body } = await agent.ask('tools/list', { cursor: 5 });
    assert.equal(body.error.code, -32_602);
  });

  test('offers what the scopes of the caller reach, and nothing else', async () => {
    for (const scope of SCOPES) {
      const one = await service.owner([scope]);
      const names = new Set(await namesOf(allOf(one.key)));
      const held: readonly Scope[] = [
        scope,
        ...SCOPES.filter((other) => scope.replace(':write', ':read') === other),
      ];
      const reached = TOOLS.filter(
        (tool) =>
          (tool.scope === null ||
            [tool.scope, ...(tool.orScopes ?? [])].some((needed) => held.includes(needed))) &&
          tool.alsoScopes.every((needed) => held.includes(needed)),
      );
      assert.deepEqual(
        [...names],
        reached.map(({ name }) => name),
        scope,
      );
    }
  });
});

describe('a tool', () => {
  const describedAs = (name: string) => TOOLS.find((tool) => tool.name === name) ?? assert.fail(name);

  test('says whether it reads, removes, may be repeated, or reaches outside', () => {
    const hints = (name: string): string =>
      Object.entries(describedAs(name).hints)
        .filter(([, value]) => value)
        .map(([hint]) => hint.replace('Hint', ''))
        .join();
    assert.equal(hints('list_syncs'), 'readOnly,idempotent');
    assert.equal(hints('list_transactions_v2'), 'readOnly,idempotent,openWorld');
    assert.equal(hints('create_category'), '');
    assert.equal(hints('update_sync'), 'idempotent');
    assert.equal(hints('run_sync'), 'openWorld');
    assert.equal(hints('delete_connection'), 'destructive,idempotent,openWorld');
    assert.equal(hints('resync'), 'destructive,openWorld');
    for (const { name, hints: own } of TOOLS) assert.ok(!(own.readOnlyHint && own.destructiveHint), name);
  });

  test('that removes something asks for confirm', () => {
    for (const { name, hints, input } of TOOLS) {
      assert.equal(input.required?.includes('confirm') ?? false, hints.destructiveHint, name);
    }
  });

  test('says in its description when to use it, and speaks of nothing that an agent does not have', () => {
    for (const { name, description } of TOOLS) {
      assert.ok(description.length >= 30, name);
      assert.doesNotMatch(description, /next_page_url|X-Service|\[\]|`|Header/, name);
    }
  });
});

describe('the search', () => {
  const find = async (query: string, limit = 5): Promise<string[]> => {
    const { result } = await agent.call('search_tools', { query, limit });
    return result.tools.map((tool: Json) => tool.name);
  };

  test('finds tools by what they do, with everything there is to know of them', async () => {
    assert.equal((await find('create a sync'))[0], 'create_sync');
    assert.equal((await find('delete categories'))[0], 'delete_category');
    assert.ok((await find('verify that a destination has what the bank has')).includes('verify_sync'));
    assert.deepEqual(await find('xyzzy'), []);
    const { result } = await agent.call('search_tools', { query: 'run sync', limit: 1 });
    assert.deepEqual(Object.keys(result.tools[0].outputSchema.properties).slice(0, 2), ['id', 'object']);
  });

  test('finds nothing that the caller may not use', async () => {
    const reader = await service.owner(['data:read']);
    const { result } = await agentOf(service.url, reader.key).call('search_tools', {
      query: 'sync',
      limit: 20,
    });
    const allowed = new Set(
      TOOLS.filter((tool) => tool.scope === null || tool.scope === 'data:read').map(({ name }) => name),
    );
    for (const { name } of result.tools) assert.ok(allowed.has(name), name);
  });
});
