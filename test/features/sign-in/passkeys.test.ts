import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { addPerson, Browser, joinedPath, PASSWORD, type Page, signedIn } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { VirtualAuthenticator } from '../../support/virtual-authenticator.ts';

const ORIGIN = 'http://localhost:8999';
const MINUTE = 60_000;
const clock = new ShiftedClock();

let service: TestService;
let owner: TestOwner;
before(async () => {
  service = await startService({ APP_URL: ORIGIN, LIMIT_PASSKEYS_PER_USER: '2' }, { clock });
  owner = await service.owner();
});
after(() => service.close());

const json = ({ text }: Page): Json => JSON.parse(text);
const asked = async (browser: Browser, path: string): Promise<Json> => json(await browser.send(path, {}));
const OPTIONS = '/settings/security/passkeys/options';

/** Registers a passkey for the person who is signed in. */
async function registered(browser: Browser, name = 'Phone'): Promise<VirtualAuthenticator> {
  const authenticator = new VirtualAuthenticator(ORIGIN);
  const credential = authenticator.create(await asked(browser, OPTIONS));
  const added = await browser.send('/settings/security/passkeys', { credential, name });
  assert.deepEqual([added.status, json(added)], [200, { location: '/settings/security?done=passkey_added' }]);
  return authenticator;
}

const challenge = (browser: Browser) => asked(browser, '/sign-in/passkey/options');
const signIn = (browser: Browser, credential: unknown, next?: string) =>
  browser.send('/sign-in/passkey', { credential, ...(next !== undefined && { next }) });

describe('a passkey', () => {
  test('signs its person in without naming them, and goes on to where they wanted', async () => {
    const person = await addPerson(service, owner);
    const authenticator = await registered(await signedIn(service, person));
    const browser = new Browser(service.url);
    const options = await challenge(browser);
    assert.deepEqual(
      [options.rpId, options.userVerification, options.allowCredentials],
      ['localhost', 'required', undefined],
    );
    const signed = await signIn(browser, authenticator.get(options), '/oauth/authorize?a=b');
    assert.deepEqual([signed.status, json(signed)], [200, { location: '/oauth/authorize?a=b' }]);
    assert.equal((await browser.v2('GET', '/v2/me')).status, 200);
    const page = await browser.get('/settings/security');
    assert.match(page.text, new RegExp(person.email));
    assert.match(
      page.text,
      /Phone, added <time datetime="[^"]+">\d{1,2} [A-Z][a-z]+ \d{4}<\/time>, last used <time /,
    );
  });

  test('never goes on to another site', async () => {
    const authenticator = await registered(await signedIn(service, await addPerson(service, owner)));
    const browser = new Browser(service.url);
    for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
      const signed = await signIn(browser, authenticator.get(await challenge(browser)), next);
      assert.deepEqual(json(signed), { location: '/settings/security' });
    }
  });

  test('is refused a second time with the same answer, also at once', async () => {
    const authenticator = await registered(await signedIn(service, await addPerson(service, owner)));
    const browser = new Browser(service.url);
    const answer = authenticator.get(await challenge(browser));
    assert.equal((await signIn(browser, answer)).status, 200);
    assert.equal((await signIn(new Browser(service.url), answer)).status, 401);
    const another = authenticator.get(await challenge(browser));
    const both = await Promise.all([1, 2, 3, 4].map(() => signIn(new Browser(service.url), another)));
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 401, 401, 401]);
  });

  test('is refused with a challenge of someone’s own, one that is past its time, and one of a registration', async () => {
    const there = await signedIn(service, await addPerson(service, owner));
    const authenticator = await registered(there);
    const browser = new Browser(service.url);
    const made = Buffer.alloc(32, 7).toString('base64url');
    assert.equal((await signIn(browser, authenticator.get({ challenge: made }))).status, 401);
    assert.equal((await signIn(browser, authenticator.get(await asked(there, OPTIONS)))).status, 401);
    const late = await challenge(browser);
    clock.advance(6 * MINUTE);
    assert.equal((await signIn(browser, authenticator.get(late))).status, 401);
    assert.equal((await signIn(browser, authenticator.get(await challenge(browser)))).status, 200);
  });

  test('is refused from another origin, for another service, and without the person verified', async () => {
    const authenticator = await registered(await signedIn(service, await addPerson(service, owner)));
    const browser = new Browser(service.url);
    for (const said of [
      { origin: 'https://evil.example' },
      { origin: 'http://localhost:9000' },
      { rpId: 'evil.example' },
      { verified: false },
    ]) {
      const answer = authenticator.get(await challenge(browser), said);
      assert.equal((await signIn(browser, answer)).status, 401, JSON.stringify(said));
    }
  });

  test('that was copied is refused once its count falls back', async () => {
    const authenticator = await registered(await signedIn(service, await addPerson(service, owner)));
    const browser = new Browser(service.url);
    const first = await signIn(browser, authenticator.get(await challenge(browser), { counter: 50 }));
    assert.equal(first.status, 200);
    for (const counter of [50, 49, 0]) {
      const answer = authenticator.get(await challenge(browser), { counter });
      assert.equal((await signIn(browser, answer)).status, 401, String(counter));
    }
    assert.equal(
      (await signIn(browser, authenticator.get(await challenge(browser), { counter: 51 }))).status,
      200,
    );
  });

  test('whose authenticator does not count works each time', async () => {
    const there = await signedIn(service, await addPerson(service, owner));
    const authenticator = new VirtualAuthenticator(ORIGIN);
    const credential = authenticator.create(await asked(there, OPTIONS), { counter: 0 });
    assert.equal((await there.send('/settings/security/passkeys', { credential })).status, 200);
    const browser = new Browser(service.url);
    for (let at = 0; at < 3; at += 1) {
      const answer = authenticator.get(await challenge(browser), { counter: 0 });
      assert.equal((await signIn(browser, answer)).status, 200);
    }
  });

  test('that no one registered signs no one in, nor does one under another person’s handle or with a signature changed', async () => {
    const browser = new Browser(service.url);
    const unknown = new VirtualAuthenticator(ORIGIN).get(await challenge(browser));
    assert.equal((await signIn(browser, unknown)).status, 401);
    const authenticator = await registered(await signedIn(service, await addPerson(service, owner)));
    const answer = authenticator.get(await challenge(browser));
    const foreign = { ...answer.response, userHandle: Buffer.alloc(16, 1).toString('base64url') };
    assert.equal((await signIn(browser, { ...answer, response: foreign })).status, 401);
    const other = authenticator.get(await challenge(browser));
    const forged = { ...other.response, signature: answer.response.signature };
    assert.equal((await signIn(browser, { ...other, response: forged })).status, 401);
    for (const nonsense of [null, {}, 'x', { ...answer, id: 'no base64!' }]) {
      assert.equal((await signIn(browser, nonsense)).status, 400);
    }
    assert.equal(browser.cookies.size, 0);
  });
});

