import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { OAUTH_SCOPE_NAMES } from '../../../src/vocabulary/oauth-scopes.ts';
import type { Browser } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import {
  answerOf,
  askV2,
  CALLBACK,
  codeFor,
  exchange,
  letIn,
  newVerifier,
  PUBLIC_APP,
  postToken,
  refresh,
  register,
  request,
  signIn,
  tokensOf,
} from './stage.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const clock = new ShiftedClock();
let service: TestService;
let owner: TestOwner;
let browser: Browser;
let client: string;
let v2: string;
before(async () => {
  service = await startService({}, { clock });
  owner = await service.owner();
  browser = await signIn(service, owner);
  client = (await register(service)).body.client_id;
  v2 = `${service.url}/v2`;
});
after(() => service.close());

const { challenge, verifier } = newVerifier();
const code = () => codeFor(browser, request(client, challenge, { resource: v2 }));

/** The code that an MCP server would refuse a bearer token with, or what it lets through. */
async function askMcp(token: string): Promise<string> {
  const { mcpAuthentication } = service.app;
  return Promise.resolve()
    .then(() => mcpAuthentication.authenticate({ authorization: `Bearer ${token}` }, '127.0.0.1'))
    .then(
      ({ kind }) => kind,
      (error: { code: string }) => error.code,
    );
}

test('a code is good once: anyone who comes with it again ends the whole grant', async () => {
  const once = await code();
  const tokens = tokensOf(await exchange(service, client, once, verifier));
  assert.equal((await askV2(service, tokens.access)).status, 200);
  const again = await exchange(service, client, once, verifier);
  assert.equal(again.status, 400);
  assert.equal(again.body.error, 'invalid_grant');
  assert.equal((await askV2(service, tokens.access)).body.error.code, 'oauth_token_invalid');
  assert.equal((await refresh(service, client, tokens.refresh)).body.error, 'invalid_grant');
});

test('of many that come with one code at once at most one gets tokens, and none keeps them', async () => {
  const once = await code();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => exchange(service, client, once, verifier)),
  );
  const lucky = answers.filter(({ status }) => status === 200);
  assert.ok(lucky.length <= 1);
  for (const answer of lucky) {
    assert.equal((await askV2(service, tokensOf(answer).access)).body.error.code, 'oauth_token_invalid');
  }
});

test('a code is no use without its verifier, its redirect or its client', async () => {
  const other = (await register(service)).body.client_id;
  for (const attempt of [
    async () => exchange(service, client, await code(), newVerifier().verifier),
    async () => exchange(service, client, await code(), challenge),
    async () =>
      postToken(service, {
        grant_type: 'authorization_code',
        client_id: client,
        code: await code(),
        redirect_uri: CALLBACK,
      }),
    async () => exchange(service, client, await code(), verifier, { redirect_uri: `${CALLBACK}/` }),
    async () => exchange(service, other, await code(), verifier),
    async () => exchange(service, client, 'x'.repeat(43), verifier),
  ]) {
    const { status, body } = await attempt();
    assert.equal(status, 400, JSON.stringify(body));
    assert.equal(body.error, 'invalid_grant');
  }
});

test('a code is over after its seconds [limit oauth_code_seconds]', async () => {
  const late = await code();
  clock.advance(61_000);
  assert.equal((await exchange(service, client, late, verifier)).body.error, 'invalid_grant');
});

test('an access token is over after its minutes, and a refresh gives another [limit oauth_token_minutes]', async () => {
  const tokens = tokensOf(await exchange(service, client, await code(), verifier));
  clock.advance(59 * MINUTE_MS);
  assert.equal((await askV2(service, tokens.access)).status, 200);
  clock.advance(2 * MINUTE_MS);
  assert.equal((await askV2(service, tokens.access)).body.error.code, 'oauth_token_invalid');
  const renewed = tokensOf(await refresh(service, client, tokens.refresh));
  assert.equal((await askV2(service, renewed.access)).status, 200);
});

