import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BrokerageControl } from '../../../sandbox/brokerage/control.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { linkAll } from './support/linked.ts';
import { type V1Client, v1Client } from './support/v1-client.ts';

const DAY_MS = 86_400_000;

let service: TestService;
let owner: TestOwner;
let v1: V1Client;
let connection: string;
let accounts: readonly string[];
let other: Json;

before(async () => {
  service = await startService({ LIMIT_TRANSACTION_ROWS: '60', LIMIT_LIST_ROWS: '4' });
  owner = await service.owner();
  v1 = v1Client(service, owner);
  await linkAll(service, owner, [{ provider: 'brokerage', customer: 'self-directed' }]);
  const [linked] = (await v1('/connections')).body.data;
  connection = linked.id;
  accounts = (await v1('/accounts')).body.data.map(({ id }: Json) => id).toSorted();
  assert.ok(accounts.length >= 2);
  await linkAll(service, owner, [{ provider: 'au_banking', customer: 'dormant' }]);
  other = (await v1('/accounts')).body.data.find(({ connectionId }: Json) => connectionId !== connection);
});
after(() => service.close());

const daysAgo = (days: number): string =>
  new Date(service.app.clock.now() - days * DAY_MS).toISOString().slice(0, 10);
const refusal = ({ status, body }: { status: number; body: Json }): unknown[] => [status, body.error?.code];

for (const path of ['/holdings', '/trades']) {
  describe(`the accounts of GET /v1${path}`, () => {
    const rowsOf = async (query: string): Promise<Json[]> => {
      const { status, body, text } = await v1(`${path}?connectionId=${connection}${query}`);
      assert.equal(status, 200, text);
      return body.data;
    };
    const accountsOf = (rows: readonly Json[]): string[] => [
      ...new Set(rows.map(({ accountId }) => accountId)),
    ];

    test('are named one by one, several at once, or not at all for those of the whole connection', async () => {
      const [one = '', two = ''] = accounts;
      const first = await rowsOf(`&accountId=${one}`);
      assert.deepEqual(accountsOf(first), [one]);
      const both = await rowsOf(`&accountIds=${two},${one},${two.toUpperCase()}`);
      assert.deepEqual(accountsOf(both).toSorted(), [one, two].toSorted());
    });

    test('are those of accountIds where accountId is sent too', async () => {
      const [one = '', two = ''] = accounts;
      assert.deepEqual(accountsOf(await rowsOf(`&accountId=${one}&accountIds=${two}`)), [two]);
    });

    test('must be of the connection: any other is account_not_found', async () => {
      const [one = ''] = accounts;
      for (const id of [other.id, '01900000-0000-7000-8000-000000000001', 'nonsense']) {
        assert.deepEqual(refusal(await v1(`${path}?connectionId=${connection}&accountId=${id}`)), [
          404,
          'account_not_found',
        ]);
        const listed = await v1(`${path}?connectionId=${connection}&accountIds=${one},${id}`);
        assert.deepEqual(refusal(listed), [404, 'account_not_found']);
      }
    });

    test('are refused as invalid_params where accountIds names none, and beyond 4,000 characters', async () => {
      for (const text of ['', '%20', ',', '%20,%20,']) {
        assert.deepEqual(refusal(await v1(`${path}?connectionId=${connection}&accountIds=${text}`)), [
          400,
          'invalid_params',
        ]);
      }
      const { status, body } = await v1(`${path}?connectionId=${connection}&accountIds=${'a,'.repeat(2001)}`);
      assert.deepEqual(
        [status, Object.keys(body.error), Object.keys(body.error.details)],
        [400, ['message', 'details'], ['accountIds']],
      );
    });

    test('must be of a brokerage connection', async () => {
      assert.deepEqual(refusal(await v1(`${path}?connectionId=${other.connectionId}`)), [
        400,
        'wrong_endpoint_for_category',
      ]);
      const { status, body } = await v1(path);
      assert.deepEqual([status, Object.keys(body.error.details)], [400, ['connectionId']]);
    });

    test('are read each time again, and nothing says that they were cached', async () => {
      const broker = service.app.sandbox?.simulators.get('brokerage')?.control;
      assert.ok(broker instanceof BrokerageControl);
      const before = broker.requests().length;
      const answers = [0, 1].map(() => v1(`${path}?connectionId=${connection}&accountId=${accounts[0]}`));
      for (const { headers } of await Promise.all(answers)) assert.equal(headers.get('x-cache'), null);
      assert.ok(broker.requests().length >= before + 2);
    });
  });
}

