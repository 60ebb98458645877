import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OAUTH_SCOPE_NAMES } from '../../../src/vocabulary/oauth-scopes.ts';
import { addPerson, Browser, type Page } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import {
  answerConsent,
  CALLBACK,
  formOf,
  newVerifier,
  openConsent,
  PUBLIC_APP,
  register,
  request,
  signIn,
} from './stage.ts';

let service: TestService;
let owner: TestOwner;
let browser: Browser;
let client: string;
before(async () => {
  service = await startService();
  owner = await service.owner();
  browser = await signIn(service, owner);
  client = (await register(service)).body.client_id;
});
after(() => service.close());

const { challenge } = newVerifier();

/** What an app is called back with where the request is refused, once the person goes there. */
async function refusal(
  more: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<string, string>>> {
  const back = wayBack(await browser.get(request(client, challenge, more)));
  assert.equal(`${back.origin}${back.pathname}`, CALLBACK);
  // Where an answer would come in a fragment, so does the refusal.
  return Object.fromEntries([...back.searchParams, ...new URLSearchParams(back.hash.slice(1))]);
}

/** Where the page of a refused request leads back to. */
function wayBack({ status, headers, text }: Page): URL {
  assert.equal(status, 400, text);
  assert.equal(headers.get('location'), null, 'nobody is sent on without being asked');
  const back = /<a class="button" href="([^"]*)"/.exec(text)?.[1] ?? '';
  return new URL(back.replaceAll('&amp;', '&'));
}

test('a request that cannot be granted sends no one on to an app that no one let in', async () => {
  const elsewhere = await register(service, {
    ...PUBLIC_APP,
    redirect_uris: ['https://elsewhere.example/x'],
  });
  const sent = await browser.get(
    request(elsewhere.body.client_id, challenge, {
      redirect_uri: 'https://elsewhere.example/x',
      resource: 'https://elsewhere.example/mcp',
      state: '"><script>alert(1)</script>',
    }),
  );
  const back = wayBack(sent);
  assert.equal(back.host, 'elsewhere.example');
  assert.equal(back.searchParams.get('error'), 'invalid_target');
  assert.match(sent.text, /Back to elsewhere\.example/);
  assert.ok(!sent.text.includes('<script'));
  assert.equal(sent.headers.get('cache-control'), 'no-store');
});

