import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { type MailServer, openMailServer } from '../../support/mail-server.ts';
import { addPerson, Browser, PASSWORD, signedIn } from '../../support/people.ts';
import { SimulatedPushService } from '../../support/push-service.ts';
import { startService, type TestService } from '../../support/service.ts';
import { importedConnection, linkBank, until } from '../linking/person.ts';
import { choose, happens, somebody, subscribed } from './stage.ts';

const clock = new ShiftedClock();
let service: TestService;
let mail: MailServer;
let push: SimulatedPushService;
const closing: (() => void)[] = [];

before(async () => {
  const t = { after: (close: () => void) => closing.push(close) };
  mail = await openMailServer(t);
  push = await SimulatedPushService.open(t, () => clock.now());
  service = await startService(
    {
      SMTP_URL: mail.url,
      SMTP_FROM: 'hub@example.test',
      LIMIT_NOTIFICATIONS_PER_DAY: '3',
      LIMIT_PUSH_DEVICES: '2',
      LIMIT_NOTIFICATION_THRESHOLDS: '2',
    },
    { clock },
  );
});
after(async () => {
  await service.close();
  for (const close of closing) close();
});

const mailsTo = (email: string) => mail.mails.filter(({ to }) => to === email);
const mailed = (email: string, count: number) =>
  until(
    async () => mailsTo(email),
    (mails) => mails.length >= count,
  );
/** The text of the mail to this address that matches. */
const mailOf = async (email: string, pattern: RegExp): Promise<string> => {
  const found = () => mailsTo(email).find(({ text }) => pattern.test(text));
  await until(
    async () => found(),
    (sent) => sent !== undefined,
  );
  return found()?.text ?? '';
};
/** Once everything that was raised so far is sent, or waits for a later attempt. */
const settled = () =>
  until(
    () =>
      service.app.database.db
        .selectFrom('jobs')
        .select('id')
        .where('queue', '=', 'notification')
        .where('due_at', '<=', new Date(clock.now()))
        .execute(),
    (jobs) => jobs.length === 0,
  );
const shown = (subscription: Parameters<SimulatedPushService['shownTo']>[0], count: number) =>
  until(
    async () => push.shownTo(subscription),
    (messages) => messages.length >= count,
  );