describe('GET /v1/holdings', () => {
  test('shows quantities and prices with all their digits, each account by symbol', async () => {
    const { body } = await v1(`/holdings?connectionId=${connection}&accountId=${accounts[0]}`);
    const symbols = body.data.map(({ symbol }: Json) => symbol);
    assert.deepEqual(symbols, symbols.toSorted());
    assert.ok(body.data.some(({ quantity }: Json) => /\.\d{3,}$/.test(quantity)));
    assert.ok(body.data.every(({ currency }: Json) => /^[A-Z]{3}$/.test(currency)));
  });

  test('refuses more positions than LIMIT_LIST_ROWS together rather than showing a part of them [limit list_rows]', async () => {
    const broker = service.app.sandbox?.simulators.get('brokerage')?.control;
    assert.ok(broker instanceof BrokerageControl);
    const whole = `/holdings?connectionId=${connection}`;
    assert.equal((await v1(whole)).body.data.length, 4);
    const upstream = broker.connections()[0]?.accounts[1] ?? assert.fail();
    const held = { units: '1', currency: 'USD', price: '2', cost: '1' };
    const stock = { kind: 'stock', name: 'A stock', currency: 'USD', exchange: 'XNAS' } as const;
    broker.setPositions(upstream, [
      { instrument: { ...stock, symbol: 'AAA' }, ...held },
      { instrument: { ...stock, symbol: 'BBB' }, ...held },
    ]);
    for (const id of accounts) assert.equal((await v1(`${whole}&accountId=${id}`)).status, 200);
    assert.deepEqual(refusal(await v1(whole)), [424, 'upstream_failed']);
  });
});

describe('GET /v1/trades', () => {
  const trades = (query = ''): Promise<{ status: number; body: Json; headers: Headers }> =>
    v1(`/trades?connectionId=${connection}${query}`);

  test('lists them newest first over all accounts, under ids that stay the same', async () => {
    const { body } = await trades('&limit=50');
    const days = body.data.map(({ tradeDate }: Json) => tradeDate.slice(0, 10));
    assert.deepEqual(days, days.toSorted().toReversed());
    assert.ok(new Set(body.data.map(({ accountId }: Json) => accountId)).size > 1);
    for (const { id } of body.data) assert.match(id, /^snap_[0-9a-f]{32}(-\d+)?$/);
    assert.deepEqual((await trades('&limit=50')).body, body);
  });

  test('counts no total while there are more, and counts them on the last page', async () => {
    const window = `&from=${daysAgo(40)}`;
    const seen: string[] = [];
    for (let offset = 0; ; offset += 2) {
      const { body } = await trades(`${window}&limit=2&offset=${offset}`);
      seen.push(...body.data.map(({ id, accountId }: Json) => `${accountId} ${id}`));
      assert.deepEqual(Object.keys(body.pagination), ['total', 'limit', 'offset', 'hasMore']);
      if (!body.pagination.hasMore) {
        assert.equal(body.pagination.total, seen.length);
        break;
      }
      assert.equal(body.pagination.total, null);
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.ok(seen.length > 2);
  });

  test('beyond the ceiling says so by pagination alone: hasMore and no total, and no header', async () => {
    const { body, headers } = await trades('&limit=500');
    assert.equal(body.data.length, 60);
    assert.deepEqual(body.pagination, { total: null, limit: 500, offset: 0, hasMore: true });
    assert.equal(headers.get('x-service-truncated'), null);
    const last = await trades('&limit=500&offset=60');
    assert.deepEqual(last.body, {
      data: [],
      pagination: { total: 60, limit: 500, offset: 60, hasMore: false },
    });
  });

  test('takes from and to as days or moments, both included', async () => {
    const { body } = await trades(`&from=${daysAgo(60)}&to=${daysAgo(20)}T12:00:00Z`);
    assert.ok(body.data.length > 0);
    for (const { tradeDate } of body.data) {
      assert.ok(tradeDate.slice(0, 10) >= daysAgo(60) && tradeDate.slice(0, 10) <= daysAgo(20), tradeDate);
    }
    assert.deepEqual(refusal(await trades(`&from=${daysAgo(2)}&to=${daysAgo(3)}`)), [
      400,
      'invalid_date_range',
    ]);
    const { status, body: refused } = await trades('&from=then');
    assert.deepEqual([status, Object.keys(refused.error.details)], [400, ['from']]);
  });

  test('passes an open window on to the provider, which decides', async () => {
    const oldest = (rows: readonly Json[]): string =>
      rows.map(({ tradeDate }) => tradeDate).toSorted()[0] ?? '';
    const open = (await trades(`&to=${daysAgo(300)}`)).body.data;
    assert.ok(oldest(open) < daysAgo(370), 'nothing bounds a window without a beginning');
    const begun = (await trades(`&from=${daysAgo(700)}&to=${daysAgo(300)}`)).body.data;
    assert.ok(oldest(begun) >= daysAgo(300 + 366), 'a longer one keeps its end and begins later');
  });
});
