import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startUpBankSimulator, type UpBankSimulator } from '../../sandbox/up-bank/server.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { list, record } from './visitor.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-20T06:00:00Z');

async function open(more: { at?: { now(): number }; stateFile?: string } = {}): Promise<UpBankSimulator> {
  return startUpBankSimulator({
    token: 'up:t',
    webhookSecret: 's',
    clock: more.at ?? { now: () => NOW },
    ...(more.stateFile === undefined ? {} : { stateFile: more.stateFile }),
  });
}

async function rowsOf({ baseUrl }: UpBankSimulator, path: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (let next: unknown = `${baseUrl}${path}`; typeof next === 'string'; ) {
    const response = await fetch(next, { headers: { authorization: 'Bearer up:t' } });
    assert.equal(response.status, 200, next);
    const body = record(await response.json());
    rows.push(...list(body, 'data').map(record));
    next = record(body.links).next;
  }
  return rows;
}

const attributesOf = (row: Record<string, unknown>) => record(row.attributes);
const centsOf = (money: unknown) => Number(record(money).valueInBaseUnits);

async function withBank(bank: UpBankSimulator, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await bank.close();
  }
}

test('the rows of an account and what was rounded up add up to its balance', async () => {
  const bank = await open();
  await withBank(bank, async () => {
    for (const logIn of ['everyday', 'home-loan', 'rows:450', 'quiet']) {
      assert.ok(bank.control.choose(logIn));
      for (const account of await rowsOf(bank, '/accounts')) {
        const rows = await rowsOf(bank, `/accounts/${String(account.id)}/transactions?page[size]=100`);
        const moved = rows.reduce((sum, row) => {
          const { amount, roundUp } = attributesOf(row);
          return sum + centsOf(amount) + (roundUp === null ? 0 : centsOf(record(roundUp).amount));
        }, 0);
        const before = centsOf(attributesOf(account).balance) - moved;
        bank.control.appendTransactions(String(account.id), [
          { amount: '-3.40', roundUp: '-0.60', description: 'Cup' },
        ]);
        const [after] = (await rowsOf(bank, '/accounts')).filter(({ id }) => id === account.id);
        assert.ok(after);
        assert.equal(centsOf(attributesOf(after).balance), before + moved - 400);
        assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
      }
    }
  });
});

test('every list is newest first, whole whatever the size of its pages, and the same at another start', async () => {
  const [bank, again] = [await open(), await open()];
  await withBank(bank, () =>
    withBank(again, async () => {
      for (const logIn of ['two-up', 'rows:130']) {
        for (const one of [bank, again]) one.control.choose(logIn);
        assert.deepEqual(bank.control.shared(), { accounts: 0, rows: 0 }, 'nobody has read anything');
        const large = await rowsOf(bank, '/transactions?page[size]=100');
        const small = await rowsOf(again, '/transactions?page[size]=7');
        assert.deepEqual(
          small.map(({ id }) => id),
          large.map(({ id }) => id),
        );
        const moments = large.map((row) => Date.parse(String(attributesOf(row).createdAt)));
        assert.deepEqual(
          moments,
          moments.toSorted((a, b) => b - a),
        );
        assert.ok(bank.control.shared().rows > 100);
      }
    }),
  );
});

test('a held row settles under its id as time goes by, by hand, or not at all', async () => {
  const at = { now: () => NOW };
  const bank = await open({ at });
  await withBank(bank, async () => {
    const [account] = await rowsOf(bank, '/accounts');
    const id = String(account?.id);
    const held = bank.control.heldRows(id);
    assert.ok(held.length > 0);
    const [entered = '', dropped = ''] = bank.control.appendTransactions(id, [
      { amount: '-5.00', description: 'Kept', status: 'PENDING' },
      { amount: '-6.00', description: 'Dropped', status: 'PENDING' },
    ]);
    bank.control.change(entered, { amount: '-5.50' });
    bank.control.drop(dropped);
    at.now = () => NOW + 3 * DAY;
    const find = async (wanted: string) =>
      (await rowsOf(bank, `/accounts/${id}/transactions?page[size]=100`)).find((row) => row.id === wanted);
    const settled = await find(held[0]?.id ?? '');
    assert.equal(settled && attributesOf(settled).status, 'SETTLED');
    assert.equal(await find(dropped), undefined);
    const kept = await find(entered);
    assert.deepEqual(kept && [attributesOf(kept).status, centsOf(attributesOf(kept).amount)], ['HELD', -550]);
    bank.control.settle(entered);
    const done = await find(entered);
    assert.equal(done && attributesOf(done).status, 'SETTLED');
    assert.throws(() => bank.control.settle(entered), /No held row/);
  });
});

test('whose token it is, and whether it was revoked, is kept from one run to the next', async (t) => {
  const directory = await scratchDirectory();
  t.after(() => rm(directory, { recursive: true, force: true }));
  const stateFile = join(directory, 'up.json');
  const first = await open({ stateFile });
  first.control.choose('traveller');
  first.control.revokeToken();
  await first.close();
  const second = await open({ stateFile });
  await withBank(second, async () => {
    assert.deepEqual(second.control.holder(), { customer: 'traveller', revoked: true });
  });
});

test('the control API does what its class does, and refuses what it does not know', async () => {
  const bank = await open();
  await withBank(bank, async () => {
    const call = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${bank.controlUrl}${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: record(text === '' ? {} : JSON.parse(text)) };
    };
    assert.equal((await call('POST', '/token/holder', { customer: 'home-loan' })).status, 204);
    assert.equal((await call('POST', '/token/holder', { customer: 'nobody' })).status, 400);
    assert.deepEqual((await call('GET', '/token')).body, { customer: 'home-loan', revoked: false });
    const [customer] = list((await call('GET', '/customers')).body, 'customers')
      .map(record)
      .slice(-1);
    const [account] = list(customer ?? {}, 'accounts').map(record);
    const path = `/accounts/${String(account?.accountId)}`;
    const made = await call('POST', `${path}/transactions`, {
      transactions: [{ amount: '-7.10', description: 'Tea', status: 'PENDING', category: 'groceries' }],
    });
    const [id]: readonly unknown[] = Array.isArray(made.body.ids) ? made.body.ids : [];
    assert.ok(
      list((await call('GET', `${path}/pending`)).body, 'pending').some((row) => record(row).id === id),
    );
    assert.equal((await call('POST', `/transactions/${String(id)}/settle`, {})).status, 204);
    for (const transactions of [
      [{ amount: '1.005', description: 'x' }],
      [{ amount: 'x', description: 'x' }],
      [{ amount: '1', description: 'x', category: 'nothing' }],
      [{ amount: '1', description: 'x', createdAt: '2100-01-01T00:00:00Z' }],
    ])
      assert.equal((await call('POST', `${path}/transactions`, { transactions })).status, 400);
    assert.equal((await call('POST', `${path}/state`, { state: 'CLOSED' })).status, 204);
    assert.equal((await rowsOf(bank, '/accounts')).length, 1);
    assert.equal((await call('POST', '/token/revoke', {})).status, 204);
    const refused = await fetch(`${bank.baseUrl}/accounts`, { headers: { authorization: 'Bearer up:t' } });
    assert.equal(refused.status, 401);
    assert.equal((await call('POST', '/token/renew', {})).status, 204);
    const wrong = await fetch(`${bank.baseUrl}/accounts`, { headers: { authorization: 'Bearer up:x' } });
    assert.equal(wrong.status, 401);
  });
});
