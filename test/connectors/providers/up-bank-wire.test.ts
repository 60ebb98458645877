import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { ProviderAccess } from '../../../src/connectors/providers/provider-contract.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { fails } from './provider-contract.ts';
import { json } from './scripted-vendor.ts';
import { wireAccount, wireTransaction } from './up-bank-rows.ts';
import { GRANT, withScriptedUp } from './up-bank-scripted.ts';
import { linkHolder, openUpBank, SENT, type UpBankWorld, WEBHOOK_SECRET } from './up-bank-world.ts';

const never = new AbortController().signal;
const LIST = '/accounts/acc-1/transactions';
const page = (data: readonly unknown[], next: string | null = null) =>
  json({ data, links: { prev: null, next } });

describe('Reads of Up', () => {
  it('never follow an address out of an answer: only the cursor is taken, to the host that was configured', async () => {
    const elsewhere = 'https://evil.example/api/v1/anything?page%5Bafter%5D=c1&page%5Bsize%5D=9999&x=y';
    await withScriptedUp(
      (url) => {
        if (url.pathname !== LIST) return null;
        return url.searchParams.has('page[after]')
          ? page([wireTransaction('t-2')])
          : page([wireTransaction('t-1')], elsewhere);
      },
      async ({ rows, asked }) => {
        assert.deepEqual(
          (await rows()).map(({ id }) => id),
          ['txn_up_t-1', 'txn_up_t-2'],
        );
        const second = asked.at(-1);
        assert.deepEqual(Object.fromEntries(second?.searchParams ?? []), {
          'page[size]': '100',
          'page[after]': 'c1',
          'filter[since]': '2025-12-31T13:00:00.000Z',
          'filter[until]': '2026-01-31T12:59:59.999Z',
          'filter[status]': 'SETTLED',
        });
      },
    );
  });

  it('reach back by the longest hold for rows settled since a moment, and leave out those settled before', async () => {
    const since = Date.parse('2026-03-20T00:00:00Z');
    const settledAt = (at: string) => ({ settledAt: at, createdAt: '2026-03-01T10:00:00+11:00' });
    await withScriptedUp(
      (url) =>
        url.pathname === LIST
          ? page([
              wireTransaction('late', settledAt('2026-03-20T11:00:00+11:00')),
              wireTransaction('early', settledAt('2026-03-20T10:59:59+11:00')),
              wireTransaction('held', { status: 'HELD', settledAt: null }),
            ])
          : null,
      async ({ rows, asked }) => {
        const window = { from: localDate('2020-01-01'), to: localDate('2026-03-31') };
        const found = await rows({ ...window, since, includePending: true });
        assert.deepEqual(
          found.map(({ id, status }) => [id.slice(0, 12), status]),
          [
            ['txn_up_late', 'posted'],
            ['txn_up_held-', 'pending'],
          ],
        );
        const { searchParams } = asked.at(-1) ?? assert.fail();
        assert.equal(searchParams.get('filter[since]'), '2026-02-17T00:00:00.000Z');
        assert.equal(searchParams.get('filter[status]'), null);
      },
    );
  });

  it('say of a 401 that the person’s consent has ended, and of a 404 that the account is gone', async () => {
    const errors = [{ status: '401', title: 'Not Authorized', detail: 'no valid credential 123456789' }];
    await withScriptedUp(
      () => json({ errors }, { status: 401 }),
      async ({ provider }) => {
        const failure = await fails(provider.listAccounts(GRANT, never), 'grant_rejected');
        assert.equal((await provider.readConsent(GRANT, never)).state, 'ended');
        assert.ok(!failure.message.includes('123456789'));
        assert.deepEqual(
          (await provider.listInstitutions(never)).map(({ available }) => available),
          [false],
        );
        assert.equal(await linkHolder(provider), 'authentication_failed');
      },
    );
    await withScriptedUp(
      () => null,
      async ({ provider }) => {
        await fails(provider.readBalance(GRANT, 'acc-9', { live: false }, never), 'account_gone');
      },
    );
  });

  it('refuse an answer about another account, one that is no document, and ids no vendor gives', async () => {
    for (const body of [
      json({ data: wireAccount('acc-2') }),
      json({ data: [] }),
      json([]),
      json({ data: wireAccount('a'.repeat(300)) }),
      { body: '{"data":' },
    ]) {
      await withScriptedUp(
        (url) => (url.pathname === '/accounts/acc-1' ? body : null),
        async ({ provider }) => {
          await fails(provider.readBalance(GRANT, 'acc-1', { live: false }, never), 'malformed');
        },
      );
    }
  });

  it('are bounded: too many rows, too deep an answer, a list without end, pages that repeat', async () => {
    const rows = Array.from({ length: 2_001 }, (_, at) => wireTransaction(`t-${at}`));
    await withScriptedUp(
      (url) => (url.pathname === LIST ? page(rows) : null),
      async (up) => {
        await fails(up.rows(), 'malformed');
      },
    );
    await withScriptedUp(
      (url) => (url.pathname === LIST ? { body: `{"data":${'['.repeat(9_999)}${']'.repeat(9_999)}}` } : null),
      async (up) => {
        await fails(up.rows(), 'malformed');
      },
    );
    let made = 0;
    const onwards = () => `/x?${new URLSearchParams({ 'page[after]': `c-${++made}` })}`;
    await withScriptedUp(
      (url) => {
        if (url.pathname === '/accounts') return page([wireAccount(`acc-${made}`)], onwards());
        return url.pathname === LIST ? page([wireTransaction('the-same')], onwards()) : null;
      },
      async (up) => {
        await fails(up.provider.listAccounts(GRANT, never), 'malformed');
        await fails(up.rows(), 'malformed');
        assert.ok(up.asked.length < 200, `${up.asked.length} requests`);
      },
    );
  });

  it('take members of the prototype for what they are: nothing', async () => {
    const body =
      '{"data":{"id":"acc-1","__proto__":{"attributes":{"balance":{"currencyCode":"AUD","value":"1.00"}}}}}';
    await withScriptedUp(
      (url) => (url.pathname === '/accounts/acc-1' ? { body } : null),
      async ({ provider }) => {
        const balance = await provider.readBalance(GRANT, 'acc-1', { live: false }, never);
        assert.deepEqual([balance.current, balance.unreadable?.reason], [null, 'missing']);
      },
    );
  });
});

