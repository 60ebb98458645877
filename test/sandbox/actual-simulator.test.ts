import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  create,
  fromBinary,
  MessageEnvelopeSchema,
  MessageSchema,
  merkle,
  SyncRequestSchema,
  SyncResponseSchema,
  Timestamp,
  toBinary,
} from '@actual-app/crdt';
import { type ActualSimulator, startActualSimulator } from '../../sandbox/actual/server.ts';
import { SCRATCH } from '../support/scratch.ts';

const NOW = Date.parse('2026-06-15T02:00:00Z');
const clock = { now: () => NOW };
const SINCE = new Timestamp(0, 0, '0').toString();

let simulator: ActualSimulator;
before(async () => {
  simulator = await startActualSimulator({ clock });
});
after(() => simulator.close());

async function post(path: string, body: unknown, token = ''): Promise<{ status: number; text: string }> {
  const answer = await fetch(simulator.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-actual-token': token },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

async function signedIn(): Promise<string> {
  const { text } = await post('/account/login', { loginMethod: 'password', password: 'sandbox' });
  return JSON.parse(text).data.token;
}

async function groupOf(fileId: string, token: string): Promise<string> {
  const headers = { 'x-actual-token': token, 'x-actual-file-id': fileId };
  const answer = await fetch(`${simulator.url}/sync/get-user-file-info`, { headers });
  return JSON.parse(await answer.text()).data.groupId;
}

/** A sync request as the vendor's own library writes it. */
async function sync(token: string, request: { fileId: string; groupId: string; messages?: unknown[] }) {
  const body = toBinary(SyncRequestSchema, create(SyncRequestSchema, { since: SINCE, ...request }));
  const answer = await fetch(`${simulator.url}/sync/sync`, {
    method: 'POST',
    headers: { 'content-type': 'application/actual-sync', 'x-actual-token': token },
    body: Buffer.from(body),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, bytes };
}

const setting = (counter: number, column: string, value: string) =>
  create(MessageEnvelopeSchema, {
    timestamp: new Timestamp(NOW, counter, 'aaaaaaaaaaaaaaaa').toString(),
    isEncrypted: false,
    content: toBinary(MessageSchema, create(MessageSchema, { dataset: 'notes', row: 'r', column, value })),
  });

describe('the simulated sync server', () => {
  test('passes each message on once, with the trie that the vendor’s own library makes of all', async () => {
    const token = await signedIn();
    const [, budget] = simulator.control.budgets();
    const fileId = budget?.budgetId ?? assert.fail();
    const groupId = await groupOf(fileId, token);
    const messages = [setting(0, 'note', 'S:mine')];
    await sync(token, { fileId, groupId, messages });
    const { bytes } = await sync(token, { fileId, groupId, messages });
    const response = fromBinary(SyncResponseSchema, bytes);
    const stamps: string[] = response.messages.map(({ timestamp }: { timestamp: string }) => timestamp);
    assert.equal(new Set(stamps).size, stamps.length);
    assert.ok(stamps.includes(messages[0].timestamp));
    const trie = stamps.reduce((all, text) => merkle.insert(all, Timestamp.parse(text)), merkle.emptyTrie());
    assert.equal(merkle.diff(JSON.parse(response.merkle), merkle.prune(trie)), null);
  });

  test('refuses messages under no key where the budget was encrypted meanwhile', async () => {
    const token = await signedIn();
    const [first] = simulator.control.budgets();
    const fileId = first?.budgetId ?? assert.fail();
    simulator.control.encrypt(fileId, 'words');
    const groupId = await groupOf(fileId, token);
    assert.equal(String((await sync(token, { fileId, groupId })).bytes), 'file-has-new-key');
  });

  test('is caught by its device when someone sends what no client understands', async () => {
    const vendor = await startActualSimulator({ clock });
    try {
      const { token } = JSON.parse(
        await (
          await fetch(`${vendor.url}/account/login`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ password: 'sandbox' }),
          })
        ).text(),
      ).data;
      const [first] = vendor.control.budgets();
      const fileId = first?.budgetId ?? assert.fail();
      const headers = { 'x-actual-token': token, 'x-actual-file-id': fileId };
      const info = JSON.parse(
        await (await fetch(`${vendor.url}/sync/get-user-file-info`, { headers })).text(),
      );
      const request = {
        since: SINCE,
        fileId,
        groupId: info.data.groupId,
        messages: [setting(1, 'no_such_column', 'S:x')],
      };
      await fetch(`${vendor.url}/sync/sync`, {
        method: 'POST',
        headers: { 'content-type': 'application/actual-sync', 'x-actual-token': token },
        body: Buffer.from(toBinary(SyncRequestSchema, create(SyncRequestSchema, request))),
      });
      assert.throws(() => vendor.control.rows(), /no_such_column/);
    } finally {
      await vendor.close();
    }
  });
});

