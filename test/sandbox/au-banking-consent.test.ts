import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { completeConsent } from '../support/consent-client.ts';
import { DAY, handClock, items, list, text, withSimulator } from './visitor.ts';

const CANCEL = 'https://app.test/back?state=s9&x=1';

test('a person is asked for bank, log-in and accounts by plain forms, and returns with the session and the old query', async () => {
  await withSimulator({}, async (visitor) => {
    const user = await visitor.endUser();
    const authUrl = await visitor.session(user);
    const first = await (await fetch(authUrl)).text();
    assert.match(first, /<h1>Choose your bank<\/h1>/);
    assert.doesNotMatch(first, /<script/);
    const callback = await completeConsent(authUrl, { institution: '90001', customer: 'sole-trader' });
    assert.equal(callback.origin + callback.pathname, 'https://app.test/done');
    assert.equal(callback.searchParams.get('state'), 's1');
    assert.equal(`${callback.searchParams.get('session_id')}`, authUrl.split('/').at(-1));
    const [consent] = items((await visitor.get(`/v1/consent?end_user_id=${user}`)).body);
    assert.equal(consent?.institution_id, '90001');
    assert.equal(
      list((await visitor.get(`/v1/banking/accounts?end_user_id=${user}`)).body, 'accounts').length,
      2,
    );
    assert.equal((await fetch(authUrl)).status, 410);
  });
});

test('a known institution skips the bank picker', async () => {
  await withSimulator({}, async (visitor) => {
    const authUrl = await visitor.session(await visitor.endUser(), { institution_id: '88888' });
    assert.match(await (await fetch(authUrl)).text(), /<h1>Log in to Banking Sandbox Data Holder<\/h1>/);
  });
});

test('only the ticked accounts are shared, and none ticked asks again', async () => {
  await withSimulator({}, async (visitor) => {
    const user = await visitor.endUser();
    const authUrl = await visitor.session(user, { institution_id: '88888' });
    const page = await (
      await fetch(`${authUrl}/login`, {
        method: 'POST',
        body: new URLSearchParams({ customer: 'salaried-household' }),
      })
    ).text();
    const ids = [...page.matchAll(/name="account_id" value="([^"]+)" checked/g)].map(
      (match) => match[1] ?? '',
    );
    assert.equal(ids.length, 3);
    const fields = { customer: 'salaried-household', accounts_shown: '1', outcome: 'approve' };
    const none = await fetch(`${authUrl}/complete`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
    assert.equal(none.status, 200);
    assert.match(await none.text(), /Tick at least one account/);
    const body = new URLSearchParams({ ...fields, account_id: ids[1] ?? '' });
    assert.equal(
      (await fetch(`${authUrl}/complete`, { method: 'POST', body, redirect: 'manual' })).status,
      303,
    );
    const accounts = list((await visitor.get(`/v1/banking/accounts?end_user_id=${user}`)).body, 'accounts');
    assert.deepEqual(
      accounts.map((account) => account.account_id),
      [ids[1]],
    );
  });
});

for (const [outcome, error, type] of [
  ['deny', 'access_denied', 'CONSENT_ENDUSER_DENIED'],
  ['cancel', 'session_cancelled', 'AUTH_SESSION_CANCELLED'],
  ['fail', 'server_error', 'CONSENT_UPSTREAM_PROCESSING_ERROR'],
] as const) {
  test(`outcome ${outcome} returns to the cancel address with the vendor's error members and makes no consent`, async () => {
    await withSimulator({}, async (visitor) => {
      const user = await visitor.endUser();
      const callback = await completeConsent(await visitor.session(user, { cancel_uri: CANCEL }), {
        outcome,
      });
      assert.ok(callback.href.startsWith('https://app.test/back?state=s9&x=1&'));
      assert.equal(callback.searchParams.get('error'), error);
      assert.equal(callback.searchParams.get('error_type'), type);
      assert.match(callback.searchParams.get('error_id') ?? '', /^err_/);
      for (const name of ['error_description', 'error_uri']) assert.ok(callback.searchParams.get(name));
      assert.deepEqual(items((await visitor.get(`/v1/consent?end_user_id=${user}`)).body), []);
    });
  });
}

