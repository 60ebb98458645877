import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { V1_TOOLS } from '../../../src/operations/mcp/v1-tools.ts';
import { withPatience } from '../../support/patience.ts';
import { withReadDeadline } from '../../support/read-deadline.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { linkAll } from '../v1/support/linked.ts';
import { type Agent, agentOf } from './support/agent.ts';

let service: TestService;
let owner: TestOwner;
let agent: Agent;
let banks: readonly { readonly id: string; readonly connectionId: string }[];
let brokers: typeof banks;
before(async () => {
  service = await startService();
  owner = await service.owner();
  await linkAll(service, owner, [
    { provider: 'au_banking', customer: 'salaried-household' },
    { provider: 'brokerage', customer: 'self-directed' },
  ]);
  agent = agentOf(service.url, owner.key);
  const { data } = await v1('/accounts?limit=200');
  banks = data.filter((account: Json) => account.provider === 'au_banking');
  brokers = data.filter((account: Json) => account.provider === 'brokerage');
});
after(() => service.close());

async function v1(path: string): Promise<Json> {
  const headers = { authorization: `Bearer ${owner.key}` };
  const response = await fetch(`${service.url}/v1${path}`, { headers });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text);
}

const first = <T>([one]: readonly T[]): T => one ?? assert.fail('there is none');
const invalid = async (name: string, args: Json): Promise<void> => {
  const { error } = await agent.call(name, args);
  assert.equal(error?.code, -32_602, `${name} ${JSON.stringify(args)}`);
};

/** Names, required parameters, bounds and defaults, as the interface specifies them. */
const SPECIFIED = {
  list_connections: [],
  list_accounts: ['limit 1 200 50', 'offset 0 2147483647 0'],
  list_balances: ['accountIds* 1 20'],
  list_transactions: ['connectionId*', 'accountId', 'from', 'to', 'limit 1 500 200', 'offset 0 2147483647 0'],
  list_holdings: ['connectionId*', 'accountId'],
  list_trades: ['connectionId*', 'accountId', 'from', 'to', 'limit 1 500 200', 'offset 0 2147483647 0'],
};

test('the six tools have the parameters, bounds and defaults of the interface, and no others', () => {
  const shown = V1_TOOLS.map(({ name, input }) => [
    name,
    Object.entries(input.properties).map(([param, schema]: [string, Json]) => {
      const bounds = [schema.minimum ?? schema.minItems, schema.maximum ?? schema.maxItems, schema.default];
      const star = input.required?.includes(param) === true ? '*' : '';
      return [`${param}${star}`, ...bounds].filter((part) => part !== undefined).join(' ');
    }),
  ]);
  assert.deepEqual(Object.fromEntries(shown), SPECIFIED);
});

