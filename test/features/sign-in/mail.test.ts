import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSmtpUrl } from '../../../src/platform/config-values.ts';
import { Mailer, MailRefused, mayMailAgain } from '../../../src/platform/mailer.ts';
import { openMailServer } from '../../support/mail-server.ts';
import { leastMs } from '../../support/patience.ts';
import { addPerson, Browser, secretIn, signedIn } from '../../support/people.ts';
import { startService } from '../../support/service.ts';
import { until } from '../linking/person.ts';

const NEW = 'another staple entirely';

describe('with a mail server', () => {
  test('a forgotten password is set by a mailed link, and who asks does not learn whether there is such a person', async (t) => {
    const mail = await openMailServer(t);
    const service = await startService({ SMTP_URL: mail.url, SMTP_FROM: 'hub@example.test' });
    t.after(() => service.close());
    const person = await addPerson(service, await service.owner());
    const browser = new Browser(service.url);
    const known = await browser.post('/forgot-password', { email: ` ${person.email.toUpperCase()} ` });
    const unknown = await browser.post('/forgot-password', { email: 'nobody@example.test' });
    assert.deepEqual([known.status, known.text], [unknown.status, unknown.text]);
    await until(
      async () => mail.letters.length,
      (count) => count > 0,
    );
    const [sent] = mail.letters;
    assert.equal(sent?.to, person.email);
    assert.match(sent?.text ?? '', /^From: hub@example\.test/m);
    const secret = secretIn(sent?.text ?? '', 'reset-password');
    assert.equal((await browser.post(`/reset-password/${secret}`, { password: NEW })).status, 303);
    assert.equal((await new Browser(service.url).signIn(person.email, NEW)).status, 303);
    assert.equal(mail.letters.length, 1, 'nobody else got a mail');
  });

  test('what a server says of a mail that it refuses is in no error, because it may quote the mail', async (t) => {
    const mail = await openMailServer(t);
    const mailer = new Mailer(parseSmtpUrl(mail.url) ?? assert.fail(), 'hub@example.test');
    t.after(() => mailer.close());
    for (const code of [451, 554]) {
      mail.answerWith((text) => `${code} no: ${text.replaceAll(/\s+/g, ' ')}`);
      const refused = await mailer
        .send({ to: 'one@example.test', subject: 'Secret', text: 'Secret' })
        .catch((error: unknown) => error);
      assert.ok(refused instanceof MailRefused);
      assert.deepEqual(
        [refused.message, refused.cause],
        [`the mail server refused a mail with ${code}`, undefined],
      );
      assert.equal(mayMailAgain(refused), code === 451);
    }
    assert.equal(mail.mails.length, 2);
  });

  test('a mail is sent again only if the server certainly has not taken it', async (t) => {
    const letter = { to: 'one@example.test', subject: 'Hello', text: 'Hello' };
    const failureAt = async (url: string): Promise<unknown> => {
      const mailer = new Mailer(parseSmtpUrl(url) ?? assert.fail(), 'hub@example.test');
      t.after(() => mailer.close());
      return mailer.send(letter).then(
        () => assert.fail('it was sent'),
        (error: unknown) => error,
      );
    };
    const closing = await openMailServer(t);
    closing.answerWith(() => null);
    const broken = await failureAt(closing.url);
    assert.deepEqual([closing.mails.length, mayMailAgain(broken)], [1, false], 'it may have been taken');
    assert.equal(mayMailAgain(await failureAt('smtp://127.0.0.1:1')), true, 'the server was not reached');
  });

  test('one address gets so many mails, known or not [limit password_reset_mails]', async (t) => {
    const mail = await openMailServer(t);
    const service = await startService({
      SMTP_URL: mail.url,
      SMTP_FROM: 'hub@example.test',
      LIMIT_PASSWORD_RESET_MAILS: '2',
    });
    t.after(() => service.close());
    const person = await addPerson(service, await service.owner());
    for (const email of [person.email, 'nobody@example.test']) {
      const statuses = [];
      for (let at = 0; at < 3; at += 1) {
        statuses.push((await new Browser(service.url).post('/forgot-password', { email })).status);
      }
      assert.deepEqual(statuses, [200, 200, 429]);
    }
    await until(
      async () => mail.letters.length,
      (count) => count === 2,
    );
  });

  test('no one elsewhere keeps a person from a mail, or ends the link that they or the operator wait for [limit password_reset_account_mails]', async (t) => {
    const mail = await openMailServer(t);
    const service = await startService({
      SMTP_URL: mail.url,
      SMTP_FROM: 'hub@example.test',
      TRUST_PROXY: '1',
      LIMIT_PASSWORD_RESET_MAILS: '2',
      LIMIT_PASSWORD_RESET_ACCOUNT_MAILS: '5',
    });
    t.after(() => service.close());
    const person = await addPerson(service, await service.owner());
    const home = new Browser(service.url, '203.0.113.1');
    assert.equal((await home.signIn(person.email)).status, 303);
    const operators = await service.app.signIn.passwordResets.issue(person.email);
    const ask = async (from: Browser): Promise<number> =>
      (await from.post('/forgot-password', { email: person.email })).status;
    const attacker = new Browser(service.url, '203.0.113.2');
    assert.deepEqual([await ask(attacker), await ask(attacker), await ask(attacker)], [200, 200, 429]);
    assert.equal(await ask(new Browser(service.url, '203.0.113.1')), 200, 'from another network');
    const others = [3, 4, 5].map((at) => ask(new Browser(service.url, `203.0.113.${at}`)));
    assert.deepEqual((await Promise.all(others)).toSorted(), [200, 200, 429], 'five from all networks');
    assert.equal(await ask(home), 200, 'a browser that the person knows has a budget of its own');
    await until(
      async () => mail.letters.length,
      (count) => count === 6,
    );
    const opened = await home.get(`/reset-password/${operators.secret}`);
    assert.equal(opened.status, 200, 'mails do not push out the link of the operator');
    const secrets = mail.letters.map(({ text }) => secretIn(text, 'reset-password'));
    const pages = await Promise.all(secrets.map((secret) => home.get(`/reset-password/${secret}`)));
    assert.equal(pages.filter(({ status }) => status === 200).length, 3, 'the last three stand');
  });

  test('a completed reset lets the browser in that was locked out of new ones', async (t) => {
    const service = await startService({
      TRUST_PROXY: '1',
      LIMIT_SIGN_IN_ATTEMPTS: '2',
      LIMIT_SIGN_IN_ACCOUNT_ATTEMPTS: '2',
    });
    t.after(() => service.close());
    const person = await addPerson(service, await service.owner());
    for (const at of [1, 2]) {
      await new Browser(service.url, `203.0.113.${at}`).signIn(person.email, 'wrong horse battery');
    }
    const browser = new Browser(service.url, '203.0.113.9');
    assert.equal((await browser.signIn(person.email)).status, 429);
    const { secret } = await service.app.signIn.passwordResets.issue(person.email);
    assert.equal((await browser.post(`/reset-password/${secret}`, { password: NEW })).status, 303);
    assert.equal((await browser.signIn(person.email, NEW)).status, 303);
  });

  test('an invitation is mailed, and no one but its reader sees the link', async (t) => {
    const mail = await openMailServer(t);
    const service = await startService({
      SMTP_URL: mail.url,
      SMTP_FROM: 'hub@example.test',
      LIMIT_PASSWORD_RESET_MAILS: '2',
    });
    t.after(() => service.close());
    const browser = await signedIn(service, await addPerson(service, await service.owner()));
    const guest = { email: 'guest@example.test', role: 'reader' };
    const page = await browser.post('/settings/security/invitations', guest);
    assert.match(page.text, /a mail is on its way/);
    assert.doesNotMatch(page.text, /invitations\/[\w-]{43}/);
    await until(
      async () => mail.letters.length,
      (count) => count === 1,
    );
    const secret = secretIn(mail.letters[0]?.text ?? '', 'invitations');
    assert.equal((await new Browser(service.url).get(`/invitations/${secret}`)).status, 200);
    const more = [
      await browser.post('/settings/security/invitations', guest),
      await browser.post('/settings/security/invitations', guest),
    ];
    assert.deepEqual(
      more.map(({ status }) => status),
      [200, 429],
      'one address is not mailed to again and again',
    );
  });

  test('one that says nothing keeps no one waiting', async (t) => {
    const mail = await openMailServer(t, true);
    const service = await startService({ SMTP_URL: mail.url, SMTP_FROM: 'hub@example.test' });
    t.after(() => service.close());
    const person = await addPerson(service, await service.owner());
    // Two seconds are what a machine that stands still takes from an answer that comes at once.
    const took = await leastMs(3_000, async () => {
      const asked = await new Browser(service.url).post('/forgot-password', { email: person.email });
      assert.equal(asked.status, 200);
    });
    assert.ok(took < 3_000, `${took} ms`);
  });
});

