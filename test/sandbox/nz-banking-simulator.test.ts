import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { NZ_BANKING_SIMULATOR } from '../../sandbox/nz-banking/integration.ts';
import { PERSONAS, personaOf } from '../../sandbox/nz-banking/personas/catalog.ts';
import {
  type NzBankingSimulator,
  type NzBankingSimulatorOptions,
  startNzBankingSimulator,
} from '../../sandbox/nz-banking/server.ts';
import { localDateAt } from '../../src/vocabulary/moments.ts';
import { completeConsent } from '../support/consent-client.ts';
import { scratchDirectory } from '../support/scratch.ts';
import type { Json } from '../support/v2-client.ts';

const NOW = Date.parse('2026-11-20T06:00:00Z');
const DAY = 86_400_000;
const REDIRECT = 'https://app.example/return';
const APP = { appToken: 'app_token_test', appSecret: 'secret' };

/** Time that is moved by hand. */
class HandTime {
  at = NOW;
  now = (): number => this.at;
}

async function started(t: TestContext, options: Partial<NzBankingSimulatorOptions> = {}) {
  const simulator = await startNzBankingSimulator({ ...APP, clock: { now: () => NOW }, ...options });
  t.after(() => simulator.close());
  return simulator;
}

/** Signs someone in; the token that the app gets. */
async function tokenOf(simulator: NzBankingSimulator, customer: string): Promise<string> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: APP.appToken,
    redirect_uri: REDIRECT,
    scope: 'ENDURING_CONSENT',
    state: 's',
  });
  const back = await completeConsent(`${simulator.oauthUrl}?${query}`, { customer });
  const answer = await call(simulator, 'POST', '/token', '', {
    code: back.searchParams.get('code'),
    redirect_uri: REDIRECT,
    grant_type: 'authorization_code',
    client_id: APP.appToken,
    client_secret: APP.appSecret,
  });
  return answer.access_token;
}