describe('a tool answers what the same request of v1 answers', () => {
  const same = async (name: string, args: Json, path: string): Promise<Json> => {
    const { result, failure, error } = await agent.call(name, args);
    assert.deepEqual([failure, error], [null, null]);
    assert.deepEqual(result, await v1(path));
    return result;
  };

  test('list_connections and list_accounts', async () => {
    await same('list_connections', {}, '/connections');
    await same('list_accounts', {}, '/accounts');
    await same('list_accounts', { limit: 1, offset: 1 }, '/accounts?limit=1&offset=1');
  });

  test('list_balances', async () => {
    const accountIds = banks.map(({ id }) => id);
    const { data } = await same('list_balances', { accountIds }, `/balances?accountIds=${accountIds.join()}`);
    assert.equal(data.length, accountIds.length);
    await same(
      'list_balances',
      { accountIds: accountIds.map((id) => id.toUpperCase()) },
      `/balances?accountIds=${accountIds.join()}`,
    );
  });

  test('list_transactions', async () => {
    const { id, connectionId } = first(banks);
    const place = `connectionId=${connectionId}&accountId=${id}`;
    const found = await same('list_transactions', { connectionId, accountId: id }, `/transactions?${place}`);
    assert.ok(found.data.length > 3);
    assert.equal(found.pagination.limit, 200);
    const days = { from: '2026-01-01', to: '2026-12-31', limit: 2, offset: 1 };
    await same(
      'list_transactions',
      { connectionId, accountId: id, ...days },
      `/transactions?${place}&from=2026-01-01&to=2026-12-31&limit=2&offset=1`,
    );
  });

  test('list_holdings and list_trades, of one account and of all', async () => {
    const { id, connectionId } = first(brokers);
    for (const [args, more] of [
      [{}, ''],
      [{ accountId: id }, `&accountId=${id}`],
    ] as const) {
      await same('list_holdings', { connectionId, ...args }, `/holdings?connectionId=${connectionId}${more}`);
      await same('list_trades', { connectionId, ...args }, `/trades?connectionId=${connectionId}${more}`);
    }
  });

  test('list_trades clamps its window to 366 days as v1 does, and keeps the end', async () => {
    const { connectionId } = first(brokers);
    const wide = { connectionId, from: '2019-01-01', to: '2026-11-20', limit: 500 };
    const answered = await same(
      'list_trades',
      wide,
      `/trades?connectionId=${connectionId}&from=2019-01-01&to=2026-11-20&limit=500`,
    );
    const narrow = await agent.call('list_trades', { ...wide, from: '2025-11-20' });
    assert.deepEqual(answered.data, narrow.result.data);
  });
});

describe('arguments that the interface does not allow are invalid params', () => {
  test('an id that is no UUID, wherever it stands', async () => {
    const { id, connectionId } = first(banks);
    for (const wrong of ['', 'nope', 'acct_0352fWYT3ABIGuuTNOlijh', `${id} `, `${id}0`, 7, null, {}, [id]]) {
      await invalid('list_balances', { accountIds: [wrong] });
      await invalid('list_transactions', { connectionId: wrong });
      await invalid('list_holdings', { connectionId: wrong });
      // An optional argument that is null counts as left out.
      if (wrong === null) continue;
      await invalid('list_transactions', { connectionId, accountId: wrong });
      await invalid('list_trades', { connectionId, accountId: wrong });
    }
  });

  test('twenty ids of balances are taken, one and twenty-one are their ends [limit mcp_balance_accounts]', async () => {
    const { id } = first(banks);
    await invalid('list_balances', { accountIds: [] });
    await invalid('list_balances', {});
    await invalid('list_balances', { accountIds: id });
    await invalid('list_balances', { accountIds: Array.from({ length: 21 }, () => id) });
    const { result } = await agent.call('list_balances', {
      accountIds: Array.from({ length: 20 }, () => id),
    });
    assert.equal(result.data.length, 1);
  });

  test('numbers out of their bounds, dates that are none, and arguments that no one has', async () => {
    const { connectionId } = first(banks);
    for (const limit of [0, 201, 1.5, '201', '5 ', '', 'five', {}]) await invalid('list_accounts', { limit });
    for (const limit of [0, 501]) await invalid('list_transactions', { connectionId, limit });
    for (const offset of [-1, 2 ** 31]) await invalid('list_accounts', { offset });
    for (const from of ['yesterday', '2026-02-30', ''])
      await invalid('list_transactions', { connectionId, from });
    await invalid('list_transactions', { connectionId, includePending: true });
    await invalid('list_connections', { provider: 'au_banking' });
    await invalid('list_accounts', { context: 7 });
    assert.ok((await agent.call('list_accounts', { context: 'the person asked' })).result);
  });
});

describe('an id that names nothing of the caller', () => {
  test('fails with the code of v1', async () => {
    const nobody = '01234567-89ab-7cde-8f01-23456789abcd';
    const { connectionId } = first(banks);
    const codeOf = async (name: string, args: Json): Promise<string> =>
      (await agent.call(name, args)).failure.code;
    assert.equal(await codeOf('list_transactions', { connectionId: nobody }), 'connection_not_found');
    assert.equal(await codeOf('list_transactions', { connectionId, accountId: nobody }), 'account_not_found');
    assert.equal(await codeOf('list_holdings', { connectionId: nobody }), 'connection_not_found');
    assert.equal(await codeOf('list_holdings', { connectionId }), 'wrong_endpoint_for_category');
    assert.equal(
      await codeOf('list_transactions', { connectionId: first(brokers).connectionId }),
      'wrong_endpoint_for_category',
    );
    assert.equal(
      await codeOf('list_transactions', { connectionId, from: '2026-02-01', to: '2026-01-01' }),
      'invalid_date_range',
    );
  });
});

