import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { BY_OPERATOR } from '../../../src/features/audit/audit-log.ts';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { eventually } from '../../support/patience.ts';
import { addPerson, Browser, PASSWORD, signedIn } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank } from '../linking/person.ts';

const NETWORKS = 3;
const A_DAY = 12;
const DAY_MS = 86_400_000;
const clock = new ShiftedClock();
let service: TestService;
before(async () => {
  service = await startService(
    {
      LIMIT_AUDIT_NETWORKS_PER_DAY: String(NETWORKS),
      LIMIT_AUDIT_EVENTS_PER_DAY: String(A_DAY),
      TRUST_PROXY: '1',
    },
    { clock },
  );
});
after(() => service.close());

async function eventsOf({ v2 }: TestOwner, query = ''): Promise<Json[]> {
  const { status, body } = await v2('GET', `/v2/audit_events?limit=100${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}

const kindsOf = async (owner: TestOwner): Promise<string[]> =>
  (await eventsOf(owner)).map(({ kind }) => kind);

describe('the audit log', () => {
  test('names who made a key, in a browser and by another key, and from where', async () => {
    const owner = await service.owner();
    const person = await addPerson(service, owner);
    const browser = new Browser(service.url, '203.0.113.7');
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
    await browser.post('/sign-in', { email: person.email, password: PASSWORD }, { 'user-agent': agent });
    const body = { name: 'books', scopes: ['data:read'] };
    const made = await browser.v2('POST', '/v2/api_keys', body, { 'x-forwarded-for': '203.0.113.7' });
    assert.equal(made.status, 201);
    await owner.v2('DELETE', `/v2/api_keys/${made.body.id}`);
    const [revoked, created, started] = await eventsOf(owner);
    assert.deepEqual(
      [revoked?.kind, revoked?.actor.type, revoked?.actor.name, revoked?.target],
      ['api_key.revoked', 'api_key', 'test', made.body.id],
    );
    assert.deepEqual(
      [created?.kind, created?.actor.name, created?.target, created?.network],
      ['api_key.created', person.email, made.body.id, '203.0.113.7'],
    );
    assert.deepEqual(
      [started?.kind, started?.detail, started?.actor.name, started?.network, started?.browser],
      ['session.started', 'password', person.email, '203.0.113.7', 'Firefox on Windows'],
    );
    assert.equal(created?.actor.id, started?.actor.id);
  });

  test('has an event for a change and none for a change that failed or an answer that was repeated', async () => {
    const owner = await service.owner();
    const body = { name: 'twice', scopes: ['data:read'] };
    const once = { 'idempotency-key': 'the same' };
    await owner.v2('POST', '/v2/api_keys', body, once);
    const again = await owner.v2('POST', '/v2/api_keys', body, once);
    assert.equal(again.status, 201);
    const refused = await owner.v2('POST', '/v2/api_keys', { ...body, scopes: [] });
    assert.equal(refused.status, 400);
    assert.deepEqual(await kindsOf(owner), ['api_key.created']);
  });

  test('has consents, exports, deletions, members, settings and ended sessions', async () => {
    const owner = await service.owner();
    const person = await addPerson(service, owner);
    const { id: connection } = await importedConnection(owner, await linkBank(owner));
    const browser = await signedIn(service, person);
    await browser.post('/settings/timezone', { timezone: 'Pacific/Auckland' });
    await browser.get('/settings/export');
    await browser.post('/settings/security/invitations', { email: 'guest@example.test', role: 'reader' });
    await owner.v2('DELETE', `/v2/connections/${connection}`);
    await browser.post('/sign-out');
    assert.deepEqual(await kindsOf(owner), [
      'session.ended',
      'connection.deleted',
      'member.invited',
      'export.stored_data',
      'account_record.updated',
      'session.started',
      'consent.granted',
    ]);
  });

  test('has the files that people export, and what programs do, but not the reading of a page', async () => {
    const owner = await service.owner();
    const { accounts } = await importedConnection(owner, await linkBank(owner));
    const [account] = accounts;
    const browser = await signedIn(service, await addPerson(service, owner));
    const path = (format: string) => `/v2/transactions/export?account[]=${account.id}&format=${format}`;
    for (const format of ['jsonl', 'csv']) assert.equal((await browser.v2('GET', path(format))).status, 200);
    assert.equal((await owner.v2('GET', path('jsonl'))).status, 200);
    const exports = (await eventsOf(owner)).filter(({ kind }) => kind === 'export.transactions');
    assert.deepEqual(
      exports.map(({ actor }) => actor.type),
      ['api_key', 'session'],
    );
  });

  test('is shown to owners alone, and never that of another account record', async () => {
    const [owner, other] = [await service.owner(), await service.owner()];
    await owner.v2('POST', '/v2/api_keys', { name: 'mine', scopes: ['data:read'] });
    assert.deepEqual(await kindsOf(other), []);
    const reader = await signedIn(service, await addPerson(service, owner, { role: 'reader' }));
    assert.equal((await reader.v2('GET', '/v2/audit_events')).status, 403);
    assert.equal((await reader.get('/settings/activity')).status, 403);
    const manager = await signedIn(service, await addPerson(service, owner));
    const { status, text } = await manager.get('/settings/activity');
    assert.equal(status, 200);
    assert.match(text, /An API key was created/);
    assert.match(text, /A person signed in with a password/);
  });

  test('names on its page what was acted on as it is called now, says what is gone, and names nothing of others', async () => {
    const owner = await service.owner();
    const other = await service.owner();
    const key = { name: 'Budget <script>', scopes: ['data:read'] };
    const { id: kept } = (await owner.v2('POST', '/v2/api_keys', key)).body;
    await owner.v2('POST', `/v2/api_keys/${kept}`, { name: 'Budget & co' });
    const { id: revoked } = (await owner.v2('POST', '/v2/api_keys', { ...key, name: 'Old' })).body;
    await owner.v2('DELETE', `/v2/api_keys/${revoked}`);
    const hook = { type: 'webhook', name: 'Books', target: { url: 'https://books.example.test/hook' } };
    const { id: gone } = (await owner.v2('POST', '/v2/destinations', hook)).body;
    await owner.v2('DELETE', `/v2/destinations/${gone}`);
    const { id: theirs } = (await other.v2('POST', '/v2/api_keys', { ...key, name: 'Theirs' })).body;
    await service.app.services.auditLog.note(owner.record.id, {
      kind: 'api_key.created',
      by: BY_OPERATOR,
      from: null,
      target: theirs,
    });
    const manager = await signedIn(service, await addPerson(service, owner));
    const { text } = await manager.get('/settings/activity');
    assert.ok(text.includes(`<bdi>Budget &amp; co</bdi> (<code>${kept}</code>)`), text);
    assert.ok(text.includes(`<bdi>Old</bdi> (<code>${revoked}</code>), since deleted or removed`));
    assert.ok(text.includes(`<code>${gone}</code>, since deleted or removed`));
    assert.ok(text.includes(`<code>${theirs}</code>, since deleted or removed`));
    assert.doesNotMatch(text, /Theirs|<script/);
  });

  test('counts refused sign-ins by day and network, of few networks apart [limit audit_networks_per_day]', async () => {
    const owner = await service.owner();
    const person = await addPerson(service, owner);
    const guesses = NETWORKS + 2;
    for (let from = 1; from <= guesses; from++) {
      for (const password of ['first guess', 'second guess']) {
        await new Browser(service.url, `198.51.100.${from}`).post('/sign-in', {
          email: person.email,
          password,
        });
      }
    }
    await eventually(async () => {
      const events = await eventsOf(owner);
      return events.reduce((sum, { occurrences }) => sum + occurrences, 0) === guesses * 2;
    });
    const events = await eventsOf(owner, '&kind=session.refused');
    assert.equal(events.length, NETWORKS + 1);
    const beyond = events.find(({ network }) => network === null);
    assert.equal(beyond?.occurrences, (guesses - NETWORKS) * 2);
    assert.equal(beyond?.actor.name, person.email);
    assert.equal((await new Browser(service.url).signIn('nobody@example.test')).status, 401);
  });

  test('lists so many events of a day one by one, and counts the rest by kind [limit audit_events_per_day]', async () => {
    const owner = await service.owner();
    const { body: key } = await owner.v2('POST', '/v2/api_keys', { name: 'busy', scopes: ['data:read'] });
    for (let change = 0; change < A_DAY + 3; change++) {
      const { status } = await owner.v2('POST', `/v2/api_keys/${key.id}`, { name: `busy ${change}` });
      assert.equal(status, 200);
    }
    const events = await eventsOf(owner);
    assert.equal(events.length, A_DAY + 1);
    const [counted] = events.filter(({ occurrences }) => occurrences > 1);
    assert.deepEqual([counted?.kind, counted?.occurrences, counted?.target], ['api_key.updated', 4, null]);
  });

  test('is in the export of the data, and goes with the account record', async () => {
    const owner = await service.owner();
    const browser = await signedIn(service, await addPerson(service, owner));
    const { audit_events: exported }: Json = JSON.parse((await browser.get('/settings/export')).text);
    assert.deepEqual(
      exported.map(({ kind }: Json) => kind),
      ['export.stored_data', 'session.started'],
    );
    const rows = async () => {
      const counted = await sql<{ count: number }>`select count(*)::int as count from audit_events
        where account_record = ${owner.record.id}`.execute(service.app.database.db);
      return counted.rows[0]?.count;
    };
    assert.equal(await rows(), 2);
    await browser.post('/settings/delete', { confirm: owner.record.email });
    await eventually(async () => (await rows()) === 0);
  });

  test('is kept for as long as the limit says [limit audit_days]', async () => {
    const owner = await service.owner();
    await owner.v2('POST', '/v2/api_keys', { name: 'old', scopes: ['data:read'] });
    const { audit_days: days } = service.app.config.limits;
    clock.advance((days - 1) * DAY_MS);
    await service.app.signIn.sweep();
    assert.equal((await eventsOf(owner)).length, 1);
    clock.advance(2 * DAY_MS);
    await service.app.signIn.sweep();
    assert.deepEqual(await eventsOf(owner), []);
  });
});
