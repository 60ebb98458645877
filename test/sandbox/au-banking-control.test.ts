import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { items, list, record, text, type Visitor, withSimulator } from './visitor.ts';

async function linkedAccount(
  visitor: Visitor,
  customer: string,
): Promise<{ query: string; accountId: string }> {
  const user = await visitor.endUser();
  await visitor.link(user, { customer });
  const [account] = list((await visitor.get(`/v1/banking/accounts?end_user_id=${user}`)).body, 'accounts');
  return { query: `end_user_id=${user}`, accountId: text(account, 'account_id') };
}

test('over HTTP: rows can be added, settled, changed and dropped, and the bank counts them', async () => {
  await withSimulator({}, async (visitor, simulator) => {
    const { query, accountId } = await linkedAccount(visitor, 'dormant');
    const control = async (
      method: string,
      path: string,
      body?: unknown,
    ): Promise<Record<string, unknown>> => {
      const answer = await visitor.call(
        method,
        simulator.controlUrl + path,
        body ?? (method === 'POST' ? {} : undefined),
      );
      assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
      return record(answer.body ?? {});
    };
    const transactions = [
      {
        amount: '-1.005',
        description: 'posted',
        postedAt: '2026-11-01T00:00:00+11:00',
        secondaryCategory: 'FOOD_AND_DRINK_COFFEE',
      },
      { amount: '-2.00', description: 'to settle', status: 'PENDING' },
      { amount: '-3.00', description: 'to change', status: 'PENDING', executedAt: null },
      { amount: '-4.00', description: 'to drop', status: 'PENDING' },
    ];
    const { ids } = await control('POST', `/accounts/${accountId}/transactions`, { transactions });
    assert.ok(Array.isArray(ids));
    const [, settle, change, drop] = ids.map(String);
    const count = async (options = ''): Promise<unknown> =>
      (await control('GET', `/rows?account_id=${accountId}${options}`)).rows;
    assert.equal(await count(), 4);
    assert.equal(await count('&include_pending=false'), 1);
    assert.equal(items((await control('GET', `/accounts/${accountId}/pending`)).pending).length, 3);
    await control('POST', `/transactions/${settle}/settle`);
    await control('POST', `/transactions/${change}/change`, { amount: '-3.50' });
    await control('POST', `/transactions/${drop}/drop`);
    const rows = await visitor.rows(query);
    const seen = rows.map((row) => `${row.description} ${row.amount} ${row.status}`).sort();
    assert.deepEqual(seen, ['posted -1.005 POSTED', 'to change -3.50 PENDING', 'to settle -2.00 POSTED']);
    assert.ok(!rows.some((row) => row.fiskil_id === settle), 'a settled row has a new id');
    assert.ok(
      rows.some((row) => row.fiskil_id === change),
      'a changed row keeps its id',
    );
    const [balance] = list((await visitor.get(`/v1/banking/balances?${query}`)).body, 'balances');
    assert.deepEqual([balance?.current_balance, balance?.available_balance], ['9.335', '5.835']);
    assert.equal((await visitor.post(`${simulator.controlUrl}/transactions/${drop}/settle`, {})).status, 400);
  });
});

test('over HTTP: a posted row can be corrected, taken away and put back, under one id', async () => {
  await withSimulator({}, async (visitor, simulator) => {
    const { query, accountId } = await linkedAccount(visitor, 'dormant');
    const control = async (path: string, body: unknown = {}) =>
      (await visitor.call('POST', simulator.controlUrl + path, body)).status;
    const [id] = simulator.control.appendTransactions(accountId, [{ amount: '-1.00', description: 'first' }]);
    const seen = async () =>
      (await visitor.rows(query)).map((row) => [
        row.fiskil_id,
        row.amount,
        row.description,
        row.posting_date_time,
      ]);
    const postedAt = '2026-03-01T00:00:00+11:00';
    const corrected = [id, '-1.10', 'second', postedAt];
    const change = { amount: '-1.10', description: 'second', postedAt };
    assert.equal(await control(`/transactions/${id}/amend`, change), 204);
    assert.deepEqual(await seen(), [corrected]);
    assert.equal(await control(`/transactions/${id}/withdraw`), 204);
    assert.deepEqual(await seen(), []);
    assert.equal(await control(`/transactions/${id}/restore`), 204);
    assert.deepEqual(await seen(), [corrected]);
    assert.equal(await control(`/transactions/${id}/amend`, { amount: 'much' }), 400);
    assert.equal(await control('/transactions/bank_tx_0/withdraw'), 400);
  });
});

