import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { invitationStatus, oneTimeLinkStatus } from '../../../src/features/sign-in/one-time-links.ts';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { insertPasskey } from '../../../src/storage/passkeys.ts';
import { PLACEHOLDER_EMAIL } from '../../../src/vocabulary/email.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import {
  addPerson,
  Browser,
  joinedPath,
  PASSWORD,
  type Page,
  secretIn,
  signedIn,
} from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { letIn, refresh } from '../../surfaces/oauth/stage.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const NEW = 'another staple entirely';
const clock = new ShiftedClock();

let service: TestService;
let owner: TestOwner;
before(async () => {
  service = await startService(
    { LIMIT_PASSWORD_RESET_MINUTES: '10', LIMIT_INVITATION_DAYS: '3', LIMIT_FIRST_RUN_HOURS: '2' },
    { clock },
  );
  owner = await service.owner();
});
after(() => service.close());

const invite = async (email: string) =>
  service.app.signIn.invitations.create(owner.record.id, { email, role: 'reader', by: null });
const linkStatus = async (userId: string) => {
  const { db } = service.app.database;
  const links = await db.selectFrom('one_time_links').selectAll().execute();
  const link = links.find((one) => one.user_id === userId);
  assert.ok(link);
  return oneTimeLinkStatus(link, clock.now());
};
const invitationNow = async (id: string) => {
  const { db } = service.app.database;
  const found = (await db.selectFrom('invitations').selectAll().execute()).find((one) => one.id === id);
  assert.ok(found);
  return invitationStatus(found, clock.now());
};
const statuses = (pages: readonly Page[]) => pages.map(({ status }) => status).toSorted();

describe('a link that sets a new password', () => {
  test('is opened as often as anyone likes and works once, also for several at once [move one_time_link: used by the person who has it]', async () => {
    const person = await addPerson(service, owner);
    const there = await signedIn(service, person);
    const { secret } = await service.app.signIn.passwordResets.issue(person.email);
    const address = `/reset-password/${secret}`;
    const browser = new Browser(service.url);
    for (let at = 0; at < 3; at += 1) {
      const page = await browser.get(address);
      assert.deepEqual([page.status, page.headers.get('referrer-policy')], [200, 'strict-origin']);
      assert.doesNotMatch(page.text, /(?:href|src)="(?:https?:)?\/\//, 'it leads to no other site');
    }
    assert.equal(await linkStatus(person.id), 'open');
    assert.equal((await browser.post(address, { password: 'short' })).status, 400);
    assert.equal(await linkStatus(person.id), 'open', 'a password that is refused uses nothing up');
    const all = await Promise.all(
      [1, 2, 3, 4].map((at) => browser.post(address, { password: `${NEW} ${at}` })),
    );
    assert.deepEqual(statuses(all), [303, 404, 404, 404]);
    assert.equal(await linkStatus(person.id), 'used');
    assert.equal((await browser.get(address)).status, 404);
    assert.equal((await there.v2('GET', '/v2/me')).status, 401, 'every session ends');
    assert.equal((await new Browser(service.url).signIn(person.email)).status, 401);
    const winner = all.findIndex(({ status }) => status === 303) + 1;
    assert.equal((await new Browser(service.url).signIn(person.email, `${NEW} ${winner}`)).status, 303);
  });

  test('ends after so many minutes, and is beside two more [limit password_reset_minutes] [move one_time_link: its time passed]', async () => {
    const person = await addPerson(service, owner);
    const { passwordResets } = service.app.signIn;
    const first = await passwordResets.issue(person.email);
    const [, , second] = [
      await passwordResets.issue(person.email),
      await passwordResets.issue(person.email),
      await passwordResets.issue(person.email),
    ];
    const browser = new Browser(service.url);
    assert.equal((await browser.get(`/reset-password/${first.secret}`)).status, 404);
    clock.advance(9 * MINUTE);
    assert.equal((await browser.get(`/reset-password/${second.secret}`)).status, 200);
    clock.advance(2 * MINUTE);
    assert.equal(await linkStatus(person.id), 'expired');
    const late = await browser.post(`/reset-password/${second.secret}`, { password: NEW });
    assert.equal(late.status, 404);
    await signedIn(service, person);
  });

  test('takes away every other way in: sessions, passkeys, connected apps and further links', async () => {
    const person = await addPerson(service, owner);
    const { db } = service.app.database;
    const now = new Date(clock.now());
    const passkey = { id: rowId('passkey', newRowId(clock)), user_id: person.id, credential_id: person.id };
    const key = { public_key: Buffer.alloc(1), counter: 0, transports: [], name: 'Of a squatter' };
    await insertPasskey(db, { ...passkey, ...key, last_used_at: null, created: now });
    const app = await letIn(service, await signedIn(service, person), { resource: `${service.url}/v2` });
    const asked = async (): Promise<number> =>
      (await fetch(`${service.url}/v2/me`, { headers: { authorization: `Bearer ${app.access}` } })).status;
    assert.notEqual(await asked(), 401);
    const { passwordResets } = service.app.signIn;
    const [one, other] = [await passwordResets.issue(person.email), await passwordResets.issue(person.email)];
    const browser = new Browser(service.url);
    const done = await browser.post(`/reset-password/${one.secret}`, { password: NEW });
    assert.equal(done.status, 303);
    assert.match((await browser.get(done.headers.get('location') ?? '')).text, /passkeys are removed/);
    assert.equal(await asked(), 401);
    assert.equal((await refresh(service, app.client, app.refresh)).status, 400);
    assert.deepEqual(await service.app.signIn.passkeys.list(person.id), []);
    assert.equal((await browser.get(`/reset-password/${other.secret}`)).status, 404);
  });

  test('is one kind of link: no other page takes it, and nothing else opens its page', async () => {
    const person = await addPerson(service, owner);
    const reset = (await service.app.signIn.passwordResets.issue(person.email)).secret;
    const invitation = (await invite('kinds@example.test')).secret;
    const browser = new Browser(service.url);
    for (const path of [
      `/first-run/${reset}`,
      `/invitations/${reset}`,
      `/reset-password/${invitation}`,
      `/reset-password/${'A'.repeat(43)}`,
      '/reset-password/short',
      `/reset-password/${reset}x`,
    ]) {
      assert.equal((await browser.get(path)).status, 404, path);
      assert.equal((await browser.post(path, { password: NEW, email: 'x@example.test' })).status, 404, path);
    }
  });

  test('from another site does nothing', async () => {
    const person = await addPerson(service, owner);
    const { secret } = await service.app.signIn.passwordResets.issue(person.email);
    const browser = new Browser(service.url);
    const sent = await browser.post(
      `/reset-password/${secret}`,
      { password: NEW },
      { 'sec-fetch-site': 'cross-site' },
    );
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, `/reset-password/${secret}`]);
    assert.equal(await linkStatus(person.id), 'open');
  });
});

