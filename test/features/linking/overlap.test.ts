import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Answer, Json } from '../../support/v2-client.ts';
import { Browser } from './browser.ts';
import { consentAtBank, importedConnection, linkBank, openCallback, startSession } from './person.ts';

let service: TestService;

before(async () => {
  service = await commonService();
});
after(() => service.close());

const CUSTOMERS = ['salaried-household', 'sole-trader', 'term-deposit'] as const;

async function read(owner: TestOwner, session: Json): Promise<Json> {
  return (await owner.v2('GET', `/v2/link_sessions/${session.id}`)).body;
}

async function accountNames(owner: TestOwner, connection: string): Promise<string[]> {
  const { accounts } = await importedConnection(owner, connection);
  return accounts.map((account: Json) => account.name).toSorted();
}

describe('sessions at one bank that overlap', () => {
  test('each bring the consent of the customer who used them, when all come back at once', async () => {
    const expected = new Map<string, string[]>();
    for (const customer of CUSTOMERS) {
      const alone = await service.owner();
      expected.set(customer, await accountNames(alone, await linkBank(alone, { customer })));
    }
    const owner = await service.owner();
    const sessions = await Promise.all(CUSTOMERS.map(() => startSession(owner)));
    const callbacks = await Promise.all(
      CUSTOMERS.map((customer, at) => consentAtBank(sessions[at]?.url ?? '', { customer })),
    );
    await Promise.all(callbacks.map((callback) => openCallback(callback)));
    const ended = await Promise.all(sessions.map((session) => read(owner, session)));
    assert.deepEqual(
      ended.map((session) => session.status),
      ['completed', 'completed', 'completed'],
    );
    assert.equal(new Set(ended.map((session) => session.connection)).size, CUSTOMERS.length);
    for (const [at, customer] of CUSTOMERS.entries()) {
      assert.deepEqual(
        await accountNames(owner, ended[at]?.connection),
        expected.get(customer),
        `${customer} got accounts of another`,
      );
    }
  });

  test('each end with a connection of their own, in whatever order the person comes back', async () => {
    const owner = await service.owner();
    const first = await startSession(owner);
    const second = await startSession(owner);
    const firstCallback = await consentAtBank(first.url, { customer: 'salaried-household' });
    const secondCallback = await consentAtBank(second.url, { customer: 'sole-trader' });
    await openCallback(secondCallback);
    await openCallback(firstCallback);
    const ended = [await read(owner, first), await read(owner, second)];
    assert.deepEqual(
      ended.map((session) => session.status),
      ['completed', 'completed'],
    );
    assert.notEqual(ended[0].connection, ended[1].connection);
  });

  test('take nothing of each other: one that returns without consenting leaves what another brings', async () => {
    const owner = await service.owner();
    const consented = await startSession(owner);
    const callback = await consentAtBank(consented.url, { customer: 'sole-trader' });
    const empty = await startSession(owner);
    const browser = new Browser();
    const begun = await browser.visit(empty.url, 'POST');
    assert.equal(begun.status, 303);
    for (const address of [`${empty.url}/return`, `${service.url}/connect/return`]) {
      await browser.visit(address);
    }
    const { status, connection } = await read(owner, empty);
    assert.notEqual(status, 'completed');
    assert.equal(connection, null);
    assert.match((await openCallback(callback)).location, /link_session=completed$/);
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
});
