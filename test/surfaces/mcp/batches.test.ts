import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { commonService, startService, type TestOwner, type TestService } from '../../support/service.ts';
import { type Agent, agentOf, requestIn } from './support/agent.ts';
import { assertProtocol } from './support/protocol-schemas.ts';

const REVISION = '2025-03-26';
let service: TestService;
let owner: TestOwner;
let agent: Agent;
before(async () => {
  service = await commonService();
  owner = await service.owner();
  agent = agentOf(service.url, owner.key, REVISION);
});
after(() => service.close());

const ping = () => requestIn(REVISION, 'ping');
const call = (name: string, args = {}) => requestIn(REVISION, 'tools/call', { name, arguments: args });

describe('a batch', () => {
  test('is answered entry by entry, in order, and what wants no answer has none', async () => {
    const sent = [call('list_accounts'), { jsonrpc: '2.0', method: 'notifications/x' }, ping(), call('nope')];
    const { status, body } = await agent.send(sent);
    assert.equal(status, 200);
    assertProtocol(REVISION, 'JSONRPCBatchResponse', body);
    const wanted = sent.filter((entry) => 'id' in entry).map((entry) => entry.id);
    assert.deepEqual(
      body.map((entry: { readonly id: number }) => entry.id),
      wanted,
    );
    assert.deepEqual([body[1].result, body[2].error.code], [{}, -32_602]);
    const silent = await agent.send([{ jsonrpc: '2.0', method: 'notifications/initialized' }]);
    assert.deepEqual([silent.status, silent.text], [202, '']);
  });

  test('of ten is taken and of eleven refused, before any of it is looked at [limit mcp_batch_entries]', async () => {
    const ten = await agent.send(Array.from({ length: 10 }, ping));
    assert.deepEqual([ten.status, ten.body.length], [200, 10]);
    const eleven = await agent.send([...Array.from({ length: 10 }, ping), 'not even a message']);
    assert.deepEqual([eleven.status, eleven.body.error.code], [400, -32_600]);
    assert.match(eleven.body.error.message, /at most 10/);
  });

  test('belongs to the revision of March 2025 alone', async () => {
    for (const version of ['2025-06-18', '2025-11-25', '2026-07-28']) {
      const { status } = await agent.send([ping()], { 'mcp-protocol-version': version });
      assert.equal(status, 400, version);
    }
    assert.equal((await agent.send([ping()], { 'mcp-protocol-version': REVISION })).status, 200);
    assert.equal((await agent.send([ping()])).status, 200);
  });

  test('that is empty, begins a session or holds what is no message is refused', async () => {
    const begin = requestIn(REVISION, 'initialize', {
      protocolVersion: REVISION,
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    });
    for (const batch of [[], [begin], [ping(), begin], [ping(), null], [[ping()]], [ping(), { id: 1 }]]) {
      assert.equal((await agent.send(batch)).status, 400, JSON.stringify(batch));
    }
  });
});

test('each entry of a batch counts, and those beyond the limit fail alone', async () => {
  const small = await startService({ LIMIT_RATE_HANDSHAKE: '4' });
  try {
    const { key } = await small.owner();
    const { status, headers, body } = await agentOf(small.url, key, REVISION).send(
      Array.from({ length: 6 }, ping),
    );
    assert.equal(status, 200);
    const codes = body.map((entry: { error?: { data: { code: string } } }) => entry.error?.data.code ?? null);
    assert.deepEqual(codes, [null, null, null, null, 'rate_limit_exceeded', 'rate_limit_exceeded']);
    assert.ok(Number(headers.get('retry-after')) >= 1);
  } finally {
    await small.close();
  }
});
