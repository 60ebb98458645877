import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openKeyring } from '../../../src/features/encryption/open-keyring.ts';
import { createOAuth } from '../../../src/features/oauth/create-oauth.ts';
import type { Log } from '../../../src/platform/log.ts';
import { OutgoingFailure } from '../../../src/platform/outgoing-failure.ts';
import type { OutgoingRequest } from '../../../src/platform/outgoing-http.ts';
import { OutgoingResponse } from '../../../src/platform/outgoing-response.ts';
import { FailedRequests } from '../../../src/surfaces/http/failed-requests.ts';
import { registerOAuth } from '../../../src/surfaces/oauth/routes.ts';
import { until } from '../../features/linking/person.ts';
import { httpFrame, listening } from '../../support/http-frame.ts';
import { Browser } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import {
  askV2,
  codeFor,
  exchange,
  newVerifier,
  openConsent,
  postToken,
  refresh,
  request,
  signIn,
} from './stage.ts';

const ID = 'https://app.example/client.json';
const ISSUER = 'https://app.tributary.example';

/** What is at which address, and what was asked for. */
const pages = new Map<string, () => OutgoingResponse | Promise<OutgoingResponse>>();
const asked: OutgoingRequest[] = [];
const http = {
  request: async (sent: OutgoingRequest): Promise<OutgoingResponse> => {
    asked.push(sent);
    const page = pages.get(String(sent.url));
    if (page === undefined) throw new OutgoingFailure('refused_address', 'not here', false);
    return page();
  },
};

/** What was logged of requests that failed. */
const noted: { readonly code: unknown; readonly operation: unknown; readonly id: unknown }[] = [];
const notedIn = (fields: Parameters<Log['warn']>[1] = {}) => ({
  code: fields.code,
  operation: fields.operation,
  id: fields.request_id,
});

let service: TestService;
let owner: TestOwner;
let surface: { readonly url: string; close(): Promise<void> };
before(async () => {
  service = await startService({ APP_URL: ISSUER, PUBLIC_URL: 'https://api.tributary.example' });
  owner = await service.owner();
  surface = await listener();
});
after(async () => {
  await surface.close();
  await service.close();
});

/** Another listener over the same service, with nothing in memory, whose way out is the test's own. */
async function listener(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { app } = service;
  const { db } = app.database;
  const keyring = await openKeyring(db, app.config);
  const frame = httpFrame();
  registerOAuth(frame.server, frame.surfaces, {
    oauth: createOAuth({ ...app, ...app.config, auditLog: app.services.auditLog, db, keyring, http }),
    sessions: app.signIn.sessionAuthenticator,
    members: app.signIn.members,
    sharedRecords: app.signIn.sharedRecords,
    rateLimits: app.rateLimits,
    addresses: app.config,
    clock: app.clock,
    limits: app.config.limits,
    metrics: app.metrics,
    failures: new FailedRequests({
      ...app,
      log: { error: () => assert.fail(), warn: (_message, fields) => void noted.push(notedIn(fields)) },
    }),
  });
  return listening(frame);
}

function stands(at: string, document: unknown, headers: Record<string, string> = {}, status = 200): void {
  pages.set(at, () => answer(at, document, headers, status));
}

function answer(
  at: string,
  document: unknown,
  headers: Record<string, string> = {},
  status = 200,
): OutgoingResponse {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  return new OutgoingResponse(new URL(at).origin, status, headers, Buffer.from(text));
}

