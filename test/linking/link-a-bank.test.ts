import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService } from '../support/service.ts';
import {
  BANK,
  consentAtBank,
  land,
  landedConnection,
  linkBank,
  startSession,
  until,
  visit,
} from './person.ts';

describe('Linking a bank', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('leads from a session over the hosted page and the bank to an active connection with its accounts', async () => {
    const owner = await service.owner();
    const session = await startSession(owner, { metadata: { order: '17' } });
    assert.equal(session.object, 'link_session');
    assert.equal(session.status, 'pending');
    assert.equal(session.institution, BANK);
    assert.equal(session.connection, null);
    assert.deepEqual(session.metadata, { order: '17' });
    assert.equal(Date.parse(session.expires_at) - Date.parse(session.created), 30 * 60_000);

    const landed = await land(await consentAtBank(session.url));
    assert.equal(landed.location, 'https://app.example.test/back?state=a%20b&link_session=completed');

    const { body: done } = await owner.v2('GET', `/v2/link_sessions/${session.id}`);
    assert.equal(done.status, 'completed');
    assert.ok(done.completed_at);
    const connection = await landedConnection(owner, done.connection);
    assert.equal(connection.object, 'connection');
    assert.equal(connection.status, 'active');
    assert.equal(connection.category, 'banking');
    assert.equal(connection.institution.id, BANK);
    assert.ok(connection.account_count > 0);
    assert.equal(connection.accounts.length, connection.account_count);
    assert.ok(connection.consent.expires_at);
    for (const account of connection.accounts) {
      assert.equal(account.object, 'account_item');
      assert.equal(account.connection, connection.id);
      assert.equal(account.status, 'available');
      assert.match(account.account_number ?? 'xxxx0000', /^xxxx\d{4}$/);
      assert.deepEqual((await owner.v2('GET', `/v2/accounts/${account.id}`)).body, account);
    }
    const listed = await owner.v2('GET', `/v2/accounts?connection=${connection.id}`);
    assert.deepEqual(listed.body.data, connection.accounts);
    const plain = await owner.v2('GET', `/v2/connections/${connection.id}`);
    assert.equal(plain.body.accounts, null);
  });

  it('records the consent with its categories and end', async () => {
    const owner = await service.owner();
    const connection = await linkBank(owner);
    const { body } = await owner.v2('GET', `/v2/consents?connection=${connection}`);
    assert.equal(body.data.length, 1);
    const [consent] = body.data;
    assert.equal(consent.object, 'consent');
    assert.equal(consent.status, 'active');
    assert.equal(consent.connection, connection);
    assert.deepEqual(consent.data_categories, ['accounts', 'balances', 'transactions']);
    assert.equal(consent.withdrawn_at, null);
    assert.deepEqual((await owner.v2('GET', `/v2/consents/${consent.id}`)).body, consent);
  });

  it('says before the bank who asks, which bank, who receives and what is shared, with nothing the page could load', async () => {
    const owner = await service.owner();
    const session = await startSession(owner);
    const page = await visit(session.url);
    assert.equal(page.status, 200);
    assert.match(page.html, /<html lang="en">/);
    assert.ok(page.html.includes(`${owner.record.email.charAt(0)}•••@example.test`));
    assert.ok(!page.html.includes(owner.record.email));
    assert.match(page.html, /acts as its representative/);
    assert.match(page.html, /Transactions/);
    assert.ok(!page.html.includes('<script'));
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /default-src 'none'.*frame-ancestors 'none'/,
    );
  });

  it('opens only for the address it gave out', async () => {
    const owner = await service.owner();
    const { url } = await startSession(owner);
    const other = await startSession(owner);
    const forged = `${url.slice(0, url.lastIndexOf('.'))}${other.url.slice(other.url.lastIndexOf('.'))}`;
    for (const address of [
      forged,
      url.slice(0, -1),
      `${service.url}/link/x`,
      `${service.url}/link/${other.id}`,
    ]) {
      assert.equal((await visit(address)).status, 404, address);
      assert.equal((await visit(address, 'POST')).status, 404, address);
      assert.equal((await visit(`${address}/return`)).status, 404, address);
    }
  });

  it('reports a refusal at the bank with its reason, to the person and to the caller', async () => {
    const owner = await service.owner();
    for (const [outcome, reason] of [
      ['deny', 'consent_denied'],
      ['cancel', 'cancelled'],
      ['fail', 'institution_error'],
    ] as const) {
      const session = await startSession(owner);
      const landed = await land(await consentAtBank(session.url, { outcome }));
      assert.equal(
        landed.location,
        `https://app.example.test/back?state=a%20b&link_session=failed&reason=${reason}`,
      );
      const { body } = await owner.v2('GET', `/v2/link_sessions/${session.id}`);
      assert.equal(body.status, 'failed');
      assert.equal(body.failure_reason, reason);
      assert.equal(body.connection, null);
    }
    assert.deepEqual((await owner.v2('GET', '/v2/connections')).body.data, []);
  });

  it('ends when the person cancels before the bank, and stays ended', async () => {
    const owner = await service.owner();
    const session = await startSession(owner);
    const cancelled = await visit(`${session.url}/cancel`, 'POST');
    assert.match(cancelled.location, /link_session=failed&reason=cancelled$/);
    assert.equal((await visit(session.url, 'POST')).location, cancelled.location);
    const page = await visit(session.url);
    assert.match(page.html, /Not connected/);
  });

  it('makes one connection however often and however simultaneously the person lands', async () => {
    const owner = await service.owner();
    const session = await startSession(owner);
    const address = await consentAtBank(session.url);
    const landings = await Promise.all(Array.from({ length: 6 }, () => land(address)));
    landings.push(await land(address));
    assert.deepEqual(new Set(landings.map((landing) => landing.location)).size, 1);
    assert.match(landings[0]?.location ?? '', /link_session=completed$/);
    assert.equal((await owner.v2('GET', '/v2/connections')).body.data.length, 1);
    assert.equal((await owner.v2('GET', '/v2/consents')).body.data.length, 1);
  });

  it('tells the vendor of each person once and by no personal data', async () => {
    const owner = await service.owner();
    const control = service.app.sandbox?.auBanking.control;
    control?.clearRequests();
    await linkBank(owner);
    await linkBank(owner, { at: 'inst_fk_90002' });
    const creations = control
      ?.requests()
      .filter((request) => request.method === 'POST' && request.path === '/v1/end-users');
    assert.equal(creations?.length, 1);
    assert.ok(!JSON.stringify(control?.requests()).includes(owner.record.email));
  });

  it('keeps the landing open while the vendor is down and finishes it afterwards', async () => {
    const owner = await service.owner();
    const session = await startSession(owner);
    const address = await consentAtBank(session.url);
    const control = service.app.sandbox?.auBanking.control;
    control?.addFault({ route: 'GET /v1/consent', kind: 'unavailable', count: 2 });
    const failed = await visit(address);
    assert.ok(failed.status >= 500, String(failed.status));
    assert.match(failed.html, /Try again/);
    assert.equal((await owner.v2('GET', `/v2/link_sessions/${session.id}`)).body.status, 'pending');
    control?.clearFaults();
    const landed = await until(
      () => land(address),
      (again) => again.status === 303,
    );
    assert.match(landed.location, /link_session=completed$/);
  });
});
