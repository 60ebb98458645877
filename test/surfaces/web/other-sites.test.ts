import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import { RouteTable } from '../../../src/surfaces/http/surfaces.ts';
import { RETURN_URL, startSession } from '../../features/linking/person.ts';
import { addPerson, Browser, PASSWORD, signedIn } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';

let service: TestService;
let owner: TestOwner;
const routes: { readonly path: string; readonly methods: readonly string[] }[] = [];
before(async () => {
  const add = mock.method(RouteTable.prototype, 'add');
  service = await startService();
  for (const { arguments: parts } of add.mock.calls)
    routes.push({ path: parts[0] ?? '', methods: parts[1] ?? [] });
  add.mock.restore();
  owner = await service.owner();
});
after(() => service.close());

/** What a browser says of a request that a page of another site makes, and what says nothing at all. */
const ELSEWHERE: readonly Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': '', origin: 'https://evil.example' },
];

describe('a page of another site', () => {
  test('changes nothing over v2 with the cookie of a session, and spends none of its requests', async () => {
    const browser = await signedIn(service, await addPerson(service, owner));
    for (const headers of [...ELSEWHERE, { 'sec-fetch-site': 'none' }]) {
      const { 'sec-fetch-site': site = '', ...rest } = headers;
      const refused = await fetch(new URL('/v2/rulesets', service.url), {
        method: 'POST',
        headers: {
          cookie: browser.cookie,
          'service-version': '2026-10-01.wattle',
          'content-type': 'application/json',
          ...rest,
          ...(site !== '' && { 'sec-fetch-site': site }),
        },
        body: '{"name":"Evil"}',
      });
      assert.equal(refused.status, 403, JSON.stringify(headers));
      assert.equal(JSON.parse(await refused.text()).error.code, 'insufficient_scope');
      assert.equal(refused.headers.get('x-ratelimit-limit'), null);
    }
    assert.deepEqual((await browser.v2('GET', '/v2/rulesets')).body.data, []);
  });

  test('nor does a program that says nothing of where it comes from', async () => {
    const browser = await signedIn(service, await addPerson(service, owner));
    const refused = await fetch(new URL('/v2/rulesets', service.url), {
      method: 'POST',
      headers: {
        cookie: browser.cookie,
        'service-version': '2026-10-01.wattle',
        'content-type': 'application/json',
      },
      body: '{"name":"Evil"}',
    });
    assert.equal(refused.status, 403);
  });

  test('an own page may, by either header', async () => {
    const browser = await signedIn(service, await addPerson(service, owner));
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: service.url }]) {
      const made = await fetch(new URL('/v2/rulesets', service.url), {
        method: 'POST',
        headers: {
          cookie: browser.cookie,
          'service-version': '2026-10-01.wattle',
          'content-type': 'application/json',
          ...headers,
        },
        body: JSON.stringify({ name: 'Tidy' }),
      });
      assert.equal(made.status, 200);
    }
  });

  test('signs no one in, signs no one out, and sends no form of the settings', async () => {
    const person = await addPerson(service, owner);
    const browser = await signedIn(service, person);
    const forms: readonly (readonly [string, Record<string, string>])[] = [
      ['/sign-in', { email: person.email, password: PASSWORD }],
      ['/sign-out', {}],
      ['/settings/security/password', { current: PASSWORD, password: 'another staple entirely' }],
      ['/settings/security/sessions/end-all', {}],
      ['/settings/security/invitations', { email: 'evil@example.test', role: 'owner' }],
    ];
    const before = browser.cookie;
    for (const [path, fields] of forms) {
      for (const headers of ELSEWHERE.slice(0, 3)) await browser.post(path, fields, headers);
    }
    assert.equal(browser.cookie, before, 'no cookie changed');
    assert.equal((await browser.v2('GET', '/v2/me')).status, 200);
    assert.deepEqual(await service.app.signIn.invitations.list(owner.record.id), []);
    await signedIn(service, person);
  });

  test('starts no sign-in with a passkey, and cannot send JSON as a form', async () => {
    const browser = new Browser(service.url);
    const sent = await browser.post('/sign-in/passkey/options', { a: 'b' });
    assert.equal(sent.status, 400);
    const asked = await fetch(new URL('/sign-in/passkey/options', service.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
      body: '{}',
    });
    assert.equal(asked.status, 403);
  });
});

/** Surfaces that answer programs, a page that asks v2 alone, and pages of simulated vendors. */
const NO_PAGES = /^\/(v1|v2|mcp|simplefin|sandbox|provider-webhooks|oauth\/(token|register|revoke))(\/|$)/;

