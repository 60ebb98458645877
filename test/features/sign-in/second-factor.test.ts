import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TOTP, URI } from 'otpauth';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { accountRemoveSecondFactor } from '../../../src/surfaces/cli/commands/people.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { addPerson, Browser, joinedPath, PASSWORD, type Page, signedIn } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';

const PAGE = '/settings/security/second-factor';
const STEP_MS = 30_000;
const MOST = 10;
const clock = new ShiftedClock();
let service: TestService;
before(async () => {
  service = await startService(
    { LIMIT_SIGN_IN_ATTEMPTS: '1000', LIMIT_SIGN_IN_ADDRESS_ATTEMPTS: '1000' },
    { clock },
  );
});
after(() => service.close());

const inputOf = (page: Page, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ??
  assert.fail(`no ${name}: ${page.text}`);
const secretIn = (page: Page): string =>
  /<code>([A-Z2-7 ]{32,})<\/code>/.exec(page.text)?.[1]?.replaceAll(' ', '') ?? assert.fail(page.text);
const place = (page: Page): string | null => page.headers.get('location');

/** An app that a person has set up with the page, and their recovery codes. */
async function enrolled() {
  const owner = await service.owner();
  const person = await addPerson(service, owner);
  const browser = await signedIn(service, person);
  const offered = await browser.get(PAGE);
  const secret = secretIn(offered);
  const app = URI.parse(`otpauth://totp/Tributary?secret=${secret}`);
  assert.ok(app instanceof TOTP);
  const code = (): string => app.generate({ timestamp: clock.now() });
  const shown = await browser.post(`${PAGE}/confirm`, { code: code() });
  assert.equal(shown.status, 200, shown.text);
  const codes = [...shown.text.matchAll(/<code>([a-z2-7-]{19})<\/code>/g)].map(([, text = '']) => text);
  clock.advance(STEP_MS);
  return { owner, person, browser, code, codes };
}

/** A new browser that has shown the password, and the page it was answered. */
async function halfway(email: string): Promise<{ browser: Browser; asked: Page }> {
  const browser = new Browser(service.url);
  const asked = await browser.signIn(email);
  assert.equal(asked.status, 200);
  assert.equal(browser.cookies.size, 0, 'nobody is signed in yet');
  return { browser, asked };
}

const answer = (browser: Browser, asked: Page, code: string): Promise<Page> =>
  browser.post('/sign-in/code', { step: inputOf(asked, 'step'), next: inputOf(asked, 'next'), code });

describe('the second factor', () => {
  test('is asked for beside the password once a code of the app has turned it on', async () => {
    const { person, code } = await enrolled();
    const { browser, asked } = await halfway(person.email);
    const wrong = await answer(browser, asked, code() === '000000' ? '000001' : '000000');
    assert.equal(wrong.status, 401);
    assert.match(wrong.text, /This code is wrong/);
    const right = await answer(browser, wrong, `${code().slice(0, 3)} ${code().slice(3)}`);
    assert.equal(right.status, 303, right.text);
    assert.equal((await browser.v2('GET', '/v2/me')).status, 200);
  });

  test('takes a code once, and none of an earlier step afterwards', async () => {
    const { person, code } = await enrolled();
    const once = code();
    const [first, second] = [await halfway(person.email), await halfway(person.email)];
    const both = await Promise.all([
      answer(first.browser, first.asked, once),
      answer(second.browser, second.asked, once),
    ]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [303, 401]);
    clock.advance(3 * STEP_MS);
    const third = await halfway(person.email);
    assert.equal((await answer(third.browser, third.asked, once)).status, 401);
  });

  test('takes each recovery code once, and no earlier ones once there are new ones', async () => {
    const { person, browser, codes } = await enrolled();
    assert.equal(codes.length, 10);
    const [code = ''] = codes;
    const first = await halfway(person.email);
    assert.equal((await answer(first.browser, first.asked, code.toUpperCase())).status, 303);
    const again = await halfway(person.email);
    assert.equal((await answer(again.browser, again.asked, code)).status, 401);
    assert.match((await browser.get(PAGE)).text, /9 recovery codes left/);
    const renewed = await browser.post(`${PAGE}/codes`);
    const [, fresh = ''] = /<code>([a-z2-7-]{19})<\/code>/.exec(renewed.text) ?? [];
    assert.equal((await answer(again.browser, again.asked, codes[1] ?? '')).status, 401);
    assert.equal((await answer(again.browser, again.asked, fresh)).status, 303);
  });

  test('can be guessed at only so often, by anyone who has the password [limit second_factor_attempts]', async () => {
    const { person, code } = await enrolled();
    const { browser, asked } = await halfway(person.email);
    // The code that turned it on was the first.
    for (let guess = 1; guess < MOST; guess++) {
      assert.equal((await answer(browser, asked, 'no code')).status, 401);
    }
    const other = await halfway(person.email);
    assert.equal((await answer(other.browser, other.asked, code())).status, 429);
  });

  test('leaves no way around: a step ends with its time and with the password, and proves nothing alone', async () => {
    const { person, code, browser } = await enrolled();
    const late = await halfway(person.email);
    const changed = await halfway(person.email);
    clock.advance(10 * 60_000);
    assert.equal((await answer(late.browser, late.asked, code())).status, 401);
    assert.match((await answer(late.browser, late.asked, code())).text, /took too long/);
    const fresh = await halfway(person.email);
    const other = { current: PASSWORD, password: 'another horse battery' };
    assert.equal(
      place(await browser.post('/settings/security/password', other)),
      '/settings/security?done=password_changed',
    );
    assert.match((await answer(fresh.browser, fresh.asked, code())).text, /the password has changed/);
    for (const step of [
      '',
      'x',
      inputOf(changed.asked, 'step').replace(person.id, '019ab000-0000-7000-8000-000000000001'),
    ]) {
      assert.equal((await changed.browser.post('/sign-in/code', { step, code: code() })).status, 401);
    }
  });

  test('is asked for where an invitation is accepted with a password', async () => {
    const { person, code } = await enrolled();
    const other = await service.owner();
    const { secret } = await service.app.signIn.invitations.create(other.record.id, {
      email: person.email,
      role: 'reader',
      by: null,
    });
    const browser = new Browser(service.url);
    const asked = await browser.post(`/invitations/${secret}/sign-in`, {
      email: person.email,
      password: PASSWORD,
    });
    assert.equal(browser.cookies.size, 0);
    const joined = await answer(browser, asked, code());
    assert.deepEqual([joined.status, joined.headers.get('location')], [303, await joinedPath(browser)]);
    const me = await browser.v2('GET', '/v2/me');
    assert.match(JSON.stringify(me.body), new RegExp(publicId('account_record', other.record.id)));
  });

  test('stays on with a new password by a link, and only the operator turns it off without a code', async () => {
    const { owner, person, code } = await enrolled();
    const { secret } = await service.app.signIn.passwordResets.issue(person.email);
    const chosen = 'a third horse battery';
    await new Browser(service.url).post(`/reset-password/${secret}`, { password: chosen });
    const browser = new Browser(service.url);
    const asked = await browser.signIn(person.email, chosen);
    assert.equal((await answer(browser, asked, code())).status, 303);
    const context = { app: service.app, url: null, signal: AbortSignal.timeout(60_000) };
    await accountRemoveSecondFactor.run(context, { email: person.email });
    assert.equal((await new Browser(service.url).signIn(person.email, chosen)).status, 303);
    const { body } = await owner.v2('GET', '/v2/audit_events?limit=100');
    const kinds = body.data.map(({ kind, detail }: { kind: string; detail: string | null }) =>
      detail === null ? kind : `${kind} ${detail}`,
    );
    assert.deepEqual(kinds, [
      'session.started password',
      'second_factor.disabled',
      'session.started second_factor',
      'password.reset',
      'password.reset_link_issued',
      'second_factor.enabled',
      'session.started password',
    ]);
  });

  test('is turned on and off only soon after signing in, and only by a code of its own secret', async () => {
    const { browser } = await enrolled();
    clock.advance(16 * 60_000);
    for (const path of [`${PAGE}/disable`, `${PAGE}/codes`, `${PAGE}/confirm`]) {
      assert.match(
        place(await browser.post(path)) ?? '',
        /^\/sign-in\?next=.*&notice=fresh&shown_account=acc\w+$/,
      );
    }
    const fresh = await signedIn(service, await addPerson(service, await service.owner()));
    const offered = await fresh.get(PAGE);
    const secret = secretIn(offered);
    const wrong = await fresh.post(`${PAGE}/confirm`, { code: '123' });
    assert.equal(wrong.status, 400);
    assert.equal(secretIn(wrong), secret, 'the app keeps its secret');
    assert.equal(secretIn(await fresh.get(PAGE)), secret, 'also when the page is loaded again');
    assert.match((await fresh.get('/settings/security')).text, /Turn it on/);
  });
});
