import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connectionId } from '../../../sandbox/nz-banking/banks.ts';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { addPerson, signedIn } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { Browser } from './browser.ts';
import { consentAtBank, openCallback, RETURN_URL } from './person.ts';

const RIMU = connectionId('rimu', false);
const HARAKEKE = connectionId('harakeke', false);
const id = (bank: string): string => `inst_ak_${bank}`;

const clock = new ShiftedClock();
let service: TestService;
before(async () => {
  service = await startService({}, { clock });
});
after(() => service.close());

let people = 0;

/** Chooses one bank, signs in as the person, and picks another bank or the same at the vendor. */
async function link(owner: TestOwner, chosen: string, picked: string, customer: string): Promise<Json> {
  const started = await owner.v2('POST', '/v2/link_sessions', {
    provider: 'nz_banking',
    chosen_institution: id(chosen),
    return_url: RETURN_URL,
  });
  assert.equal(started.status, 200, JSON.stringify(started.body));
  assert.deepEqual([started.body.institution, started.body.chosen_institution], [null, id(chosen)]);
  const browser = new Browser();
  const back = await consentAtBank(started.body.url, { customer, institution: picked }, browser);
  const returned = await openCallback(back, browser);
  if (chosen === picked) assert.match(returned.location, /link_session=completed$/);
  else assert.equal(returned.location, started.body.url);
  const session = await owner.v2('GET', `/v2/link_sessions/${started.body.id}`);
  return (await owner.v2('GET', `/v2/connections/${session.body.connection}`)).body;
}

const somebody = (): string => {
  people += 1;
  return `three-banks+chosen${people}`;
};
const chosenOf = async (owner: TestOwner, connection: Json) =>
  (await owner.v2('GET', `/v2/connections/${connection.id}`)).body.chosen_institution;

