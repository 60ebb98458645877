import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addPerson, Browser, PASSWORD } from '../../support/people.ts';
import { commonService, type TestService } from '../../support/service.ts';

let service: TestService;
before(async () => {
  service = await commonService();
});
after(() => service.close());

test('a person signs in with a password and then asks v2 by the cookie alone, with the scopes of their role', async () => {
  const owner = await service.owner();
  const person = await addPerson(service, owner);
  const browser = new Browser(service.url);
  const signed = await browser.signIn(person.email);
  assert.deepEqual([signed.status, signed.headers.get('location')], [303, '/settings/security']);
  const me = await browser.v2('GET', '/v2/me');
  assert.deepEqual([me.status, me.body.key], [200, null]);
  const made = await browser.v2('POST', '/v2/rulesets', { name: 'Tidy' });
  assert.equal(made.status, 200);
});

test('a reader reads and changes nothing', async () => {
  const owner = await service.owner();
  const person = await addPerson(service, owner, { role: 'reader' });
  const browser = new Browser(service.url);
  await browser.signIn(person.email);
  assert.equal((await browser.v2('GET', '/v2/accounts')).status, 200);
  const refused = await browser.v2('POST', '/v2/rulesets', { name: 'Tidy' });
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'insufficient_scope']);
  assert.match(refused.body.error.message, /session/);
});

test('who signs out is signed out at once', async () => {
  const owner = await service.owner();
  const person = await addPerson(service, owner);
  const browser = new Browser(service.url);
  await browser.signIn(person.email);
  const { cookie } = browser;
  assert.equal((await browser.v2('GET', '/v2/me')).status, 200);
  assert.equal((await browser.post('/sign-out')).status, 303);
  const asked = await browser.v2('GET', '/v2/me', undefined, { cookie });
  assert.deepEqual([asked.status, asked.body.error.code], [401, 'api_key_missing']);
  assert.match(asked.body.error.message, /sign in again/);
});

test('a wrong password and an unknown address are answered alike', async () => {
  const owner = await service.owner();
  const person = await addPerson(service, owner);
  const browser = new Browser(service.url);
  const wrong = await browser.signIn(person.email, 'wrong horse battery');
  const unknown = await browser.signIn('nobody@example.test', 'wrong horse battery');
  assert.deepEqual([wrong.status, unknown.status, browser.cookies.size], [401, 401, 0]);
  assert.equal(unknown.text, wrong.text.replaceAll(person.email, 'nobody@example.test'));
});

test('every sign-in has a new secret, and the session that the browser had before ends', async () => {
  const owner = await service.owner();
  const person = await addPerson(service, owner);
  const browser = new Browser(service.url);
  await browser.signIn(person.email);
  const first = browser.cookie;
  await browser.signIn(person.email);
  assert.notEqual(browser.cookies.get('tributary'), /tributary=([^;]+)/.exec(first)?.[1]);
  assert.equal((await browser.v2('GET', '/v2/me', undefined, { cookie: first })).status, 401);
  assert.equal((await browser.v2('GET', '/v2/me')).status, 200);
});

test('a secret that someone put into the browser before is not the one of the session that begins', async () => {
  const owner = await service.owner();
  const person = await addPerson(service, owner);
  const browser = new Browser(service.url);
  const planted = 'A'.repeat(43);
  browser.cookies.set('tributary', planted);
  await browser.signIn(person.email);
  assert.notEqual(browser.cookies.get('tributary'), planted);
  const asked = await browser.v2('GET', '/v2/me', undefined, { cookie: `tributary=${planted}` });
  assert.equal(asked.status, 401);
});

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';

test('the list of sessions names the browser each began in, and nothing that a stranger wrote', async () => {
  const person = await addPerson(service, await service.owner());
  const signIn = async (userAgent: string) => {
    const browser = new Browser(service.url);
    await browser.post('/sign-in', { email: person.email, password: PASSWORD }, { 'user-agent': userAgent });
    return browser;
  };
  for (const userAgent of [WINDOWS, '<script>alert(1)</script>/1 (<b>)', 'x'.repeat(8_000)])
    await signIn(userAgent);
  const { text } = await (await signIn(PHONE)).get('/settings/security');
  assert.match(text, /This browser \(Safari on iOS\), signed in/);
  assert.match(text, /<span>Firefox on Windows, signed in/);
  assert.match(text, /aria-label="Sign out: Firefox on Windows, signed in/);
  assert.equal(text.match(/<span>Another browser, signed in/g)?.length, 2);
  assert.ok(!/alert\(1|xxxx/.test(text));
});
