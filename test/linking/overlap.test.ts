import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Answer, startService, type TestService } from '../support/service.ts';
import { consentAtBank, land, linkBank, startSession } from './person.ts';

let service: TestService;

before(async () => {
  service = await startService();
});
after(() => service.close());

describe('sessions at one bank that overlap', () => {
  test('each end with a connection of their own, in whatever order the person comes back', async () => {
    const owner = await service.owner();
    const first = await startSession(owner);
    const second = await startSession(owner);
    const firstLanding = await consentAtBank(first.url, { customer: 'salaried-household' });
    const secondLanding = await consentAtBank(second.url, { customer: 'sole-trader' });
    await land(firstLanding);
    await land(secondLanding);
    const connections = await owner.v2('GET', '/v2/connections');
    assert.equal(connections.body.data.length, 2);
    const ended = await Promise.all(
      [first, second].map(async ({ id }) => (await owner.v2('GET', `/v2/link_sessions/${id}`)).body),
    );
    assert.deepEqual(
      ended.map((session) => session.status),
      ['completed', 'completed'],
    );
    assert.notEqual(ended[0].connection, ended[1].connection);
  });

  test('are listed page by page, each page with what the first was asked to include', async () => {
    const owner = await service.owner();
    await linkBank(owner, { customer: 'salaried-household' });
    await linkBank(owner, { customer: 'sole-trader' });
    let next: string | null = '/v2/connections?limit=1&include[]=accounts';
    let pages = 0;
    while (next !== null) {
      const { status, body }: Answer = await owner.v2('GET', next);
      assert.equal(status, 200, JSON.stringify(body));
      assert.ok(Array.isArray(body.data[0].accounts), 'the page lost its accounts');
      next = body.next_page_url;
      pages += 1;
    }
    assert.equal(pages, 2);
  });

  test('a person who comes back without consenting is not given the connection linked a moment before', async () => {
    const owner = await service.owner();
    const connection = await linkBank(owner);
    const session = await startSession(owner);
    const begun = await fetch(session.url, {
      method: 'POST',
      body: new URLSearchParams(),
      redirect: 'manual',
    });
    assert.equal(begun.status, 303);
    const landing = await fetch(`${session.url}/return`, { redirect: 'manual' });
    await landing.body?.cancel();
    const read = await owner.v2('GET', `/v2/link_sessions/${session.id}`);
    assert.equal(read.body.status, 'pending');
    assert.notEqual(read.body.connection, connection);
  });
});