describe('A bank that was chosen before the vendor’s page', () => {
  test('is carried to the page of Akahu, which begins at it', async () => {
    const owner = await service.owner();
    const { body } = await owner.v2('POST', '/v2/link_sessions', {
      provider: 'nz_banking',
      chosen_institution: id(RIMU),
      return_url: RETURN_URL,
    });
    const { location } = await new Browser().visit(body.url, 'POST');
    assert.equal(new URL(location).searchParams.get('connection'), RIMU);
  });

  test('is opened by SnapTrade without asking for it again', async () => {
    const owner = await service.owner();
    const brokers = await owner.v2('GET', '/v2/institutions?provider=brokerage&q=maple');
    const [maple] = brokers.body.data;
    const { body } = await owner.v2('POST', '/v2/link_sessions', {
      provider: 'brokerage',
      chosen_institution: maple.id,
      return_url: RETURN_URL,
    });
    const browser = new Browser();
    const { location } = await browser.visit(body.url, 'POST');
    const { html } = await browser.visit(location);
    assert.match(html, /Maple Direct/);
    assert.doesNotMatch(html, /name="institution_id" value="MAPLE"[^>]*type="radio"|Lantern Trading/);
  });

  test('is what the connection is about when it was linked', async () => {
    const owner = await service.owner();
    const linked = await link(owner, RIMU, RIMU, somebody());
    assert.equal(linked.institution.id, id(RIMU));
    assert.equal(linked.chosen_institution, null);
  });

  test('is named by the connection when another was linked, until the same person links it as well', async () => {
    const owner = await service.owner();
    const customer = somebody();
    const linked = await link(owner, RIMU, HARAKEKE, customer);
    assert.equal(linked.institution.name, 'Harakeke Bank');
    assert.deepEqual(linked.chosen_institution, { id: id(RIMU), name: 'Rimu Bank' });
    const other = await service.owner();
    const theirs = await link(other, RIMU, HARAKEKE, somebody());
    await link(owner, RIMU, RIMU, somebody());
    assert.deepEqual(
      await chosenOf(owner, linked),
      { id: id(RIMU), name: 'Rimu Bank' },
      'linked by another person of the account record',
    );
    await link(owner, RIMU, RIMU, customer);
    assert.equal(await chosenOf(owner, linked), null);
    assert.deepEqual(
      await chosenOf(other, theirs),
      { id: id(RIMU), name: 'Rimu Bank' },
      'of another account record',
    );
  });

  test('is named to the customer of a developer before they return, who can link it once by another session', async () => {
    const owner = await service.owner();
    const started = await owner.v2('POST', '/v2/link_sessions', {
      provider: 'nz_banking',
      chosen_institution: id(RIMU),
      return_url: RETURN_URL,
      metadata: { customer: '17' },
    });
    const { url } = started.body;
    const browser = new Browser();
    const customer = somebody();
    const another = (tab = browser, sent: Record<string, string> = {}) =>
      tab.visit(`${url}/another`, 'POST', sent);
    assert.equal((await another()).status, 404, 'nothing is linked yet');
    const back = await consentAtBank(url, { customer, institution: HARAKEKE }, browser);
    assert.equal((await openCallback(back, browser)).location, url);
    const { html } = await browser.visit(url);
    assert.match(html, /You linked Harakeke Bank, not Rimu Bank/);
    assert.match(html, /href="https:\/\/app\.example\.test\/back\?state=a%20b&amp;link_session=completed"/);
    assert.equal(
      (await another(browser, { 'sec-fetch-site': 'cross-site' })).location,
      new URL(url).pathname,
    );

    const opened = await another();
    assert.equal(opened.status, 303);
    assert.notEqual(opened.location, url);
    assert.equal((await another(new Browser())).location, opened.location, 'one session, however often');
    const [secret = ''] = opened.location.split('/').at(-1)?.split('.') ?? [];
    const second = await owner.v2('GET', `/v2/link_sessions/${secret}`);
    assert.deepEqual(
      [second.body.status, second.body.chosen_institution, second.body.metadata, second.body.connection],
      ['pending', id(RIMU), { customer: '17' }, null],
    );
    const again = await consentAtBank(opened.location, { customer, institution: RIMU }, browser);
    assert.match((await openCallback(again, browser)).location, /link_session=completed$/);
    assert.match((await browser.visit(url)).html, /This link has already been used/, 'the choice is settled');
    assert.equal((await another()).status, 404);
  });

  test('is no longer offered once the time of a session has passed: the page has the way back alone', async () => {
    const owner = await service.owner();
    const started = await owner.v2('POST', '/v2/link_sessions', {
      provider: 'nz_banking',
      chosen_institution: id(RIMU),
      return_url: RETURN_URL,
    });
    const { url } = started.body;
    const browser = new Browser();
    const back = await consentAtBank(url, { customer: somebody(), institution: HARAKEKE }, browser);
    await openCallback(back, browser);
    assert.match((await browser.visit(url)).html, /action="[^"]*\/another"/);
    clock.advance(DEFAULT_LIMITS.link_session_minutes * 60_000);
    const { html } = await browser.visit(url);
    assert.match(html, /This link has already been used/);
    assert.match(html, /href="https:\/\/app\.example\.test\/back\?state=a%20b&amp;link_session=completed"/);
    assert.doesNotMatch(html, /<form/);
    assert.match((await openCallback(back, browser)).location, /link_session=completed$/);
    assert.equal((await browser.visit(`${url}/another`, 'POST')).status, 404);
  });

  test('is not named on the way back to someone who shares the account record: the application does that', async () => {
    const owner = await service.owner();
    const started = await owner.v2('POST', '/v2/link_sessions', {
      provider: 'nz_banking',
      chosen_institution: id(RIMU),
      return_url: RETURN_URL,
    });
    const { url } = started.body;
    const browser = new Browser();
    const back = await consentAtBank(url, { customer: somebody(), institution: HARAKEKE }, browser);
    assert.equal((await openCallback(back, browser)).location, url);
    const member = await signedIn(service, await addPerson(service, owner));
    const { status, headers } = await member.get(new URL(url).pathname);
    assert.equal(status, 303);
    assert.match(headers.get('location') ?? '', /link_session=completed$/);
  });

  test('is forgotten when the owner says that the linked one is right', async () => {
    const owner = await service.owner();
    const linked = await link(owner, RIMU, HARAKEKE, somebody());
    const path = `/v2/connections/${linked.id}`;
    const named = await owner.v2('POST', path, { chosen_institution: id(RIMU) });
    assert.equal(named.status, 400);
    assert.notEqual(await chosenOf(owner, linked), null);
    const kept = await owner.v2('POST', path, { chosen_institution: null });
    assert.equal(kept.body.chosen_institution, null);
  });

  test('is never sent as institution, which is only for au_banking', async () => {
    const owner = await service.owner();
    const asked = { provider: 'nz_banking', institution: id(RIMU), return_url: RETURN_URL };
    const { status, body } = await owner.v2('POST', '/v2/link_sessions', asked);
    assert.deepEqual(
      [status, body.error?.code, body.error?.param],
      [400, 'parameter_invalid', 'institution'],
    );
  });

  test('must be of the provider, and be listed', async () => {
    const owner = await service.owner();
    for (const chosen_institution of ['inst_fk_90001', id('conn_nothing')]) {
      const answer = await owner.v2('POST', '/v2/link_sessions', {
        provider: 'nz_banking',
        chosen_institution,
        return_url: RETURN_URL,
      });
      assert.deepEqual([answer.status, answer.body.error.param], [404, 'chosen_institution']);
    }
  });
});
