import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AkahuClient } from 'akahu';
import { type NzBankingSimulator, startNzBankingSimulator } from '../../sandbox/nz-banking/server.ts';
import { completeConsent } from '../support/consent-client.ts';

const NOW = Date.parse('2026-11-20T06:00:00Z');
const REDIRECT = 'https://app.example/return';

describe('The vendor’s own client against the simulator', () => {
  let simulator: NzBankingSimulator;
  let akahu: AkahuClient;
  let token: string;

  before(async () => {
    simulator = await startNzBankingSimulator({
      appToken: 'app_token_sdk',
      appSecret: 'secret',
      webhookUrl: 'http://127.0.0.1:9/',
      clock: { now: () => NOW },
    });
    const { hostname, port } = new URL(simulator.url);
    const place = { protocol: 'http', host: hostname, port: Number(port) } as const;
    akahu = new AkahuClient({
      appToken: 'app_token_sdk',
      appSecret: 'secret',
      ...place,
      timeout: 600_000,
    });
    const address = akahu.auth.buildAuthorizationUrl({
      redirect_uri: REDIRECT,
      state: 's',
      ...place,
      path: 'oauth',
    });
    const back = await completeConsent(address, { customer: 'three-banks' });
    assert.equal(back.searchParams.get('state'), 's');
    const exchanged = await akahu.auth.exchange(back.searchParams.get('code') ?? '', REDIRECT);
    token = exchanged.access_token;
  });
  after(() => simulator.close());

  it('reads the user, the banks and the categories', async () => {
    assert.match((await akahu.users.get(token))._id, /^user_/);
    const banks = await akahu.connections.list();
    assert.ok(banks.some((bank) => bank.connection_type === 'official' && bank._classic !== undefined));
    assert.equal((await akahu.connections.get(banks[0]?._id ?? '')).name, banks[0]?.name);
    const [category] = await akahu.categories.list();
    assert.ok(category);
    assert.deepEqual(await akahu.categories.get(category._id), category);
  });

  it('reads accounts with balances', async () => {
    const accounts = await akahu.accounts.list(token);
    assert.equal(accounts.length, 4);
    for (const account of accounts) {
      assert.deepEqual(await akahu.accounts.get(token, account._id), account);
      assert.equal(typeof account.balance?.current, 'number');
    }
  });

  it('reads every settled row by pages of a hundred, and finds each again by its id', async () => {
    const [account] = await akahu.accounts.list(token);
    const query = { start: '2026-05-01T00:00:00.000Z', end: '2026-11-20T00:00:00.000Z' };
    const pages: number[] = [];
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await akahu.accounts.listTransactions(token, account?._id ?? '', {
        ...query,
        ...(cursor === undefined ? {} : { cursor }),
      });
      pages.push(page.items.length);
      ids.push(...page.items.map((row) => row._id));
      cursor = page.cursor.next;
    }
    assert.ok(pages.length > 1);
    assert.ok(pages.slice(0, -1).every((rows) => rows === 100));
    assert.equal(new Set(ids).size, ids.length);
    const found = await akahu.transactions.getMany(token, ids.slice(0, 3));
    assert.deepEqual(
      found.map((row) => row._id),
      ids.slice(0, 3),
    );
    assert.equal((await akahu.transactions.get(token, ids[0] ?? ''))._id, ids[0]);
    const all = await akahu.transactions.list(token, query);
    assert.equal(all.items.length, 100);
  });

  it('reads pending rows, which have no ids', async () => {
    const pending = await akahu.transactions.listPending(token);
    assert.ok(pending.length > 0);
    for (const row of pending) assert.ok(!('_id' in row));
  });

  it('subscribes to notifications, and reads the key that signs them', async () => {
    const id = await akahu.webhooks.subscribe(token, { webhook_type: 'TRANSACTION', state: 'x' });
    assert.equal((await akahu.webhooks.list(token))[0]?._id, id);
    await akahu.webhooks.unsubscribe(token, id);
    assert.deepEqual(await akahu.webhooks.list(token), []);
    assert.deepEqual(await akahu.webhooks.listEvents({ status: 'SENT' }), []);
  });

  it('refreshes, ends a login, and revokes the token', async () => {
    await akahu.accounts.refreshAll(token);
    const [account] = await akahu.accounts.list(token);
    assert.ok(account);
    await akahu.accounts.refresh(token, account._id);
    await akahu.authorisations.revoke(token, account._authorisation);
    assert.equal((await akahu.accounts.list(token)).length, 3);
    await akahu.auth.revoke(token);
    await assert.rejects(akahu.accounts.list(token), { status: 401 });
  });

  it('is refused in the vendor’s own form', async () => {
    await assert.rejects(akahu.auth.exchange('made-up', REDIRECT), { status: 400 });
    await assert.rejects(akahu.accounts.list('user_token_made_up'), { status: 401, message: /user token/ });
  });
});