describe('an invitation', () => {
  test('makes a new person, who shares the account record in its role [move invitation: accepted by the person who has its link]', async () => {
    const { invitation, secret } = await invite('New.Person@example.test');
    const browser = new Browser(service.url);
    const page = await browser.get(`/invitations/${secret}`);
    assert.match(page.text, /New\.Person@example\.test/);
    assert.equal(page.headers.get('referrer-policy'), 'strict-origin');
    assert.equal(await invitationNow(invitation.id), 'open');
    const joined = await browser.post(`/invitations/${secret}`, { password: NEW });
    assert.deepEqual([joined.status, joined.headers.get('location')], [303, await joinedPath(browser)]);
    assert.equal(await invitationNow(invitation.id), 'accepted');
    assert.equal((await browser.v2('GET', '/v2/accounts')).status, 200);
    assert.equal((await browser.v2('POST', '/v2/rulesets', { name: 'Tidy' })).status, 403);
    assert.equal((await new Browser(service.url).signIn('new.person@EXAMPLE.test', NEW)).status, 303);
    assert.equal((await browser.get(`/invitations/${secret}`)).status, 404);
  });

  test('is accepted by someone who is signed in, whose session then works with it', async () => {
    const other = await service.owner();
    const person = await addPerson(service, other);
    const browser = await signedIn(service, person);
    const { secret } = await invite('anybody@example.test');
    assert.match(
      (await browser.get(`/invitations/${secret}`)).text,
      new RegExp(`signed in as ${person.email}`),
    );
    assert.equal((await browser.post(`/invitations/${secret}`)).status, 303);
    assert.match(
      (await browser.get('/settings/security')).text,
      new RegExp(`account record ${owner.record.email}`),
    );
  });

  test('is accepted once, by one of several at once', async () => {
    const { secret } = await invite('race@example.test');
    const browsers = [];
    for (let at = 0; at < 4; at += 1) {
      browsers.push(await signedIn(service, await addPerson(service, await service.owner())));
    }
    const all = await Promise.all(browsers.map((browser) => browser.post(`/invitations/${secret}`)));
    assert.deepEqual(statuses(all), [303, 404, 404, 404]);
  });

  test('does not take over someone who has the address already', async () => {
    const person = await addPerson(service, await service.owner());
    const { invitation, secret } = await invite(person.email);
    const refused = await new Browser(service.url).post(`/invitations/${secret}`, { password: NEW });
    assert.deepEqual(
      [refused.status, /signs in with this e-mail address already/.test(refused.text)],
      [400, true],
    );
    assert.equal(await invitationNow(invitation.id), 'open');
    assert.equal((await new Browser(service.url).signIn(person.email, NEW)).status, 401);
    await signedIn(service, person);
  });

  test('ends after so many days, when it is revoked, and with the next one to the address [limit invitation_days] [move invitation: its days passed] [move invitation: revoked, or its inviter may invite no more]', async () => {
    const browser = new Browser(service.url);
    const status = async (secret: string) => (await browser.get(`/invitations/${secret}`)).status;
    const first = await invite('ends@example.test');
    const second = await invite('Ends@example.test');
    assert.deepEqual([await status(first.secret), await status(second.secret)], [404, 200]);
    await service.app.signIn.invitations.revoke(owner.record.id, second.invitation.id);
    assert.equal(await invitationNow(second.invitation.id), 'revoked');
    assert.equal(await status(second.secret), 404);
    const third = await invite('ends@example.test');
    clock.advance(2.9 * DAY);
    assert.equal(await status(third.secret), 200);
    clock.advance(0.2 * DAY);
    assert.equal(await status(third.secret), 404);
    assert.equal(await invitationNow(third.invitation.id), 'expired');
  });
});