describe('The person behind the token', () => {
  let up: UpBankWorld;
  let grant: ProviderAccess;
  before(async () => {
    up = await openUpBank();
    const linked = await up.link('everyday');
    assert.ok(typeof linked !== 'string');
    grant = linked;
  });
  after(() => up.shut());

  it('is sent straight back with the state, and nothing is asked of Up before', async () => {
    up.simulator.control.clearRequests();
    const { url } = await up.provider.beginLink({ ...SENT, state: 's 1', renew: null });
    assert.equal(url, 'https://app.example/connect/return?state=s+1');
    assert.deepEqual(up.simulator.control.requests(), []);
  });

  it('goes on with the connection under a new token, and renews it under the same consent', async () => {
    const { control } = up.simulator;
    control.revokeToken();
    assert.equal((await up.provider.readConsent(grant, never)).state, 'ended');
    control.renewToken();
    assert.equal((await up.provider.readConsent(grant, never)).state, 'active');
    const renewed = await up.provider.completeLink({ ...SENT, memo: '', query: {}, renew: grant }, never);
    assert.ok(renewed.kind === 'linked');
    assert.equal(renewed.grants[0].grant.consent, grant.consent);
  });

  it('is never taken for the one who linked before: another’s token opens nothing and renews nothing', async () => {
    const other = await openUpBank();
    try {
      other.simulator.control.choose('traveller');
      const { provider } = other;
      await fails(provider.listAccounts(grant, never), 'grant_rejected');
      await fails(provider.readBalance(grant, 'acc', { live: false }, never), 'grant_rejected');
      assert.equal((await provider.readConsent(grant, never)).state, 'ended');
      assert.deepEqual(await provider.completeLink({ ...SENT, memo: '', query: {}, renew: grant }, never), {
        kind: 'failed',
        reason: 'not_eligible',
      });
      assert.ok(other.simulator.control.requests().every(({ path }) => path === '/api/v1/util/ping'));
    } finally {
      await other.shut();
    }
  });

  it('keeps the token: nothing is asked of Up when a connection ends here', async () => {
    up.simulator.control.clearRequests();
    await up.provider.withdraw();
    assert.deepEqual(up.simulator.control.requests(), []);
  });
});

describe('Notifications of Up', () => {
  const event = (eventType: string) =>
    Buffer.from(`{ "data": {"type": "webhook-events", "attributes": {"eventType": "${eventType}"}} }\n`);
  const signed = (body: Uint8Array, key = WEBHOOK_SECRET) => ({
    body,
    headers: { 'x-up-authenticity-signature': createHmac('sha256', key).update(body).digest('hex') },
  });

  it('count where the signature holds over the very bytes, and say which connection to look at', async () => {
    await withScriptedUp(
      () => null,
      async ({ provider }) => {
        const receive = (body: Uint8Array) => provider.receiveWebhook(signed(body), never);
        const signals = [{ about: { kind: 'consent', id: 'person-1' }, what: 'data_changed' }];
        for (const type of ['TRANSACTION_CREATED', 'TRANSACTION_SETTLED', 'TRANSACTION_DELETED'])
          assert.deepEqual(await receive(event(type)), signals);
        for (const type of ['PING', 'SOMETHING_NEW']) assert.deepEqual(await receive(event(type)), []);
        assert.deepEqual(await receive(Buffer.from('{}')), []);
        const repeated = Buffer.from(
          '{"data":{"type":"webhook-events","id":"event-1","attributes":{"eventType":"TRANSACTION_CREATED"}}}',
        );
        assert.deepEqual(await receive(repeated), [{ ...signals[0], notification: 'event-1' }]);
      },
    );
  });

  it('say nothing where the body is not JSON, or nested or filled beyond what Up sends', async () => {
    await withScriptedUp(
      () => null,
      async ({ provider, asked }) => {
        for (const body of [
          '',
          'null',
          '[]',
          '{"data":',
          '{"data":[]}',
          `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
          `[${'0,'.repeat(100_000)}0]`,
          Buffer.from('{"data":{"id":"\xff"}}', 'latin1'),
        ])
          assert.deepEqual(await provider.receiveWebhook(signed(Buffer.from(body)), never), []);
        assert.deepEqual(asked, []);
      },
    );
  });

  it('are refused with a signature of another key or other bytes, a short one, none, or one that is no hex', async () => {
    await withScriptedUp(
      () => null,
      async ({ provider, asked }) => {
        const body = event('TRANSACTION_CREATED');
        const good = signed(body).headers['x-up-authenticity-signature'];
        const headers = (value: string) => ({ 'x-up-authenticity-signature': value });
        for (const notification of [
          signed(body, 'another-key'),
          { body: event('TRANSACTION_DELETED'), headers: headers(good) },
          { body, headers: headers(good.slice(0, 62)) },
          { body, headers: headers('z'.repeat(64)) },
          { body, headers: headers(`${good}, ${good}`) },
          { body, headers: {} },
        ]) {
          assert.equal(await provider.receiveWebhook(notification, never), null);
        }
        assert.deepEqual(asked, [], 'Up was asked about what nobody signed');
      },
    );
  });
});