describe('a notification', () => {
  test('reaches each member by what they chose, once for a subject, and names nothing without details', async () => {
    const one = await somebody(service);
    const other = await somebody(service, one.owner, 'reader');
    const subscription = await subscribed(service, push, one);
    await choose(one, 'sync_attention.push');
    const subject = newRowId(clock);
    await happens(service, one.owner, 'sync.attention', subject);
    await happens(service, one.owner, 'sync.attention', subject);
    await happens(service, one.owner, 'sync_run.failed');
    const [message] = await shown(subscription, 1);
    await mailed(other.person.email, 1);
    await settled();
    assert.equal(push.shownTo(subscription).length, 1);
    assert.deepEqual(message, {
      title: 'A sync needs your attention',
      body: 'A sync needs your attention. Its page says why and what to do.',
      url: `${service.url}/syncs`,
      tag: push.received.at(-1)?.headers.topic,
    });
    const about = mailsTo(other.person.email).filter(({ text }) => text.includes('A sync needs'));
    assert.equal(about.length, 1);
    assert.equal(mailsTo(one.person.email).filter(({ text }) => text.includes('A sync needs')).length, 0);
    clock.advance(6 * 3_600_000 + 1);
    await happens(service, one.owner, 'sync.attention', subject);
    await shown(subscription, 2);
  });

  test('names its account record, and one about the person does not', async () => {
    const one = await somebody(service);
    const subscription = await subscribed(service, push, one);
    await service.app.services.accountRecords.update(one.owner.record.id, { name: 'Harbour Books' });
    await happens(service, one.owner);
    assert.match(
      JSON.stringify(await shown(subscription, 1)),
      /"title":"Harbour Books: A sync needs your attention","body":"A sync needs your attention\. Its/,
    );
    const text = await mailOf(one.person.email, /A sync needs/);
    assert.match(text, /^Subject: Tributary, Harbour Books: A sync needs your attention\r$/m);
    assert.ok(text.includes('\r\n\r\nAccount record: Harbour Books\r\n\r\nA sync needs'), text);
    await one.browser.post('/settings/notifications/test');
    const test = await mailOf(one.person.email, /Notifications of Tributary/);
    assert.ok(!test.includes('Harbour'), test);
  });

  test('names the bank and the day to a person who asked for details, and to no other member', async () => {
    const one = await somebody(service);
    const other = await somebody(service, one.owner);
    const { id } = await importedConnection(one.owner, await linkBank(one.owner));
    const [connection] = await service.app.database.db
      .selectFrom('connections')
      .selectAll()
      .where('account_record', '=', one.owner.record.id)
      .execute();
    assert.ok(connection !== undefined, id);
    await choose(one, 'consent_expiring.email', 'consent_expiring.details');
    await happens(service, one.owner, 'connection.expiring', connection.id);
    const detailed = await mailOf(one.person.email, /consent/);
    const plain = await mailOf(other.person.email, /consent/);
    assert.ok(detailed.includes(`The consent of ${connection.institution_name} expires on`));
    assert.ok(!plain.includes(connection.institution_name));
    assert.match(plain, /The consent of a bank connection will expire/);
  });

  test('is not mailed to a person who turned e-mails of its kind off by the link of one, or left, while it waited', async (t) => {
    const one = await somebody(service);
    const other = await somebody(service, one.owner);
    const stays = await somebody(service, one.owner);
    const refused = new Set([one, other, stays].map(({ person }) => person.email));
    mail.answerWith((text) =>
      [...refused].some((email) => text.includes(email)) ? '451 later' : '250 taken',
    );
    t.after(() => mail.answerWith(() => '250 taken'));
    await happens(service, one.owner);
    const tries = (email: string) =>
      mailsTo(email).filter(({ text }) => text.includes('A sync needs')).length;
    await until(
      async () => [one, other, stays].map(({ person }) => tries(person.email)),
      (counts) => counts.every((count) => count === 1),
    );
    await settled();
    const { unsubscribeLinks } = service.app.notifying;
    await new Browser(service.url).post(
      new URL(unsubscribeLinks.address(one.person.id, 'sync_attention')).pathname,
    );
    await service.app.signIn.members.remove(other.owner.record.id, other.person.id);
    refused.clear();
    clock.advance(2 * 3_600_000);
    await until(
      async () => tries(stays.person.email),
      (count) => count === 2,
    );
    await settled();
    assert.deepEqual([tries(one.person.email), tries(other.person.email)], [1, 1]);
  });

  test('is not pushed to a person who turned it off while it waited', async () => {
    const one = await somebody(service);
    const subscription = await subscribed(service, push, one);
    push.answerWith(subscription, 500);
    await choose(one, 'sync_attention.push');
    await happens(service, one.owner);
    await until(
      async () => push.received.filter(({ to }) => subscription.endpoint.endsWith(to)),
      (tries) => tries.length > 0,
    );
    await choose(one);
    push.answerWith(subscription, 201);
    clock.advance(2 * 3_600_000);
    await settled();
    assert.deepEqual(push.shownTo(subscription), []);
  });

  test('is sent again at once where the clock was ahead when it was noted, and does not count for longer', async () => {
    const one = await somebody(service);
    const subscription = await subscribed(service, push, one);
    await choose(one, 'sync_attention.push');
    const subject = newRowId(clock);
    await happens(service, one.owner, 'sync.attention', subject, newRowId(clock), newRowId(clock));
    await shown(subscription, 3);
    await service.app.database.db
      .updateTable('notifications')
      .set({ created: new Date(clock.now() + 400 * 86_400_000) })
      .where('account_record', '=', one.owner.record.id)
      .execute();
    await happens(service, one.owner, 'sync.attention', subject);
    await shown(subscription, 4);
  });

  test('of a sign-in comes also on a day on which there were as many others as allowed', async () => {
    const one = await somebody(service);
    await settled();
    const subjects = Array.from({ length: 3 }, () => newRowId(clock));
    await happens(service, one.owner, 'sync.attention', ...subjects);
    await mailed(one.person.email, 4);
    await signedIn(service, one.person);
    await mailed(one.person.email, 5);
  });

  test('of a sign-in comes also after as many browsers were added as one may be told of in a day', async () => {
    const one = await somebody(service);
    for (let count = 0; count < 5; count += 1) await subscribed(service, push, one);
    const about = (subject: RegExp) =>
      mailsTo(one.person.email).filter(({ text }) => subject.test(text)).length;
    await settled();
    assert.equal(about(/added a browser/), 3);
    const before = about(/signed in with a new browser/);
    await signedIn(service, one.person);
    await settled();
    assert.equal(about(/signed in with a new browser/), before + 1);
  });

  test('beyond as many as one member may get in a day is dropped [limit notifications_per_day]', async () => {
    const one = await somebody(service);
    const subscription = await subscribed(service, push, one);
    await choose(one, 'sync_attention.push');
    for (let count = 0; count < 5; count += 1) await happens(service, one.owner);
    await shown(subscription, 3);
    await settled();
    assert.equal(push.shownTo(subscription).length, 3);
    clock.advance(86_400_001);
    await happens(service, one.owner);
    await shown(subscription, 4);
  });

  test('of an owner with a thousand events keeps no one else’s waiting, and is bounded', async () => {
    const [greedy, other] = [await somebody(service), await somebody(service)];
    const [theirs, own] = [await subscribed(service, push, greedy), await subscribed(service, push, other)];
    push.answerWith(theirs, 503);
    for (const each of [greedy, other]) await choose(each, 'sync_attention.push');
    const subjects = Array.from({ length: 1_000 }, () => newRowId(clock));
    await happens(service, greedy.owner, 'sync.attention', ...subjects);
    await happens(service, other.owner);
    await shown(own, 1);
    const rows = await service.app.database.db
      .selectFrom('notifications')
      .select('id')
      .where('account_record', '=', greedy.owner.record.id)
      .where('kind', '=', 'sync_attention')
      .execute();
    assert.ok(rows.length <= 3, `${rows.length} wait`);
  });
});

