import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Tributary } from '#client';
import { banksByName, linkCustomer } from '../../../src/app/demo/demo-steps.ts';
import { LIMITS_ASIDE } from '../../../src/app/demo/limits-aside.ts';
import { publicId, rowId } from '../../../src/vocabulary/ids.ts';
import { LINKED_PROVIDERS, type LinkedProvider, PROVIDERS } from '../../../src/vocabulary/provider-kinds.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { RETURN_URL } from './person.ts';

const NOWHERE = '01234567-89ab-7cde-8f01-23456789abcd';
const NO_ACCOUNT = publicId('account', rowId('account', NOWHERE));
const NO_CONNECTION = publicId('connection', rowId('connection', NOWHERE));

/** Someone at each provider, with rows where the provider has any. */
const PEOPLE: Readonly<Record<LinkedProvider, { readonly bank: string | null; readonly customer: string }>> =
  {
    au_banking: { bank: 'Banking Sandbox Data Holder', customer: 'rows:20' },
    nz_banking: { bank: null, customer: 'rows:20' },
    brokerage: { bank: null, customer: 'rows:20' },
    up_bank: { bank: null, customer: 'rows:20' },
    simplefin: { bank: null, customer: 'rows:20' },
    enable_banking: { bank: 'Kuura Bank (FI)', customer: 'rows:20' },
  };

describe('What is linked at any provider is its owner’s alone', () => {
  let service: TestService;
  let owner: TestOwner;
  let stranger: TestOwner;
  const linked = new Map<LinkedProvider, readonly string[]>();

  before(async () => {
    service = await startService(LIMITS_ASIDE);
    owner = await service.owner();
    const v2 = new Tributary({ url: service.url, apiKey: owner.key });
    for (const provider of LINKED_PROVIDERS) {
      const customer = { provider, ...PEOPLE[provider] };
      service.app.sandbox?.simulators.get(provider)?.people?.choose?.(customer.customer);
      const banks = PROVIDERS[provider].linksInstitution ? await banksByName(v2, provider) : new Map();
      const signal = AbortSignal.timeout(60_000);
      linked.set(provider, await linkCustomer(v2, customer, banks, RETURN_URL, signal));
    }
    // Made now: personal credentials are those of the only account record.
    stranger = await service.owner();
  });
  after(() => service.close());

  for (const provider of LINKED_PROVIDERS) {
    it(`${provider}: another’s account and connection are answered as none, and no one is asked about them`, async () => {
      const [account = ''] = linked.get(provider) ?? [];
      const rows = PROVIDERS[provider].category === 'brokerage' ? 'trades' : 'transactions';
      const own = await owner.v2('GET', `/v2/${rows}?account=${account}&from=${daysAgo(150)}`);
      assert.equal(own.status, 200, JSON.stringify(own.body));
      assert.ok(own.body.data.length > 0);
      // A broker's rows are trades, whose ids no transaction has.
      const row: string = own.body.data[0].id.replace(/^trd_/, 'txn_');
      const { connection } = (await owner.v2('GET', `/v2/accounts/${account}`)).body;
      const control = service.app.sandbox?.simulators.get(provider)?.control ?? assert.fail();
      control.clearRequests();

      const asks: readonly (readonly [string, (account: string, connection: string) => string, unknown?])[] =
        [
          ['GET', (id) => `/v2/accounts/${id}`],
          ['GET', (id) => `/v2/accounts/${id}/balance`],
          ['GET', (id) => `/v2/accounts/${id}/details`],
          ['GET', (id) => `/v2/balances?account=${id}`],
          ['GET', (id) => `/v2/transactions?account=${id}`],
          ['GET', (id) => `/v2/transactions/${row}?account=${id}`],
          ['GET', (id) => `/v2/transactions/export?account[]=${id}`],
          ['GET', (id) => `/v2/holdings?account=${id}`],
          ['GET', (id) => `/v2/trades?account=${id}`],
          ['GET', (_, id) => `/v2/connections/${id}?include[]=accounts`],
          ['GET', (_, id) => `/v2/accounts?connection=${id}`],
          ['POST', (_, id) => `/v2/connections/${id}/refresh`, {}],
          ['POST', (_, id) => `/v2/connections/${id}/reauthorize`, { return_url: RETURN_URL }],
          ['DELETE', (_, id) => `/v2/connections/${id}`],
        ];
      for (const [method, path, body] of asks) {
        const theirs = await stranger.v2(method, path(account, connection), body);
        const nobodys = await stranger.v2(method, path(NO_ACCOUNT, NO_CONNECTION), body);
        assert.deepEqual([theirs.status, theirs.body.error?.code], [404, 'resource_missing'], path('a', 'c'));
        assert.deepEqual(unsigned(theirs.body), unsigned(nobodys.body), path('a', 'c'));
      }
      assert.deepEqual(control.requests(), []);
      assert.equal((await owner.v2('GET', `/v2/connections/${connection}`)).body.status, 'active');
      for (const list of ['connections', 'consents', 'accounts'])
        assert.deepEqual((await stranger.v2('GET', `/v2/${list}?limit=100`)).body.data, []);
    });
  }
});

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

function unsigned(body: Json): Json {
  return { ...body.error, request_id: '' };
}