function postRevoke({ url }: { readonly url: string }, fields: Record<string, string>): Promise<Response> {
  return fetch(`${url}/oauth/revoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
}

const document = (id: string) => ({
  client_id: id,
  client_name: 'Documented app',
  redirect_uris: ['https://app.example/callback', 'http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
});

async function person(): Promise<Browser> {
  const signedIn = await signIn(service, owner);
  const browser = new Browser(surface.url);
  for (const [name, value] of signedIn.cookies) browser.cookies.set(name, value);
  return browser;
}

test('an app is known by the document at its client id, which is fetched once through the guarded client', async () => {
  stands(ID, document(ID));
  const browser = await person();
  const { challenge, verifier } = newVerifier();
  const resource = 'https://api.tributary.example/v2';
  const page = await openConsent(browser, request(ID, challenge, { resource }));
  assert.match(page.text, /Documented app/);
  assert.match(page.text, /app\.example<\/strong>, whose owner vouches for it/);
  const code = await codeFor(browser, request(ID, challenge, { resource }));
  const answer = await exchange(surface, ID, code, verifier);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal((await askV2(service, answer.body.access_token)).status, 200);
  assert.equal(asked.length, 1, 'it is kept for a while');
  const [sent] = asked;
  assert.ok(sent);
  assert.equal(sent.trusted, undefined);
  assert.ok((sent.deadlineMs ?? Infinity) <= 5_000);
  assert.ok((sent.maxResponseBytes ?? Infinity) <= 16_384);
});

test('its tokens are renewed and given back without another look, on a process that never saw the document', async (t) => {
  const id = 'https://renewed.example/client.json';
  stands(id, document(id));
  const browser = await person();
  const { challenge, verifier } = newVerifier();
  const resource = 'https://api.tributary.example/v2';
  const code = await codeFor(browser, request(id, challenge, { resource }));
  pages.delete(id);
  const other = await listener();
  t.after(() => other.close());
  const before_it = asked.length;
  const first = await exchange(other, id, code, verifier);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  const second = await refresh(other, id, first.body.refresh_token);
  assert.equal(second.status, 200, JSON.stringify(second.body));
  const back = await postRevoke(other, { client_id: id, token: second.body.refresh_token });
  assert.equal(back.status, 200);
  assert.equal((await askV2(service, second.body.access_token)).body.error.code, 'oauth_token_invalid');
  assert.equal(asked.length, before_it);
});

test('over https the cookies of a request are bound to the host, and one that another host may have set is none', async () => {
  stands(ID, document(ID));
  const browser = await person();
  const { headers } = await browser.get(request(ID, newVerifier().challenge));
  const set = headers.getSetCookie();
  assert.deepEqual(set.map((cookie) => cookie.split('=')[0]).toSorted(), [
    '__Secure-oauth_request',
    '__Secure-oauth_resume',
  ]);
  for (const cookie of set) {
    assert.match(cookie, /; path=\/oauth\/(consent|authorize)\/[\w-]+;/i);
    assert.match(cookie, /; secure(;|$)/i);
    assert.match(cookie, /; httponly(;|$)/i);
    assert.doesNotMatch(cookie, /domain=/i);
  }
  const path = headers.get('location') ?? '';
  assert.equal((await browser.get(path)).status, 200);
  const value = browser.cookies.get('__Secure-oauth_request') ?? '';
  browser.cookies.delete('__Secure-oauth_request');
  browser.cookies.set('oauth_request', value);
  assert.equal((await browser.get(path)).status, 404);
});

test('nothing is fetched for a stranger, wherever they name a document', async () => {
  const id = 'https://strange.example/client.json';
  stands(id, document(id));
  const before_it = asked.length;
  const { challenge, verifier } = newVerifier();
  assert.equal((await exchange(surface, id, 'x', verifier)).body.error, 'invalid_client');
  assert.equal((await refresh(surface, id, 'x')).body.error, 'invalid_client');
  assert.equal((await postRevoke(surface, { client_id: id, token: 'x' })).status, 400);
  const sent = await new Browser(surface.url).get(request(id, challenge, { prompt: 'none' }));
  assert.equal(new URL(sent.headers.get('location') ?? '').pathname, '/sign-in');
  assert.equal(asked.length, before_it);
});

test('who finds no room is counted, and the log has a line with the id of the answer', async (t) => {
  const waiting: (() => void)[] = [];
  t.after(() => {
    for (const go of waiting) go();
  });
  const browser = await person();
  const ids = ['a', 'b', 'c'].map((name) => `https://${name}.busy.example/c`);
  for (const id of ids)
    pages.set(id, () => new Promise((resolve) => waiting.push(() => resolve(answer(id, document(id))))));
  const [one = '', two = '', three = ''] = ids;
  const open = async (id: string) => browser.get(request(id, newVerifier().challenge));
  const opening = [open(one), open(two)];
  await until(
    async () => waiting.length,
    (count) => count === 2,
  );
  noted.length = 0;
  const refused = await open(three);
  assert.equal(refused.status, 503);
  assert.notEqual(refused.headers.get('retry-after'), null);
  assert.deepEqual(noted, [
    { code: 'upstream_unavailable', operation: 'oauth', id: refused.headers.get('request-id') },
  ]);
  noted.length = 0;
  for (const go of waiting.splice(0)) go();
  await Promise.all(opening);
  assert.equal((await open('https://gone.busy.example/c')).status, 400);
  assert.deepEqual(noted, []);
});