describe('web push', () => {
  test('is tried again as the push service asks, and a browser that is gone is removed', async () => {
    const one = await somebody(service);
    // Also turns off the notification of browsers that are added, which the first would get of the second.
    await choose(one, 'sync_attention.push');
    const [busy, gone] = [await subscribed(service, push, one), await subscribed(service, push, one)];
    const triesOf = (path: string) => push.received.filter(({ to }) => path.endsWith(to)).length;
    push.answerWith(busy, 429, '7200');
    push.answerWith(gone, 410);
    await happens(service, one.owner);
    await until(
      async () => [triesOf(busy.endpoint), triesOf(gone.endpoint)],
      (tries) => tries.every((count) => count > 0),
    );
    await settled();
    push.answerWith(busy, 201);
    clock.advance(7_100_000);
    await settled();
    assert.equal(triesOf(busy.endpoint), 1, 'it was asked to wait two hours');
    clock.advance(200_000);
    await shown(busy, 1);
    assert.equal(triesOf(gone.endpoint), 1);
    const { devices } = await service.app.notifying.notificationSettings.of({
      owner: one.owner.record.id,
      user: one.person.id,
    });
    assert.deepEqual(
      devices.map(({ browser }) => browser),
      ['Firefox on Windows'],
    );
  });

  test('to a browser whose keys cannot be opened keeps nothing from the others', async () => {
    const one = await somebody(service);
    await subscribed(service, push, one);
    await service.app.database.db
      .updateTable('push_devices')
      .set({ subscription: Buffer.from('spoilt') })
      .where('user_id', '=', one.person.id)
      .execute();
    const subscription = await subscribed(service, push, one);
    await choose(one, 'sync_attention.push', 'sync_attention.email');
    await happens(service, one.owner);
    await shown(subscription, 1);
    await settled();
    clock.advance(3_600_001);
    await settled();
    assert.equal(push.shownTo(subscription).length, 1);
    assert.equal(mailsTo(one.person.email).filter(({ text }) => text.includes('A sync needs')).length, 1);
  });

  test('stores endpoint and keys sealed, and every message has one length', async () => {
    const one = await somebody(service);
    const { endpoint, keys } = await subscribed(service, push, one);
    const rows = await service.app.database.db.selectFrom('push_devices').selectAll().execute();
    for (const { subscription } of rows) {
      const text = Buffer.from(subscription).toString('latin1');
      for (const secret of [endpoint, keys.auth, keys.p256dh]) assert.ok(!text.includes(secret));
    }
    const lengths = new Set(push.received.map(({ bytes }) => bytes));
    assert.equal(lengths.size, 1, 'the length says nothing');
  });

  test('reaches as many browsers of a person as allowed, and one browser for one person [limit push_devices]', async () => {
    const [one, other] = [await somebody(service), await somebody(service)];
    for (const person of [one, other]) await choose(person, 'sync_attention.push');
    const [first, second, third] = [
      await subscribed(service, push, one),
      await subscribed(service, push, one),
      await subscribed(service, push, one),
    ];
    await other.browser.send('/settings/notifications/devices', third);
    await happens(service, one.owner);
    await shown(second, 1);
    await settled();
    assert.deepEqual([push.shownTo(first), push.shownTo(third)], [[], []]);
  });

  test('goes nowhere that is no push service', async () => {
    const { browser } = await somebody(service);
    const { keys } = push.subscribe('');
    for (const body of [
      {},
      { endpoint: 'https://push.example/x' },
      { endpoint: 'https://push.example/x', keys: { p256dh: 'AAAA', auth: keys.auth } },
      { endpoint: 'http://10.0.0.1/x', keys },
      { endpoint: 'https://127.0.0.2:99999/x', keys },
    ]) {
      const { status, text } = await browser.send('/settings/notifications/devices', body);
      assert.equal(status, 400, text);
    }
    const subscription = push.subscribe('');
    const elsewhere = { 'sec-fetch-site': 'cross-site' };
    assert.equal(
      (await browser.send('/settings/notifications/devices', subscription, elsewhere)).status,
      403,
    );
    assert.equal(
      (await new Browser(service.url).send('/settings/notifications/devices', subscription)).status,
      401,
    );
    clock.advance(16 * 60_000);
    assert.equal((await browser.send('/settings/notifications/devices', subscription)).status, 401, 'stale');
  });

  test('ends in every browser when the password was changed, or set by a link', async () => {
    const one = await somebody(service);
    const devices = async () =>
      (
        await service.app.notifying.notificationSettings.of({
          owner: one.owner.record.id,
          user: one.person.id,
        })
      ).devices.length;
    await subscribed(service, push, one);
    const wrong = { current: 'not this one', password: 'another staple entirely' };
    await one.browser.post('/settings/security/password', wrong);
    assert.equal(await devices(), 1);
    await one.browser.post('/settings/security/password', { ...wrong, current: PASSWORD });
    assert.equal(await devices(), 0);
    await subscribed(service, push, one);
    const { secret } = await service.app.signIn.passwordResets.issue(one.person.email);
    await one.browser.post(`/reset-password/${secret}`, { password: 'one more staple entirely' });
    assert.equal(await devices(), 0);
  });
});

