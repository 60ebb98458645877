import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestService } from '../../support/service.ts';
import { linkAll } from './support/linked.ts';
import { type V1Client, v1Client } from './support/v1-client.ts';

/** As the contract has them, where other suites set them aside. */
const CONTRACT = {
  LIMIT_RATE_CHEAP: '60',
  LIMIT_RATE_MID: '30',
  LIMIT_RATE_HEAVY: '30',
  LIMIT_HEAVY_IN_FLIGHT: '4',
  LIMIT_AUTH_FAILURES: '60',
  LIMIT_TRANSACTIONS_CACHE_MINUTES: '0',
};

let service: TestService;

before(async () => {
  service = await startService(CONTRACT);
});
after(() => service.close());

const newcomer = async (): Promise<V1Client> => v1Client(service, await service.owner());

describe('the rate limits of v1', () => {
  const buckets: readonly (readonly [string, number, readonly string[]])[] = [
    ['cheap', 60, ['/connections', '/accounts', '/categories']],
    ['mid', 30, ['/balances', '/account-details']],
    ['heavy', 30, ['/transactions', '/holdings', '/trades']],
  ];
  for (const [tier, most, paths] of buckets) {
    test(`allow ${most} requests a minute of the bucket ${tier}, shared by ${paths.join(', ')}`, async () => {
      const v1 = await newcomer();
      for (let made = 1; made <= most; made++) {
        const answer = await v1(paths[made % paths.length] ?? '');
        assert.notEqual(answer.status, 429, `request ${made}`);
        assert.equal(answer.headers.get('x-ratelimit-limit'), String(most));
        assert.equal(answer.headers.get('x-ratelimit-remaining'), String(most - made));
      }
      for (const path of paths) {
        const { status, body, headers } = await v1(path);
        assert.deepEqual([status, Object.keys(body.error)], [429, ['message']]);
        const wait = Number(headers.get('retry-after'));
        assert.ok(wait >= 1 && wait <= 60, String(wait));
        const reset = Number(headers.get('x-ratelimit-reset')) - service.app.clock.now() / 1000;
        assert.ok(Math.abs(reset - wait) < 3, `${reset} and ${wait}`);
      }
      const [other = ''] = buckets.find(([name]) => name !== tier)?.[2] ?? [];
      assert.notEqual((await v1(other)).status, 429, 'another bucket is another count');
    });
  }

  test('count apart from those of v2, in both directions', async () => {
    const owner = await service.owner();
    const v1 = v1Client(service, owner);
    for (let made = 0; made < 60; made++) await v1('/accounts');
    assert.equal((await v1('/accounts')).status, 429);
    const { headers } = await owner.v2('GET', '/v2/accounts');
    assert.equal(headers.get('x-ratelimit-remaining'), '59');
  });

  test('are also those of all keys of the account record together, over both versions [limit rate_account_keys]', async () => {
    const hurried = await startService({ ...CONTRACT, LIMIT_RATE_CHEAP: '4', LIMIT_RATE_ACCOUNT_KEYS: '1' });
    try {
      const owner = await hurried.owner();
      await owner.v2('GET', '/v2/accounts');
      await owner.v2('GET', '/v2/accounts');
      const v1 = v1Client(hurried, owner);
      assert.equal((await v1('/accounts')).headers.get('x-ratelimit-remaining'), '1');
      assert.equal((await v1('/accounts')).status, 200);
      assert.equal((await v1('/accounts')).status, 429);
    } finally {
      await hurried.close();
    }
  });

  test('allow 4 heavy requests in flight, and refuse one more with the message of the contract [limit heavy_in_flight]', async () => {
    const owner = await service.owner();
    await linkAll(service, owner, [{ provider: 'au_banking', customer: 'dormant' }]);
    const v1 = v1Client(service, owner);
    const [{ id, connectionId }] = (await v1('/accounts')).body.data;
    const bank = sandboxBank(service.app);
    bank.addFault({ route: 'GET /v1/banking/*', kind: 'latency', latencyMs: 8_000, count: 10 });
    const path = (day: number): string =>
      `/transactions?connectionId=${connectionId}&accountId=${id}&from=2026-10-0${day}`;
    const answers = await Promise.all([1, 2, 3, 4, 5].map((day) => v1(path(day))));
    bank.clearFaults();
    const [refused, ...others] = answers.filter(({ status }) => status !== 200);
    assert.ok(refused !== undefined && others.length === 0);
    const { status, body, headers } = refused;
    assert.deepEqual([status, body], [429, { error: { message: 'Too many concurrent requests' } }]);
    assert.equal(headers.get('retry-after'), '1');
    assert.ok(headers.get('x-ratelimit-reset'));
    assert.equal((await v1(path(5))).status, 200, 'places are given back');
  });

  test('before authentication are those of v2, with no code and both headers [limit auth_failures_per_minute]', async () => {
    const wrong = v1Client(service, { key: 'trib_live_11111111111111111111111111111111111111' });
    for (let made = 0; made < 60; made++) assert.equal((await wrong('/accounts')).status, 401);
    const { status, body, headers } = await wrong('/accounts');
    assert.deepEqual([status, Object.keys(body.error)], [429, ['message']]);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
    assert.match(headers.get('x-ratelimit-reset') ?? '', /^\d+$/);
  });
});
