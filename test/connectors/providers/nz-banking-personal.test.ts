import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionId } from '../../../sandbox/nz-banking/banks.ts';
import { startNzBankingSimulator } from '../../../sandbox/nz-banking/server.ts';
import { Browser } from '../../features/linking/browser.ts';
import { openCallback, RETURN_URL, until } from '../../features/linking/person.ts';
import { startService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { APP } from './nz-banking-bank.ts';
import { ownToken } from './nz-banking-own-token.ts';

test('The owner of a personal app links their banks without a page of the vendor, reads them, and ends nothing there', async (t) => {
  const vendor = await startNzBankingSimulator(APP);
  t.after(() => vendor.close());
  const service = await startService({
    AKAHU_BASE_URL: vendor.url,
    AKAHU_APP_TOKEN: APP.appToken,
    AKAHU_USER_TOKEN: await ownToken({ ...APP, oauthUrl: vendor.oauthUrl, url: vendor.url }),
  });
  t.after(() => service.close());
  assert.equal(service.app.sandbox, null, 'real credentials end the sandbox');
  const owner = await service.owner();
  const session = await owner.v2('POST', '/v2/link_sessions', {
    provider: 'nz_banking',
    return_url: RETURN_URL,
  });
  assert.equal(session.status, 200, JSON.stringify(session.body));

  const named = await owner.v2('POST', '/v2/link_sessions', {
    provider: 'nz_banking',
    chosen_institution: `inst_ak_${connectionId('rimu', false)}`,
    return_url: RETURN_URL,
  });
  assert.deepEqual(
    [named.status, named.body.error.code, named.body.error.param],
    [400, 'parameter_invalid', 'chosen_institution'],
    'no bank can be named where none is listed',
  );

  const browser = new Browser();
  const { html } = await browser.visit(session.body.url);
  assert.match(html, /You are not asked to sign in/);
  assert.doesNotMatch(html, /next page/);
  const begun = await browser.visit(session.body.url, 'POST');
  assert.ok(begun.location.startsWith(`${service.url}/connect/return?state=`), begun.location);
  await new Browser().visit(begun.location);
  const waiting = await owner.v2('GET', `/v2/link_sessions/${session.body.id}`);
  assert.equal(waiting.body.status, 'pending', 'the address alone links nothing');
  const returned = await openCallback(begun.location, browser);
  assert.equal(new URL(returned.location).searchParams.get('link_session'), 'completed');

  const connections = await until(
    async () => (await owner.v2('GET', '/v2/connections?include[]=accounts')).body.data,
    (all: Json[]) => all.every(({ status }) => status === 'active'),
  );
  assert.equal(connections.length, 3);
  for (const { accounts } of connections)
    assert.equal((await owner.v2('GET', `/v2/accounts/${accounts[0].id}/balance`)).status, 200);
  const banks = await owner.v2('GET', '/v2/institutions?provider=nz_banking');
  assert.deepEqual(
    [banks.status, banks.body.error.code, banks.body.error.param],
    [400, 'not_supported', 'provider'],
    'the list of banks needs the secret of an app',
  );
  const all = await owner.v2('GET', '/v2/institutions');
  assert.equal(all.status, 200, 'without a provider it is passed over');
  assert.ok(all.body.data.every(({ provider }: Json) => provider !== 'nz_banking'));
  const notified = await fetch(`${service.url}/provider-webhooks/nz_banking`, { method: 'POST', body: '{}' });
  assert.equal(notified.status, 404);

  for (const { id } of connections)
    assert.equal((await owner.v2('DELETE', `/v2/connections/${id}`)).status, 200);
  const deletions = vendor.control.requests().filter(({ method }) => method === 'DELETE');
  assert.deepEqual(deletions, []);
  assert.equal(vendor.control.users()[0]?.authorisations.length, 3);
});
