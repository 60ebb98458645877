import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { insertMembership } from '../../../src/storage/memberships.ts';
import { CONSENT } from '../../../src/surfaces/text/consent.ts';
import { OAUTH_SCOPE_NAMES, OAUTH_SCOPES } from '../../../src/vocabulary/oauth-scopes.ts';
import type { Plan } from '../../../src/vocabulary/plans.ts';
import { addPerson, Browser, type Page } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import {
  answerConsent,
  askV2,
  codeFor,
  exchange,
  formOf,
  goesOnTo,
  letIn,
  newVerifier,
  openConsent,
  PUBLIC_APP,
  postForm,
  register,
  request,
  signIn,
} from './stage.ts';

const clock = new ShiftedClock();
let service: TestService;
let owner: TestOwner;
let browser: Browser;
let client: string;
before(async () => {
  service = await startService({}, { clock });
  owner = await service.owner();
  browser = await signIn(service, owner);
  client = (await register(service)).body.client_id;
});
after(() => service.close());

/** For tests that leave the session of `browser` old. */
async function signInAgain(): Promise<void> {
  browser = await signIn(service, owner);
}

const { challenge, verifier } = newVerifier();
const EVERYTHING = [...OAUTH_SCOPE_NAMES, 'keys:write'].join(' ');

test('every scope is shown in plain words; brokerage and what writes is apart and not chosen, keys are never offered', async () => {
  const page = await openConsent(browser, request(client, challenge, { scope: EVERYTHING }));
  const escaped = (text: string) => text.replaceAll("'", '&#39;');
  for (const scope of OAUTH_SCOPE_NAMES) {
    const { allows, group } = OAUTH_SCOPES[scope];
    assert.ok(page.text.includes(escaped(allows)), scope);
    assert.equal(formOf(page).ticked.includes(scope), group === 'reads', scope);
  }
  assert.equal(page.text.match(/<fieldset>/g)?.length, 3);
  assert.ok(!page.text.includes('keys:write'));
  assert.match(page.text, /Test app/);
  assert.match(page.text, /app\.example/);
  assert.ok(page.text.includes(owner.record.email));
});

test('the page says for which account record the access is, by its address and name, and who is signed in', async () => {
  await service.app.services.accountRecords.update(owner.record.id, { name: 'Elm Street' });
  const page = await openConsent(browser, request(client, challenge));
  assert.match(
    page.text,
    /<dt>Account record<\/dt><dd>[^<]+@[^<]+ \(<bdi>Elm Street<\/bdi>\)<\/dd>\s*<dt>Signed in as<\/dt><dd>[^<]+@[^<]+<\/dd>/,
  );
  await service.app.services.accountRecords.update(owner.record.id, { name: null });
});

test('what was ticked is granted and nothing else, whatever is posted', async () => {
  const page = await openConsent(browser, request(client, challenge, { scope: 'data:read syncs:read' }));
  const back = await answerConsent(browser, page, 'allow', ['syncs:read', 'syncs:write', 'keys:write', 'x']);
  const answer = await exchange(service, client, back.searchParams.get('code') ?? '', verifier);
  assert.equal(answer.body.scope, 'syncs:read');
});

test('an app that is denied hears so, and gets no code', async () => {
  const back = await answerConsent(browser, await openConsent(browser, request(client, challenge)), 'deny');
  assert.equal(back.searchParams.get('error'), 'access_denied');
  assert.equal(back.searchParams.get('iss'), service.url);
  assert.equal(back.searchParams.get('code'), null);
});

test('someone who allows nothing at all is asked again', async () => {
  const page = await openConsent(browser, request(client, challenge));
  const posted = await postForm(browser, page.path, [
    ['proof', formOf(page).proof],
    ['decision', 'allow'],
  ]);
  assert.equal(posted.status, 422);
  assert.match(posted.text, /role="alert"/);
  const back = await answerConsent(browser, { ...posted, path: page.path }, 'allow', ['data:read']);
  assert.ok(back.searchParams.get('code'));
});

test('a reader can let an app read, and not write', async () => {
  const reader = await signIn(service, owner, 'reader');
  const page = await openConsent(reader, request(client, challenge, { scope: EVERYTHING }));
  assert.match(page.text, /you can only read this account record/);
  const back = await answerConsent(reader, page, 'allow', [...OAUTH_SCOPE_NAMES]);
  const answer = await exchange(service, client, back.searchParams.get('code') ?? '', verifier);
  assert.deepEqual(
    answer.body.scope.split(' ').toSorted(),
    OAUTH_SCOPE_NAMES.filter((scope) => scope.endsWith(':read')).toSorted(),
  );
});