test('slow hosts take a share of the fetches, not all, and who finds no room hears that it is not the app', async (t) => {
  const waiting: (() => void)[] = [];
  t.after(() => {
    for (const go of waiting) go();
  });
  const slow = (id: string) =>
    pages.set(id, () => new Promise((resolve) => waiting.push(() => resolve(answer(id, document(id))))));
  const browser = await person();
  const open = async (by: Browser, id: string) => by.get(request(id, newVerifier().challenge));
  const ids = ['a', 'b', 'c'].map((name) => `https://${name}.slow.example/c`);
  for (const id of ids) slow(id);
  const [one = '', two = '', three = ''] = ids;
  const held = [open(browser, one), open(browser, two)];
  await until(
    async () => waiting.length,
    (count) => count === 2,
  );
  const refused = await open(browser, three);
  assert.equal(refused.status, 503);
  assert.match(refused.text, /temporarily_unavailable/);
  assert.equal(refused.headers.get('location'), null);
  const id = 'https://quick.example/c';
  stands(id, document(id));
  const other = await person();
  assert.equal((await open(other, id)).status, 303, 'somebody else and another host have room');
  for (const go of waiting.splice(0)) go();
  for (const opened of await Promise.all(held)) assert.equal(opened.status, 303);
  stands(three, document(three));
  assert.equal((await open(browser, three)).status, 303);
});

test('an app that returns to another host than that of its document is warned of', async () => {
  const id = 'https://vouches.example/client.json';
  stands(id, document(id));
  const { text } = await openConsent(await person(), request(id, newVerifier().challenge));
  assert.match(text, /returns to app\.example, not to vouches\.example/);
});

test('what cannot be an app is refused on a page, and no one is asked', async () => {
  const browser = await person();
  const bad = new Map<string, unknown>([
    ['https://other.example/c', document(ID)],
    ['https://secret.example/c', { ...document('https://secret.example/c'), client_secret: 'x' }],
    [
      'https://basic.example/c',
      { ...document('https://basic.example/c'), token_endpoint_auth_method: 'client_secret_basic' },
    ],
    [
      'https://script.example/c',
      { ...document('https://script.example/c'), redirect_uris: ['javascript:1'] },
    ],
    [
      'https://http.example/c',
      { ...document('https://http.example/c'), redirect_uris: ['http://app.example/'] },
    ],
    ['https://list.example/c', []],
    ['https://text.example/c', 'no JSON'],
  ]);
  for (const [at, content] of bad) stands(at, content);
  stands('https://gone.example/c', document('https://gone.example/c'), {}, 404);
  stands('https://moved.example/c', document('https://moved.example/c'), { location: ID }, 302);
  for (const id of [
    ...bad.keys(),
    'https://gone.example/c',
    'https://moved.example/c',
    'https://169.254.169.254/c',
    'https://localhost/c',
  ]) {
    const sent = await browser.get(request(id, newVerifier().challenge));
    assert.equal(sent.status, 400, id);
    assert.equal(sent.headers.get('location'), null);
  }
});

test('an address that is no https address of a document is not fetched', async () => {
  const browser = await person();
  const before_it = asked.length;
  for (const id of [
    'http://app.example/client.json',
    'https://user@app.example/client.json',
    'https://app.example/a/../client.json',
    'https://app.example/client.json#part',
    'file:///etc/passwd',
    'ftp://app.example/',
    `https://app.example/${'x'.repeat(2048)}`,
  ]) {
    assert.equal((await browser.get(request(id, newVerifier().challenge))).status, 400, id);
    const refused = await postToken(surface, {
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_id: id,
    });
    assert.equal(refused.body.error, 'invalid_client', id);
  }
  assert.equal(asked.length, before_it);
});

test('a document at a host with characters that mean something in headers is not fetched', async () => {
  const before_it = asked.length;
  for (const host of [
    'app.example;script-src',
    'app.example,https',
    "app.example'self'",
    'app.example%3Bx',
  ]) {
    const id = `https://${host}/client.json`;
    stands(id, document(id));
    const { status, text } = await (await person()).get(request(id, newVerifier().challenge));
    assert.deepEqual([status, text.includes('invalid_client')], [400, true], host);
  }
  assert.equal(asked.length, before_it);
});
