import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { V1_ENDPOINTS } from '../../../src/operations/v1/endpoint-table.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { departures, goldenNames, goldenOf, goldenOfSchema } from './support/golden.ts';
import { linkAll, SOMEBODY_EVERYWHERE } from './support/linked.ts';
import { type V1Client, v1Client } from './support/v1-client.ts';

const nameOf = (path: string): string => path.replace('/v1/', '');

describe('the shape of v1 is that of its golden files', () => {
  test('every endpoint has a golden file, and every file is of one or of the errors', () => {
    assert.deepEqual(
      goldenNames().toSorted(),
      [...V1_ENDPOINTS.map(({ path }) => nameOf(path)), 'error'].toSorted(),
    );
  });

  for (const { path, response } of V1_ENDPOINTS) {
    test(`no field of ${path} has another name, type or nullability than in its golden file`, () => {
      assert.deepEqual(goldenOfSchema(response), goldenOf(nameOf(path)));
    });
  }

  test('a departure is found, whatever it is', () => {
    const golden = goldenOf('balances');
    const balance = { accountId: 'a', currentBalance: null, availableBalance: '1.00', currency: 'AUD' };
    const of = (changed: object) => departures(golden, { data: [{ ...balance, ...changed }] });
    assert.deepEqual(of({}), []);
    assert.equal(of({ accountId: null }).length, 1);
    assert.equal(of({ availableBalance: 1 }).length, 1);
    assert.equal(of({ available: '1.00' }).length, 1);
    assert.equal(departures(golden, { data: [{ accountId: 'a' }] }).length, 3);
    assert.equal(departures(golden, {}).length, 1);
    assert.equal(departures(goldenOf('error'), { error: { message: 'm', code: null } }).length, 1);
  });
});

/** What no simulated vendor says: a lending rate that depends on the balance. */
const NEVER_SEEN: Readonly<Record<string, readonly string[]>> = {
  'account-details': Object.keys(goldenOf('account-details')).filter((at) =>
    at.startsWith('data[].lendingRates[].tiers[]'),
  ),
};

describe('what v1 answers has the shape of its golden files, for accounts of every provider', () => {
  let service: TestService;
  let owner: TestOwner;
  let v1: V1Client;
  let connections: readonly Json[];
  let accounts: readonly Json[];

  before(async () => {
    service = await startService();
    owner = await service.owner();
    await linkAll(service, owner, SOMEBODY_EVERYWHERE);
    v1 = v1Client(service, owner);
    connections = (await v1('/connections')).body.data;
    accounts = (await v1('/accounts?limit=200')).body.data;
    assert.equal(connections.length, SOMEBODY_EVERYWHERE.length);
  });
  after(() => service.close());

  const of = (category: string): readonly Json[] => {
    const ids = new Set(connections.filter((one) => one.category === category).map(({ id }) => id));
    return accounts.filter(({ connectionId }) => ids.has(connectionId));
  };
  const listOf = (rows: readonly Json[]): string => rows.map(({ id }) => id).join(',');
  const brokers = (): readonly Json[] => connections.filter(({ category }) => category === 'brokerage');
  const requests: Readonly<Record<string, () => string[]>> = {
    connections: () => ['/connections'],
    accounts: () => ['/accounts?limit=200', '/accounts?limit=1&offset=2'],
    balances: () => [`/balances?accountIds=${listOf(of('banking'))}`],
    'account-details': () => [`/account-details?accountIds=${listOf(of('banking'))}`],
    transactions: () =>
      of('banking').map(
        ({ id, connectionId }) =>
          `/transactions?connectionId=${connectionId}&accountId=${id}&includePending=true&limit=500&from=2026-01-01`,
      ),
    holdings: () => brokers().map(({ id }) => `/holdings?connectionId=${id}`),
    trades: () =>
      brokers().flatMap(({ id }) => [`/trades?connectionId=${id}`, `/trades?connectionId=${id}&limit=1`]),
    categories: () => ['/categories'],
  };

  for (const { path } of V1_ENDPOINTS) {
    const name = nameOf(path);
    test(`${path}, each of whose fields is seen`, async () => {
      const golden = goldenOf(name);
      const seen = new Set<string>();
      for (const request of requests[name]?.() ?? assert.fail(name)) {
        const answer = await v1(request);
        assert.equal(answer.status, 200, `${request}: ${answer.text}`);
        assert.deepEqual(departures(golden, answer.body, seen), [], request);
      }
      const unseen = Object.keys(golden).filter((at) => !seen.has(at));
      assert.deepEqual(unseen, NEVER_SEEN[name] ?? []);
    });
  }
});