describe('the first person', () => {
  test('comes in by a link, once, as owner of the oldest account record [limit first_run_hours]', async (t) => {
    const fresh = await startService({ LIMIT_FIRST_RUN_HOURS: '2' }, { clock });
    t.after(() => fresh.close());
    const oldest = await fresh.owner();
    await fresh.owner();
    const { firstRun } = fresh.app.signIn;
    const [late, one, other] = [await firstRun.issue(), await firstRun.issue(), null];
    assert.ok(late !== null && one !== null && other === null);
    clock.advance(1.9 * HOUR);
    const browser = new Browser(fresh.url);
    assert.equal((await browser.get(`/first-run/${one}`)).status, 200);
    clock.advance(0.2 * HOUR);
    assert.equal((await browser.get(`/first-run/${one}`)).status, 404);
    const links = [await firstRun.issue(), await firstRun.issue()];
    const tries = [...links, ...links].map((link, at) =>
      new Browser(fresh.url).post(`/first-run/${link}`, { email: `me${at}@example.test`, password: NEW }),
    );
    assert.deepEqual(statuses(await Promise.all(tries)), [303, 404, 404, 404]);
    const members = await fresh.app.signIn.members.list(oldest.record.id);
    assert.deepEqual(
      members.map(({ role }) => role),
      ['owner'],
    );
    assert.equal(await firstRun.issue(), null);
  });

  test('gives their address and zone to the account record that a sandbox starts with', async (t) => {
    const fresh = await startService();
    t.after(() => fresh.close());
    const { accountRecords } = fresh.app.services;
    const { id } = await accountRecords.create({ email: PLACEHOLDER_EMAIL });
    const secret = await fresh.app.signIn.firstRun.issue();
    const chosen = { email: 'me@example.test', password: NEW };
    const browser = new Browser(fresh.url);
    const refused = await browser.post(`/first-run/${secret}`, { ...chosen, timezone: 'Europe/Nowhere' });
    assert.deepEqual([refused.status, refused.text.includes('not an IANA zone')], [400, true]);
    await browser.post(`/first-run/${secret}`, { ...chosen, timezone: 'Europe/Berlin' });
    const { email, timezone } = await accountRecords.find(id);
    assert.deepEqual([email, timezone], ['me@example.test', 'Europe/Berlin']);
  });

  test('makes the account record where there is none', async (t) => {
    const fresh = await startService();
    t.after(() => fresh.close());
    const secret = await fresh.app.signIn.firstRun.issue();
    const browser = new Browser(fresh.url);
    const wrong = await browser.post(`/first-run/${secret}`, { email: 'nobody', password: NEW });
    assert.match(wrong.text, /not an e-mail address/);
    const chosen = { email: 'me@example.test', password: NEW, timezone: 'America/New_York' };
    const done = await browser.post(`/first-run/${secret}`, chosen);
    // An installation may be without the web application; then there is no tour to begin with.
    const hasApp = (await browser.get('/welcome')).status !== 404;
    assert.equal(done.headers.get('location'), hasApp ? '/welcome' : '/settings/security');
    const [record] = await fresh.app.services.accountRecords.list();
    assert.deepEqual([record?.email, record?.timezone], ['me@example.test', 'America/New_York']);
    assert.equal((await browser.v2('POST', '/v2/rulesets', { name: 'Tidy' })).status, 200);
  });
});

test('nothing that opens a door is stored: the database holds hashes alone', async () => {
  const person = await addPerson(service, owner);
  const browser = await signedIn(service, person);
  const reset = await service.app.signIn.passwordResets.issue(person.email);
  const invited = await invite('stored@example.test');
  const secrets = [browser.cookies.get('tributary') ?? '', reset.secret, invited.secret, PASSWORD];
  const { db } = service.app.database;
  const tables = ['users', 'web_sessions', 'one_time_links', 'invitations', 'passkeys'] as const;
  for (const table of tables) {
    const stored = JSON.stringify(await db.selectFrom(table).selectAll().execute());
    for (const secret of secrets) assert.equal(stored.includes(secret), false, table);
  }
  assert.equal(secretIn(`x/invitations/${invited.secret}`, 'invitations'), invited.secret);
});