test('brokerage is offered where the plan includes it, and no app at all where the plan has no API', async () => {
  const planned = async (plan: Plan) => {
    const record = await service.app.services.accountRecords.create({ email: `${plan}@example.test`, plan });
    const person = await signIn(service, { record });
    return openConsent(person, request(client, challenge, { scope: 'data:read brokerage:read' }));
  };
  assert.match((await planned('professional')).text, /value="brokerage:read"/);
  const developer = await planned('developer');
  assert.ok(!developer.text.includes('value="brokerage:read"'));
  assert.match(developer.text, /the plan does not include it/);
  const saver = await planned('saver');
  assert.match(saver.text, /plan of this account record does not include/);
  assert.ok(!saver.text.includes('value="allow"'));
});

test('the page cannot be framed, runs nothing, and its form leads to this service, or to an app with a scheme of its own', async () => {
  const page = await openConsent(browser, request(client, challenge));
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.match(policy, /form-action 'self'(;|$)/);
  assert.ok(!policy.includes('unsafe'));
  assert.equal(page.headers.get('x-frame-options'), 'DENY');
  assert.equal(page.headers.get('cache-control'), 'no-store');
  const { body } = await register(service, {
    ...PUBLIC_APP,
    redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://127.0.0.1:33418/'],
  });
  const leads = async (redirect_uri: string) => {
    const { headers, text } = await openConsent(
      browser,
      request(body.client_id, challenge, { redirect_uri }),
    );
    const action = /form-action ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];
    return { action, text };
  };
  const app = await leads('cursor://anysphere.cursor-mcp/oauth/callback');
  assert.equal(app.action, "'self' cursor:");
  assert.match(app.text, /returns to an app on this device/);
  const loopback = await leads('http://127.0.0.1:50123/');
  assert.equal(loopback.action, "'self'");
  assert.match(loopback.text, /returns to a program on this computer/);
});

test('what an app calls itself is text, and cannot turn the page around', async () => {
  const { body } = await register(service, {
    ...PUBLIC_APP,
    client_name: '<script>alert(1)</script>\u202Eeduac\u0000"\'',
  });
  const { text } = await openConsent(browser, request(body.client_id, challenge));
  assert.ok(!text.includes('<script>'));
  assert.ok(text.includes('&lt;script&gt;'));
  for (const hidden of ['\u202E', '\u0000']) assert.ok(!text.includes(hidden));
});

test('an app whose name mixes scripts, and so can look like another, is shown without it', async () => {
  for (const [given, shown] of [
    ['Cl\u0430ude', null],
    ['Claude \u3164', 'Claude'],
    ['\u5bb6\u8a08\u7c3f Kakeibo', '\u5bb6\u8a08\u7c3f Kakeibo'],
  ] as const) {
    const { body } = await register(service, { ...PUBLIC_APP, client_name: given });
    const { text } = await openConsent(browser, request(body.client_id, challenge));
    assert.ok(!text.includes(given) || given === shown, given);
    assert.ok(text.includes(shown ?? CONSENT.unnamed), given);
  }
});

