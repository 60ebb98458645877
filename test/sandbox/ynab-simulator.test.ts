import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startYnabSimulator, type YnabSimulator } from '../../sandbox/ynab/server.ts';
import { checkAnswer, checkRequest } from '../connectors/destinations/ynab/description.ts';
import { SCRATCH } from '../support/scratch.ts';
import { record } from './visitor.ts';

const CLIENT = { clientId: 'id', clientSecret: 'secret' };
const NOW = Date.parse('2026-11-20T06:00:00Z');
let now = NOW;
let simulator: YnabSimulator;
let token = '';

before(async () => {
  simulator = await startYnabSimulator({ ...CLIENT, clock: { now: () => now }, callsPerHour: 10_000 });
  token = String(record(await (await tokens(simulator, await code(simulator))).json()).access_token);
});
after(() => simulator.close());

function list(value: Record<string, unknown>, name: string): readonly unknown[] {
  const found = value[name];
  assert.ok(Array.isArray(found), name);
  return found;
}

/** A code, by consenting. */
async function code({ url }: YnabSimulator): Promise<string> {
  const query = new URLSearchParams({
    client_id: 'id',
    redirect_uri: 'https://a.example/back',
    response_type: 'code',
    state: 's',
  });
  const html = await (await fetch(`${url}/oauth/authorize?${query}`)).text();
  const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
  const body = new URLSearchParams({ outcome: 'approve' });
  const answer = await fetch(new URL(action, url), { method: 'POST', body, redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

const credentials = { client_id: 'id', client_secret: 'secret' };
function tokens({ url }: YnabSimulator, value: string): Promise<Response> {
  const body = {
    ...credentials,
    grant_type: 'authorization_code',
    code: value,
    redirect_uri: 'https://a.example/back',
  };
  return fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(body) });
}

/** A call, checked both ways against the published description where it is one of those described. */
async function call(method: string, path: string, body?: unknown, { described = true } = {}) {
  const response = await fetch(`${simulator.apiUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (described) {
    const url = new URL(path, 'http://described');
    const operation = checkRequest(method, url.pathname, url.searchParams, body);
    checkAnswer(operation, response.status, answer);
  }
  const { data = {}, error = {} } = record(answer);
  return { status: response.status, data: record(data), error: record(error) };
}

/** A plan of its own for a test. */
function plan(name: string, currency = 'AUD') {
  const id = simulator.control.addPlan(name, currency);
  const found = simulator.control.plans().find(({ planId }) => planId === id) ?? assert.fail();
  const account = (called: string) =>
    found.accounts.find((one) => one.name === called)?.accountId ?? assert.fail();
  const everyday = account('Everyday');
  const row = (more: object = {}) => ({ account_id: everyday, date: '2026-11-19', amount: -1000, ...more });
  return { id, everyday, account, row, path: `/plans/${id}/transactions` };
}

describe('the API', () => {
  test('answers reads as the vendor describes them', async () => {
    const { id, everyday, path, row } = plan('Reads');
    await call('POST', path, { transactions: [row({ import_id: 'a' }), row({ category_id: null })] });
    for (const read of ['/user', '/plans', '/plans?include_accounts=true', `/plans/${id}/settings`]) {
      assert.equal((await call('GET', read)).status, 200, read);
    }
    for (const read of ['accounts', `accounts/${everyday}`, 'categories', 'transactions']) {
      assert.equal((await call('GET', `/plans/${id}/${read}`)).status, 200, read);
    }
    const { data } = await call('GET', `/plans/${id}/accounts/${everyday}/transactions?type=uncategorized`);
    const [first] = list(data, 'transactions').map(record);
    assert.equal((await call('GET', `${path}/${String(first?.id)}`)).status, 200);
    const account = { name: 'Made', type: 'checking', balance: 5000 };
    assert.equal((await call('POST', `/plans/${id}/accounts`, { account })).status, 201);
  });

  test('skips a known import id in bulk, and refuses it alone with 409', async () => {
    const { path, row, account } = plan('Imports');
    const body = {
      transactions: [row({ import_id: 'x' }), row({ import_id: 'x' }), row({ import_id: 'y' })],
    };
    const { status, data } = await call('POST', path, body);
    assert.equal(status, 201);
    assert.deepEqual([list(data, 'transaction_ids').length, data.duplicate_import_ids], [2, ['x']]);
    const alone = await call('POST', path, { transaction: row({ import_id: 'x' }) });
    assert.deepEqual([alone.status, alone.error.name], [409, 'conflict']);
    const elsewhere = row({ import_id: 'x', account_id: account('Savings') });
    assert.equal((await call('POST', path, { transaction: elsewhere })).status, 201, 'unique by account');
  });

  test('matches what a person entered within ten days, and nothing else', async () => {
    const { id, path, row, everyday } = plan('Matches');
    const { control } = simulator;
    const near = control.enter(id, { account: everyday, date: '2026-11-09', amount: -1000 });
    control.enter(id, { account: everyday, date: '2026-11-08', amount: -2000 });
    const imported = [row({ import_id: 'a' }), row({ import_id: 'b', amount: -2000 })];
    const { data } = await call('POST', path, { transactions: imported });
    const matched = list(data, 'transactions').map((one) => record(one).matched_transaction_id);
    assert.deepEqual(matched, [near, null]);
  });

  test('refuses a whole request for one transaction that is wrong', async () => {
    const { path, row, account } = plan('Refusals');
    const wrong: readonly (readonly [string, object, boolean])[] = [
      ['a day to come', { date: '2026-11-22' }, true],
      ['more than five years ago', { date: '2021-11-19' }, true],
      ['a day that does not exist', { date: '2026-02-30' }, false],
      ['an import id of 37 characters', { import_id: 'i'.repeat(37) }, false],
      ['a payee of 201', { payee_name: 'p'.repeat(201) }, false],
      ['a memo of 501', { memo: 'm'.repeat(501) }, false],
      ['a fraction of a milliunit', { amount: 1.5 }, false],
      ['a closed account', { account_id: account('Old Account') }, true],
      ['an unknown account', { account_id: '00000000-0000-4000-8000-000000000000' }, true],
      ['an unknown category', { category_id: '00000000-0000-4000-8000-000000000000' }, true],
      ['a member nobody knows', { ammount: 1 }, false],
    ];
    for (const [what, fields, described] of wrong) {
      const body = { transactions: [row(), row(fields)] };
      const { status, error } = await call('POST', path, body, { described });
      assert.deepEqual([status, error.id, error.name], [400, '400', 'bad_request'], what);
    }
    assert.equal(list((await call('GET', path)).data, 'transactions').length, 0);
  });

  test('changes in bulk with 209, by id or import id and never both', async () => {
    const { path, row } = plan('Changes');
    const { data } = await call('POST', path, { transactions: [row({ import_id: 'a' }), row()] });
    const [one, other] = list(data, 'transaction_ids').map(String);
    const change = {
      transactions: [
        { import_id: 'a', amount: 5 },
        { id: other, memo: 'changed' },
      ],
    };
    const changed = await call('PATCH', path, change);
    assert.equal(changed.status, 209);
    assert.deepEqual(
      list(changed.data, 'transactions').map((each) => [record(each).amount, record(each).memo]),
      [
        [5, null],
        [-1000, 'changed'],
      ],
    );
    for (const both of [{ id: one, import_id: 'a' }, { id: 'nobody' }, {}]) {
      assert.equal((await call('PATCH', path, { transactions: [both] })).status, 400);
    }
  });

  test('shows deleted transactions as changes since some knowledge, and nowhere else', async () => {
    const { path, row } = plan('Deltas');
    const { data } = await call('POST', path, { transactions: [row(), row()] });
    const [gone] = list(data, 'transaction_ids').map(String);
    const known = String(data.server_knowledge);
    assert.equal((await call('DELETE', `${path}/${gone}`)).status, 200);
    assert.equal((await call('DELETE', `${path}/${gone}`)).error.id, '404.2');
    assert.equal(list((await call('GET', path)).data, 'transactions').length, 1);
    const delta = list((await call('GET', `${path}?last_knowledge_of_server=${known}`)).data, 'transactions');
    assert.deepEqual(
      delta.map((one) => [record(one).id, record(one).deleted]),
      [[gone, true]],
    );
  });

  test('looks a year back where no day is given, and as far as is asked', async () => {
    const { path, row } = plan('Windows');
    await call('POST', path, {
      transactions: [row({ date: '2025-11-01' }), row({ date: '2026-06-01' }), row()],
    });
    const count = async (query: string) =>
      list((await call('GET', path + query)).data, 'transactions').length;
    assert.deepEqual(
      [
        await count(''),
        await count('?since_date=2025-01-01'),
        await count('?since_date=2025-01-01&until_date=2026-06-01'),
      ],
      [2, 3, 2],
    );
  });

  test('refuses who is no one, unknown plans and paths in its own words', async () => {
    const stranger = await fetch(`${simulator.apiUrl}/user`);
    assert.deepEqual(
      [stranger.status, record(record(await stranger.json()).error).name],
      [401, 'not_authorized'],
    );
    const unknown = await call('GET', '/plans/nobody/accounts');
    assert.deepEqual([unknown.status, unknown.error.id], [404, '404.2']);
    const nowhere = await call('GET', '/nowhere', undefined, { described: false });
    assert.deepEqual([nowhere.status, nowhere.error.id], [404, '404.1']);
  });
});

describe('tokens', () => {
  test('end after two hours, and a refresh token counts once: used twice, it ends the grant', async () => {
    const vendor = await startYnabSimulator({ ...CLIENT, clock: { now: () => now } });
    const user = async (bearer: unknown) =>
      (await fetch(`${vendor.apiUrl}/user`, { headers: { authorization: `Bearer ${bearer}` } })).status;
    const refresh = (value: unknown) =>
      fetch(`${vendor.url}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...credentials, grant_type: 'refresh_token', refresh_token: value }),
      });
    try {
      const first = record(await (await tokens(vendor, await code(vendor))).json());
      assert.deepEqual(
        [first.token_type, first.expires_in, await user(first.access_token)],
        ['Bearer', 7200, 200],
      );
      now += 7_200_000;
      assert.equal(await user(first.access_token), 401);
      const second = record(await (await refresh(first.refresh_token)).json());
      assert.equal(await user(second.access_token), 200);
      const again = await refresh(first.refresh_token);
      assert.deepEqual([again.status, record(await again.json()).error], [400, 'invalid_grant']);
      assert.equal(await user(second.access_token), 401);
    } finally {
      now = NOW;
      await vendor.close();
    }
  });
});