test('an app that does not refresh within its days has to ask again [limit oauth_refresh_days] [move connected_app: the last of its tokens expired]', async () => {
  const mine = await service.owner();
  const first = await letIn(service, await signIn(service, mine), { resource: v2 });
  clock.advance(59 * DAY_MS);
  const second = tokensOf(await refresh(service, first.client, first.refresh));
  clock.advance(59 * DAY_MS);
  const third = tokensOf(await refresh(service, first.client, second.refresh));
  assert.ok(third.refresh, 'each refresh moves the end on');
  clock.advance(61 * DAY_MS);
  assert.equal((await refresh(service, first.client, third.refresh)).body.error, 'invalid_grant');
  assert.equal((await mine.v2('GET', '/v2/connected_apps')).body.data[0].status, 'expired');
  browser = await signIn(service, owner);
  client = (await register(service)).body.client_id;
});

test('a refresh may narrow the scopes of a token and never widen them', async () => {
  const first = await letIn(service, browser, {
    resource: v2,
    scope: 'data:read syncs:read syncs:write',
    allow: ['data:read', 'syncs:read'],
  });
  assert.equal(first.scope, 'data:read syncs:read');
  const narrow = tokensOf(await refresh(service, first.client, first.refresh, { scope: 'data:read' }));
  assert.equal(narrow.scope, 'data:read');
  assert.equal((await askV2(service, narrow.access, '/v2/syncs')).body.error.code, 'insufficient_scope');
  for (const scope of ['data:read syncs:write', 'events:write']) {
    const wide = await refresh(service, first.client, narrow.refresh, { scope });
    assert.equal(wide.body.error, 'invalid_scope', scope);
  }
  const whole = await refresh(service, first.client, narrow.refresh);
  assert.equal(whole.body.scope, 'data:read syncs:read', 'the grant is as it was');
});

test('a token opens the resource it was issued for and no other [code oauth_token_invalid]', async () => {
  const ofV2 = await letIn(service, browser, { resource: v2 });
  const ofMcp = await letIn(service, browser, { resource: `${service.url}/mcp` });
  assert.equal((await askV2(service, ofV2.access)).status, 200);
  assert.equal(await askMcp(ofMcp.access), 'oauth_token');
  assert.equal((await askV2(service, ofMcp.access)).body.error.code, 'oauth_token_invalid');
  assert.equal(await askMcp(ofV2.access), 'oauth_token_invalid');
  for (const answer of [
    await refresh(service, ofV2.client, ofV2.refresh, { resource: `${service.url}/mcp` }),
    await refresh(service, ofMcp.client, ofMcp.refresh, { resource: 'https://evil.example' }),
    await exchange(service, client, await code(), verifier, { resource: `${service.url}/mcp` }),
  ]) {
    assert.equal(answer.body.error, 'invalid_target', JSON.stringify(answer.body));
  }
});

test('no other surface takes such a token, and v2 takes none in the address', async () => {
  const { access } = await letIn(service, browser, { resource: v2 });
  const v1 = await fetch(`${service.url}/v1/accounts`, { headers: { authorization: `Bearer ${access}` } });
  assert.equal(v1.status, 401);
  const bridge = await fetch(`${service.url}/simplefin/accounts`, {
    headers: { authorization: `Bearer ${access}` },
  });
  assert.equal(bridge.status, 403);
  const inQuery = await fetch(`${v2}/me?access_token=${access}`);
  assert.equal(inQuery.status, 401);
});

test('what is no token of ours is refused by its form, and a 401 leads to where tokens are', async () => {
  for (const [token, error] of [
    ['trib_oat_short', 'oauth_token_invalid'],
    [`trib_oat_${'x'.repeat(43)}`, 'oauth_token_invalid'],
    [(await letIn(service, browser, { resource: v2 })).refresh, 'oauth_token_invalid'],
    ['something', 'api_key_invalid'],
  ] as const) {
    const answer = await askV2(service, token);
    assert.equal(answer.status, 401);
    assert.equal(answer.body.error.code, error);
    assert.equal(
      answer.headers.get('www-authenticate'),
      `Bearer error="invalid_token", resource_metadata="${service.url}/.well-known/oauth-protected-resource/v2"`,
    );
  }
  const without = await fetch(`${v2}/me`);
  assert.equal(
    without.headers.get('www-authenticate'),
    `Bearer resource_metadata="${service.url}/.well-known/oauth-protected-resource/v2"`,
  );
});

