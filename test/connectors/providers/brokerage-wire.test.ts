import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UpstreamSituation } from '../../../src/vocabulary/upstream-failures.ts';
import { KeptSecret, never, openBrokerage } from './brokerage-broker.ts';
import { json, type Scripted, withScriptedBroker } from './brokerage-script.ts';
import { fails } from './provider-contract.ts';

const onHoldings = (answer: Scripted) => (url: URL) =>
  url.pathname.endsWith('/positions/all') ? answer : null;

describe('What SnapTrade refuses', () => {
  const cases: readonly (readonly [number, object, UpstreamSituation])[] = [
    [400, { default_detail: 'Unable to verify data sent', default_code: 1076 }, 'own_credentials'],
    [401, { detail: 'Unable to verify signature sent', code: '1076', status_code: 401 }, 'own_credentials'],
    [401, { default_detail: 'Invalid userID or userSecret provided', default_code: 1083 }, 'grant_rejected'],
    [402, { detail: 'disabled', code: 3003 }, 'grant_rejected'],
    [402, { detail: 'disabled', code: '3011' }, 'grant_rejected'],
    [403, { default_detail: 'No permission', default_code: '1066' }, 'grant_rejected'],
    [403, { detail: 'Feature is not enabled', default_code: 1141 }, 'not_implemented'],
    [403, { detail: 'something else' }, 'other'],
    [404, { default_detail: 'missing', default_code: 1011 }, 'account_gone'],
    [410, { detail: 'gone' }, 'other'],
    [425, { detail: 'populating', code: 3012 }, 'not_ready'],
    [429, { detail: 'Request was throttled.', code: 'throttled', status_code: 429 }, 'rate_limited'],
    [429, { detail: 'Too many', code: '0000' }, 'rate_limited'],
    [500, { detail: 'Encountered an unexpected exception.', code: 1000, status_code: 500 }, 'server_error'],
    [501, { error: 'not yet implemented for brokerage x' }, 'not_implemented'],
    [503, { detail: 'sync lock', code: 3002, status_code: 503 }, 'server_error'],
    [400, { detail: 'bad' }, 'bad_request'],
  ];
  for (const [status, body, situation] of cases) {
    it(`with ${status} ${JSON.stringify(body)} is ${situation}`, async () => {
      await withScriptedBroker(onHoldings(json(body, { status })), ({ provider, access }) =>
        fails(provider.readHoldings(access, 'acc-1', never), situation).then(() => undefined),
      );
    });
  }

  it('is waited for as long as it says: by header, in its text, or until its minute is over', async () => {
    const text = { detail: 'Request was throttled. Expected available in 42 seconds.', code: 'throttled' };
    for (const [body, headers, seconds] of [
      [text, { 'retry-after': '7', 'x-ratelimit-reset': '9' }, 7],
      [text, { 'x-ratelimit-reset': '9' }, 42],
      [{ detail: 'throttled' }, { 'x-ratelimit-reset': '9' }, 9],
      [{ detail: 'Expected available in 86400 seconds.' }, {}, 86_400],
      [{ detail: 'throttled' }, {}, null],
    ] as const) {
      await withScriptedBroker(
        onHoldings(json(body, { status: 429, headers: { ...headers } })),
        async ({ provider, access }) => {
          const failure = await fails(provider.readHoldings(access, 'acc-1', never), 'rate_limited');
          assert.equal(failure.retryAfterSeconds, seconds);
        },
      );
    }
  });
});

