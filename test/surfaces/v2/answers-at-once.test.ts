import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CURRENT_RELEASE } from '../../../src/vocabulary/service-version.ts';
import { importedConnection, linkBank } from '../../features/linking/person.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { type RawAnswer, rawExchange } from '../http/raw-exchange.ts';

let service: TestService;
let owner: TestOwner;
let account: string;
let transactions: string;

before(async () => {
  service = await startService();
  owner = await service.owner();
  const link = await linkBank(owner, { customer: 'salaried-household' });
  const { accounts } = await importedConnection(owner, link);
  account = accounts[0].id;
  transactions = `/v2/transactions?account=${account}&limit=100`;
});
after(() => service.close());

const asked = (path: string, more: Readonly<Record<string, string>> = {}): Promise<RawAnswer> =>
  rawExchange(service.url, 'GET', path, {
    authorization: `Bearer ${owner.key}`,
    'service-version': CURRENT_RELEASE,
    ...more,
  });

/** Differs between any two requests. */
const OWN: ReadonlySet<string> = new Set([
  'date',
  'request-id',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]);

const shape = ({ status, headers, body }: RawAnswer) => ({
  status,
  body,
  // In the order in which they were sent.
  headers: [...headers].map(([name, value]) => (OWN.has(name) ? name : `${name}: ${value}`)),
});

/** After any change of an account record, its callers are looked up again. */
const forgetCaller = () =>
  service.app.services.accountRecords.update(owner.record.id, { timezone: 'Australia/Sydney' });

describe('an answer that is known already', () => {
  test('has the bytes and the headers of one that was waited for, in the same order', async () => {
    for (const path of ['/v2/me', transactions]) {
      await forgetCaller();
      const waited = await asked(path);
      const known = [await asked(path), await asked(path)];
      assert.equal(waited.status, 200);
      for (const one of known) assert.deepEqual(shape(one), shape(waited));
      const ids = [waited, ...known].map(({ headers }) => headers.get('request-id'));
      assert.equal(new Set(ids).size, 3);
      const left = [waited, ...known].map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
      assert.deepEqual(
        left,
        [0, 1, 2].map((used) => (left[0] ?? 0) - used),
      );
    }
  });

  test('is not given to a request that would be refused', async () => {
    for (const path of ['/v2/me', transactions]) await asked(path);
    for (const [path, headers, status] of [
      ['/v2/me', { authorization: 'Bearer trib_live_nobody' }, 401],
      ['/v2/me', { 'service-version': '2020-01-01.none' }, 400],
      ['/v2/me?limit=1', {}, 400],
      [`${transactions}&limit=100`, {}, 400],
      [`${transactions}&from=2026-02-30`, {}, 400],
      [`${transactions}&unknown=1`, {}, 400],
    ] as const) {
      const answer = await asked(path, headers);
      assert.equal(answer.status, status, path);
      assert.match(answer.headers.get('request-id') ?? '', /^req_/);
      assert.match(answer.body, /"error":/);
    }
    const stranger = await service.owner();
    const theirs = await asked(transactions, { authorization: `Bearer ${stranger.key}` });
    assert.equal(theirs.status, 404);
  });

  test('shows a change of the account record and of its categories from the next request on', async () => {
    await asked('/v2/me');
    assert.equal((await owner.v2('POST', '/v2/me', { name: 'Renamed' })).status, 200);
    assert.match((await asked('/v2/me')).body, /"name":"Renamed"/);
    const before = JSON.parse((await asked(transactions)).body);
    assert.equal((await asked(transactions)).status, 200);
    const [row] = before.data;
    const categories = await owner.v2('GET', '/v2/categories?limit=100');
    const other = categories.body.data.find(
      ({ id, parent }: { id: string; parent: string | null }) => parent !== null && id !== row.category,
    );
    const assigned = await owner.v2('POST', '/v2/category_assignments', {
      account,
      transactions: [row.id],
      category: other.id,
    });
    assert.ok(assigned.status < 300, JSON.stringify(assigned.body));
    const after = JSON.parse((await asked(transactions)).body);
    assert.equal(after.data[0].category, other.id);
  });

  test('is counted among the requests of its operation', async () => {
    const count = async (): Promise<number> => {
      const text = await service.app.metrics.text();
      return Number(
        /tributary_http_request_seconds_count\{operation="get_me",status="200"\} (\d+)/.exec(text)?.[1] ?? 0,
      );
    };
    await asked('/v2/me');
    const before = await count();
    await asked('/v2/me');
    await asked('/v2/me');
    assert.equal(await count(), before + 2);
  });

  test('is not given once the choice against caching was made', async () => {
    await asked(transactions);
    await service.app.services.accountRecords.update(owner.record.id, { caching: false });
    const control = sandboxBank(service.app);
    control.clearRequests();
    assert.equal((await asked(transactions)).status, 200);
    assert.equal((await asked(transactions)).status, 200);
    assert.ok(control.requests().length >= 2);
  });
});