test('the metadata of the server names what it does, under an issuer without a trailing slash', async () => {
  const answer = await fetch(`${service.url}/.well-known/oauth-authorization-server`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  const metadata = JSON.parse(await answer.text());
  assert.equal(metadata.issuer, service.url);
  assert.deepEqual(metadata.code_challenge_methods_supported, ['S256']);
  assert.deepEqual(metadata.response_types_supported, ['code']);
  assert.ok(metadata.token_endpoint_auth_methods_supported.includes('none'));
  assert.equal(metadata.authorization_response_iss_parameter_supported, true);
  assert.equal(metadata.client_id_metadata_document_supported, true);
  assert.deepEqual(metadata.scopes_supported, OAUTH_SCOPE_NAMES);
  assert.equal(metadata.jwks_uri, undefined, 'nothing is signed');
  for (const [name, method] of [
    ['authorization_endpoint', 'GET'],
    ['token_endpoint', 'POST'],
    ['registration_endpoint', 'POST'],
    ['revocation_endpoint', 'POST'],
  ] as const) {
    const there = await fetch(metadata[name], { method, redirect: 'manual' });
    assert.notEqual(there.status, 404, name);
  }
});

test('the metadata of each resource names it, its scopes and the server that issues tokens for it', async () => {
  for (const [path, resource, left] of [
    ['', '/mcp', []],
    ['/mcp', '/mcp', []],
    ['/v2', '/v2', ['mcp:read']],
  ] as const) {
    const answer = await fetch(`${service.url}/.well-known/oauth-protected-resource${path}`);
    assert.equal(answer.status, 200);
    const metadata = JSON.parse(await answer.text());
    assert.equal(metadata.resource, `${service.url}${resource}`);
    assert.deepEqual(metadata.authorization_servers, [service.url]);
    assert.deepEqual(metadata.bearer_methods_supported, ['header']);
    const left_out: readonly string[] = left;
    assert.deepEqual(
      metadata.scopes_supported,
      OAUTH_SCOPE_NAMES.filter((scope) => !left_out.includes(scope)),
    );
    assert.ok(!metadata.scopes_supported.includes('keys:write'));
    assert.ok(!metadata.scopes_supported.includes('offline_access'));
  }
});

test('the endpoints that the library has and this service does not want are not there', async () => {
  for (const path of [
    '/.well-known/openid-configuration',
    '/oauth/jwks',
    '/jwks',
    '/me',
    '/token/introspection',
    '/session/end',
    '/session/end/confirm',
    '/request',
    '/device',
    '/oauth/device',
    '/reg',
  ]) {
    for (const method of ['GET', 'POST']) {
      const answer = await fetch(`${service.url}${path}`, { method, redirect: 'manual' });
      assert.equal(answer.status, 404, `${method} ${path}`);
    }
  }
});

test('a person who is not signed in signs in first and comes back to the same request, however long it is', async () => {
  const person = await addPerson(service, owner);
  const stranger = new Browser(service.url);
  const path = request(client, challenge, { scope: 'data:read', state: 'x'.repeat(2500) });
  const sent = await stranger.get(path);
  assert.equal(sent.status, 303);
  const signInAt = new URL(sent.headers.get('location') ?? '');
  assert.equal(signInAt.pathname, '/sign-in');
  const page = await stranger.get(signInAt.pathname + signInAt.search);
  const next = /name="next" value="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  assert.equal(next, path);
  const done = await stranger.post('/sign-in', {
    next,
    email: person.email,
    password: 'correct horse battery',
  });
  assert.equal(done.status, 303);
  const consent = await openConsent(stranger, done.headers.get('location') ?? '');
  assert.equal(consent.status, 200);
  const back = await answerConsent(stranger, consent, 'deny');
  assert.equal(back.searchParams.get('state'), 'x'.repeat(2500));
});

test('an address that is longer than the sign-in page passes on is refused', async () => {
  const { status } = await browser.get(request(client, challenge, { state: 'x'.repeat(4000) }));
  assert.equal(status, 414);
});

test('without PKCE, with its plain form or with a broken challenge no one is asked', async () => {
  for (const more of [
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge_method: 'plain' },
    { code_challenge_method: undefined },
    { code_challenge: undefined },
    { code_challenge: 'short' },
  ]) {
    const back = await refusal(more);
    assert.equal(back.error, 'invalid_request', JSON.stringify(more));
    assert.equal(back.iss, service.url);
    assert.equal(back.state, 'state-1');
  }
});

test('a token for another resource, or for two at once, is not to be had', async () => {
  for (const resource of [
    'https://evil.example/mcp',
    `${service.url}/v1`,
    `${service.url}/v2/`,
    `${service.url}/V2`,
    service.url,
    `${service.url}/mcp#part`,
    'mcp',
  ]) {
    const back = await refusal({ resource });
    assert.equal(back.error, 'invalid_target', resource);
    assert.equal(back.iss, service.url);
  }
  const both = `${request(client, challenge, { resource: `${service.url}/v2` })}&resource=${encodeURIComponent(`${service.url}/mcp`)}`;
  const back = wayBack(await browser.get(both));
  assert.equal(back.searchParams.get('error'), 'invalid_target');
});

test('only the code flow is there', async () => {
  for (const type of ['token', 'id_token', 'code id_token', 'none']) {
    assert.equal((await refusal({ response_type: type })).error, 'unsupported_response_type', type);
  }
  assert.equal((await refusal({ response_type: undefined })).error, 'invalid_request');
});

