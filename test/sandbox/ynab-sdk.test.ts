import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { API } from 'ynab';
import { startYnabSimulator, type YnabSimulator } from '../../sandbox/ynab/server.ts';
import { record } from './visitor.ts';

const NOW = Date.parse('2026-11-20T06:00:00Z');
const CLIENT = { clientId: 'sdk', clientSecret: 'secret' };
const BACK = 'https://app.example/return';

describe('The vendor’s own client against the simulator', () => {
  let simulator: YnabSimulator;
  let ynab: API;

  before(async () => {
    simulator = await startYnabSimulator({ ...CLIENT, clock: { now: () => NOW } });
    const query = new URLSearchParams({
      client_id: 'sdk',
      redirect_uri: BACK,
      response_type: 'code',
      state: 's',
    });
    const html = await (await fetch(`${simulator.url}/oauth/authorize?${query}`)).text();
    const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
    const outcome = new URLSearchParams({ outcome: 'approve' });
    const consent = await fetch(new URL(action, simulator.url), {
      method: 'POST',
      body: outcome,
      redirect: 'manual',
    });
    const code = new URL(consent.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: BACK,
      client_id: 'sdk',
      client_secret: 'secret',
    });
    const tokens = await (await fetch(`${simulator.url}/oauth/token`, { method: 'POST', body })).json();
    ynab = new API(String(record(tokens).access_token), simulator.apiUrl);
  });
  after(() => simulator.close());

  const planId = () => simulator.control.plans()[0]?.planId ?? assert.fail();

  it('reads user, plans, accounts and categories', async () => {
    assert.match((await ynab.user.getUser()).data.user.id, /^[0-9a-f-]{36}$/);
    const { plans } = (await ynab.plans.getPlans(true)).data;
    assert.deepEqual([plans[0]?.name, plans[0]?.currency_format?.iso_code], ['Household', 'AUD']);
    assert.equal(plans[0]?.accounts?.length, 4);
    const { accounts } = (await ynab.accounts.getAccounts(planId())).data;
    assert.deepEqual(
      accounts.map(({ closed }) => closed),
      [false, false, false, true],
    );
    const groups = (await ynab.categories.getCategories(planId())).data.category_groups;
    assert.ok(groups.some(({ hidden }) => hidden));
  });

  it('imports, changes, reads and deletes transactions, and is told of those that are known', async () => {
    const id = planId();
    const account = simulator.control.plans()[0]?.accounts[0]?.accountId ?? assert.fail();
    const row = {
      account_id: account,
      date: '2026-11-19',
      amount: -12_340,
      payee_name: 'Shop',
      import_id: 's1:x',
    };
    const made = (await ynab.transactions.createTransactions(id, { transactions: [row, row] })).data;
    assert.deepEqual([made.transactions?.length, made.duplicate_import_ids], [1, ['s1:x']]);
    await assert.rejects(ynab.transactions.createTransactions(id, { transaction: row }), (thrown: unknown) =>
      JSON.stringify(thrown).includes('"conflict"'),
    );
    const [transaction = assert.fail()] = made.transactions ?? [];
    const change = { id: transaction.id, amount: -1000 };
    const changed = (await ynab.transactions.updateTransactions(id, { transactions: [change] })).data;
    assert.equal(changed.transactions?.[0]?.amount, -1000);
    const read = (await ynab.transactions.getTransactionsByAccount(id, account, '2026-01-01')).data;
    assert.deepEqual(
      read.transactions.map(({ amount, payee_name: payee }) => [amount, payee]),
      [[-1000, 'Shop']],
    );
    const gone = (await ynab.transactions.deleteTransaction(id, transaction.id)).data.transaction;
    assert.equal(gone.deleted, true);
  });
});
