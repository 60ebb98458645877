import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { type Agent, agentOf, headersIn, requestIn } from './support/agent.ts';
import { REVISIONS } from './support/protocol-schemas.ts';

let service: TestService;
let owner: TestOwner;
let agent: Agent;
before(async () => {
  service = await startService({
    MCP_URL: 'https://mcp.example.test',
    PUBLIC_URL: 'https://api.example.test',
  });
  owner = await service.owner();
  agent = agentOf(service.url, owner.key);
});
after(() => service.close());

const ping = requestIn('2025-11-25', 'ping');

/** A POST whose `Host` is what the test says, which fetch does not allow. */
async function statusWith(headers: Record<string, string>, body = JSON.stringify(ping)): Promise<number> {
  const url = new URL('/mcp', service.url);
  const asked = request(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
  asked.end(body);
  const [response] = await once(asked, 'response');
  response.resume();
  return response.statusCode;
}

describe('one address for every revision', () => {
  for (const revision of REVISIONS) {
    test(`${revision} lists and calls tools`, async () => {
      const one = agentOf(service.url, owner.key, revision);
      const listed = await one.ask('tools/list', {}, 'ListToolsResult');
      assert.equal(listed.status, 200, listed.text);
      assert.equal(listed.headers.get('content-type'), 'application/json; charset=utf-8');
      const { result } = await one.call('list_accounts');
      assert.deepEqual(result, { data: [], pagination: { total: 0, limit: 50, offset: 0, hasMore: false } });
    });
  }

  for (const revision of REVISIONS.slice(0, -1)) {
    test(`${revision} begins with initialize, which opens no session`, async () => {
      const clientInfo = { name: 'test', version: '1' };
      const params = { protocolVersion: revision, capabilities: {}, clientInfo };
      const one = agentOf(service.url, owner.key, revision);
      const { body, headers } = await one.ask('initialize', params, 'InitializeResult');
      assert.equal(body.result.protocolVersion, revision);
      assert.deepEqual(body.result.capabilities, { tools: {}, prompts: {} });
      assert.equal(headers.get('mcp-session-id'), null);
      const told = await one.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      assert.deepEqual([told.status, told.text], [202, '']);
    });
  }

  test('2026-07-28 discovers, and may keep lists for itself', async () => {
    const modern = agentOf(service.url, owner.key, '2026-07-28');
    const { body } = await modern.ask('server/discover', {}, 'DiscoverResult');
    assert.deepEqual(body.result.supportedVersions, ['2026-07-28']);
    const listed = await modern.ask('tools/list', {}, 'ListToolsResult');
    assert.equal(listed.body.result.cacheScope, 'private');
    assert.ok(listed.body.result.ttlMs > 0);
    const legacy = await agent.ask('tools/list', {}, 'ListToolsResult');
    assert.equal(legacy.body.result.ttlMs, undefined);
  });

  test('a revision that no one knows is refused, in either era', async () => {
    for (const [revision, version] of [
      ['2025-11-25', '2031-01-01'],
      ['2025-11-25', '1.0'],
    ] as const) {
      const { status, body } = await agent.send(requestIn(revision, 'ping'), {
        'mcp-protocol-version': version,
      });
      assert.equal(status, 400);
      assert.ok(body.error.code < 0);
    }
    const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } };
    const modern = agentOf(service.url, owner.key, '2026-07-28');
    const { status, body } = await modern.ask('ping', params, undefined, {
      'mcp-protocol-version': '2031-01-01',
    });
    assert.deepEqual([status, body.error.code], [400, -32_022]);
  });
});