test('a decision counts only from the page of that request, in that session', async () => {
  const page = await openConsent(browser, request(client, challenge));
  const other = await openConsent(browser, request(client, challenge));
  const { proof } = formOf(page);
  const decide = (with_proof: string, headers: Record<string, string> = {}) =>
    postForm(
      browser,
      page.path,
      [
        ['proof', with_proof],
        ['decision', 'allow'],
        ['scope', 'data:read'],
      ],
      headers,
    );
  assert.equal((await decide('')).status, 403);
  assert.equal((await decide(`${proof}x`)).status, 403);
  assert.equal((await decide(formOf(other).proof)).status, 403, 'of another request');
  assert.equal((await decide(proof, { 'sec-fetch-site': 'cross-site' })).status, 403);
  assert.equal((await decide(proof, { 'sec-fetch-site': 'same-site' })).status, 403);
  const mine = await signIn(service, owner);
  const theirs = await openConsent(mine, request(client, challenge));
  assert.equal((await decide(formOf(theirs).proof)).status, 403, 'of another session');
  assert.match(goesOnTo(await decide(proof)), /\/oauth\/authorize\//);
});

test('a decision counts for the account record and the role that the page showed', async () => {
  const mine = await service.owner();
  const other = await service.owner();
  const { email, id: user } = await addPerson(service, mine);
  const { db } = service.app.database;
  const now = new Date(clock.now());
  const membership = { account_record: other.record.id, user_id: user, created: now, updated: now };
  await insertMembership(db, { ...membership, role: 'reader' });
  const person = new Browser(service.url);
  await person.signIn(email);
  const asked = { scope: 'data:read syncs:write' };
  const page = await openConsent(person, request(client, challenge, asked));
  assert.ok(page.text.includes(mine.record.email));
  const { webSessions, members } = service.app.signIn;
  const signedIn = await webSessions.find(person.cookie);
  assert.ok(signedIn);
  await webSessions.moveTo(signedIn, other.record.id);
  const decide = (from: Pick<Page, 'text'>) =>
    postForm(person, page.path, [
      ['proof', formOf(from).proof],
      ['decision', 'allow'],
      ['scope', 'data:read'],
    ]);
  const moved = await decide(page);
  assert.equal(moved.status, 403);
  assert.match(moved.text, /role="alert"/);
  assert.ok(moved.text.includes(other.record.email), 'the page is shown again, about the other');
  await members.changeRole(other.record.id, user, 'owner');
  assert.equal((await decide(moved)).status, 403, 'of another role');
  for (const { v2 } of [mine, other]) {
    assert.equal((await v2('GET', '/v2/connected_apps')).body.data.length, 0);
  }
  assert.match(goesOnTo(await decide(await person.get(page.path))), /\/oauth\/authorize\//);
  assert.equal((await other.v2('GET', '/v2/connected_apps')).body.data.length, 1);
});

test('whatever an app asks for is granted by someone who has just signed in; an old session is asked to sign in before the page [limit fresh_sign_in_minutes]', async (t) => {
  t.after(signInAgain);
  const { email } = await addPerson(service, owner);
  const person = new Browser(service.url);
  await person.signIn(email);
  const sentToSignIn = (sent: Page, path: string) => {
    const address = new URL(sent.headers.get('location') ?? '');
    assert.deepEqual(
      [sent.status, address.pathname, address.searchParams.get('next'), address.searchParams.get('notice')],
      [303, '/sign-in', path, 'fresh'],
    );
  };
  for (const scope of ['data:read', 'syncs:write', 'brokerage:read']) {
    const page = await openConsent(person, request(client, challenge, { scope }));
    const allow = (from: Pick<Page, 'text'>) =>
      postForm(person, page.path, [
        ['proof', formOf(from).proof],
        ['decision', 'allow'],
        ['scope', scope],
      ]);
    clock.advance(16 * 60_000);
    sentToSignIn(await person.get(page.path), page.path);
    sentToSignIn(await allow(page), page.path);
    assert.equal((await person.signIn(email)).status, 303);
    assert.match(goesOnTo(await allow(await person.get(page.path))), /\/oauth\/authorize\//);
  }
});

test('an app is denied from an old session as well, also where the plan lets no app in', async (t) => {
  t.after(signInAgain);
  const record = await service.app.services.accountRecords.create({
    email: 'old-saver@example.test',
    plan: 'saver',
  });
  for (const [of, plan] of [
    [owner, 'professional'],
    [{ record }, 'saver'],
  ] as const) {
    const person = await signIn(service, of);
    const page = await openConsent(person, request(client, challenge));
    clock.advance(16 * 60_000);
    const shown = plan === 'saver' ? { ...(await person.get(page.path)), path: page.path } : page;
    const back = await answerConsent(person, shown, 'deny');
    assert.equal(back.searchParams.get('error'), 'access_denied', plan);
  }
});

test('a request that one person opened is no one else to answer, even in the same browser', async () => {
  const page = await openConsent(browser, request(client, challenge));
  const mallory = await signIn(service, await service.owner());
  for (const [name, value] of browser.cookies) {
    if (name.startsWith('oauth_')) mallory.cookies.set(name, value);
  }
  assert.equal((await mallory.get(page.path)).status, 404);
  const resumed = await mallory.get(page.path.replace('/consent/', '/authorize/'));
  assert.equal(resumed.headers.get('location'), null);
});

test('a request without the cookies of the browser that opened it cannot be answered', async () => {
  const page = await openConsent(browser, request(client, challenge));
  const elsewhere = await signIn(service, owner);
  assert.equal((await elsewhere.get(page.path)).status, 404);
});

test('someone whose session has ended signs in again first', async () => {
  const person = await signIn(service, owner);
  const page = await openConsent(person, request(client, challenge));
  person.cookies.delete('tributary');
  const sent = await person.get(page.path);
  assert.equal(new URL(sent.headers.get('location') ?? '').pathname, '/sign-in');
});

test('the person is asked every time, also about what they have granted before', async () => {
  await codeFor(browser, request(client, challenge, { scope: 'data:read' }));
  const again = await openConsent(browser, request(client, challenge, { scope: 'data:read' }));
  assert.equal(again.status, 200);
});

test('a request is over after its minutes [limit oauth_consent_minutes]', async (t) => {
  t.after(signInAgain);
  const { email } = await addPerson(service, owner);
  const person = new Browser(service.url);
  await person.signIn(email);
  const page = await openConsent(person, request(client, challenge));
  clock.advance(29 * 60_000);
  await person.signIn(email);
  assert.equal((await person.get(page.path)).status, 200);
  clock.advance(2 * 60_000);
  assert.equal((await person.get(page.path)).status, 404);
});

test('of the open requests of a person the newest are there [limit oauth_open_consents]', async (t) => {
  const own = await startService({ LIMIT_OAUTH_OPEN_CONSENTS: '2' });
  t.after(() => own.close());
  const person = await signIn(own, await own.owner());
  const app = (await register(own)).body.client_id;
  const open = async () => {
    const page = await openConsent(person, request(app, challenge));
    return { path: page.path, cookie: person.cookies.get('oauth_request') ?? '' };
  };
  const pages = [await open(), await open(), await open()];
  const statuses: number[] = [];
  for (const { path, cookie } of pages) {
    person.cookies.set('oauth_request', cookie);
    statuses.push((await person.get(path)).status);
  }
  assert.deepEqual(statuses, [404, 200, 200]);
});

test('an account record has so many connected apps and no more [limit connected_apps]', async (t) => {
  const own = await startService({ LIMIT_CONNECTED_APPS: '2' });
  t.after(() => own.close());
  const record = await own.owner();
  const person = await signIn(own, record);
  const [first] = [await letIn(own, person), await letIn(own, person)];
  const app = (await register(own)).body.client_id;
  const page = await openConsent(person, request(app, challenge, { scope: 'data:read' }));
  const refused = await postForm(person, page.path, [
    ['proof', formOf(page).proof],
    ['decision', 'allow'],
    ['scope', 'data:read'],
  ]);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Disconnect one/);
  const apps = await record.v2('GET', '/v2/connected_apps');
  const oldest = apps.body.data.find((one: { client_id: string }) => one.client_id === first.client);
  assert.equal((await record.v2('DELETE', `/v2/connected_apps/${oldest.id}`)).status, 200);
  const back = await answerConsent(person, { ...refused, path: page.path }, 'allow', ['data:read']);
  assert.ok(back.searchParams.get('code'));
});

test('of apps that were disconnected so many stay listed and no more', async (t) => {
  const own = await startService({ LIMIT_CONNECTED_APPS: '2' });
  t.after(() => own.close());
  const record = await own.owner();
  const person = await signIn(own, record);
  for (let at = 0; at < 4; at += 1) {
    await letIn(own, person);
    const [app] = (await record.v2('GET', '/v2/connected_apps')).body.data;
    assert.equal((await record.v2('DELETE', `/v2/connected_apps/${app.id}`)).status, 200);
  }
  await letIn(own, person);
  const { body } = await record.v2('GET', '/v2/connected_apps');
  assert.deepEqual(
    body.data.map(({ status }: { status: string }) => status),
    ['active', 'revoked', 'revoked'],
  );
});

test('an app is listed with what it may do and who let it in, to its own account record alone', async () => {
  const mine = await service.owner();
  const person = await signIn(service, mine);
  const { client: id } = await letIn(service, person, {
    resource: `${service.url}/v2`,
    scope: 'data:read syncs:write',
    allow: ['data:read', 'syncs:write'],
  });
  const { body } = await mine.v2('GET', '/v2/connected_apps');
  assert.equal(body.data.length, 1);
  const [app] = body.data;
  assert.deepEqual(
    [app.name, app.client_id, app.redirects_to, app.resource, app.status],
    ['Test app', id, 'app.example', `${service.url}/v2`, 'active'],
  );
  assert.deepEqual(app.scopes, ['data:read', 'syncs:write']);
  const others = await service.owner();
  assert.equal((await others.v2('GET', `/v2/connected_apps/${app.id}`)).body.error.code, 'resource_missing');
  assert.equal(
    (await others.v2('DELETE', `/v2/connected_apps/${app.id}`)).body.error.code,
    'resource_missing',
  );
  assert.ok(
    (await others.v2('GET', '/v2/connected_apps')).body.data.every(
      (one: { id: string }) => one.id !== app.id,
    ),
  );
});

test('disconnecting an app ends its tokens at once, and it stays listed [move connected_app: revoked, or a code or refresh token was used twice]', async () => {
  const mine = await service.owner();
  const { access } = await letIn(service, await signIn(service, mine), { resource: `${service.url}/v2` });
  assert.equal((await askV2(service, access)).status, 200);
  const [app] = (await mine.v2('GET', '/v2/connected_apps')).body.data;
  assert.equal((await mine.v2('DELETE', `/v2/connected_apps/${app.id}`)).status, 200);
  assert.equal((await askV2(service, access)).body.error.code, 'oauth_token_invalid');
  const after_it = (await mine.v2('GET', `/v2/connected_apps/${app.id}`)).body;
  assert.equal(after_it.status, 'revoked');
  assert.ok(after_it.revoked_at);
});