test('holdings and trades need a scope of their own, however they are asked for', async () => {
  const scope = 'data:read syncs:read syncs:write destinations:read destinations:write brokerage:read';
  const all = scope.split(' ');
  const without = await letIn(service, browser, { resource: v2, scope, allow: all.slice(0, -1) });
  const having = await letIn(service, browser, { resource: v2, scope, allow: all });
  const ask = (token: string) => askV2(service, token, '/v2/holdings?account=acct_0000000000000000000001');
  const refused = await ask(without.access);
  assert.equal(refused.body.error.code, 'insufficient_scope');
  assert.match(refused.body.error.message, /brokerage:read/);
  assert.match(refused.headers.get('www-authenticate') ?? '', /error="insufficient_scope"/);
  assert.equal((await ask(having.access)).body.error.code, 'resource_missing');
});

test('an app makes no keys and sees no other apps, whatever it was granted', async () => {
  const { access } = await letIn(service, browser, {
    resource: v2,
    scope: `${OAUTH_SCOPE_NAMES.join(' ')} keys:write`,
    allow: [...OAUTH_SCOPE_NAMES, 'keys:write'],
  });
  for (const path of ['/v2/api_keys', '/v2/connected_apps', '/v2/simplefin_apps']) {
    assert.equal((await askV2(service, access, path)).body.error.code, 'insufficient_scope');
  }
});

test('each app is counted on its own', async (t) => {
  const own = await startService({ LIMIT_RATE_CHEAP: '3' });
  t.after(() => own.close());
  const person = await signIn(own, await own.owner());
  const resource = `${own.url}/v2`;
  const [one, two] = [await letIn(own, person, { resource }), await letIn(own, person, { resource })];
  const renewed = tokensOf(await refresh(own, one.client, one.refresh));
  for (const token of [one.access, renewed.access, one.access]) {
    assert.equal((await askV2(own, token)).status, 200);
  }
  const refused = await askV2(own, renewed.access);
  assert.equal(refused.body.error.code, 'rate_limit_exceeded');
  assert.match(refused.body.error.message, /connected app/);
  assert.equal((await askV2(own, two.access)).status, 200);
});

test('a member who is removed takes their apps with them; one who becomes a reader leaves what reads', async () => {
  const { members } = service.app.signIn;
  const mine = await service.owner();
  await signIn(service, mine);
  const member = await signIn(service, mine);
  const scope = 'data:read syncs:read syncs:write';
  const tokens = await letIn(service, member, { resource: v2, scope, allow: scope.split(' ') });
  const create = () =>
    fetch(`${v2}/syncs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access}`, 'service-version': '2026-10-01.wattle' },
      body: '{}',
    }).then(answerOf);
  assert.notEqual((await create()).body.error.code, 'insufficient_scope');
  const [app] = (await mine.v2('GET', '/v2/connected_apps')).body.data;
  const user = parsePublicId('user', app.user);
  assert.ok(user);
  await members.changeRole(mine.record.id, user, 'reader');
  assert.equal((await create()).body.error.code, 'insufficient_scope');
  assert.equal((await askV2(service, tokens.access, '/v2/syncs')).status, 200);
  const renewed = await refresh(service, tokens.client, tokens.refresh);
  assert.equal(renewed.body.scope, 'data:read syncs:read');
  await members.remove(mine.record.id, user);
  assert.equal((await askV2(service, tokens.access)).body.error.code, 'oauth_token_invalid');
  assert.equal(
    (await refresh(service, tokens.client, tokensOf(renewed).refresh)).body.error,
    'invalid_grant',
  );
  assert.equal((await mine.v2('GET', '/v2/connected_apps')).body.data.length, 0);
});

