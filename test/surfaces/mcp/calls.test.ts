import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { WITHHELD } from '../../../src/operations/mcp/operation-tool.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { linkAll } from '../v1/support/linked.ts';
import { type Agent, agentOf } from './support/agent.ts';

let service: TestService;
let owner: TestOwner;
let agent: Agent;
before(async () => {
  service = await startService();
  owner = await service.owner();
  agent = agentOf(service.url, owner.key);
  await linkAll(service, owner, [{ provider: 'au_banking', customer: 'salaried-household' }]);
});
after(() => service.close());

const answered = async (name: string, args: Json = {}): Promise<Json> => {
  const { result, failure, error } = await agent.call(name, args);
  assert.deepEqual([failure, error], [null, null], name);
  return result;
};
const refused = async (name: string, args: Json, param: string | null): Promise<void> => {
  const { error } = await agent.call(name, args);
  assert.deepEqual([error?.code, error?.data.param], [-32_602, param], `${name} ${JSON.stringify(args)}`);
};
const webhook = { type: 'webhook', name: 'books', target: { url: 'http://127.0.0.1:9/hook' } };

describe('what hosts send for arguments', () => {
  test('is taken with null for what is left out, and with numbers as text', async () => {
    const { data } = await answered('list_accounts_v2', {
      limit: '1',
      page: null,
      connection: null,
      context: null,
    });
    assert.equal(data.length, 1);
    await refused('list_accounts_v2', { limit: 'one' }, 'limit');
    await refused('get_account', { id: null }, 'id');
    assert.equal((await answered('list_accounts', { limit: '1' })).data.length, 1);
    const ruleset = await answered('create_ruleset', { name: 'Nulls', idempotency_key: null });
    const rule = await answered('create_rule', {
      id: ruleset.id,
      name: 'one',
      conditions: null,
      actions: [{ type: 'set_merchant', value: 'x' }],
    });
    assert.equal(rule.conditions, null, 'null stays where it says something');
  });

  test('is taken as null if a call has none', async () => {
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_accounts_v2', arguments: null },
    };
    const { status, body } = await agent.send(call);
    assert.deepEqual([status, body.error, body.result.isError ?? false], [200, undefined, false]);
  });
});

describe('a list', () => {
  test('goes on with a page token alone, to the same items as over v2', async () => {
    const whole = await owner.v2('GET', '/v2/accounts');
    assert.ok(whole.body.data.length > 2);
    const items: Json[] = [];
    let args: Json = { limit: 1 };
    for (
      let page = await answered('list_accounts_v2', args);
      ;
      page = await answered('list_accounts_v2', args)
    ) {
      assert.equal(page.data.length, 1);
      items.push(...page.data);
      if (page.next_page === null) break;
      args = { page: page.next_page, context: 'more' };
    }
    assert.deepEqual(items, whole.body.data);
  });

  test('below an object brings the object along, and what was included', async () => {
    const ruleset = await answered('create_ruleset', { name: 'Tidy' });
    for (const name of ['one', 'two', 'three']) {
      await answered('create_rule', {
        id: ruleset.id,
        name,
        conditions: null,
        actions: [{ type: 'set_merchant', value: 'x' }],
      });
    }
    const first = await answered('list_rules', { id: ruleset.id, limit: 2 });
    const second = await answered('list_rules', { page: first.next_page });
    assert.deepEqual(
      [...first.data, ...second.data].map(({ name }) => name),
      ['one', 'two', 'three'],
    );
    const listed = await answered('list_rulesets', { include: ['rules'], limit: 1 });
    assert.equal(listed.data[0].rules.length, 3);
  });

  test('refuses a token of another list, of another account record, or of no one', async () => {
    const { next_page: page } = await answered('list_accounts_v2', { limit: 1 });
    const { failure } = await agent.call('list_connections_v2', { page });
    assert.equal(failure.code, 'page_invalid');
    const other = agentOf(service.url, (await service.owner()).key);
    assert.equal((await other.call('list_accounts_v2', { page })).failure.code, 'page_invalid');
    const rest = Buffer.from(JSON.stringify([{ id: {} }, null, []])).toString('base64url');
    for (const wrong of ['', 'x', `${page}x.y`, 'x'.repeat(9000), `a.${rest}`]) {
      await refused('list_accounts_v2', { page: wrong }, 'page');
    }
    await refused('list_accounts_v2', { page: 5 }, 'page');
  });

  test('that is too long for an agent has fewer items and goes on [limit mcp_answer_characters]', async () => {
    const small = await startService({ LIMIT_MCP_ANSWER_CHARACTERS: '1024' });
    try {
      const one = await small.owner();
      const caller = agentOf(small.url, one.key);
      for (let at = 0; at < 8; at++) await one.v2('POST', '/v2/rulesets', { name: `Ruleset ${at}` });
      const whole = (await one.v2('GET', '/v2/rulesets')).body.data;
      const items: Json[] = [];
      for (let args: Json = { limit: 100 }; ; ) {
        const { http, result } = await caller.call('list_rulesets', args);
        assert.ok(JSON.stringify(result.data).length <= 1024, http.text);
        items.push(...result.data);
        if (result.next_page === null) break;
        args = { page: result.next_page };
      }
      assert.deepEqual(items, whole);
      const { result } = await caller.call('list_provider_categories');
      assert.deepEqual([result.truncated, result.next_page], [true, null]);
      assert.ok(result.data.length > 0 && JSON.stringify(result.data).length <= 1024);
    } finally {
      await small.close();
    }
  });

  test('says where the ceiling of the service cut off older rows', async () => {
    const small = await startService({ LIMIT_TRANSACTION_ROWS: '2' });
    try {
      const one = await small.owner();
      const [account] = await linkAll(small, one, [
        { provider: 'au_banking', customer: 'salaried-household' },
      ]);
      const { result } = await agentOf(small.url, one.key).call('list_transactions_v2', {
        account,
        limit: 100,
      });
      assert.deepEqual([result.data.length, result.truncated], [2, true]);
    } finally {
      await small.close();
    }
  });
});

