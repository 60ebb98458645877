import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tributary } from '#client';
import { EnableBankingControl } from '../../../sandbox/enable-banking/control.ts';
import { banksByName, linkCustomer } from '../../../src/app/demo/demo-steps.ts';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { completeConsent } from '../../../src/surfaces/cli/consent-pages.ts';
import { localDateAt } from '../../../src/vocabulary/moments.ts';
import { completeConsent as consentInBrowser } from '../../support/consent-client.ts';
import { startService } from '../../support/service.ts';
import { Browser } from './browser.ts';
import { openCallback, RETURN_URL, startSession, until, visit } from './person.ts';

const signal = AbortSignal.timeout(120_000);

test('A bank in Europe is linked, renewed in place under the same accounts and rows, and its sessions are ended', async (t) => {
  const service = await startService({ LIMIT_TRANSACTIONS_CACHE_MINUTES: '0' });
  t.after(() => service.close());
  const owner = await service.owner();
  const control = service.app.sandbox?.simulators.get('enable_banking')?.control;
  assert.ok(control instanceof EnableBankingControl);
  const v2 = new Tributary({ url: service.url, apiKey: owner.key });
  const banks = await banksByName(v2, 'enable_banking');
  assert.equal(banks.get('Kuura Bank (SE)'), 'inst_eb_SE:Kuura~20Bank');
  const person = {
    provider: 'enable_banking',
    bank: 'Banco Encina (ES)',
    customer: 'two-currencies',
  } as const;
  const accounts = await linkCustomer(v2, person, banks, RETURN_URL, signal);
  assert.equal(accounts.length, 2);
  const [connection] = (await owner.v2('GET', '/v2/connections')).body.data;
  const days = (Date.parse(connection.consent.expires_at) - Date.now()) / 86_400_000;
  assert.ok(days > 89 && days <= 90, 'as long as the bank allows');
  const rows = `/v2/transactions?account=${accounts[0]}&limit=100`;
  const ids = async (): Promise<string[]> => {
    const { status, body } = await owner.v2('GET', rows);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.map(({ id }: { readonly id: string }) => id);
  };
  const before = await ids();

  control.revoke(control.sessions()[0]?.sessionId ?? assert.fail());
  assert.equal((await owner.v2('GET', rows)).body.error.code, 'upstream_auth_failed');
  const path = `/v2/connections/${connection.id}`;
  assert.equal((await owner.v2('GET', path)).body.status, 'invalidated');

  const asked = await owner.v2('POST', `${path}/reauthorize`, { return_url: RETURN_URL });
  assert.equal(asked.status, 200, JSON.stringify(asked.body));
  const end = await completeConsent(asked.body.url, RETURN_URL, { customer: 'two-currencies', signal });
  assert.equal(end.searchParams.get('link_session'), 'completed');
  await until(
    () => owner.v2('GET', path),
    ({ body }) => body.status === 'active',
  );
  const listed = (await owner.v2('GET', `/v2/accounts?connection=${connection.id}`)).body.data;
  assert.deepEqual(listed.map(({ id }: { readonly id: string }) => id).toSorted(), [...accounts].toSorted());
  assert.deepEqual(await ids(), before);

  assert.equal((await owner.v2('DELETE', path)).status, 200);
  await until(
    async () => control.sessions(),
    (sessions) => sessions.length === 2 && sessions.every(({ status }) => status !== 'AUTHORIZED'),
  );
});

test('The way to sign in that a person chooses is asked for at the bank; choosing another opens another page', async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const owner = await service.owner();
  const control = service.app.sandbox?.simulators.get('enable_banking')?.control;
  assert.ok(control instanceof EnableBankingControl);
  const session = await startSession(owner, {
    provider: 'enable_banking',
    institution: 'inst_eb_DE:Ahornbank',
  });
  const browser = new Browser();
  const page = await browser.visit(session.url);
  assert.match(page.html, /Germany/);
  assert.match(page.html, /name="way" value="business:app"/);
  const post = async (address: string, way: string) =>
    (await browser.visit(address, 'POST', {}, null, { way })).location;
  const begun = (way: string) => post(session.url, way);
  const first = await begun('personal');
  assert.equal(await begun('personal'), first, 'the same page again');
  const second = await begun('business:app');
  assert.notEqual(second, first);
  const again = await post(`${session.url}/again?after=2`, 'business:app');
  assert.notEqual(again, second);
  const returned = await consentInBrowser(again, { customer: 'household' });
  const end = await openCallback(returned.href, browser);
  assert.equal(end.status, 303, end.html);
  const [signedIn] = control.sessions();
  assert.deepEqual([signedIn?.psuType, signedIn?.method], ['business', 'app']);
});

test('A bank whose vendor does not answer is linked in its usual way: the page says less and still works', async (t) => {
  const before = await startService();
  const session = await startSession(await before.owner(), {
    provider: 'enable_banking',
    institution: 'inst_eb_DE:Ahornbank',
  });
  // The list of banks is not known any more.
  const service = await before.restart();
  t.after(() => service.close());
  const control = service.app.sandbox?.simulators.get('enable_banking')?.control;
  assert.ok(control instanceof EnableBankingControl);
  control.addFault({ route: 'GET /aspsps', kind: 'refusal', count: 5 });
  const page = await visit(service.url + new URL(session.url).pathname);
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.html, /name="way"/);
  assert.match(page.html, /Continue/);
});

test('A row of today in Finland is listed before the day begins in Brussels', async (t) => {
  const clock = new ShiftedClock();
  const day = 86_400_000;
  // 22:15 UTC: past midnight in Helsinki, in winter and in summer, and before it in Brussels in winter.
  clock.advance((22.25 * 3_600_000 - (clock.now() % day) + day) % day);
  const service = await startService({}, { clock });
  t.after(() => service.close());
  const owner = await service.owner();
  const control = service.app.sandbox?.simulators.get('enable_banking')?.control;
  assert.ok(control instanceof EnableBankingControl);
  const v2 = new Tributary({ url: service.url, apiKey: owner.key });
  const banks = await banksByName(v2, 'enable_banking');
  const person = { provider: 'enable_banking', bank: 'Kuura Bank (FI)', customer: 'dormant' } as const;
  const [account] = await linkCustomer(v2, person, banks, RETURN_URL, signal);
  const today = localDateAt(clock.now(), 'Europe/Helsinki');
  const [shared] = control.sessions().flatMap(({ accounts }) => accounts);
  control.appendTransactions(shared?.uid ?? '', [{ amount: '-4.20', description: 'NIGHT BUS', day: today }]);
  const rows = (await owner.v2('GET', `/v2/transactions?account=${account}`)).body.data;
  assert.deepEqual(
    rows.map(({ date }: { readonly date: string }) => date),
    [today],
  );
});