describe('the quota', () => {
  test('is two hundred calls in a rolling hour', async () => {
    const vendor = await startYnabSimulator({ ...CLIENT, clock: { now: () => now } });
    try {
      const { access_token: bearer } = record(await (await tokens(vendor, await code(vendor))).json());
      const user = () => fetch(`${vendor.apiUrl}/user`, { headers: { authorization: `Bearer ${bearer}` } });
      for (let call = 0; call < 200; call++) assert.equal((await user()).status, 200);
      const refused = await user();
      assert.deepEqual(
        [refused.status, record(record(await refused.json()).error).name, refused.headers.get('retry-after')],
        [429, 'too_many_requests', null],
      );
      now += 3_600_001;
      assert.equal((await user()).status, 200);
    } finally {
      now = NOW;
      await vendor.close();
    }
  });
});

describe('the pages', () => {
  test('list plans and accounts, and show a register with amounts in their columns and what is empty as empty', async () => {
    const { path, row, everyday, id } = plan('Pages & <b>');
    const rows = [
      row({ payee_name: '=1+1', memo: '<script>alert(1)</script>', import_id: 'a' }),
      row({ amount: 2_500_050, date: '2026-11-18', cleared: 'cleared' }),
    ];
    await call('POST', path, { transactions: rows });
    const index = await (await fetch(`${simulator.url}/`)).text();
    assert.ok(
      index.includes('Pages &amp; &lt;b&gt;') && index.includes(`href="/plans/${id}/accounts/${everyday}"`),
    );
    const page = await fetch(`${simulator.url}/plans/${id}/accounts/${everyday}`);
    const html = await page.text();
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.ok(!html.includes('<script'));
    assert.match(html, /<bdi>=1\+1<\/bdi>/);
    assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
    const [, newest = '', oldest = ''] =
      /<tbody><tr.*?>(.*?)<\/tr><tr.*?>(.*?)<\/tr><\/tbody>/.exec(html) ?? [];
    const cells = (of: string) =>
      [...of.matchAll(/<td( class="number")?>(.*?)<\/td>/g)].map(([, , inner = '']) =>
        inner.replace(/<.*?>/g, ''),
      );
    assert.deepEqual(cells(newest).slice(4), ['1.00', '–', 'uncleared']);
    assert.deepEqual(cells(oldest), ['2026-11-18', '–', '–', '–', '–', '2500.05', 'cleared']);
    assert.equal((await fetch(`${simulator.url}/plans/${id}/accounts/none`)).status, 404);
  });

  test('have two hundred rows each, also of the longest texts', async () => {
    const { path, row, everyday, id } = plan('Many');
    const rows = Array.from({ length: 450 }, (_, at) =>
      row({ memo: `m${at}`, payee_name: '🏦'.repeat(200) }),
    );
    await call('POST', path, { transactions: rows });
    const counts = [];
    for (const number of [1, 2, 3]) {
      const html = await (
        await fetch(`${simulator.url}/plans/${id}/accounts/${everyday}?page=${number}`)
      ).text();
      assert.ok(Buffer.byteLength(html) < 2 * 1024 * 1024);
      counts.push(html.split('<tr').length - 2);
    }
    assert.deepEqual(counts, [200, 200, 50]);
  });
});