describe('Requests to SnapTrade', () => {
  it('look at a connection once a minute, and list once for each need', async () => {
    await withScriptedBroker(
      () => null,
      async ({ provider, access, asked, trades }) => {
        for (let read = 0; read < 5; read++) await provider.readHoldings(access, 'acc-1', never);
        await trades();
        const count = (pattern: RegExp) => asked.filter(({ pathname }) => pattern.test(pathname)).length;
        assert.equal(count(/^\/authorizations\/con-1$/), 1);
        assert.equal(count(/positions\/all$/), 5);
        assert.equal(count(/activities$/), 1);
      },
    );
  });

  it('carry a secret in no path, and nothing of a user where our key alone is asked', async () => {
    const brokers = (url: URL) => (url.pathname === '/brokerages' ? json([]) : null);
    await withScriptedBroker(brokers, async ({ provider, access, asked }) => {
      await provider.readHoldings(access, 'acc-1', never);
      await provider.listInstitutions(never);
      assert.ok(asked.every(({ pathname }) => !pathname.includes('secret-1')));
      const own = asked.find(({ pathname }) => pathname === '/brokerages');
      assert.deepEqual([...(own?.searchParams.keys() ?? [])], ['clientId', 'timestamp']);
    });
  });

  it('are stopped at the vendor’s 250 a minute, and say how long to wait', async () => {
    const brokerage = await openBrokerage({ settings: { requestsPerMinute: 8 } });
    try {
      const access = await brokerage.linked('cash-only');
      const failure = await fails(
        (async () => {
          for (;;) await brokerage.provider.readConsent(access, never);
        })(),
        'rate_limited',
      );
      assert.ok((failure.retryAfterSeconds ?? 0) > 0 && (failure.retryAfterSeconds ?? 0) <= 60);
      brokerage.time.now += 61_000;
      assert.equal((await brokerage.provider.readConsent(access, never)).state, 'active');
    } finally {
      await brokerage.shut();
    }
  });

  it('with a consumer key that is not ours are our own credentials’ failure', async () => {
    const brokerage = await openBrokerage({ adapterKey: 'another' });
    try {
      await fails(brokerage.provider.listInstitutions(never), 'own_credentials');
    } finally {
      await brokerage.shut();
    }
  });
});

describe('The secret of a user', () => {
  it('that the vendor refuses is renewed once, stored, and used from then on', async () => {
    const brokerage = await openBrokerage();
    try {
      const access = await brokerage.linked('cash-only');
      const { secret } = access;
      assert.ok(secret instanceof KeptSecret);
      const before = secret.value;
      brokerage.simulator.control.outdateSecret(access.customer);
      assert.equal((await brokerage.provider.listAccounts(access, never)).length, 1);
      assert.notEqual(secret.value, before);
      assert.equal(secret.renewals, 1);
      await brokerage.provider.readConsent(access, never);
      assert.equal(secret.renewals, 1);
    } finally {
      await brokerage.shut();
    }
  });

  it('of a user who is gone cannot be renewed, and nothing is stored', async () => {
    const brokerage = await openBrokerage();
    try {
      const access = await brokerage.linked('cash-only');
      const before = access.secret.value;
      await brokerage.provider.deleteCustomer('unused', access, never);
      await fails(brokerage.provider.listAccounts(access, never), 'grant_rejected');
      assert.equal(access.secret.value, before);
    } finally {
      await brokerage.shut();
    }
  });
});

describe('A user at SnapTrade', () => {
  it('is deleted with its connections, which is confirmed, and again without complaint', async () => {
    const brokerage = await openBrokerage({ settings: { deletionDelayMs: 600 } });
    try {
      const access = await brokerage.linked('self-directed');
      await brokerage.provider.deleteCustomer(access.customer, access, never);
      assert.deepEqual(brokerage.simulator.control.users(), []);
      assert.deepEqual(brokerage.simulator.control.connections(), []);
      await brokerage.provider.deleteCustomer(access.customer, access, never);
      await brokerage.provider.withdraw(access, never);
    } finally {
      await brokerage.shut();
    }
  });

  it('whose deletion stays queued is asked for again later', async () => {
    const brokerage = await openBrokerage({ settings: { deletionDelayMs: 600_000 } });
    try {
      const access = await brokerage.linked('self-directed');
      await fails(brokerage.provider.withdraw(access, never), 'temporarily_unavailable');
      await fails(
        brokerage.provider.deleteCustomer(access.customer, access, never),
        'temporarily_unavailable',
      );
      brokerage.time.now += 600_001;
      await brokerage.provider.withdraw(access, never);
      await brokerage.provider.deleteCustomer(access.customer, access, never);
    } finally {
      await brokerage.shut();
    }
  });

  it('whose making was not answered is found by its key', async () => {
    const brokerage = await openBrokerage();
    try {
      const { key } = await brokerage.register();
      await fails(brokerage.provider.deleteCustomer(key, null, never), 'temporarily_unavailable');
      await brokerage.provider.deleteCustomer(key, null, never);
      assert.deepEqual(brokerage.simulator.control.users(), []);
      await brokerage.provider.deleteCustomer('0190a000-0000-7000-8000-000000000001', null, never);
    } finally {
      await brokerage.shut();
    }
  });
});