test('a form of any page leads to this service alone, but for those that go on to a bank, a vendor or an app', async () => {
  const browser = await signedIn(service, await addPerson(service, owner, { operator: true }));
  const secret = 'A'.repeat(43);
  const paths = routes
    .filter(({ path, methods }) => methods.includes('GET') && !NO_PAGES.test(path))
    .map(({ path }) => path.replaceAll(/:\w+/g, secret).replace('*', secret));
  const { secret: invited } = await service.app.signIn.invitations.create(owner.record.id, {
    email: 'form@example.test',
    role: 'reader',
    by: null,
  });
  const actions = new Map<string, string[]>();
  for (const path of [...paths, `/invitations/${invited}`, '/sign-in?next=%2Foauth%2Fauthorize']) {
    const { headers } = await browser.get(path, { accept: 'text/html' });
    if (!headers.get('content-type')?.startsWith('text/html')) continue;
    const [, action = 'any'] = /form-action ([^;]*)/.exec(headers.get('content-security-policy') ?? '') ?? [];
    actions.set(action, [...(actions.get(action) ?? []), path]);
  }
  assert.deepEqual([...actions.keys()], ["'self'"], JSON.stringify([...actions]));
  for (const path of [
    '/sign-in',
    '/settings',
    '/settings/delete',
    '/settings/operator',
    `/invitations/${invited}`,
  ])
    assert.ok(actions.get("'self'")?.includes(path), path);

  const link = await owner.v2('POST', '/v2/destination_links', { type: 'sheets', return_url: RETURN_URL });
  for (const { url } of [await startSession(owner), link.body]) {
    const { headers } = await browser.get(new URL(url).pathname);
    assert.match(headers.get('content-security-policy') ?? '', /form-action 'self' https: http:(;|$)/);
  }
});

test('every page forbids frames, foreign scripts and caches, and tells no other site where the person was', async () => {
  const browser = await signedIn(service, await addPerson(service, owner));
  const firstRun = `/first-run/${'A'.repeat(43)}`;
  for (const path of ['/sign-in', '/sign-out', '/forgot-password', '/settings/security', firstRun]) {
    const { headers } = await browser.get(path);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/, path);
    assert.match(policy, /frame-ancestors 'none'/, path);
    assert.match(policy, /base-uri 'none'/, path);
    assert.doesNotMatch(policy, /unsafe/, path);
    assert.equal(headers.get('x-frame-options'), 'DENY', path);
    assert.equal(headers.get('cache-control'), 'no-store', path);
    assert.match(headers.get('referrer-policy') ?? '', /^(?:same|strict)-origin$/, path);
  }
});

test('the cookie of a session is out of reach of scripts and other sites, and over https bound to the host', async (t) => {
  const person = await addPerson(service, owner);
  const plain = await new Browser(service.url).signIn(person.email);
  const [session = '', device = ''] = plain.headers.getSetCookie();
  for (const cookie of [session, device])
    assert.match(cookie, /; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
  assert.match(session, /^tributary=[\w-]{43};/);

  const secure = await startService({
    APP_URL: 'https://app.example.test',
    PUBLIC_URL: 'https://app.example.test',
  });
  t.after(() => secure.close());
  const someone = await addPerson(secure, await secure.owner());
  const browser = new Browser(secure.url);
  const signed = await browser.signIn(someone.email);
  const [first = '', second = ''] = signed.headers.getSetCookie();
  assert.match(first, /^__Host-tributary=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
  assert.match(second, /^__Host-tributary-device=/);
  assert.equal((await browser.v2('GET', '/v2/me')).status, 200);
  const value = browser.cookies.get('__Host-tributary') ?? '';
  const unbound = await browser.v2('GET', '/v2/me', undefined, { cookie: `tributary=${value}` });
  assert.equal(unbound.status, 401, 'without its prefix another host may have set it');
});

test('a session from before the service moved to https ends with the next sign-in, and its cookies go', async (t) => {
  const secure = await startService({ APP_URL: 'https://app.example.test' });
  t.after(() => secure.close());
  const someone = await addPerson(secure, await secure.owner());
  const before = await signedIn(secure, someone);
  const browser = new Browser(secure.url);
  const value = before.cookies.get('__Host-tributary') ?? '';
  browser.cookies.set('tributary', value);
  browser.cookies.set('tributary-device', before.cookies.get('__Host-tributary-device') ?? '');
  assert.equal((await browser.v2('GET', '/v2/me')).status, 401);
  assert.equal((await before.v2('GET', '/v2/me')).status, 200);
  assert.equal((await browser.signIn(someone.email)).status, 303);
  assert.deepEqual([...browser.cookies.keys()].toSorted(), ['__Host-tributary', '__Host-tributary-device']);
  assert.equal((await before.v2('GET', '/v2/me')).status, 401, 'anyone who read the cookie is signed out');
  assert.equal((await browser.v2('GET', '/v2/me')).status, 200);
});

test('signing out takes away the cookies from before the service moved to https as well', async (t) => {
  const secure = await startService({ APP_URL: 'https://app.example.test' });
  t.after(() => secure.close());
  const someone = await addPerson(secure, await secure.owner());
  const [before, browser] = [await signedIn(secure, someone), await signedIn(secure, someone)];
  browser.cookies.set('tributary', before.cookies.get('__Host-tributary') ?? '');
  assert.equal((await browser.post('/sign-out')).status, 303);
  assert.deepEqual([...browser.cookies.keys()], ['__Host-tributary-device']);
  assert.equal((await before.v2('GET', '/v2/me')).status, 401);
});