test('budgets, what a person entered and the password outlast a restart', async () => {
  const directory = await mkdtemp(join(SCRATCH, 'actual-'));
  const stateFile = join(directory, 'actual.json');
  try {
    const first = await startActualSimulator({ clock, stateFile });
    const [budget] = first.control.budgets();
    const [account] = budget?.accounts ?? [];
    const entry = { account: account?.accountId ?? '', date: '2026-06-01', amount: -500, payee: 'Aunt May' };
    first.control.enter(budget?.budgetId ?? '', entry);
    first.control.changePassword('other');
    await first.close();
    const second = await startActualSimulator({ clock, stateFile });
    assert.match(second.secret, /:other@/);
    const [shown] = second.control.transactions(budget?.budgetId ?? '', entry.account);
    assert.deepEqual([shown?.payee, shown?.amount], ['Aunt May', -500]);
    assert.equal(second.control.budgets().length, 4);
    await second.close();
  } finally {
    await rm(directory, { recursive: true });
  }
});

describe('the control API', () => {
  test('does what a person does, and the pages show it', async () => {
    const call = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
      const answer = await fetch(simulator.controlUrl + path, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      assert.ok(answer.status < 300, text);
      return text === '' ? null : JSON.parse(text);
    };
    const { budgetId } = await call('POST', '/budgets', { name: 'Further', currency: 'AUD' });
    const { budgets } = await call('GET', '/budgets');
    const { accounts, categories, payees } = budgets.find((one: { name: string }) => one.name === 'Further');
    const [one, other] = accounts.map(({ accountId }: { accountId: string }) => accountId);
    const base = `/budgets/${budgetId}`;
    const entry = { account: one, date: '2026-06-01', amount: -1050, payee: 'Corner <Shop>', notes: 'a ##b' };
    const { id } = await call('POST', `${base}/transactions`, entry);
    await call('POST', `${base}/transactions/${id}`, { category: categories[0].categoryId, cleared: false });
    await call('POST', `${base}/transactions/${id}`, { transferTo: other });
    await call('POST', `${base}/accounts/${other}`, { name: 'Renamed' });
    await call('POST', `${base}/categories/${categories[0].categoryId}`, { hidden: true });
    await call('POST', `${base}/payees/${payees[0].payeeId}`, { into: payees[1].payeeId });
    for (const action of ['currency', 'upload', 'reset_sync'])
      await call('POST', `${base}/${action}`, action === 'currency' ? { currency: 'NZD' } : undefined);
    const { transactions } = await call('GET', `${base}/accounts/${one}/transactions`);
    assert.deepEqual([transactions[0].payee, transactions[0].amount], ['Renamed', -1050]);
    const register = await (await fetch(`${simulator.url}/budgets/${budgetId}/accounts/${one}`)).text();
    assert.match(register, /<bdi>10\.50<\/bdi>.*<bdi>uncleared<\/bdi>/);
    assert.match(register, /<bdi>a #b<\/bdi>/);
    await call('POST', `${base}/transactions/${id}/delete`);
    assert.deepEqual((await call('GET', '/rows')).rows, []);
    await call('POST', '/session/end');
    await call('POST', '/password', { password: 'sandbox' });
    await call('POST', `${base}/encrypt`, { password: 'words' });
    await call('POST', `${base}/delete`);
    assert.equal((await fetch(`${simulator.url}/budgets/none/accounts/none`)).status, 404);
  });
});