describe('list_transactions without accountId, which is deprecated', () => {
  test('answers the rows of all accounts of the connection, newest first, a page at a time', async () => {
    const { connectionId } = first(banks);
    const accounts = banks.filter((one) => one.connectionId === connectionId);
    assert.ok(accounts.length > 1);
    const window = 'from=2026-08-01&to=2026-11-20&limit=500';
    const each = await Promise.all(
      accounts.map(({ id }) => v1(`/transactions?connectionId=${connectionId}&accountId=${id}&${window}`)),
    );
    const all = { connectionId, from: '2026-08-01', to: '2026-11-20' };
    const { result } = await agent.call('list_transactions', { ...all, limit: 500 });
    const ids = (rows: readonly Json[]): string[] => rows.map(({ id }) => id);
    assert.equal(
      result.pagination.total,
      each.reduce((sum, one) => sum + one.pagination.total, 0),
    );
    assert.deepEqual(ids(result.data).toSorted(), ids(each.flatMap(({ data }) => data)).toSorted());
    const days = result.data.map(({ date }: Json) => date);
    assert.deepEqual(days, days.toSorted().toReversed());
    const pages: Json[] = [];
    for (let offset = 0; offset < result.data.length; offset += 7) {
      pages.push(...(await agent.call('list_transactions', { ...all, limit: 7, offset })).result.data);
    }
    assert.deepEqual(pages, result.data);
  });

  test('holds no more rows than one account may have, and says that there are more', async () => {
    const small = await startService({ LIMIT_TRANSACTION_ROWS: '5' });
    try {
      const one = await small.owner();
      await linkAll(small, one, [{ provider: 'au_banking', customer: 'salaried-household' }]);
      const caller = agentOf(small.url, one.key);
      const [{ connectionId }] = (await caller.call('list_accounts')).result.data;
      const { result } = await caller.call('list_transactions', { connectionId, limit: 500 });
      assert.deepEqual([result.data.length, result.pagination.hasMore], [5, true]);
    } finally {
      await small.close();
    }
  });

  test('fails as a whole where one account cannot be read: a sum of what is left would mislead', async () => {
    const { connectionId } = first(banks);
    sandboxBank(service.app).addFault({
      route: 'GET /v1/banking/transactions',
      kind: 'malformed-json',
      count: 1,
    });
    const { failure } = await agent.call('list_transactions', {
      connectionId,
      from: '2025-01-01',
      to: '2025-01-31',
    });
    sandboxBank(service.app).clearFaults();
    assert.match(failure.code, /^upstream_/);
    assert.equal(failure.doc_url.split('#')[1], failure.code);
  });

  test('gives all accounts together the deadline of one read', async () => {
    const hurried = await startService();
    try {
      const one = await hurried.owner();
      await linkAll(hurried, one, [{ provider: 'au_banking', customer: 'salaried-household' }]);
      const caller = agentOf(hurried.url, one.key);
      const [{ connectionId }] = (await caller.call('list_accounts')).result.data;
      sandboxBank(hurried.app).addFault({ route: 'GET /v1/banking/transactions', kind: 'hang', count: 50 });
      await withPatience([700, 7_000], async (ms) => {
        const begun = performance.now();
        const { failure } = await withReadDeadline(hurried, ms, () =>
          caller.call('list_transactions', { connectionId }),
        );
        assert.deepEqual([failure.code, failure.retry], ['upstream_timeout', true]);
        // One after another they would take three times as long.
        assert.ok(performance.now() - begun < 2 * ms);
      });
    } finally {
      await hurried.close();
    }
  });
});