test('over HTTP: customers, consents, accounts, institutions, faults, the log, and clearing', async () => {
  await withSimulator({}, async (visitor, simulator) => {
    const control = (method: string, path: string, body?: unknown): ReturnType<Visitor['call']> =>
      visitor.call(method, simulator.controlUrl + path, body);
    const made = await control('POST', '/customers', { customer: 'twin', name: 'Twin', like: 'sole-trader' });
    assert.equal(list(made.body, 'accounts').length, 2);
    assert.equal(
      (await control('POST', '/customers', { customer: 'twin', like: 'sole-trader' })).status,
      400,
    );
    const { query, accountId } = await linkedAccount(visitor, 'twin');
    assert.equal((await control('POST', `/accounts/${accountId}/state`, { state: 'GONE' })).status, 204);
    assert.equal(list((await visitor.get(`/v1/banking/accounts?${query}`)).body, 'accounts').length, 1);
    const [consent] = list((await control('GET', '/consents')).body, 'consents');
    const known = list((await control('GET', '/end-users')).body, 'end_users');
    assert.deepEqual(
      known.map(({ id }) => id),
      [consent?.endUserId],
    );
    assert.equal(
      (await control('POST', `/consents/${text(consent, 'arrangementId')}/expire`, {})).status,
      204,
    );
    assert.equal(list((await visitor.get(`/v1/banking/accounts?${query}`)).body, 'accounts').length, 0);
    assert.equal((await control('POST', '/institutions/88888/status', { status: 'DEGRADED' })).status, 204);
    const fault = await control('POST', '/faults', {
      route: 'GET /v1/end-users',
      kind: 'unavailable',
      count: 3,
    });
    assert.equal((await visitor.get('/v1/end-users')).status, 503);
    assert.equal(list((await control('GET', '/faults')).body, 'faults').length, 1);
    assert.equal((await control('DELETE', `/faults/${record(fault.body).id}`)).status, 204);
    assert.equal((await visitor.get('/v1/end-users')).status, 200);
    const requests = list((await control('GET', '/requests')).body, 'requests');
    assert.deepEqual(
      requests.slice(-2).map((entry) => [entry.method, entry.path, entry.status]),
      [
        ['GET', '/v1/end-users', 503],
        ['GET', '/v1/end-users', 200],
      ],
    );
    assert.doesNotMatch(JSON.stringify(requests), /secret-1|example\.test/);
    assert.equal((await control('POST', '/clear', {})).status, 204);
    assert.deepEqual(simulator.control.requests(), []);
  });
});

test('the control refuses bad input with the reason, and is not on the vendor port', async () => {
  await withSimulator({}, async (visitor, simulator) => {
    const { accountId } = await linkedAccount(visitor, 'dormant');
    const refused = async (path: string, body: unknown, reason: RegExp): Promise<void> => {
      const answer = await visitor.post(simulator.controlUrl + path, body);
      assert.equal(answer.status, 400);
      assert.match(text(answer.body, 'error'), reason);
    };
    const row = (change: object): object => ({
      transactions: [{ amount: '1.00', description: '', ...change }],
    });
    await refused(`/accounts/${accountId}/transactions`, row({ amount: '1,5' }), /decimal/);
    await refused(`/accounts/${accountId}/transactions`, row({ postedAt: '2026-01-01' }), /RFC 3339/);
    await refused(`/accounts/${accountId}/transactions`, row({ colour: 1 }), /transactions\/0/);
    await refused('/accounts/none/transactions', row({}), /no such account/);
    await refused('/faults', { route: '*', kind: 'gremlins' }, /kind/);
    assert.equal(simulator.control.rowsAtBank(accountId), 0);
    assert.equal((await visitor.get('/customers')).status, 404);
  });
});

test('a web page cannot reach the control: other host names and form posts are refused', async () => {
  await withSimulator({}, async (_visitor, simulator) => {
    const form = await fetch(`${simulator.controlUrl}/clear`, { method: 'POST', body: 'x=1' });
    assert.equal(form.status, 415);
    const status = await new Promise((resolve, reject) => {
      const call = request(
        `${simulator.controlUrl}/consents`,
        { headers: { host: 'evil.test' } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      call.on('error', reject);
      call.end();
    });
    assert.equal(status, 403);
  });
});

test('a consent revoked at the bank reads as ended by someone else', async () => {
  await withSimulator({}, async (visitor, simulator) => {
    const { query } = await linkedAccount(visitor, 'dormant');
    simulator.control.revokeConsent(simulator.control.consents()[0]?.arrangementId ?? '');
    const [consent] = items((await visitor.get(`/v1/consent?${query}`)).body);
    assert.equal(consent?.active, false);
    assert.match(String(consent?.termination_reason), /account holder/);
    assert.deepEqual(await visitor.rows(query), []);
  });
});