describe('what HTTP says', () => {
  test('everything but POST is 405 and says so in Allow, before anyone asks who it is', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS']) {
      const response = await fetch(new URL('/mcp', service.url), { method });
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST'], method);
    }
    assert.equal((await fetch(new URL('/mcp/sse', service.url))).status, 404);
  });

  test('a body that is no JSON, or says so, is refused', async () => {
    assert.equal((await agent.send(ping, { 'content-type': 'text/plain' })).status, 415);
    for (const text of ['{bad', '"\ud800', '{"jsonrpc":"2.0"', Buffer.from([0xff, 0xfe])]) {
      const { status, body } = await agent.send(text);
      assert.deepEqual([status, body.error.code], [400, -32_700], String(text));
    }
    for (const text of ['', 'null', '1', '"x"', '{}', '{"jsonrpc":"1.0","id":1,"method":"ping"}']) {
      const { status, body } = await agent.send(text);
      assert.deepEqual([status, body.error.code], [400, -32_600], text);
    }
  });

  test('JSON must be taken, by name or by wildcard, and is enough', async () => {
    for (const accept of ['text/event-stream', 'text/html', 'application/json;q=0, */*;q=0']) {
      assert.equal((await agent.send(ping, { accept })).status, 406, accept);
    }
    for (const accept of [
      'application/json',
      '*/*',
      'text/event-stream, application/json',
      'application/*;q=0.5, text/*',
    ]) {
      assert.equal((await agent.send(ping, { accept })).status, 200, accept);
    }
  });

  test('the address may end in a slash', async () => {
    const answer = await fetch(`${service.url}/mcp/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json', accept: '*/*' },
      body: JSON.stringify(ping),
    });
    assert.equal(answer.status, 200);
  });

  test('a body of 16 KiB is taken and one more byte is refused [limit mcp_body_bytes]', async () => {
    const padded = (bytes: number): string => {
      const text = JSON.stringify(ping);
      return text + ' '.repeat(bytes - text.length);
    };
    assert.equal((await agent.send(padded(16_384))).status, 200);
    const { status, body } = await agent.send(padded(16_385));
    assert.deepEqual([status, body.error.message], [413, 'Payload Too Large: at most 16384 bytes.']);
  });

  test('a caller who leaves is noticed, and no one waits for a body that never ends', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      `POST /mcp HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${owner.key}\r\naccept: */*\r\n` +
        'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"json',
    );
    assert.equal((await agent.send(ping)).status, 200);
    socket.destroy();
    assert.equal((await agent.send(ping)).status, 200);
  });
});

describe('whom it answers', () => {
  test('a page of someone else, or a name pointed at this machine, is refused', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'http://127.0.0.1.evil.example',
      'file://',
      'nonsense',
    ]) {
      assert.equal(await statusWith({ origin }), 403, origin);
    }
    for (const host of [
      'evil.example',
      'localhost.evil.example:80',
      '169.254.169.254',
      'mcp.example.test.evil',
    ]) {
      assert.equal(await statusWith({ host }), 403, host);
    }
    for (const host of ['mcp.example.test', 'api.example.test:443', 'localhost:1', '127.0.0.1', '[::1]:80']) {
      assert.equal(await statusWith({ host }), 200, host);
    }
    for (const origin of ['https://mcp.example.test', 'http://localhost:6274']) {
      assert.equal(await statusWith({ origin }), 200, origin);
    }
  });

  test('a stranger learns where to get a token and nothing else', async () => {
    const metadata = 'https://mcp.example.test/.well-known/oauth-protected-resource/mcp';
    const missing = await agentOf(service.url, null).send('{"not": "looked at"');
    assert.equal(missing.status, 401);
    assert.equal(missing.headers.get('www-authenticate'), `Bearer resource_metadata="${metadata}"`);
    assert.equal(missing.body.error.data.code, 'api_key_missing');
    const wrong = await agentOf(service.url, 'trib_live_wrong').send('x'.repeat(20_000));
    assert.equal(wrong.status, 401);
    assert.equal(
      wrong.headers.get('www-authenticate'),
      `Bearer error="invalid_token", resource_metadata="${metadata}"`,
    );
    assert.equal(wrong.body.error.data.code, 'api_key_invalid');
  });
});

describe('what the headers of 2026-07-28 say', () => {
  const ask = async (headers: Record<string, string | undefined>) => {
    const params = { name: 'list_accounts', arguments: {} };
    const all = { ...headersIn('2026-07-28', 'tools/call', params), ...headers };
    const sent = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    return agentOf(service.url, owner.key, '2026-07-28').send(
      requestIn('2026-07-28', 'tools/call', params),
      Object.fromEntries(sent),
    );
  };

  test('is what the body says, or the request is refused', async () => {
    for (const headers of [
      { 'mcp-method': 'tools/list' },
      { 'mcp-method': undefined },
      { 'mcp-name': 'list_trades' },
      { 'mcp-name': undefined },
      { 'mcp-name': '=?base64?bGlzdF90cmFkZXM=?=' },
      { 'mcp-protocol-version': undefined },
      { 'mcp-protocol-version': '2025-11-25' },
    ]) {
      const { status, body } = await ask(headers);
      assert.deepEqual([status, body.error.code], [400, -32_020], JSON.stringify(headers));
    }
    assert.equal((await ask({ 'mcp-name': '=?base64?bGlzdF9hY2NvdW50cw==?=' })).status, 200);
  });

  test('a method that no one knows is 404', async () => {
    const modern = agentOf(service.url, owner.key, '2026-07-28');
    for (const method of [
      'tools/nope',
      'subscriptions/listen',
      'resources/list',
      'initialize',
      '__proto__',
    ]) {
      const { status, body } = await modern.ask(method);
      assert.deepEqual([status, body.error.code], [404, -32_601], method);
    }
    const legacy = await agent.ask('resources/list');
    assert.deepEqual([legacy.status, legacy.body.error.code], [200, -32_601]);
  });
});
