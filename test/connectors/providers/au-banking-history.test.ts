import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAuBankingProvider } from '../../../src/connectors/providers/au-banking/connector.ts';
import { historyState } from '../../../src/connectors/providers/au-banking/freshness.ts';
import { NO_SECRET } from '../../../src/connectors/providers/customer-secret.ts';
import type { Provider, ProviderAccess } from '../../../src/connectors/providers/provider-contract.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import { createLog } from '../../../src/platform/log.ts';
import { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { handClock, list, text, type Visitor, withSimulator } from '../../sandbox/visitor.ts';
import { GRANT, json, wireRow, withScriptedVendor } from './scripted-vendor.ts';

const signal = new AbortController().signal;

async function linked(visitor: Visitor, url: string): Promise<{ provider: Provider; grant: ProviderAccess }> {
  const user = await visitor.endUser();
  await visitor.link(user, { customer: 'salaried-household' });
  const [consent] = list(
    { consents: (await visitor.get(`/v1/consent?end_user_id=${user}`)).body },
    'consents',
  );
  const provider = createAuBankingProvider({
    http: new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: [url] }),
    clock: { now: () => Date.now(), sleep: async () => undefined },
    log: createLog({ level: 'silent' }),
    limits: DEFAULT_LIMITS,
    baseUrl: url,
    clientId: 'client-1',
    clientSecret: 'secret-1',
    version: 'v3',
  });
  return {
    provider,
    grant: {
      customer: user,
      secret: NO_SECRET,
      consent: text(consent, 'arrangement_id'),
      institution: '88888',
    },
  };
}

describe('what the vendor says of a history', () => {
  test('is loading until the older rows are there, then complete', async () => {
    const clock = handClock();
    await withSimulator({ clock, historySyncDelayMs: 60_000 }, async (visitor, { url }) => {
      const { provider, grant } = await linked(visitor, url);
      const ask = () => provider.readHistoryState?.(grant, 'any', signal);
      assert.equal(await ask(), 'loading');
      clock.at += 60_000;
      assert.equal(await ask(), 'complete');
    });
  });

  test('comes with the accounts: when their data was last copied, which moves on on its own', async () => {
    const clock = handClock();
    await withSimulator({ clock }, async (visitor, { url }) => {
      const { provider, grant } = await linked(visitor, url);
      const copied = async () =>
        (await provider.listAccounts(grant, signal)).map(({ refreshedAt }) => refreshedAt);
      const first = clock.at;
      assert.deepEqual(await copied(), [first, first, first]);
      clock.at += 9 * 3_600_000;
      assert.deepEqual(
        await copied(),
        Array.from({ length: 3 }, () => first + 8 * 3_600_000),
      );
    });
  });

  test('is left out of the accounts where the vendor fails to say it', async () => {
    for (const options of [{ dataFreshness: false }, {}]) {
      await withSimulator(options, async (visitor, { url, control }) => {
        const { provider, grant } = await linked(visitor, url);
        control.addFault({ route: 'GET /v1/data-freshness', kind: 'server-error', count: 2 });
        const accounts = await provider.listAccounts(grant, signal);
        assert.deepEqual(
          accounts.map((account) => 'refreshedAt' in account),
          [false, false, false],
        );
      });
    }
  });

  test('is unknown where the vendor has no such path', async () => {
    await withSimulator({ dataFreshness: false }, async (visitor, { url }) => {
      const { provider, grant } = await linked(visitor, url);
      assert.equal(await provider.readHistoryState?.(grant, 'any', signal), 'unknown');
    });
  });

  test('is unknown where the answer has another shape, which is not held against the vendor', async () => {
    await withScriptedVendor(
      ({ pathname }) => (pathname === '/v1/data-freshness' ? json({ data: { fresh: true } }) : null),
      async ({ provider }) =>
        assert.equal(await provider.readHistoryState?.(GRANT, 'acc-1', signal), 'unknown'),
    );
  });

  const done = {
    data_type: 'banking.transactions',
    status: 'COMPLETED',
    last_synced_at: '2026-01-01T00:00:00Z',
  };
  const cases: ReadonlyArray<readonly [string, readonly Record<string, unknown>[], string]> = [
    ['nothing at all', [], 'unknown'],
    ['another data set', [{ ...done, data_type: 'banking.transactions.recent' }], 'unknown'],
    ['another consent', [{ ...done, arrangement_id: 'arr-2' }], 'unknown'],
    ['another account', [{ ...done, account_id: 'acc-2' }], 'unknown'],
    ['our consent', [{ ...done, arrangement_id: 'arr-1' }], 'complete'],
    ['a moment without a status', [{ ...done, status: undefined }], 'complete'],
    ['a status without a moment', [{ ...done, last_synced_at: null }], 'unknown'],
    ['a status nobody documented', [{ ...done, status: 'PARTIAL' }], 'unknown'],
    ['work under way beside work done', [done, { ...done, status: 'in_progress' }], 'loading'],
    ['an unclear row beside a clear one', [done, { ...done, status: 'ODD' }], 'unknown'],
    ['camel case', [{ dataType: 'banking.transactions', lastSyncedAt: '2026-01-01T00:00:00Z' }], 'complete'],
  ];
  for (const [what, rows, expected] of cases) {
    test(`is ${expected} after ${what}`, () => {
      assert.equal(historyState(rows, GRANT, 'acc-1'), expected);
    });
  }
});

describe('between two pages', () => {
  for (const [what, accounts, active, situation] of [
    ['an account that leaves', [], true, 'account_gone'],
    ['a consent that ends', [], false, 'grant_rejected'],
  ] as const) {
    test(`${what} is not taken for the end of the statement`, async () => {
      await withScriptedVendor(
        (url) => {
          const second = url.searchParams.has('page[after]');
          const links = second ? {} : { next: 'https://vendor.test/?page[after]=2' };
          const transactions = second ? [] : [wireRow('bank_tx_1')];
          if (url.pathname === '/v1/banking/transactions') return json({ transactions, links });
          if (url.pathname === '/v1/banking/accounts') return json({ accounts, links: {} });
          if (url.pathname === '/v1/consent')
            return json({ consents: [{ arrangement_id: 'arr-1', active }], links: {} });
          return null;
        },
        async (vendor) => {
          await assert.rejects(
            vendor.rows(),
            (error) => error instanceof UpstreamFailure && error.situation === situation,
          );
        },
      );
    });
  }
});
