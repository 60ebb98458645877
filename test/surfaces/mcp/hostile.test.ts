import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { TOOLS } from '../../../src/operations/mcp/tool-table.ts';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';
import { type Agent, agentOf, requestIn } from './support/agent.ts';

let service: TestService;
let owner: TestOwner;
let agent: Agent;
before(async () => {
  service = await commonService();
  owner = await service.owner();
  agent = agentOf(service.url, owner.key);
});
after(() => service.close());

const nested = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + close.repeat(levels);

describe('hostile messages', () => {
  test('with ids of any size and kind are answered or refused, and never as a fault of ours', async () => {
    for (const id of ['x'.repeat(15_000), '\ud83d\ude00', '__proto__', '', 0, -1, 2 ** 53 - 1]) {
      const { status, body } = await agent.send({ ...requestIn('2025-11-25', 'ping'), id });
      assert.deepEqual([status, body.id, body.result], [200, id, {}]);
    }
    for (const id of [1.5, null, {}, [], true]) {
      const { status } = await agent.send({ ...requestIn('2025-11-25', 'ping'), id });
      assert.equal(status, 400, JSON.stringify(id));
    }
  });

  test('nested as deep as a body allows change nothing and break nothing', async () => {
    for (const deep of [nested('[', ']', 7_900), nested('{"a":', '1}', 2_600)]) {
      for (const text of [
        deep,
        `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a":${nested('[', ']', 7_000)}}}}`,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_rule","arguments":{"id":"rset_x","name":"x","actions":[],"conditions":${nested('[', ']', 7_000)}}}}`,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_accounts","arguments":{"limit":${nested('[', ']', 7_000)}}}}`,
      ]) {
        const { status, body } = await agent.send(text);
        assert.ok(status < 500, text.slice(0, 100));
        if (body?.error !== undefined) assert.notEqual(body.error.code, -32_603, text.slice(0, 100));
      }
    }
  });

  test('with keys of prototypes reach no prototype', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString']) {
      const call = (args: string): string =>
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_accounts","arguments":${args}}}`;
      const { body } = await agent.send(call(`{"${name}":{"limit":1}}`));
      assert.ok(body.error?.code === -32_602 || body.result.structuredContent.pagination.limit === 50, name);
      assert.equal((await agent.call(name)).error.code, -32_602);
      assert.equal((await agent.ask(name)).body.error.code, -32_601);
      const prompt = await agent.ask('prompts/get', { name, arguments: {} });
      assert.equal(prompt.body.error.code, -32_602);
    }
    assert.equal(Object.hasOwn(Object.prototype, 'limit'), false);
  });

  test('with parameters of another form are invalid params for every method', async () => {
    for (const [method, params] of [
      ['tools/call', {}],
      ['tools/call', { name: 5 }],
      ['tools/call', { name: 'list_accounts', arguments: [] }],
      ['tools/call', { name: 'list_accounts', arguments: 'limit' }],
      ['tools/list', { cursor: {} }],
      ['prompts/get', { name: [] }],
      ['prompts/get', { name: 'find_charge', arguments: { what: 5 } }],
      ['prompts/get', { name: 'find_charge', arguments: { what: 'x'.repeat(501) } }],
      ['initialize', { protocolVersion: 5 }],
    ] as const) {
      const { status, body } = await agent.ask(method, params);
      assert.deepEqual([status, body.error.code], [200, -32_602], `${method} ${JSON.stringify(params)}`);
    }
    for (const params of [[], 'x', 5, null]) {
      const { status } = await agent.send({ ...requestIn('2025-11-25', 'tools/call'), params });
      assert.equal(status, 400, JSON.stringify(params));
    }
  });

  test('that take no answer are taken, and so are answers to what no one asked', async () => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
    ]) {
      const { status, text } = await agent.send(message);
      assert.deepEqual([status, text], [202, '']);
    }
  });
});

test('bodies that arrive slowly hold up no one', async () => {
  const { hostname, port } = new URL(service.url);
  const sockets = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(
        `POST /mcp HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${owner.key}\r\naccept: */*\r\n` +
          'content-type: application/json\r\ncontent-length: 16000\r\n\r\n{',
      );
      return socket;
    }),
  );
  const begun = performance.now();
  assert.equal((await agent.ask('tools/list')).status, 200);
  assert.ok(performance.now() - begun < 5_000);
  for (const socket of sockets) socket.destroy();
});

test('every tool is refused to a stranger in the same words, whether it exists or not', async () => {
  const stranger = agentOf(service.url, 'trib_live_nobody');
  const { http } = await stranger.call('no_such_tool').catch(() => assert.fail());
  const words = (text: string): string => text.replaceAll(/req_[0-9a-z]+/g, '').replaceAll(/"id":\d+/g, '');
  for (const { name } of TOOLS.slice(0, 10)) {
    const called = await stranger.call(name);
    assert.deepEqual([called.http.status, words(called.http.text)], [401, words(http.text)], name);
  }
});