test('a client can give its tokens back, and no one else can', async () => {
  const tokens = await letIn(service, browser, { resource: v2 });
  const revoke = (client_id: string, token: string) =>
    fetch(`${service.url}/oauth/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id, token }).toString(),
    });
  assert.equal((await revoke(client, tokens.access)).status, 200);
  assert.equal((await askV2(service, tokens.access)).status, 200, 'another client changes nothing');
  const unknown = await revoke(tokens.client, 'trib_oat_unknown');
  assert.deepEqual(
    [unknown.status, unknown.headers.get('content-type'), await unknown.json()],
    [200, 'application/json; charset=utf-8', {}],
    'JSON, for clients that read every answer so',
  );
  assert.equal((await revoke(tokens.client, tokens.refresh)).status, 200);
  assert.equal((await askV2(service, tokens.access)).body.error.code, 'oauth_token_invalid');
  const again = await letIn(service, browser, { resource: v2 });
  assert.equal((await askV2(service, again.access)).status, 200);
  assert.equal((await revoke(again.client, again.access)).status, 200);
  assert.equal((await askV2(service, again.access)).body.error.code, 'oauth_token_invalid');
  const renewed = await refresh(service, again.client, again.refresh);
  assert.equal(renewed.status, 200, 'an access token that is given back ends nothing else');
});

test('a client with a secret shows it, in either of two ways, and no other will do', async () => {
  for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
    const { body } = await register(service, { ...PUBLIC_APP, token_endpoint_auth_method: method });
    const { client_id, client_secret } = body;
    const attempt = async (secret: string | null) => {
      const granted = await codeFor(browser, request(client_id, challenge, { resource: v2 }));
      const fields = {
        grant_type: 'authorization_code',
        code: granted,
        redirect_uri: CALLBACK,
        code_verifier: verifier,
      };
      if (secret === null) return postToken(service, { ...fields, client_id });
      if (method === 'client_secret_post') {
        return postToken(service, { ...fields, client_id, client_secret: secret });
      }
      const basic = Buffer.from(`${client_id}:${secret}`).toString('base64');
      return postToken(service, fields, { authorization: `Basic ${basic}` });
    };
    assert.equal((await attempt(client_secret)).status, 200);
    for (const wrong of [null, `${client_secret}x`]) {
      const refused = await attempt(wrong);
      assert.equal(refused.status, 401, method);
      assert.equal(refused.body.error, 'invalid_client');
    }
  }
});

test('no token, code, secret or open request can be read in the database', async () => {
  const { body } = await register(service, {
    ...PUBLIC_APP,
    token_endpoint_auth_method: 'client_secret_post',
  });
  const open = await codeFor(browser, request(client, challenge, { state: 'state-to-be-found' }));
  const tokens = await letIn(service, browser, { resource: v2 });
  await browser.get(request(client, challenge, { state: 'state-to-be-found' }));
  const { db } = service.app.database;
  const texts: string[] = [];
  for (const table of ['oauth_clients', 'oauth_grants', 'oauth_tokens', 'oauth_interactions']) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(table)} t`.execute(
      db,
    );
    texts.push(...rows.map(({ text }) => text));
  }
  const all = texts.join('\n');
  assert.ok(all.includes('Test app'), 'the search finds what is there');
  const request_id = browser.cookies.get('oauth_request') ?? '';
  assert.ok(request_id.length > 20);
  for (const secret of [
    body.client_secret,
    open,
    tokens.access,
    tokens.refresh,
    tokens.access.slice('trib_oat_'.length),
    'state-to-be-found',
    request_id,
  ]) {
    assert.ok(!all.includes(secret));
    assert.ok(!all.includes(Buffer.from(secret).toString('hex')));
  }
});

test('what has expired is deleted, and what is in force is not', async () => {
  const { db } = service.app.database;
  const count = async (table: 'oauth_tokens' | 'oauth_grants' | 'oauth_interactions') =>
    Number((await db.selectFrom(table).select(db.fn.countAll().as('n')).executeTakeFirstOrThrow()).n);
  clock.advance(200 * DAY_MS);
  browser = await signIn(service, owner);
  const tokens = await letIn(service, browser, { resource: v2 });
  await browser.get(request(tokens.client, challenge));
  await service.app.oauth.sweep.run();
  assert.deepEqual([await count('oauth_interactions'), await count('oauth_grants')], [1, 1]);
  assert.equal(await count('oauth_tokens'), 3, 'a code, an access and a refresh token');
  assert.equal((await askV2(service, tokens.access)).status, 200);
});