async function call(
  { url }: NzBankingSimulator,
  method: string,
  path: string,
  token: string,
  body?: unknown,
): Promise<Json> {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: {
      'x-akahu-id': APP.appToken,
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

describe('The simulator of the New Zealand vendor', () => {
  it('remembers users, logins and tokens over a restart, and has the same rows again', async (t) => {
    const directory = await scratchDirectory();
    t.after(() => rm(directory, { recursive: true, force: true }));
    const stateFile = join(directory, 'nz-banking.json');
    const first = await startNzBankingSimulator({ ...APP, clock: { now: () => NOW }, stateFile });
    const token = await tokenOf(first, 'three-banks');
    const before = await call(first, 'GET', '/accounts', token);
    const rows = await call(first, 'GET', '/transactions', token);
    await first.close();
    const second = await started(t, { stateFile });
    const logos = /http:[^"]*\/logos\//g;
    assert.equal(
      JSON.stringify(await call(second, 'GET', '/accounts', token)).replaceAll(logos, ''),
      JSON.stringify(before).replaceAll(logos, ''),
    );
    assert.deepEqual(await call(second, 'GET', '/transactions', token), rows);
  });

  it('dates rows at midnight in New Zealand, in summer and in winter', async (t) => {
    const simulator = await started(t);
    const token = await tokenOf(simulator, 'salaried-household');
    const hours = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Json = await call(simulator, 'GET', `/transactions?${cursor}`, token);
      for (const { date } of page.items) {
        hours.add(date.slice(11));
        assert.notEqual(localDateAt(Date.parse(date), 'Pacific/Auckland'), date.slice(0, 10));
      }
      cursor = page.cursor.next === null ? null : `cursor=${page.cursor.next}`;
    }
    assert.deepEqual([...hours].toSorted(), ['11:00:00.000Z', '12:00:00.000Z']);
  });

  it('shows what it last fetched: daily on its own, and on request once the rest is over', async (t) => {
    const time = new HandTime();
    const simulator = await started(t, { clock: time });
    const token = await tokenOf(simulator, 'salaried-household');
    const fetched = async (): Promise<number> => {
      const { items } = await call(simulator, 'GET', '/accounts', token);
      return Date.parse(items[0].refreshed.transactions);
    };
    assert.equal(await fetched(), NOW);
    time.at = NOW + 14 * 60_000;
    assert.deepEqual(await call(simulator, 'POST', '/refresh', token), { success: true });
    assert.equal(await fetched(), NOW, 'too soon');
    time.at = NOW + 15 * 60_000;
    await call(simulator, 'POST', '/refresh', token);
    assert.equal(await fetched(), time.at);
    const last = time.at;
    time.at = last + DAY - 1;
    assert.equal(await fetched(), last);
    time.at = last + DAY;
    assert.equal(await fetched(), last + DAY);
  });

  it('keeps showing the last fetch of a login that was lost, and of a bank that is away', async (t) => {
    const time = new HandTime();
    const simulator = await started(t, { clock: time });
    const token = await tokenOf(simulator, 'card-and-loan');
    const [user] = simulator.control.users();
    const [lost, away] = user?.authorisations ?? [];
    simulator.control.setLogin(lost?.authorisationId ?? '', false);
    simulator.control.setInstitutionStatus(away?.connection ?? '', 'OUTAGE');
    time.at = NOW + 3600_000;
    await call(simulator, 'POST', '/refresh', token);
    const { items } = await call(simulator, 'GET', '/accounts', token);
    for (const { refreshed } of items) assert.equal(Date.parse(refreshed.balance), NOW);
    const states = items.map(({ status }: Json) => status);
    assert.deepEqual(states, ['INACTIVE', 'INACTIVE', 'ACTIVE', 'ACTIVE']);
  });

  it('shows debts of one bank as positive and of the other as negative', async (t) => {
    const simulator = await started(t);
    const { items } = await call(simulator, 'GET', '/accounts', await tokenOf(simulator, 'card-and-loan'));
    const loans = items
      .filter(({ type }: Json) => type === 'LOAN')
      .map(({ balance }: Json) => balance.current);
    assert.deepEqual(
      loans.map((current: number) => Math.sign(current)),
      [-1, 1],
    );
  });

  it('adds balances up from the rows it shows', async (t) => {
    const simulator = await started(t);
    const token = await tokenOf(simulator, 'dormant');
    const current = async () => (await call(simulator, 'GET', '/accounts', token)).items[0].balance.current;
    assert.equal(await current(), 12.34);
    const [account] = simulator.control.users()[0]?.accounts ?? [];
    const [row] = simulator.control.appendTransactions(account?.accountId ?? '', [
      { amount: '-2.30', description: 'Coffee' },
    ]);
    assert.equal(await current(), 10.04);
    simulator.control.withdraw(row ?? '');
    assert.equal(await current(), 12.34);
    simulator.control.restore(row ?? '');
    assert.equal(await current(), 10.04);
  });

  it('has exactly as many rows as were asked for, and other accounts for every namesake', async (t) => {
    const simulator = await started(t);
    const ids = new Set<string>();
    for (const customer of ['rows:250', 'rows:250+2']) {
      const token = await tokenOf(simulator, customer);
      const { items } = await call(simulator, 'GET', '/accounts', token);
      ids.add(items[0]._id);
      assert.deepEqual(simulator.control.rowsOf(items[0]._id), { settled: 250, pending: 0 });
    }
    assert.equal(ids.size, 2);
    for (const nobody of ['rows:0', 'rows:x', 'rows:99999999', 'household', 'dormant+', ''])
      assert.equal(personaOf(nobody), null, nobody);
  });

  it('can be steered over HTTP, and refuses what it does not understand', async (t) => {
    const simulator = await started(t);
    const token = await tokenOf(simulator, 'dormant');
    const send = async (path: string, body?: unknown) => {
      const response = await fetch(`${simulator.controlUrl}${path}`, {
        ...(body === undefined
          ? {}
          : {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    };
    const { users } = (await send('/users')).body;
    const { accountId } = users[0].accounts[0];
    const { authorisationId } = users[0].authorisations[0];
    const row = { amount: '-1.00', description: 'Coffee', status: 'PENDING' };
    const made = await send(`/accounts/${accountId}/transactions`, { transactions: [row] });
    const [id] = made.body.ids;
    assert.equal((await send(`/accounts/${accountId}/pending`)).body.pending[0].id, id);
    assert.equal((await send(`/transactions/${id}/settle`, {})).status, 204);
    assert.deepEqual((await send(`/rows?account_id=${accountId}`)).body, { settled: 1, pending: 0 });
    assert.equal((await send('/institutions/conn_sandbox_rimu/status', { migrating: true })).status, 204);
    assert.equal((await send('/webhook-target', { url: null })).status, 204);
    assert.deepEqual((await send('/notifications')).body, { notifications: [] });
    assert.equal((await send(`/authorisations/${authorisationId}/login`, { active: false })).status, 204);
    const moved = await send(`/authorisations/${authorisationId}/migrate`, {});
    assert.match(moved.body.authorisationId, /^auth_/);
    const [account] = (await call(simulator, 'GET', '/accounts', token)).items;
    assert.equal(account._migrated, accountId);
    assert.equal((await send(`/accounts/${account._id}/state`, { state: 'GONE' })).status, 204);
    assert.deepEqual((await call(simulator, 'GET', '/accounts', token)).items, []);
    assert.equal((await send(`/users/${users[0].userId}/revoke`, {})).status, 204);
    for (const [path, body] of [
      ['/users/user_nobody/revoke', {}],
      ['/authorisations/auth_none/migrate', {}],
      ['/accounts/acc_none/transactions', { transactions: [] }],
      ['/transactions/none/settle', {}],
      ['/transactions/none/withdraw', {}],
      ['/institutions/conn_none/status', { status: 'OUTAGE' }],
      ['/institutions/conn_sandbox_rimu/status', { status: 'ASLEEP' }],
    ] as const)
      assert.equal((await send(path, body)).status, 400, path);
  });

  it('offers in help the people who can sign in', () => {
    const names = [...PERSONAS.map(({ customer }) => customer), 'rows:N'];
    assert.deepEqual(NZ_BANKING_SIMULATOR.personas, names);
  });
});
