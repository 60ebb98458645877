import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { FIRST_TOOLS, TOOLS } from '../../../src/operations/mcp/tool-table.ts';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';

let service: TestService;
let owner: TestOwner;
before(async () => {
  service = await commonService();
  owner = await service.owner();
});
after(() => service.close());

const INFO = { name: 'test', version: '1' };
const requestInit = () => ({ headers: { authorization: `Bearer ${owner.key}` } });
const endpoint = (path = '/mcp') => new URL(path, service.url);

/** What this suite asks of a client, of whichever generation. */
interface AnyClient {
  listTools(params?: { cursor?: string }): Promise<{
    readonly tools: readonly { readonly name: string }[];
    readonly nextCursor?: string | undefined;
  }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  listPrompts(): Promise<{ readonly prompts: readonly { readonly name: string }[] }>;
  getPrompt(params: {
    name: string;
    arguments?: Record<string, string>;
  }): Promise<{ readonly messages: readonly unknown[] }>;
  getServerVersion(): { readonly name: string } | undefined;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

const CLIENTS: Readonly<Record<string, (path?: string) => Promise<AnyClient>>> = {
  'SDK 1': async (path) => {
    const client = new OldClient(INFO);
    await client.connect(new OldTransport(endpoint(path), { requestInit: requestInit() }));
    return client;
  },
  'SDK 2, which looks for the newest revision': async (path) => {
    const client = new NewClient(INFO, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new NewTransport(endpoint(path), { requestInit: requestInit() }));
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
    return client;
  },
  'SDK 2 with the older handshake': async (path) => {
    const client = new NewClient(INFO, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(new NewTransport(endpoint(path), { requestInit: requestInit() }));
    assert.equal(client.getNegotiatedProtocolVersion(), '2025-11-25');
    return client;
  },
};

for (const [name, connect] of Object.entries(CLIENTS)) {
  describe(name, () => {
    let client: AnyClient;
    before(async () => {
      client = await connect();
    });
    after(() => client.close());

    test('is told who answers and how to begin', () => {
      assert.equal(client.getServerVersion()?.name, 'tributary');
      assert.match(client.getInstructions() ?? '', /list_accounts come first/);
    });

    test('lists what people ask agents for on its one page, and every tool at the address of all', async () => {
      const { tools, nextCursor } = await client.listTools();
      assert.deepEqual(
        [tools.map((tool) => tool.name), nextCursor],
        [FIRST_TOOLS.map((tool) => tool.name), undefined],
      );
      const whole = await connect('/mcp?tools=all');
      const names: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await whole.listTools(cursor === undefined ? {} : { cursor });
        names.push(...page.tools.map((tool) => tool.name));
        cursor = page.nextCursor;
        if (cursor === undefined) break;
      }
      await whole.close();
      assert.deepEqual(
        [...new Set(names)],
        TOOLS.map((tool) => tool.name),
      );
    });

    test('calls tools, listed or not, and compare answers with the schemas it was given', async () => {
      const accounts = await client.callTool({ name: 'list_accounts', arguments: { limit: 3 } });
      assert.deepEqual(structuredOf(accounts), {
        data: [],
        pagination: { total: 0, limit: 3, offset: 0, hasMore: false },
      });
      const made = structuredOf(
        await client.callTool({ name: 'create_category', arguments: { name: `By ${name}` } }),
      );
      assert.equal(Object(made).object, 'category');
      const failed = await client.callTool({
        name: 'get_sync',
        arguments: { id: 'sync_0000000000000000000000' },
      });
      assert.equal(Object(failed).isError, true);
    });

    test('is refused with invalid params where arguments are not what a tool takes', async () => {
      await assert.rejects(client.callTool({ name: 'list_balances', arguments: { accountIds: ['x'] } }), {
        code: -32_602,
      });
    });

    test('gets a prompt', async () => {
      const { prompts } = await client.listPrompts();
      assert.deepEqual(
        prompts.map((prompt) => prompt.name),
        ['monthly_summary', 'find_charge', 'set_up_sync'],
      );
      const { messages } = await client.getPrompt({ name: 'find_charge', arguments: { what: 'coffee' } });
      assert.match(JSON.stringify(messages), /coffee/);
      await assert.rejects(client.getPrompt({ name: 'find_charge' }), { code: -32_602 });
      await assert.rejects(client.getPrompt({ name: 'nope' }), { code: -32_602 });
    });
  });
}

function structuredOf(result: unknown): unknown {
  return Object(result).structuredContent;
}

test('a client with a key that is not known is refused', async () => {
  const client = new NewClient(INFO);
  const headers = { authorization: 'Bearer trib_live_nobody' };
  await assert.rejects(client.connect(new NewTransport(endpoint(), { requestInit: { headers } })));
});
