import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Compile } from 'typebox/compile';
import { OPERATIONS } from '../../../src/operations/operation-table.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank } from '../linking/person.ts';

describe('Data reads in v2', () => {
  let service: TestService;
  let owner: TestOwner;
  let account: string;

  before(async () => {
    service = await startService();
    owner = await service.owner();
    const connection = await importedConnection(
      owner,
      await linkBank(owner, { customer: 'salaried-household' }),
    );
    account = connection.accounts.find((one: Json) => one.name === 'Everyday Account').id;
  });
  after(() => service.close());

  const walk = async (query: string, client = owner): Promise<Json[]> => {
    const rows: Json[] = [];
    let next: string | null = `/v2/transactions?account=${account}&${query}`;
    while (next !== null) {
      const { status, body }: { status: number; body: Json } = await client.v2('GET', next);
      assert.equal(status, 200, JSON.stringify(body));
      conforms('list_transactions', body);
      rows.push(...body.data);
      next =
        body.next_page_url === null
          ? null
          : new URL(body.next_page_url).pathname + new URL(body.next_page_url).search;
    }
    return rows;
  };

  it('shows a balance with the moment it was observed', async () => {
    const { status, body } = await owner.v2('GET', `/v2/accounts/${account}/balance`);
    assert.equal(status, 200);
    conforms('get_account_balance', body);
    assert.equal(body.account, account);
    assert.equal(body.currency, 'aud');
    assert.ok(Number.isSafeInteger(body.current.amount));
    assert.equal(body.freshness, 'fresh');
    const again = await owner.v2('GET', `/v2/accounts/${account}/balance`);
    assert.equal(again.body.observed_at, body.observed_at, 'the second read comes from the cache');
  });

  it('shows the details the bank reports', async () => {
    const { status, body } = await owner.v2('GET', `/v2/accounts/${account}/details`);
    assert.equal(status, 200);
    conforms('get_account_details', body);
    assert.equal(body.account, account);
    assert.ok(body.product_name);
  });

  it('walks all rows of a window once, newest first, whatever the page size', async () => {
    const whole = await walk(`from=${daysAgo(300)}&limit=100`);
    assert.ok(whole.length > 100);
    assert.equal(new Set(whole.map((row) => row.id)).size, whole.length);
    assert.deepEqual(
      whole.map((row) => row.date),
      whole
        .map((row) => row.date)
        .toSorted()
        .reverse(),
    );
    assert.deepEqual(await walk(`from=${daysAgo(300)}&limit=37`), whole);
  });

  it('walks back to where it came from', async () => {
    const first = await owner.v2('GET', `/v2/transactions?account=${account}&limit=10`);
    const second = await owner.v2('GET', pathOf(first.body.next_page_url));
    const back = await owner.v2('GET', pathOf(second.body.previous_page_url));
    assert.deepEqual(back.body.data, first.body.data);
    assert.equal(first.body.previous_page_url, null);
    assert.equal(back.body.previous_page_url, null);
  });

  it('includes pending rows only when asked, and covers thirty days by default', async () => {
    const plain = await walk('limit=100');
    assert.ok(plain.every((row) => row.status === 'posted'));
    const day = daysAgo(32);
    assert.ok(plain.every((row) => row.date > day));
    // On some days of a year the household has no pending row of its own.
    for (const { accountIds } of sandboxBank(service.app).consents())
      for (const id of accountIds)
        sandboxBank(service.app).appendTransactions(id, [
          { amount: '-1.00', description: 'Pending', status: 'PENDING' },
        ]);
    const all = await walk('limit=100&include_pending=true');
    assert.ok(all.some((row) => row.status === 'pending'));
    assert.deepEqual(
      all.filter((row) => row.status === 'posted'),
      plain,
    );
  });

  it('ends a window at the end of the calendar where its last day means no end', async () => {
    const whole = await walk('limit=100');
    for (const to of ['9999-12-31', '9999-12-01', '9998-12-31'])
      assert.deepEqual(
        await walk(`limit=100&from=${daysAgo(30)}&to=${to}`),
        await walk(`limit=100&from=${daysAgo(30)}`),
      );
    assert.ok(whole.length > 0);
    const { status } = await owner.v2(
      'GET',
      `/v2/transactions/export?account[]=${account}&from=${daysAgo(30)}&to=9999-12-31`,
    );
    assert.equal(status, 200);
    const [v1] = (await owner.v2('GET', '/v1/accounts')).body.data;
    for (const to of [
      '9999-12-31',
      '9999-12-31T23:59:59Z',
      '9999-12-31T23:59:59%2B14:00',
      '9999-12-31T23:59:59-12:00',
    ]) {
      const answer = await owner.v2(
        'GET',
        `/v1/transactions?connectionId=${v1.connectionId}&accountId=${v1.id}&from=${daysAgo(30)}&to=${to}`,
      );
      assert.ok([200, 400].includes(answer.status), `${to}: ${answer.status}`);
    }
  });

  it('finds one transaction by its id', async () => {
    const [row] = await walk('limit=1&include_pending=true');
    const { status, body } = await owner.v2('GET', `/v2/transactions/${row.id}?account=${account}`);
    assert.equal(status, 200);
    conforms('get_transaction', body);
    assert.deepEqual(body, row);
  });

  it('refuses what it cannot answer, with the code and the field', async () => {
    const yearsBack = `${new Date().getUTCFullYear() - 8}-01-01`;
    const other = await service.owner();
    for (const [path, status, code, param, client = owner] of [
      ['/v2/transactions', 400, 'parameter_missing', 'account'],
      ['/v2/transactions?account=acct_1', 404, 'resource_missing', 'account'],
      [`/v2/transactions?account=${account}`, 404, 'resource_missing', 'account', other],
      [`/v2/accounts/${account}/balance`, 404, 'resource_missing', null, other],
      [`/v2/accounts/${account}/details`, 404, 'resource_missing', null, other],
      [`/v2/transactions?account=${account}&from=2026-02-30`, 400, 'parameter_invalid', 'from'],
      [`/v2/transactions?account=${account}&to=yesterday`, 400, 'parameter_invalid', 'to'],
      [
        `/v2/transactions?account=${account}&from=2026-03-01&to=2026-02-01`,
        400,
        'invalid_date_range',
        'from',
      ],
      [`/v2/transactions?account=${account}&from=${yearsBack}`, 400, 'from_too_old', 'from'],
      [
        `/v2/transactions?account=${account}&include_pending=maybe`,
        400,
        'parameter_invalid',
        'include_pending',
      ],
      [`/v2/transactions?account=${account}&limit=101`, 400, 'parameter_invalid', 'limit'],
      [`/v2/transactions?account=${account}&page=zzz`, 400, 'page_invalid', 'page'],
      [`/v2/transactions?account=${account}&connectionId=1`, 400, 'parameter_invalid', 'connectionId'],
      [`/v2/transactions/txn_fk_none?account=${account}`, 404, 'transaction_not_found', null],
      [`/v2/transactions/txn_ak_none?account=${account}`, 404, 'transaction_not_found', null],
      ['/v2/transactions/txn_fk_none', 400, 'parameter_missing', 'account'],
    ] as const) {
      const answer = await client.v2('GET', path);
      assert.deepEqual(
        [answer.status, answer.body.error?.code, answer.body.error?.param],
        [status, code, param],
        path,
      );
    }
  });

  it('refuses a page token with another filter than it began with', async () => {
    const { body } = await owner.v2('GET', `/v2/transactions?account=${account}&limit=5`);
    const answer = await owner.v2('GET', `${pathOf(body.next_page_url)}&include_pending=true`);
    assert.equal(answer.body.error.code, 'page_filters_changed');
  });

  it('stops showing what it cached the moment the connection is deleted', async () => {
    const leaver = await service.owner();
    const linked = await importedConnection(leaver, await linkBank(leaver, { customer: 'sole-trader' }));
    const path = `/v2/transactions?account=${linked.accounts[0].id}`;
    for (let turn = 0; turn < 3; turn++) assert.equal((await leaver.v2('GET', path)).status, 200);
    assert.equal((await leaver.v2('DELETE', `/v2/connections/${linked.id}`)).status, 200);
    const after = await leaver.v2('GET', path);
    assert.notEqual(after.status, 200, 'kept rows were shown after the deletion');
  });

  it('lists sixteen primary categories and their subcategories in one answer', async () => {
    const { body } = await owner.v2('GET', '/v2/provider_categories?limit=1');
    conforms('list_provider_categories', body);
    const primaries = body.data.filter((row: Json) => row.parent === null).map((row: Json) => row.code);
    assert.equal(primaries.length, 16);
    for (const row of body.data) if (row.parent !== null) assert.ok(row.code.startsWith(`${row.parent}_`));
    assert.equal(body.next_page_url, null);
  });

  it('says that rows are missing when the row ceiling is reached', async () => {
    const rich = await service.owner();
    const connection = await importedConnection(
      rich,
      await linkBank(rich, { customer: 'ten-thousand-rows' }),
    );
    const [{ id }] = connection.accounts;
    const { status, headers, body } = await rich.v2('GET', `/v2/transactions?account=${id}&from=2020-01-01`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(headers.get('x-service-truncated'), 'true');
    const lost = await rich.v2('GET', `/v2/transactions/txn_fk_none?account=${id}&from=2020-01-01`);
    assert.equal(lost.body.error.code, 'transaction_search_incomplete');
    const narrow = await rich.v2('GET', `/v2/transactions?account=${id}&limit=1`);
    assert.equal(narrow.headers.get('x-service-truncated'), null);
  });
});

const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;

const validators = new Map(OPERATIONS.map(({ id, response }) => [id, Compile(response)]));

function conforms(operation: string, body: unknown): void {
  const validator = validators.get(operation);
  assert.ok(validator);
  assert.ok(validator.Check(body), JSON.stringify(validator.Errors(body).slice(0, 2)));
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
