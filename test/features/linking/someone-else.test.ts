import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { completeConsent } from '../../support/consent-client.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { Browser } from './browser.ts';
import { consentAtBank, openCallback, RETURN_URL, startSession } from './person.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.close());

const read = async (owner: TestOwner, session: Json): Promise<Json> =>
  (await owner.v2('GET', `/v2/link_sessions/${session.id}`)).body;
const bank = () => sandboxBank(service.app);

describe("someone else's consent", () => {
  test('never ends in the account of the person who sent them the address of the bank', async () => {
    const owner = await service.owner();
    const session = await startSession(owner);
    const [attacker, victim] = [new Browser(), new Browser()];
    const begun = await attacker.visit(session.url, 'POST');
    const callback = await completeConsent(begun.location, { customer: 'sole-trader' });
    // What the attacker can open without having seen where the bank sent the victim.
    for (const address of [
      `${session.url}/return`,
      `${service.url}/connect/return`,
      `${service.url}/connect/return?state=${new URL(session.url).pathname.split('/').at(-1)}`,
      `${service.url}/connect/return${callback.search.replace(/state=[^&]*/, '')}`,
    ]) {
      await attacker.visit(address);
    }
    assert.notEqual((await read(owner, session)).status, 'completed');
    const shown = await openCallback(callback.href, victim);
    assert.doesNotMatch(shown.location, /link_session=completed/);
    assert.equal((await read(owner, session)).connection, null);
    assert.deepEqual((await owner.v2('GET', '/v2/connections')).body.data, []);
  });

  test('is not begun by a form on the page of another site', async () => {
    const owner = await service.owner();
    const session = await startSession(owner);
    const asked = bank().requests().length;
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
    ]) {
      for (const step of ['', '/again', '/cancel']) {
        const answer = await new Browser().visit(`${session.url}${step}`, 'POST', headers);
        assert.deepEqual([answer.status, answer.location], [303, new URL(session.url).pathname], step);
        assert.deepEqual(answer.headers.getSetCookie(), []);
      }
    }
    assert.equal(bank().requests().length, asked);
    assert.equal((await read(owner, session)).status, 'pending');
    const own = { origin: service.url, 'sec-fetch-site': 'same-origin' };
    const begun = await new Browser().visit(session.url, 'POST', own);
    assert.equal(begun.status, 303);
    assert.notEqual(new URL(begun.location, service.url).pathname, new URL(session.url).pathname);
    assert.equal(bank().requests().at(-1)?.path, '/v1/auth/session');
    assert.equal(begun.headers.getSetCookie().length, 1);
  });

  test('that comes back in another browser is explained there, and can be given again', async () => {
    const owner = await service.owner();
    const session = await startSession(owner);
    const callback = await consentAtBank(session.url, {}, new Browser());
    const phone = new Browser();
    const led = await phone.visit(callback);
    assert.equal(led.status, 303);
    const page = await phone.visit(new URL(led.location, service.url).href);
    assert.equal(page.status, 200);
    assert.match(page.html, /role="alert"/);
    assert.match(page.html, /a different browser/);
    const again = await openCallback(await consentAtBank(session.url, {}, phone), phone);
    assert.equal(again.location, `${RETURN_URL.replace(' ', '%20')}&link_session=completed`);
    assert.equal((await owner.v2('GET', '/v2/connections')).body.data.length, 1);
  });
});
