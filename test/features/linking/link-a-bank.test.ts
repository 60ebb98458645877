import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { completeConsent } from '../../support/consent-client.ts';
import { addPerson, signedIn } from '../../support/people.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { Browser } from './browser.ts';
import {
  BANK,
  consentAtBank,
  importedConnection,
  linkBank,
  openCallback,
  RETURN_URL,
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

  /** Unchanged: `fetch` would resolve the dots before anyone sees them. */
  const statusOf = (method: string, path: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(service.url);
      const sent = request({ hostname, port, path, method }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.on('error', reject).end();
    });

  it('can be clicked through from another machine: every page is under PUBLIC_URL, and the vendor does not', async () => {
    const owner = await service.owner();
    const browser = new Browser();
    const session = await startSession(owner);
    let page = await browser.visit(session.url, 'POST');
    assert.match(page.location, new RegExp(`^${service.url}/sandbox/au-banking/link/`));
    const start = page.location;
    page = await browser.visit(start);
    assert.equal(page.status, 200);
    assert.match(page.html, /name="customer"/);
    for (const [, address = ''] of page.html.matchAll(/(?:action|src)="([^"]+)"/g)) {
      assert.equal(new URL(address, start).origin, service.url);
      assert.match(new URL(address, start).pathname, /^\/sandbox\/au-banking\/(?:link|assets)\//);
    }
    const picture = await fetch(`${service.url}/sandbox/au-banking/assets/institutions/90001.svg`);
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/svg+xml']);
    const end = await completeConsent(start, {});
    assert.equal(end.origin, service.url);
    for (const path of [
      'v1/institutions',
      'v1/end-users',
      'link/../v1/institutions',
      'link/%2e%2e/v1/institutions',
    ])
      assert.equal(await statusOf('GET', `/sandbox/au-banking/${path}`), 404, path);
    const asked = sandboxBank(service.app).requests().length;
    for (const address of [
      '/sandbox/au-banking/link/../v1/token',
      '/sandbox/au-banking/link/%2e%2e/v1/token',
      '/sandbox/au-banking/link/.%2E/v1/token',
      '/sandbox/au-banking/link/..\\v1/token',
      `http://${'a'.repeat(12)}@127.0.0.1/sandbox/au-banking/link/x`,
    ])
      assert.equal(await statusOf('POST', address), 404, address);
    assert.equal(sandboxBank(service.app).requests().length, asked);
  });

  it('leads from a session over the hosted page and the bank to an active connection with its accounts', async () => {
    const owner = await service.owner();
    const session = await startSession(owner, { metadata: { order: '17' } });
    assert.equal(session.object, 'link_session');
    assert.equal(session.status, 'pending');
    assert.equal(session.institution, BANK);
    assert.equal(session.connection, null);
    assert.deepEqual(session.metadata, { order: '17' });
    assert.equal(Date.parse(session.expires_at) - Date.parse(session.created), 30 * 60_000);

    const answer = await openCallback(await consentAtBank(session.url));
    assert.equal(answer.location, 'https://app.example.test/back?state=a%20b&link_session=completed');

    const { body: done } = await owner.v2('GET', `/v2/link_sessions/${session.id}`);
    assert.equal(done.status, 'completed');
    assert.ok(done.completed_at);
    const connection = await importedConnection(owner, done.connection);
    assert.equal(connection.object, 'connection');
    assert.deepEqual(connection.metadata, { order: '17' }, 'that of its session');
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

  it('keeps the metadata of a connection where it is renewed, whatever the new session has', async () => {
    const owner = await service.owner();
    const first = await startSession(owner, { metadata: { client: 'harbour' } });
    await openCallback(await consentAtBank(first.url));
    const { connection: id } = (await owner.v2('GET', `/v2/link_sessions/${first.id}`)).body;
    const path = `/v2/connections/${id}`;
    await owner.v2('PATCH', path, { metadata: { note: 'own' } });
    const asked = { return_url: RETURN_URL, metadata: { client: 'other' } };
    const { body: renewal } = await owner.v2('POST', `${path}/reauthorize`, asked);
    await openCallback(await consentAtBank(renewal.url));
    const { body: done } = await owner.v2('GET', `/v2/link_sessions/${renewal.id}`);
    assert.deepEqual([done.status, done.connection, done.metadata], ['completed', id, { client: 'other' }]);
    assert.deepEqual((await owner.v2('GET', path)).body.metadata, { client: 'harbour', note: 'own' });
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

  it('says until when the link works in the account record’s zone, with the instant for machines', async () => {
    const owner = await service.owner();
    await service.app.services.accountRecords.update(owner.record.id, { timezone: 'Pacific/Kiritimati' });
    const session = await startSession(owner);
    const { html } = await visit(session.url);
    const [, instant, words = ''] =
      /This link expires on <time datetime="([^"]+)">([^<]+)<\/time>\./.exec(html) ?? [];
    assert.equal(instant, session.expires_at);
    const day = new Date(Date.parse(session.expires_at) + 14 * 3_600_000).getUTCDate();
    assert.match(words, new RegExp(`^${day} \\w+ \\d{4} at \\d+:\\d\\d [ap]m GMT\\+14$`));
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
    assert.equal(page.headers.get('referrer-policy'), 'strict-origin');
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /default-src 'none'.*frame-ancestors 'none'/,
    );
  });

  it('says to those who share the account record as whom they are signed in, and to others that it is not theirs', async () => {
    const owner = await service.owner();
    await service.app.services.accountRecords.update(owner.record.id, { name: 'Elm Street' });
    const { url } = await startSession(owner);
    const path = url.slice(service.url.length);
    const pageFor = async (sharing: TestOwner) => {
      const person = await addPerson(service, sharing);
      return { person, text: (await (await signedIn(service, person)).get(path)).text };
    };
    const own = await pageFor(owner);
    assert.ok(own.text.includes(`${owner.record.email} (<bdi>Elm Street</bdi>)`));
    assert.ok(own.text.includes(`<dd>${own.person.email}</dd>`));
    assert.doesNotMatch(own.text, /•••|Requested by/);
    const other = await pageFor(await service.owner());
    assert.match(other.text, /an account record that you do not share/);
    assert.ok(other.text.includes(`<dd>${other.person.email}</dd>`));
    assert.ok(!other.text.includes(owner.record.email));
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
      const answer = await openCallback(await consentAtBank(session.url, { outcome }));
      assert.equal(
        answer.location,
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

  it('makes one connection however often and however simultaneously the person returns', async () => {
    const owner = await service.owner();
    const session = await startSession(owner);
    const address = await consentAtBank(session.url);
    const callbacks = await Promise.all(Array.from({ length: 6 }, () => openCallback(address)));
    callbacks.push(await openCallback(address));
    assert.deepEqual(new Set(callbacks.map((callback) => callback.location)).size, 1);
    assert.match(callbacks[0]?.location ?? '', /link_session=completed$/);
    assert.equal((await owner.v2('GET', '/v2/connections')).body.data.length, 1);
    assert.equal((await owner.v2('GET', '/v2/consents')).body.data.length, 1);
  });

  it('tells the vendor of each link once and by no personal data', async () => {
    const owner = await service.owner();
    const control = sandboxBank(service.app);
    control?.clearRequests();
    await linkBank(owner);
    await linkBank(owner, { at: 'inst_fk_90002' });
    const creations = control
      ?.requests()
      .filter((request) => request.method === 'POST' && request.path === '/v1/end-users');
    assert.equal(creations?.length, 2);
    assert.ok(!JSON.stringify(control?.requests()).includes(owner.record.email));
  });

  it('is not aborted when the person leaves while the bank is asked for the outcome', async () => {
    const owner = await service.owner();
    const session = await startSession(owner);
    const browser = new Browser();
    const address = await consentAtBank(session.url, {}, browser);
    const control = sandboxBank(service.app);
    control.addFault({ route: 'GET /v1/consent', kind: 'latency', latencyMs: 1500 });
    const gone = new AbortController();
    const callback = browser.visit(address, 'GET', {}, gone.signal);
    const { db } = service.app.database;
    await until(
      () =>
        db
          .selectFrom('link_sessions')
          .select('id')
          .where('landing_until', '>', new Date())
          .where('account_record', '=', owner.record.id)
          .execute(),
      (underWay) => underWay.length > 0,
    );
    gone.abort();
    await assert.rejects(callback, { name: 'AbortError' });
    await until(
      async () => (await owner.v2('GET', `/v2/link_sessions/${session.id}`)).body,
      ({ status }) => status === 'completed',
    );
    assert.match((await browser.visit(address)).location, /link_session=completed$/);
  });

  it('leads to the same page of the bank from two tabs and after going back', async () => {
    const owner = await service.owner();
    const session = await startSession(owner);
    const browser = new Browser();
    const first = await browser.visit(session.url, 'POST');
    const second = await browser.visit(session.url, 'POST');
    assert.equal(first.location, second.location);
    const page = await browser.visit(session.url);
    assert.match(page.html, /Start again at Fiskil/);
    const early = await completeConsent(first.location);
    const anew = await browser.visit(`${session.url}/again?after=1`, 'POST');
    assert.equal(anew.status, 303);
    assert.notEqual(anew.location, first.location);
    const replaced = await browser.visit(early.href);
    assert.equal(replaced.location, `${session.url}?notice=replaced`);
    assert.match((await browser.visit(replaced.location)).html, /has since been replaced/);
    const answer = await openCallback((await completeConsent(anew.location)).href, browser);
    assert.match(answer.location, /link_session=completed$/);
    const { body } = await owner.v2('GET', '/v2/connections');
    assert.equal(body.data.length, 1);
  });

  it('keeps the callback open while the vendor is down and finishes it afterwards', async () => {
    const owner = await service.owner();
    const session = await startSession(owner);
    const browser = new Browser();
    const address = await consentAtBank(session.url, {}, browser);
    const control = sandboxBank(service.app);
    control?.addFault({ route: 'GET /v1/consent', kind: 'unavailable', count: 2 });
    const failed = await browser.visit(address);
    assert.ok(failed.status >= 500, String(failed.status));
    assert.match(failed.html, /Try again/);
    assert.equal((await owner.v2('GET', `/v2/link_sessions/${session.id}`)).body.status, 'pending');
    control?.clearFaults();
    const answer = await until(
      () => openCallback(address, browser),
      (again) => again.status === 303,
    );
    assert.match(answer.location, /link_session=completed$/);
  });
});
