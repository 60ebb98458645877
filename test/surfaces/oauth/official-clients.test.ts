import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { answerConsent, openConsent, signIn } from './stage.ts';

const REDIRECT = 'http://127.0.0.1:43123/callback';
const INFO = { name: 'test', version: '1' };
const clock = new ShiftedClock();
let service: TestService;
let owner: TestOwner;
before(async () => {
  service = await startService({}, { clock });
  owner = await service.owner();
});
after(() => service.close());

/** What an app keeps between two connections. */
interface Memory<Info, Tokens> {
  info?: Info | undefined;
  tokens?: Tokens | undefined;
  verifier: string;
  /** Where it would send its person. */
  address: URL | null;
}

/** The part of an app that its SDK asks, around what it keeps. */
function keeping<Info, Tokens>(memory: Memory<Info, Tokens>) {
  return {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: 'Official client',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => memory.info,
    saveClientInformation: (info: Info) => {
      memory.info = info;
    },
    tokens: () => memory.tokens,
    saveTokens: (tokens: Tokens) => {
      memory.tokens = tokens;
    },
    redirectToAuthorization: (url: URL) => {
      memory.address = url;
    },
    saveCodeVerifier: (verifier: string) => {
      memory.verifier = verifier;
    },
    codeVerifier: () => memory.verifier,
    invalidateCredentials: (scope: string) => {
      if (scope === 'all' || scope === 'client') memory.info = undefined;
      if (scope === 'all' || scope === 'tokens') memory.tokens = undefined;
    },
  };
}

/** An app of one generation, as its person uses it. */
interface OfficialApp {
  readonly memory: Memory<
    unknown,
    { readonly access_token: string; readonly refresh_token?: string | undefined }
  >;
  /** Calls one, and answers the names of the first; rejects where it has no token that works. */
  tools(): Promise<string[]>;
  finish(callback: URL): Promise<void>;
}

function oldApp(endpoint: URL): OfficialApp {
  const memory: Memory<OAuthClientInformationMixed, OAuthTokens> = { verifier: '', address: null };
  const transport = () => new OldTransport(endpoint, { authProvider: keeping(memory) });
  return {
    memory,
    tools: async () => {
      const client = new OldClient(INFO);
      try {
        await client.connect(transport());
        const { isError } = await client.callTool({ name: 'list_accounts' });
        assert.ok(isError !== true);
        return (await client.listTools()).tools.map(({ name }) => name);
      } finally {
        await client.close();
      }
    },
    finish: (callback) => transport().finishAuth(callback.searchParams.get('code') ?? ''),
  };
}

function newApp(endpoint: URL): OfficialApp {
  const memory: Memory<StoredOAuthClientInformation, StoredOAuthTokens> = { verifier: '', address: null };
  const transport = () => new NewTransport(endpoint, { authProvider: keeping(memory) });
  return {
    memory,
    tools: async () => {
      const client = new NewClient(INFO, { versionNegotiation: { mode: 'auto' } });
      try {
        await client.connect(transport());
        const { isError } = await client.callTool({ name: 'list_accounts' });
        assert.ok(isError !== true);
        return (await client.listTools()).tools.map(({ name }) => name);
      } finally {
        await client.close();
      }
    },
    finish: (callback) => transport().finishAuth(callback.searchParams),
  };
}

for (const [name, makeApp, path] of [
  ['SDK 1', oldApp, '/mcp'],
  ['SDK 1', oldApp, '/mcp?tools=all'],
  ['SDK 2', newApp, '/mcp'],
  ['SDK 2', newApp, '/mcp?tools=all'],
] as const) {
  describe(`the official client of ${name} at ${path}`, () => {
    test('finds the server, registers, has its person asked, calls, refreshes and is disconnected', async () => {
      const app = makeApp(new URL(path, service.url));
      await assert.rejects(app.tools(), 'nobody has let it in yet');
      const { memory } = app;
      assert.ok(memory.info, 'it has registered');
      assert.ok(memory.address, 'it would send its person on');
      assert.equal(memory.address.origin, service.url);
      assert.equal(memory.address.searchParams.get('resource'), `${service.url}/mcp`);
      const browser = await signIn(service, owner);
      const page = await openConsent(browser, memory.address.pathname + memory.address.search);
      const callback = await answerConsent(browser, page, 'allow');
      assert.equal(`${callback.origin}${callback.pathname}`, REDIRECT);
      await app.finish(callback);
      const tools = await app.tools();
      assert.ok(tools.includes('list_accounts'));
      assert.equal(tools.includes('get_me'), path === '/mcp?tools=all', 'each address lists its own tools');

      const first = memory.tokens;
      assert.ok(first?.refresh_token);
      clock.advance(61 * 60_000);
      assert.ok((await app.tools()).includes('list_accounts'), 'with a token it has refreshed by itself');
      assert.notEqual(memory.tokens?.access_token, first.access_token);
      assert.notEqual(memory.tokens?.refresh_token, first.refresh_token);

      const { body } = await owner.v2('GET', '/v2/connected_apps');
      const [connected] = body.data;
      assert.deepEqual([connected.name, connected.status], ['Official client', 'active']);
      assert.equal((await owner.v2('DELETE', `/v2/connected_apps/${connected.id}`)).status, 200);
      memory.address = null;
      await assert.rejects(app.tools());
      assert.ok(memory.address, 'its person has to be asked again');
    });
  });
}