test('a script can complete in one post, choosing the failure', async () => {
  await withSimulator({}, async (visitor) => {
    const user = await visitor.endUser();
    const post = async (fields: Record<string, string>): Promise<URL> => {
      const url = `${await visitor.session(user)}/complete`;
      const response = await fetch(url, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
      assert.equal(response.status, 303);
      return new URL(response.headers.get('location') ?? '');
    };
    const failed = await post({ outcome: 'fail', error_type: 'CONSENT_OTP_FAILURE' });
    assert.equal(failed.searchParams.get('error_type'), 'CONSENT_OTP_FAILURE');
    assert.ok((await post({ customer: 'rows:7', outcome: 'approve' })).searchParams.get('session_id'));
    assert.equal((await visitor.rows(`end_user_id=${user}`)).length, 7);
  });
});

test('renewing keeps the consent id, moves its end, and only the same person can do it', async () => {
  const clock = handClock();
  await withSimulator({ clock }, async (visitor, simulator) => {
    const user = await visitor.endUser();
    await visitor.link(user, { customer: 'credit-card' });
    const [before] = simulator.control.consents();
    clock.at += 400 * DAY;
    await visitor.authenticate();
    assert.equal(simulator.control.consents()[0]?.active, false);
    const authUrl = await visitor.session(user, { arrangement_id: before?.arrangementId });
    await assert.rejects(completeConsent(authUrl, { customer: 'dormant' }));
    await completeConsent(authUrl);
    const after = simulator.control.consents();
    assert.deepEqual(
      after.map((consent) => [consent.arrangementId, consent.active]),
      [[before?.arrangementId, true]],
    );
    simulator.control.revokeConsent(before?.arrangementId ?? '');
    await completeConsent(await visitor.session(user, { arrangement_id: before?.arrangementId }));
    assert.deepEqual(
      simulator.control.consents().map((consent) => consent.active),
      [true],
      'a withdrawn consent can be given again',
    );
    const refused = await visitor.post('/v1/auth/session', {
      end_user_id: await visitor.endUser('other@example.test'),
      redirect_uri: 'https://app.test/',
      arrangement_id: before?.arrangementId,
    });
    assert.equal(refused.status, 404);
  });
});

test('accounts stay empty until the first sync, and old rows until the history sync', async () => {
  const clock = handClock();
  await withSimulator({ clock, firstSyncDelayMs: 5000, historySyncDelayMs: 60_000 }, async (visitor) => {
    const user = await visitor.endUser();
    await visitor.link(user, { customer: 'salaried-household' });
    const accounts = async (): Promise<number> =>
      list((await visitor.get(`/v1/banking/accounts?end_user_id=${user}`)).body, 'accounts').length;
    assert.equal(await accounts(), 0);
    clock.at += 5000;
    assert.equal(await accounts(), 3);
    const recent = await visitor.rows(`end_user_id=${user}`);
    clock.at += 60_000;
    const whole = await visitor.rows(`end_user_id=${user}`);
    assert.ok(recent.length > 0 && whole.length > 4 * recent.length);
  });
});

test('a bank in outage cannot be consented at', async () => {
  await withSimulator({}, async (visitor) => {
    const callback = await visitor.link(await visitor.endUser(), { institution: '90003' });
    assert.equal(callback.searchParams.get('error_type'), 'CONSENT_UPSTREAM_PROCESSING_ERROR');
  });
});

test('text from outside is escaped on the pages', async () => {
  await withSimulator({}, async (visitor, simulator) => {
    simulator.control.createCustomer({
      customer: 'x"><script>1</script>',
      name: '<b>Bold</b>',
      like: 'dormant',
    });
    const page = await (
      await fetch(await visitor.session(await visitor.endUser(), { institution_id: '88888' }))
    ).text();
    assert.doesNotMatch(page, /<script>|<b>/);
    assert.match(page, /&lt;b&gt;Bold/);
  });
});

test('with a state file, users and consents outlive a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  const options = { stateFile: join(folder, 'au.json'), clock: handClock() };
  try {
    let user = '';
    let rows: readonly Record<string, unknown>[] = [];
    await withSimulator(options, async (visitor) => {
      user = await visitor.endUser();
      await visitor.link(user, { customer: 'sole-trader' });
      rows = await visitor.rows(`end_user_id=${user}`);
    });
    await withSimulator(options, async (visitor) => {
      assert.deepEqual(await visitor.rows(`end_user_id=${user}`), rows);
      const [consent] = items((await visitor.get(`/v1/consent?end_user_id=${user}`)).body);
      assert.equal(text(consent, 'end_user_email'), 'someone@example.test');
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
