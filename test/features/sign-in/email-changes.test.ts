import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { type MailServer, openMailServer } from '../../support/mail-server.ts';
import { addPerson, Browser, PASSWORD, signedIn } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';
import { until } from '../linking/person.ts';

const MINUTE_MS = 60_000;
/** What closes once the tests are done. */
const closings = { after: (close: () => void) => void later.push(close) };
const later: (() => void)[] = [];
const PAGE = '/settings/confirm-email';
const clock = new ShiftedClock();
let mail: MailServer;
let service: TestService;

describe('a new e-mail address, where there is a mail server,', () => {
  before(async () => {
    mail = await openMailServer(closings);
    service = await startService({ SMTP_URL: mail.url, SMTP_FROM: 'hub@example.test' }, { clock });
  });
  after(async () => {
    await service?.close();
    for (const close of later) close();
  });

  const mailsTo = (address: string) => mail.letters.filter(({ to }) => to === address);
  const somebody = async () => {
    const person = await addPerson(service, await service.owner());
    return { person, browser: await signedIn(service, person) };
  };
  const ask = (browser: Browser, email: string) =>
    browser.post('/settings/email', { email, current: PASSWORD });

  /** The token of the last link that was mailed to the address. */
  function mailedTo(address: string): string {
    const text =
      mailsTo(address)
        .at(-1)
        ?.text.replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '=') ?? '';
    const token = /\/settings\/confirm-email\?token=([\w.-]+)/.exec(text)?.[1];
    assert.ok(token !== undefined, text);
    return token;
  }

  async function signsInWith({ email }: { readonly email: string }): Promise<number> {
    return (await new Browser(service.url).signIn(email)).status;
  }

  test('counts once its link is opened by the person, so that a mistyped one hands nothing to a stranger', async () => {
    const { person, browser } = await somebody();
    const elsewhere = await signedIn(service, person);
    const email = 'Proved@example.test';
    const asked = await ask(browser, email);
    assert.equal(asked.headers.get('location'), '/settings?done=email_mailed');
    assert.match((await browser.get('/settings?done=email_mailed')).text, /A link is on its way/);
    assert.deepEqual([await signsInWith(person), await signsInWith({ email })], [303, 401]);
    const token = mailedTo(email);
    const stranger = await signedIn(service, await addPerson(service, await service.owner()));
    assert.match((await stranger.get(`${PAGE}?token=${token}`)).text, /This link does not work any more/);
    assert.equal((await stranger.post(PAGE, { token })).status, 400);
    const nobody = await new Browser(service.url).get(`${PAGE}?token=${token}`);
    assert.match(
      nobody.headers.get('location') ?? '',
      /^\/sign-in\?next=%2Fsettings%2Fconfirm-email%3Ftoken%3D/,
    );
    const page = await browser.get(`${PAGE}?token=${token}`);
    assert.match(page.text, /<strong>Proved@example\.test<\/strong>/);
    assert.deepEqual(
      [await signsInWith(person), await signsInWith({ email })],
      [303, 401],
      'opening changes nothing',
    );
    const confirmed = await browser.post(PAGE, { token });
    assert.equal(confirmed.headers.get('location'), '/settings?done=email_changed');
    assert.deepEqual([await signsInWith(person), await signsInWith({ email })], [401, 303]);
    assert.equal((await elsewhere.v2('GET', '/v2/me')).status, 401, 'other browsers are signed out');
    await until(
      async () => mailsTo(person.email).length,
      (count) => count === 1,
    );
    assert.equal((await browser.post(PAGE, { token })).status, 400, 'once');
  });

  test('does not count with a link that is old, changed, or from before a new password or another address', async () => {
    const { person, browser } = await somebody();
    await ask(browser, 'late@example.test');
    const token = mailedTo('late@example.test');
    const [version, end, , mac] = token.split('.');
    const other = Buffer.from('other@example.test').toString('base64url');
    const encoded = Buffer.from('late@example.test').toString('base64url');
    for (const forged of [
      '',
      'x'.repeat(3_000),
      [version, end, other, mac].join('.'),
      [version, String(Number(end) + 60), encoded, mac].join('.'),
      ['2', end, encoded, mac].join('.'),
    ]) {
      assert.equal((await browser.post(PAGE, { token: forged })).status, 400, forged.slice(0, 80));
    }
    const chosen = 'another staple entirely';
    await browser.post('/settings/security/password', { current: PASSWORD, password: chosen });
    assert.equal((await browser.post(PAGE, { token })).status, 400, 'after a new password');
    await browser.post('/settings/email', { email: 'slow@example.test', current: chosen });
    const slow = mailedTo('slow@example.test');
    clock.advance(30 * MINUTE_MS);
    assert.equal((await browser.post(PAGE, { token: slow })).status, 400, 'after half an hour');
    assert.equal((await new Browser(service.url).signIn(person.email, chosen)).status, 303);
  });

  test('is refused where someone has it, also when they got it while the mail was read', async () => {
    const { browser } = await somebody();
    const { person: first } = await somebody();
    assert.match((await ask(browser, first.email)).text, /A person signs in with this e-mail address/);
    assert.equal(mailsTo(first.email).length, 0);
    await ask(browser, 'contested@example.test');
    const { browser: other } = await somebody();
    await ask(other, 'contested@example.test');
    assert.equal((await other.post(PAGE, { token: mailedTo('contested@example.test') })).status, 303);
    const late = mail.letters.filter(({ to }) => to === 'contested@example.test')[0]?.text ?? '';
    const token = /token=([\w.-]+)/.exec(late.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='))?.[1] ?? '';
    const refused = await browser.post(PAGE, { token });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /A person signs in with this e-mail address/);
  });

  test('gets few mails, anyone who asks', async () => {
    const { browser } = await somebody();
    const statuses = [];
    for (let at = 0; at < 4; at += 1) statuses.push((await ask(browser, 'flooded@example.test')).status);
    assert.deepEqual(statuses.slice(0, 3), [303, 303, 303]);
    assert.notEqual(statuses[3], 303);
    assert.equal(mailsTo('flooded@example.test').length, 3);
  });
});

test('where no mail can be sent, the person hears so and nothing changes', async (t) => {
  const service = await startService({ SMTP_URL: 'smtp://127.0.0.1:9', SMTP_FROM: 'hub@example.test' });
  t.after(() => service.close());
  const person = await addPerson(service, await service.owner());
  const browser = await signedIn(service, person);
  const asked = await browser.post('/settings/email', { email: 'new@example.test', current: PASSWORD });
  assert.equal(asked.status, 400);
  assert.match(asked.text, /No mail could be sent to this address\. Nothing was changed\./);
  assert.equal((await new Browser(service.url).signIn(person.email)).status, 303);
});