describe('arguments', () => {
  test('that an operation does not take are invalid params, and name what is at fault', async () => {
    await refused('get_account', {}, 'id');
    await refused('get_account', { id: 5 }, 'id');
    await refused('get_account', { id: 'acct_x', nope: 1 }, 'nope');
    await refused('list_syncs', { status: 'idle' }, 'status');
    await refused('list_syncs', { limit: 101 }, 'limit');
    await refused('list_syncs', { include: ['secrets'] }, 'include');
    await refused('list_accounts_v2', { include: ['x'] }, 'include');
    await refused('list_accounts_v2', { idempotency_key: 'x' }, 'idempotency_key');
    await refused('create_category', { name: 'x', context: 'x'.repeat(2001) }, 'context');
    await refused('create_category', { name: 'a\u0000b' }, 'name');
    await refused('list_institutions', { q: 'a\u0000b' }, 'q');
    const unknown = await agent.call('drop_tables');
    assert.equal(unknown.error.code, -32_602);
  });

  test('of a change that cannot be undone include confirm', async () => {
    const category = await answered('create_category', { name: 'Short-lived' });
    for (const confirm of [undefined, false, 'true', 1])
      await refused('delete_category', { id: category.id, confirm }, 'confirm');
    assert.equal((await answered('get_category', { id: category.id })).id, category.id);
    assert.equal((await answered('delete_category', { id: category.id, confirm: true })).deleted, true);
    await refused('reset_categories', {}, 'confirm');
    await refused('create_category', { name: 'x', confirm: true }, 'confirm');
  });

  test('with an idempotency_key are done once', async () => {
    const once = { name: 'Once', idempotency_key: 'agent-1' };
    const first = await answered('create_category', once);
    assert.deepEqual(await answered('create_category', once), first);
    const { failure } = await agent.call('create_category', { ...once, name: 'Twice' });
    assert.equal(failure.code, 'idempotency_key_reused');
    const over = await owner.v2('POST', '/v2/categories', { name: 'Once' }, { 'idempotency-key': 'agent-1' });
    assert.deepEqual([over.headers.get('idempotent-replayed'), over.body], ['true', first]);
    await refused('create_category', { name: 'x', idempotency_key: '' }, 'Idempotency-Key');
    await refused('create_category', { name: 'x', idempotency_key: 7 }, 'idempotency_key');
  });
});

describe('a failure of an operation is a result, which says what to do', () => {
  test('with the code, the page that explains it, and whether to try again', async () => {
    const { failure, http } = await agent.call('get_sync', { id: 'sync_0000000000000000000000' });
    assert.equal(http.status, 200);
    assert.deepEqual(
      { ...failure, request_id: null },
      {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: 'No such sync.',
        param: null,
        doc_url: `${service.app.services.publicUrl}/docs/errors#resource_missing`,
        request_id: null,
        retry: false,
        retry_after_seconds: null,
      },
    );
    assert.equal(failure.request_id, http.headers.get('request-id'));
  });
});

describe('a secret does not reach a conversation', () => {
  test('what is made works, and its secret is asked for over v2', async () => {
    const made = await agent.call('create_destination', webhook);
    assert.equal(made.result.config.signing_secret, WITHHELD);
    const rotated = await owner.v2('POST', `/v2/destinations/${made.result.id}/rotate_secret`);
    assert.match(rotated.body.config.signing_secret, /^whsec_/);
    const receiver = await agent.call('create_event_destination', {
      name: 'Receiver',
      webhook_endpoint: { url: 'http://127.0.0.1:9/events' },
      enabled_events: ['*'],
    });
    assert.equal(receiver.result.webhook_endpoint.signing_secret, WITHHELD);
    for (const { http } of [made, receiver]) assert.doesNotMatch(http.text, /whsec_|trib_live_/);
  });
});