test('an answer goes to the very address that was registered, whatever it resembles', async () => {
  for (const uri of [
    'https://app.example/callback/',
    'https://app.example/callback?x=1',
    'https://app.example/callback/../callback',
    'https://app.example/%63allback',
    'https://app.example/Callback',
    'https://APP.example/callback',
    'https://app.example:443/callback',
    'https://app.example:8443/callback',
    'https://evil.app.example/callback',
    'https://app.example.evil.example/callback',
    'https://app.example@evil.example/callback',
    'https://evil.example/callback',
    'http://app.example/callback',
    'https://app.example/callback#part',
    'javascript:alert(1)',
  ]) {
    const sent = await browser.get(request(client, challenge, { redirect_uri: uri }));
    assert.equal(sent.status, 400, uri);
    assert.equal(sent.headers.get('location'), null, 'nobody is sent there');
    assert.match(sent.headers.get('content-type') ?? '', /html/);
    assert.match(sent.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  }
});

test('on the loopback interface any port is taken, and nothing else may differ', async () => {
  const { body } = await register(service, {
    ...PUBLIC_APP,
    redirect_uris: ['http://127.0.0.1:33418/done', 'http://localhost/back'],
  });
  const opened = async (uri: string) => {
    const sent = await browser.get(request(body.client_id, challenge, { redirect_uri: uri }));
    return (sent.headers.get('location') ?? '').startsWith('/oauth/consent/');
  };
  for (const uri of [
    'http://127.0.0.1:33418/done',
    'http://127.0.0.1:50000/done',
    'http://127.0.0.1/done',
    'http://localhost:1234/back',
  ]) {
    assert.ok(await opened(uri), uri);
  }
  for (const uri of [
    'http://127.0.0.1:33418/other',
    'http://127.0.0.1:33418/done?x=1',
    'http://127.0.0.2:33418/done',
    'http://localhost:33418/done',
    'https://127.0.0.1:33418/done',
    'http://127.0.0.1:33418@evil.example/done',
    'http://127.0.0.1.evil.example:33418/done',
    'http://[::1]:33418/done',
  ]) {
    assert.ok(!(await opened(uri)), uri);
  }
});

test('an unknown client, and a parameter sent twice, are refused on a page', async () => {
  for (const path of [
    request('nobody', challenge),
    request('x'.repeat(3000), challenge),
    request('a\u0000b', challenge),
    request('https://app.example/\u0000', challenge),
    `${request(client, challenge)}&client_id=${client}`,
    '/oauth/authorize',
  ]) {
    const sent = await browser.get(path);
    assert.equal(sent.status, 400, sent.text);
    assert.equal(sent.headers.get('location'), null);
  }
});

test('a client id that no client has is refused where tokens are, whatever it is made of', async () => {
  for (const id of ['nobody', '\u0000', 'a\u0000b', '\ud800', 'x'.repeat(3000)]) {
    for (const path of ['token', 'revoke']) {
      const answer = await fetch(`${service.url}/oauth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          client_id: id,
          grant_type: 'refresh_token',
          refresh_token: '\u0000',
          token: '\u0000',
        }).toString(),
      });
      assert.ok(answer.status === 400 || answer.status === 401, `${id}: ${answer.status}`);
      assert.match(await answer.text(), /invalid_client|invalid_request/);
    }
  }
});

test('a parameter of OpenID Connect changes nothing, since this is OAuth', async () => {
  const path = request(client, challenge, {
    scope: 'openid profile offline_access data:read',
    nonce: 'n-1',
    max_age: '1',
    claims: '{}',
    prompt: 'consent',
    request_uri: 'https://evil.example/',
  });
  const page = await openConsent(browser, path);
  assert.deepEqual(formOf(page).ticked, ['data:read']);
});

test('a client that wants no one asked has the person asked anyway, and no stranger sent on', async () => {
  const path = request(client, challenge, { prompt: 'none' });
  assert.equal((await openConsent(browser, path)).status, 200);
  const sent = await new Browser(service.url).get(path);
  assert.equal(new URL(sent.headers.get('location') ?? '').pathname, '/sign-in');
});

test('a request that names neither resource nor scopes stands for the reads of the MCP server', async () => {
  const page = await openConsent(browser, request(client, challenge));
  assert.match(page.text, /The MCP server/);
  const reads = OAUTH_SCOPE_NAMES.filter((scope) => scope.endsWith(':read') && scope !== 'brokerage:read');
  assert.deepEqual(formOf(page).ticked, reads);
});

test('another form of answer than the query is refused', async () => {
  for (const mode of ['form_post', 'fragment', 'web_message']) {
    const sent = await browser.get(request(client, challenge, { response_mode: mode }));
    assert.equal(sent.status, 400);
  }
});

test('a stranger leaves no open request behind', async () => {
  const stranger = new Browser(service.url);
  const count = async () =>
    (await service.app.database.db.selectFrom('oauth_interactions').select('id').execute()).length;
  const before = await count();
  for (let sent = 0; sent < 5; sent += 1) await stranger.get(request(client, challenge));
  assert.equal(await count(), before);
});

test('addresses in answers are those of the issuer, whatever host a request names', async () => {
  const answer = await fetch(`${service.url}${request(client, challenge)}`, {
    redirect: 'manual',
    headers: {
      cookie: browser.cookie,
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    },
  });
  assert.equal(answer.status, 303);
  const texts = [answer.headers.get('location'), ...answer.headers.getSetCookie()];
  assert.ok(!texts.join(' ').includes('evil.example'));
  assert.ok(
    !answer.headers.getSetCookie().some((cookie) => cookie.startsWith('oauth_session')),
    'no session of its own',
  );
});