test('plans, transactions and grants outlast a restart', async () => {
  const directory = await mkdtemp(join(SCRATCH, 'ynab-'));
  const stateFile = join(directory, 'ynab.json');
  const clock = { now: () => now };
  const first = await startYnabSimulator({ ...CLIENT, clock, stateFile });
  const { access_token: bearer } = record(await (await tokens(first, await code(first))).json());
  const [{ planId, accounts } = assert.fail()] = first.control.plans();
  const account = accounts[0]?.accountId ?? '';
  first.control.enter(planId, { account, date: '2026-11-19', amount: -1, payee: 'Kept' });
  await first.close();
  const second = await startYnabSimulator({ ...CLIENT, clock, stateFile });
  try {
    assert.deepEqual(
      second.control.transactions(planId, account).map(({ payee }) => payee),
      ['Kept'],
    );
    const headers = { authorization: `Bearer ${bearer}` };
    assert.equal((await fetch(`${second.apiUrl}/user`, { headers })).status, 200);
  } finally {
    await second.close();
    await rm(directory, { recursive: true });
  }
});

describe('the control API', () => {
  const control = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(simulator.controlUrl + path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: record(text === '' ? {} : JSON.parse(text)) };
  };

  test('does what a person does, and shows what is there', async () => {
    const { body } = await control('POST', '/plans', { name: 'By hand', currency: 'EUR' });
    const planId = String(body.planId);
    const found = list((await control('GET', '/plans')).body, 'plans').map(record);
    const own = found.find((one) => one.planId === planId) ?? assert.fail();
    const account = String(record(list(own, 'accounts')[0]).accountId);
    const category = String(record(list(own, 'categories')[3]).categoryId);
    const entry = { account, date: '2026-11-19', amount: -5 };
    const { id } = (await control('POST', `/plans/${planId}/transactions`, entry)).body;
    assert.equal((await control('POST', `/transactions/${id}`, { payee: 'P', approved: true })).status, 204);
    const rows = `/plans/${planId}/accounts/${account}/transactions`;
    const [shown] = list((await control('GET', rows)).body, 'transactions').map(record);
    assert.deepEqual([shown?.payee, shown?.amount], ['P', -5]);
    for (const [path, change] of [
      [`/transactions/${id}/delete`, {}],
      [`/accounts/${account}`, { closed: true, name: 'Shut' }],
      [`/categories/${category}`, { hidden: true }],
      [`/plans/${planId}/name`, { name: 'Other' }],
      ['/settings', { reimportsDeleted: true, renames: {} }],
      [`/plans/${planId}/delete`, {}],
    ] as const) {
      assert.equal((await control('POST', path, change)).status, 204, path);
    }
    assert.equal((await control('POST', `/plans/${planId}/delete`, {})).status, 400);
    assert.equal((await control('POST', '/settings', { refusal: 'no such' })).status, 400);
    assert.equal(typeof (await control('GET', '/calls')).body.lastHour, 'number');
    assert.ok(list((await control('GET', '/rows')).body, 'rows').length > 0);
  });

  test('revokes the grant', async () => {
    const vendor = await startYnabSimulator(CLIENT);
    try {
      const { access_token: bearer } = record(await (await tokens(vendor, await code(vendor))).json());
      await fetch(`${vendor.controlUrl}/grants/revoke`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      const headers = { authorization: `Bearer ${bearer}` };
      assert.equal((await fetch(`${vendor.apiUrl}/user`, { headers })).status, 401);
    } finally {
      await vendor.close();
    }
  });
});

test('a misspelt request and an answer with a member too many would be found', () => {
  const body = { transactions: [{ account_id: '00000000-0000-4000-8000-000000000000', ammount: 1 }] };
  assert.throws(
    () => checkRequest('POST', '/plans/p/transactions', new URLSearchParams(), body),
    /additional/,
  );
  const user = checkRequest('GET', '/user', new URLSearchParams(), undefined);
  assert.throws(() => checkAnswer(user, 200, { data: { user: { id: 'no uuid', name: 'x' } } }), /uuid/);
});
