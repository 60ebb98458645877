import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { importedConnection, linkBank, linkBroker } from '../../features/linking/person.ts';
import { accountIds, askBridge, basicOf, connectApp, rowsOf } from '../../support/bridge.ts';
import { startService } from '../../support/service.ts';
import { checkAccountSet } from '../../support/simplefin/import-client.ts';
import type { Json } from '../../support/v2-client.ts';
import { type BridgeStage, OTHER_BANK, only, openStage, uuidOf } from './stage.ts';

describe('Accounts of the bridge', () => {
  let stage: BridgeStage;

  before(async () => {
    stage = await openStage();
  });
  after(() => stage.service.close());

  it('follow the protocol, member by member, with transactions and without', async () => {
    for (const query of ['', 'pending=1', 'balances-only=1', 'version=2', 'start-date=0']) {
      const answer = await stage.app.accounts(query);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      checkAccountSet(answer.body);
      assert.deepEqual(answer.body.errors, [], query);
    }
  });

  it('are the banking accounts of the owner, and no account of a broker', async () => {
    const investor = await stage.service.owner();
    const bank = await importedConnection(investor, await linkBank(investor, { customer: 'sole-trader' }));
    const broker = await importedConnection(investor, await linkBroker(investor, 'self-directed'));
    const theirs = await connectApp(stage.service, investor);
    const answer = await theirs.accounts('balances-only=1');
    const banking = bank.accounts.map(({ id }: Json) => uuidOf(id));
    assert.deepEqual(accountIds(answer).toSorted(), banking.toSorted());
    const [asked] = broker.accounts;
    assert.deepEqual((await theirs.accounts(`account=${uuidOf(asked.id)}`)).body.accounts, []);
  });

  it('name the account of v2 in extra, the bank in org and the connection as version 2 does', async () => {
    const shown = only(await stage.app.accounts(`account=${uuidOf(stage.everyday.id)}`));
    assert.deepEqual(shown.extra, { tributary_account_id: stage.everyday.id });
    assert.equal(shown.id, uuidOf(stage.everyday.id));
    assert.equal(shown.currency, 'AUD');
    assert.equal(shown.org.name, stage.connection.institution.name);
    assert.equal(shown.org.id, stage.connection.institution.id);
    assert.equal(shown.org['sfin-url'], `${stage.service.url}/simplefin`);
    assert.equal(shown.conn_name, stage.connection.institution.name);
    const { body } = await stage.app.accounts(`account=${uuidOf(stage.everyday.id)}`);
    assert.deepEqual(body.connections, [
      {
        conn_id: shown.conn_id,
        name: stage.connection.institution.name,
        org_id: stage.connection.institution.id,
        org_name: stage.connection.institution.name,
        org_url: stage.service.url,
        sfin_url: `${stage.service.url}/simplefin`,
      },
    ]);
  });

  it('show the balances of v2, and when the bank said so', async () => {
    const shown = only(await stage.app.accounts(`balances-only=1&account=${stage.everyday.id}`));
    const { body } = await stage.owner.v2('GET', `/v2/accounts/${stage.everyday.id}/balance`);
    const cents = (text: string) => Number(text.replace('.', ''));
    assert.equal(cents(shown.balance), body.current.amount);
    assert.equal(cents(shown['available-balance']), body.available.amount);
    assert.equal(shown['balance-date'], Math.floor(Date.parse(body.observed_at) / 1000));
    assert.deepEqual(shown.transactions, []);
  });

  it('take balances-only=1, and any other value for no', async () => {
    assert.deepEqual(rowsOf(await stage.app.accounts('balances-only=1')), []);
    assert.ok(rowsOf(await stage.app.accounts('balances-only=0')).length > 0);
  });

  it('take account as often as it comes, in the form of the bridge and of v2, and leave out what is no one’s', async () => {
    const ids = stage.connection.accounts.map(({ id }: Json) => id);
    const query = `account=${uuidOf(ids[0])}&account=${ids[1]}&account=${uuidOf(ids[0])}&account=nobody`;
    const answer = await stage.app.accounts(`balances-only=1&${query}`);
    assert.deepEqual(accountIds(answer).toSorted(), [uuidOf(ids[0]), uuidOf(ids[1])].toSorted());
    const none = await stage.app.accounts('account=01234567-89ab-7cde-8f01-23456789abcd');
    assert.equal(none.status, 200);
    assert.deepEqual([none.body.errors, none.body.accounts], [[], []]);
  });

  it('come from the cache where it is fresh', async () => {
    await stage.app.accounts();
    stage.bank.clearRequests();
    const answer = await stage.app.accounts();
    assert.ok(rowsOf(answer).length > 0);
    assert.deepEqual(stage.bank.requests(), []);
  });

  it('show the newest 2,000 rows of an account and say so [limit bridge_rows]', async () => {
    const busy = await stage.service.owner();
    await importedConnection(busy, await linkBank(busy, { customer: 'rows:2600' }));
    const theirs = await connectApp(stage.service, busy);
    const answer = await theirs.accounts('start-date=0');
    checkAccountSet(answer.body);
    const shown = only(answer);
    assert.equal(shown.transactions.length, 2000);
    const sentence = `Only the newest 2000 transactions of ${shown.name} were sent; ask for a shorter period.`;
    assert.deepEqual(answer.body.errors, [sentence]);
    assert.deepEqual(answer.body.errlist, [
      { code: 'gen.api', msg: sentence, message: sentence, conn_id: shown.conn_id, account_id: shown.id },
    ]);
    const v2 = await busy.v2(
      'GET',
      `/v2/transactions?account=${shown.extra.tributary_account_id}&from=2020-01-01&limit=100`,
    );
    const sent = new Set(shown.transactions.map(({ id }: Json) => id));
    assert.ok(
      v2.body.data.every(({ id }: Json) => sent.has(id)),
      'the newest are there',
    );
    const oldest = Math.min(...shown.transactions.map((row: Json) => row.transacted_at));
    const earlier = only(await theirs.accounts(`start-date=0&end-date=${oldest + 1}`));
    for (const { id } of earlier.transactions) sent.add(id);
    assert.equal(sent.size, 2600, 'the others come with a shorter period');
  });

  it('have names that no other account of the owner has', async () => {
    const twice = await stage.service.owner();
    await importedConnection(twice, await linkBank(twice, { customer: 'sole-trader' }));
    await importedConnection(twice, await linkBank(twice, { customer: 'sole-trader', at: OTHER_BANK }));
    const answer = await (await connectApp(stage.service, twice)).accounts('balances-only=1');
    checkAccountSet(answer.body);
    const names = answer.body.accounts.map(({ name }: Json) => name);
    assert.equal(new Set(names).size, names.length);
    const ids = accountIds(answer);
    const one = await (await connectApp(stage.service, twice)).accounts(
      `balances-only=1&account=${ids.at(-1)}`,
    );
    assert.equal(only(one).name, names.at(-1), 'an account is called the same, whichever are asked for');
  });

  it('of more than 200 are cut, and say so [limit bridge_accounts]', async () => {
    const small = await startService({ LIMIT_BRIDGE_ACCOUNTS: '1' });
    try {
      const person = await small.owner();
      await importedConnection(person, await linkBank(person, { customer: 'salaried-household' }));
      const answer = await (await connectApp(small, person)).accounts('balances-only=1');
      assert.equal(answer.body.accounts.length, 1);
      assert.deepEqual(answer.body.errors, ['Only the oldest 1 accounts were sent.']);
    } finally {
      await small.close();
    }
  });

  it('answer HEAD as GET without a body, and OPTIONS to a page of another origin', async () => {
    const authorization = basicOf(stage.app.accessUrl);
    const head = await askBridge(stage.service.url, '/accounts', {
      method: 'HEAD',
      headers: { authorization },
    });
    assert.deepEqual([head.status, head.text], [200, '']);
    const preflight = await askBridge(stage.service.url, '/accounts', { method: 'OPTIONS' });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/);
    const read = await stage.app.accounts('balances-only=1', { origin: 'https://app.example.test' });
    assert.equal(read.headers.get('access-control-allow-origin'), '*');
    assert.equal(read.headers.get('access-control-allow-credentials'), null);
  });
});