test('without a mail server the page says whom to ask, and makes no link', async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const person = await addPerson(service, await service.owner());
  const browser = new Browser(service.url);
  assert.match((await browser.get('/forgot-password')).text, /account reset-password/);
  const asked = await browser.post('/forgot-password', { email: person.email });
  assert.match(asked.text, /account reset-password/);
  assert.deepEqual(await service.app.database.db.selectFrom('one_time_links').selectAll().execute(), []);
});

test('SMTP_URL names a server and nothing else, and a password goes to another machine over TLS alone', () => {
  assert.deepEqual(parseSmtpUrl('smtp://mail.example.test'), {
    host: 'mail.example.test',
    port: 587,
    secure: false,
    auth: null,
    requireTls: false,
  });
  const secured = parseSmtpUrl('smtp://me%40example.test:p%3Aw@mail.example.test:2525');
  assert.deepEqual([secured?.auth, secured?.requireTls], [{ user: 'me@example.test', pass: 'p:w' }, true]);
  assert.equal(parseSmtpUrl('smtp://me:pw@127.0.0.1')?.requireTls, false);
  assert.deepEqual([parseSmtpUrl('smtps://[::1]')?.host, parseSmtpUrl('smtps://[::1]')?.port], ['::1', 465]);
  for (const text of [
    'http://mail.example.test',
    'smtp://',
    'mail.example.test',
    'smtp://a@mail.example.test',
    'smtp://mail.example.test/path',
    'smtp://mail.example.test?tls=no',
    'smtp://%zz:x@mail.example.test',
  ]) {
    assert.equal(parseSmtpUrl(text), null, text);
  }
});