describe('registering a passkey', () => {
  test('is for a person who has signed in of late, and for the person it was begun by', async () => {
    const stranger = new Browser(service.url);
    assert.equal((await stranger.send(OPTIONS, {})).status, 401);
    const [one, other] = [
      await signedIn(service, await addPerson(service, owner)),
      await signedIn(service, await addPerson(service, owner)),
    ];
    const credential = new VirtualAuthenticator(ORIGIN).create(await asked(one, OPTIONS));
    assert.equal((await other.send('/settings/security/passkeys', { credential })).status, 400);
    clock.advance(20 * MINUTE);
    assert.equal((await one.send(OPTIONS, {})).status, 401);
  });

  test('refuses another origin, another challenge, a replay, and someone else’s credential', async () => {
    const browser = await signedIn(service, await addPerson(service, owner));
    const add = (credential: unknown) => browser.send('/settings/security/passkeys', { credential });
    for (const said of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { verified: false }]) {
      const credential = new VirtualAuthenticator(ORIGIN).create(await asked(browser, OPTIONS), said);
      assert.equal((await add(credential)).status, 400, JSON.stringify(said));
    }
    const options = await asked(browser, OPTIONS);
    const own = { ...options, challenge: Buffer.alloc(32, 9).toString('base64url') };
    assert.equal((await add(new VirtualAuthenticator(ORIGIN).create(own))).status, 400);
    const authenticator = new VirtualAuthenticator(ORIGIN);
    assert.equal((await add(authenticator.create(options))).status, 200);
    assert.equal((await add(authenticator.create(options))).status, 400, 'the challenge was used');
    const second = await signedIn(service, await addPerson(service, owner));
    const taken = authenticator.create(await asked(second, OPTIONS));
    assert.equal((await second.send('/settings/security/passkeys', { credential: taken })).status, 400);
  });

  test('without a name has that of the browser it was made in', async () => {
    for (const [userAgent, name] of [
      ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
      ['node', 'Passkey'],
    ] as const) {
      const person = await addPerson(service, owner);
      const browser = await signedIn(service, person);
      const credential = new VirtualAuthenticator(ORIGIN).create(await asked(browser, OPTIONS));
      const sent = { credential, name: ' ' };
      await browser.send('/settings/security/passkeys', sent, { 'user-agent': userAgent });
      assert.equal((await service.app.signIn.passkeys.list(person.id))[0]?.name, name);
    }
  });

  test('stops at so many, and a passkey that is removed signs no one in [limit passkeys_per_user]', async () => {
    const person = await addPerson(service, owner);
    const browser = await signedIn(service, person);
    const first = await registered(browser, 'First');
    await registered(browser, 'Second');
    const third = new VirtualAuthenticator(ORIGIN).create(await asked(browser, OPTIONS));
    const refused = await browser.send('/settings/security/passkeys', { credential: third });
    assert.deepEqual([refused.status, json(refused).error.code], [400, 'parameter_invalid']);
    const [passkey] = await service.app.signIn.passkeys.list(person.id);
    assert.equal(passkey?.name, 'First');
    const page = await browser.get('/settings/security');
    const [address = ''] = [...page.text.matchAll(/action="([^"]+\/passkeys\/pk_\w+\/remove)"/g)].map(
      ([, found]) => found,
    );
    assert.equal((await browser.post(address)).status, 303);
    const stranger = new Browser(service.url);
    assert.equal((await signIn(stranger, first.get(await challenge(stranger)))).status, 401);
  });

  test('accepts an invitation for someone who shares nothing any more', async () => {
    const person = await addPerson(service, owner, { role: 'reader' });
    const authenticator = await registered(await signedIn(service, person));
    const { members, invitations } = service.app.signIn;
    await members.remove(owner.record.id, person.id);
    const invited = { email: person.email, role: 'reader', by: null } as const;
    const { secret } = await invitations.create(owner.record.id, invited);
    const browser = new Browser(service.url);
    const page = await browser.get(`/invitations/${secret}`);
    assert.match(page.text, new RegExp(`data-verify="/invitations/${secret}/passkey"`));
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'/);
    const accept = async (from: Browser, by: VirtualAuthenticator) =>
      from.send(`/invitations/${secret}/passkey`, { credential: by.get(await challenge(from)) });
    assert.deepEqual(
      [(await accept(browser, new VirtualAuthenticator(ORIGIN))).status, browser.cookies.size],
      [401, 0],
    );
    assert.deepEqual(json(await accept(browser, authenticator)), { location: await joinedPath(browser) });
    assert.equal((await browser.v2('GET', '/v2/me')).status, 200);
    assert.equal((await accept(new Browser(service.url), authenticator)).status, 404);
  });
});

