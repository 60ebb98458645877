import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { startService, type TestService } from '../../support/service.ts';
import { CALLBACK, letIn, newVerifier, PUBLIC_APP, register, request, signIn } from './stage.ts';

const HOUR_MS = 3_600_000;
const clock = new ShiftedClock();
let service: TestService;
before(async () => {
  service = await startService({}, { clock });
});
after(() => service.close());

/** Registrations as clients send them, and what each results in. */
const AS_SENT = {
  Cursor: {
    metadata: {
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    type: 'native',
  },
  'VS Code': {
    metadata: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      scope: 'mcp:read offline_access',
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    type: 'native',
  },
  Claude: {
    metadata: {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'mcp:read data:read claudeai',
      token_endpoint_auth_method: 'none',
    },
    type: 'web',
  },
  ChatGPT: {
    metadata: {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
    },
    type: 'web',
  },
  Inspector: {
    metadata: {
      client_name: 'MCP Inspector',
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      redirect_uris: ['http://127.0.0.1:6276/oauth/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: '',
    },
    type: 'native',
  },
} as const;

for (const [name, { metadata, type }] of Object.entries(AS_SENT)) {
  test(`${name} registers as it does everywhere, and each of its redirects is taken`, async () => {
    const { status, headers, body } = await register(service, metadata);
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(body.application_type, type);
    assert.deepEqual(body.redirect_uris, metadata.redirect_uris);
    assert.deepEqual(body.grant_types, ['authorization_code', 'refresh_token']);
    assert.equal(body.token_endpoint_auth_method, metadata.token_endpoint_auth_method);
    assert.equal(
      typeof body.client_secret,
      metadata.token_endpoint_auth_method === 'none' ? 'undefined' : 'string',
    );
    assert.equal(body.scope, undefined, 'what it may ask for is not settled here');
    const browser = await signIn(service, await service.owner());
    for (const redirect of metadata.redirect_uris) {
      const sent = await browser.get(
        request(body.client_id, newVerifier().challenge, { redirect_uri: redirect }),
      );
      assert.match(sent.headers.get('location') ?? '', /\/oauth\/consent\//, redirect);
    }
  });
}

test('a redirect that leads to no one in particular, or can be read in two ways, is refused', async () => {
  for (const uri of [
    'http://app.example/callback',
    'http://127.0.0.1.evil.example/',
    'http://localhost.evil.example/',
    'http://10.0.0.1/',
    'http://2130706433.example/',
    'javascript:alert(1)',
    'data:text/html,hello',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://app.example/x',
    'intent://scan/#Intent;scheme=app;end',
    'ms-msdt:/id',
    'chrome://settings',
    'search-ms:query=x',
    'myapp://callback',
    'mailto:me@example.com',
    'wss://app.example/',
    'https://*.example/callback',
    'https://app.example/*',
    'https://app.example/callback#part',
    'https://app.example/callback#',
    'https://user@app.example/callback',
    'https://user:password@app.example/callback',
    'https://@app.example/callback',
    'https://app.example/a/../callback',
    'https://app.example/%2e%2e/callback',
    'https://app.example/a/.%2E/b',
    'https://app.example\\@evil.example/',
    'https://app.example/call back',
    'https://app.example/\u0000',
    'https://app.example;script-src/callback',
    'https://app.example%3Bscript-src/callback',
    'https://app.example,https/callback',
    "https://app.example'self'/callback",
    'https://$(id).app.example/callback',
    'com.example.app://host;script-src/callback',
    "com.example.app://host,'self'/callback",
    'com.example.app://host%3Bscript-src/callback',
    'https://локальный.example/',
    '//app.example/callback',
    '/callback',
    '',
    `https://app.example/${'x'.repeat(2048)}`,
  ]) {
    const { status, body } = await register(service, { ...PUBLIC_APP, redirect_uris: [uri] });
    assert.equal(status, 400, uri);
    assert.equal(body.error, 'invalid_redirect_uri', `${uri}: ${JSON.stringify(body)}`);
  }
});

test('a registration that is none is refused, and leaves nothing behind', async () => {
  const count = async () =>
    Number(
      (await sql<{ n: number }>`select count(*) as n from oauth_clients`.execute(service.app.database.db))
        .rows[0]?.n,
    );
  const before = await count();
  for (const metadata of [
    [],
    'text',
    {},
    { ...PUBLIC_APP, redirect_uris: [] },
    { ...PUBLIC_APP, redirect_uris: 'https://app.example/' },
    { ...PUBLIC_APP, redirect_uris: [7] },
    { ...PUBLIC_APP, redirect_uris: Array.from({ length: 21 }, (_, at) => `${CALLBACK}/${at}`) },
    { ...PUBLIC_APP, client_name: 'x'.repeat(101) },
    { ...PUBLIC_APP, client_name: ['x'] },
    { ...PUBLIC_APP, client_uri: `https://app.example/${'x'.repeat(2048)}` },
    { ...PUBLIC_APP, client_uri: 'javascript:alert(1)' },
    { ...PUBLIC_APP, logo_uri: 'data:image/png;base64,AAAA' },
    { ...PUBLIC_APP, client_uri: 'https://app.example;script-src/' },
    { ...PUBLIC_APP, logo_uri: "https://app.example,'self'/logo.png" },
    { ...PUBLIC_APP, grant_types: ['implicit'] },
    { ...PUBLIC_APP, grant_types: ['client_credentials'] },
    { ...PUBLIC_APP, response_types: ['token'] },
    { ...PUBLIC_APP, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://app.example/jwks' },
  ]) {
    const { status, body } = await register(service, metadata);
    assert.equal(status, 400, JSON.stringify(metadata));
    assert.match(body.error, /^invalid_(request|client_metadata|redirect_uri)$/);
  }
  assert.equal(await count(), before);
});

test('what a client may not ask the server to fetch is dropped', async () => {
  const { status, body } = await register(service, {
    ...PUBLIC_APP,
    jwks_uri: 'https://169.254.169.254/',
    sector_identifier_uri: 'https://169.254.169.254/',
    initiate_login_uri: 'https://app.example/',
  });
  assert.equal(status, 201, JSON.stringify(body));
  for (const name of ['jwks_uri', 'sector_identifier_uri', 'initiate_login_uri']) {
    assert.equal(body[name], undefined);
  }
});

test('a page of any origin may register and read metadata', async () => {
  const preflight = await fetch(`${service.url}/oauth/register`, {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:6274', 'access-control-request-method': 'POST' },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
  assert.equal((await register(service)).headers.get('access-control-allow-origin'), '*');
});

test('a client that no one lets in is forgotten after its hours, one that was let in is not [limit oauth_unused_client_hours]', async () => {
  const owner = await service.owner();
  const browser = await signIn(service, owner);
  const unused = (await register(service)).body.client_id;
  const used = await letIn(service, browser);
  await service.app.oauth.sweep.run();
  assert.equal((await browser.get(request(unused, newVerifier().challenge))).status, 303);
  clock.advance(25 * HOUR_MS);
  await service.app.oauth.sweep.run();
  assert.equal((await browser.get(request(unused, newVerifier().challenge))).status, 400);
  assert.equal((await browser.get(request(used.client, newVerifier().challenge))).status, 303);
});

test('a network that registers too much is told to wait [limit oauth_registrations_per_hour]', async (t) => {
  const own = await startService({ LIMIT_OAUTH_REGISTRATIONS: '3', TRUST_PROXY: '1' });
  t.after(() => own.close());
  const from = async (address: string) =>
    fetch(`${own.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify(PUBLIC_APP),
    });
  for (let made = 0; made < 3; made += 1) assert.equal((await from('203.0.113.1')).status, 201);
  const refused = await from('203.0.113.1');
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal((await from('203.0.113.2')).status, 201, 'others go on');
});

test('of registrations at the same moment as many succeed as one after the other [limit oauth_registrations_per_hour]', async (t) => {
  const own = await startService({ LIMIT_OAUTH_REGISTRATIONS: '3' });
  t.after(() => own.close());
  const answers = await Promise.all(Array.from({ length: 12 }, () => register(own)));
  const refused = answers.filter(({ status }) => status !== 201);
  assert.equal(refused.length, 9);
  for (const { status, headers, body } of refused) {
    assert.deepEqual([status, body.error], [429, 'temporarily_unavailable']);
    assert.match(body.error_description, /Too many apps were registered/i);
    assert.ok(Number(headers.get('retry-after')) > 0);
    assert.equal(headers.get('access-control-allow-origin'), '*');
  }
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from oauth_clients`.execute(
    own.app.database.db,
  );
  assert.equal(rows[0]?.n, 3);
  assert.equal((await register(own)).status, 429);
});

test('a flood of registrations pushes out its own, not those of others [limit oauth_unused_clients]', async (t) => {
  const own = await startService({ LIMIT_OAUTH_UNUSED_CLIENTS: '5', TRUST_PROXY: '1' });
  t.after(() => own.close());
  const browser = await signIn(own, await own.owner());
  const from = async (address: string): Promise<string> => {
    const answer = await fetch(`${own.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify(PUBLIC_APP),
    });
    return JSON.parse(await answer.text()).client_id;
  };
  const known = async (client: string) =>
    (await browser.get(request(client, newVerifier().challenge))).status === 303;
  const [quiet, first] = [await from('203.0.113.1'), await from('203.0.113.2')];
  for (let made = 0; made < 20; made += 1) await from('203.0.113.2');
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from oauth_clients`.execute(
    own.app.database.db,
  );
  assert.ok((rows[0]?.n ?? 0) <= 6, `${rows[0]?.n} clients`);
  assert.ok(await known(quiet));
  assert.ok(!(await known(first)));
});

test('an address that asks too often is told to wait, in the form its client reads [limit oauth_address_per_minute]', async (t) => {
  const own = await startService({ LIMIT_OAUTH_ADDRESS: '4' });
  t.after(() => own.close());
  for (let asked = 0; asked < 4; asked += 1) assert.equal((await register(own)).status, 201);
  const refused = await register(own);
  assert.equal(refused.status, 429);
  assert.equal(refused.body.error, 'temporarily_unavailable');
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
});