describe('a sign-in', () => {
  test('with a new browser is notified, and with a known one is not', async () => {
    const person = await addPerson(service, await service.owner());
    const browser = await signedIn(service, person);
    const [first] = await mailed(person.email, 1);
    assert.match(first?.text ?? '', /Someone, probably you, signed in with a new browser/);
    await browser.signIn(person.email);
    await settled();
    assert.equal(mailsTo(person.email).length, 1);
  });
});

describe('a browser that is added to web push', () => {
  test('is notified by e-mail and in the other browsers, so that no one adds theirs unseen', async () => {
    const one = await somebody(service);
    const first = await subscribed(service, push, one);
    const added = /added a browser that receives your notifications: Firefox on Windows, /;
    await mailOf(one.person.email, added);
    const second = await subscribed(service, push, one);
    await shown(first, 1);
    assert.match(JSON.stringify(push.shownTo(first)), added);
    await settled();
    assert.deepEqual(push.shownTo(second), [], 'not in the one that was added');
    await one.browser.send('/settings/notifications/devices', second);
    await settled();
    const mails = mailsTo(one.person.email).filter(({ text }) => text.includes('added a browser'));
    assert.equal(mails.length, 2, 'a browser that is theirs already is not new');
  });
});

describe('an e-mail', () => {
  test('is turned off by its link without a sign-in, for its kind and its reader alone', async () => {
    const one = await somebody(service);
    const other = await somebody(service, one.owner);
    await happens(service, one.owner);
    await until(
      async () => [one, other].flatMap(({ person }) => mailsTo(person.email)),
      (mails) => mails.filter(({ text }) => text.includes('A sync needs')).length === 2,
    );
    const { text } = mailsTo(one.person.email).find((sent) => sent.text.includes('A sync needs')) ?? {
      text: '',
    };
    assert.match(text, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
    const [, address = ''] = /^List-Unsubscribe:\s+<([^>]+)>/m.exec(text) ?? [];
    const path = new URL(address).pathname;
    const program = new Browser(service.url);
    assert.equal((await program.get(path)).status, 200);
    const isOn = async (user: typeof one.person) =>
      (
        await service.app.notifying.notificationSettings.of({ owner: one.owner.record.id, user: user.id })
      ).choices.get('sync_attention')?.email;
    assert.equal(await isOn(one.person), true, 'a scanner that opens the link changes nothing');
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    const done = await fetch(new URL(path, service.url), { method: 'POST', body: form });
    assert.equal(done.status, 200);
    assert.deepEqual([await isOn(one.person), await isOn(other.person)], [false, true]);
    assert.equal((await program.post(`${path}x`)).status, 404);
    assert.equal((await program.post(path.replace(one.person.id, other.person.id))).status, 404);
    assert.equal(await isOn(other.person), true);
  });
});