test('what would outlast a session is asked of no one who signed in long ago [limit fresh_sign_in_minutes]', async () => {
  const person = await addPerson(service, owner);
  const browser = await signedIn(service, person);
  clock.advance(14 * MINUTE);
  assert.equal((await browser.send(OPTIONS, {})).status, 200);
  const invite = () =>
    browser.post('/settings/security/invitations', { email: 'new@example.test', role: 'reader' });
  assert.equal((await invite()).status, 200);
  clock.advance(2 * MINUTE);
  assert.equal((await browser.send(OPTIONS, {})).status, 401);
  const location = (await invite()).headers.get('location') ?? '';
  const record = publicId('account_record', owner.record.id);
  assert.equal(
    location,
    `/sign-in?next=%2Fsettings%2Fsecurity%3Femail%3Dnew%2540example.test%26role%3Dreader&notice=fresh&shown_account=${record}`,
  );
  assert.match((await browser.get(location)).text, /confirm who you are/);
  const { invitations } = service.app.signIn;
  const elsewhere = (await service.owner()).record.id;
  const { secret } = await invitations.create(elsewhere, { email: person.email, role: 'reader', by: null });
  const accept = () => browser.post(`/invitations/${secret}`);
  const asked = (await accept()).headers.get('location');
  assert.equal(asked, `/sign-in?next=%2Finvitations%2F${secret}&notice=fresh&shown_account=${record}`);
  assert.equal((await invitations.list(elsewhere)).length, 1, 'it is still open');
  await browser.signIn(person.email, PASSWORD);
  assert.equal((await invite()).status, 200);
  assert.equal((await accept()).headers.get('location'), await joinedPath(browser));
});

test('at an address instead of a name there are no passkeys, and the pages offer none', async (t) => {
  const plain = await startService();
  t.after(() => plain.close());
  const browser = await signedIn(plain, await addPerson(plain, await plain.owner()));
  assert.doesNotMatch((await browser.get('/sign-in')).text, /<script/);
  assert.doesNotMatch((await browser.get('/settings/security')).text, /Passkeys/);
  assert.equal((await browser.send('/sign-in/passkey/options', {})).status, 404);
});