describe('The simulator refuses what the vendor refuses', () => {
  let simulator: NzBankingSimulator;
  const APP = { 'x-akahu-id': 'app_token_raw' };
  const BASIC = { ...APP, authorization: `Basic ${btoa('app_token_raw:secret')}` };
  before(async () => {
    simulator = await startNzBankingSimulator({
      appToken: 'app_token_raw',
      appSecret: 'secret',
      clock: { now: () => NOW },
    });
  });
  after(() => simulator.close());

  const status = async (path: string, headers: Record<string, string>) =>
    (await fetch(`${simulator.url}/v1${path}`, { headers })).status;

  it('calls without the app, calls of users for the app, and calls of the app for users', async () => {
    assert.equal(await status('/connections', BASIC), 200);
    assert.equal(await status('/connections', { authorization: BASIC.authorization }), 401);
    assert.equal(await status('/connections', { ...APP, authorization: 'Bearer user_token_1' }), 401);
    assert.equal(await status('/accounts', BASIC), 401);
    assert.equal(await status('/accounts', APP), 401);
  });

  it('parameters it does not know, moments without a zone, and cursors it did not give', async () => {
    const begin = `${simulator.oauthUrl}?response_type=code&client_id=app_token_raw&scope=ENDURING_CONSENT&state=s&redirect_uri=${REDIRECT}`;
    const back = await completeConsent(begin, { customer: 'dormant' });
    const exchanged = await fetch(`${simulator.url}/v1/token`, {
      method: 'POST',
      headers: { ...APP, 'content-type': 'application/json' },
      body: JSON.stringify({
        code: back.searchParams.get('code'),
        redirect_uri: REDIRECT,
        grant_type: 'authorization_code',
        client_id: 'app_token_raw',
        client_secret: 'secret',
      }),
    });
    const [token] = /user_token_\w+/.exec(await exchanged.text()) ?? [];
    const headers = { ...APP, authorization: `Bearer ${token}` };
    assert.equal(await status('/transactions', headers), 200);
    for (const query of [
      '?limit=5',
      '?start=2026-11-01',
      '?start=2026-11-01T00:00:00',
      '?cursor=x',
      '?cursor=e30',
    ])
      assert.equal(await status(`/transactions${query}`, headers), 400, query);
    assert.equal(await status('/accounts/acc_nobody', headers), 404);
    assert.equal(await status('/nothing', headers), 404);
  });

  it('people of another application, and requests that are none of OAuth', async () => {
    const open = async (query: string) => fetch(`${simulator.oauthUrl}?${query}`, { redirect: 'manual' });
    assert.equal((await open(`client_id=app_token_other&redirect_uri=${REDIRECT}`)).status, 400);
    assert.equal((await open('client_id=app_token_raw')).status, 400);
    const mistaken = await open(
      `client_id=app_token_raw&redirect_uri=${REDIRECT}&response_type=token&state=s`,
    );
    assert.equal(mistaken.headers.get('location'), `${REDIRECT}?error=unsupported_response_type&state=s`);
  });
});
