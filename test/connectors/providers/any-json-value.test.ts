import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { createAuBankingProvider } from '../../../src/connectors/providers/au-banking/connector.ts';
import { createBrokerageProvider } from '../../../src/connectors/providers/brokerage/connector.ts';
import { createEnableBankingProvider } from '../../../src/connectors/providers/enable-banking/connector.ts';
import { createNzBankingProvider } from '../../../src/connectors/providers/nz-banking/connector.ts';
import type { ProviderAccess } from '../../../src/connectors/providers/provider-contract.ts';
import { digestOf } from '../../../src/connectors/providers/simplefin/addresses.ts';
import { createSimplefinProvider } from '../../../src/connectors/providers/simplefin/connector.ts';
import { createUpBankProvider } from '../../../src/connectors/providers/up-bank/connector.ts';
import { presentHolding } from '../../../src/operations/v2/holdings.ts';
import { presentTrade } from '../../../src/operations/v2/trades.ts';
import { writeTransaction } from '../../../src/operations/v2/transactions/resource.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import { createLog } from '../../../src/platform/log.ts';
import { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { formatInstant, localDate } from '../../../src/vocabulary/moments.ts';
import type { SetAside, SetAsideRow } from '../../../src/vocabulary/set-aside-rows.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { generated } from '../../support/thorough.ts';
import { pathsOf, value, withValue } from './any-json.ts';
import { immediateClock } from './au-banking-bank.ts';
import { KEY, KeptSecret, NOW } from './brokerage-broker.ts';
import { APP, fixedSecret, HandClock } from './nz-banking-bank.ts';
import { GRANT as AU_GRANT, wireRow } from './scripted-vendor.ts';
import { customerOf } from './simplefin-world.ts';
import { wireAccount, wireMoney, wireTransaction } from './up-bank-rows.ts';
import { GRANT as UP_GRANT } from './up-bank-scripted.ts';
import { TOKEN } from './up-bank-world.ts';

type Json = ReturnType<typeof JSON.parse>;
const never = new AbortController().signal;
const RUNS = generated(120);

const NZ_ACCESS: ProviderAccess = {
  customer: 'user_1',
  secret: fixedSecret('{"v":1,"token":"user_token_1","granted_at":1}'),
  consent: 'auth_1',
  institution: 'conn_1',
};
const BROKER_ACCESS: ProviderAccess = {
  customer: 'user-1',
  secret: new KeptSecret('secret-1'),
  consent: 'con-1',
  institution: 'broker-1',
};

/** What the vendor answers below a path; set again by each case. */
let answers: Readonly<Record<string, Json>> = {};
const server = createServer((request, response) => {
  request.resume();
  const { pathname } = new URL(request.url ?? '/', 'http://vendor.test');
  const found = Object.entries(answers).find(([path]) => pathname.endsWith(path));
  response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(found?.[1] ?? {}));
});
let http: OutgoingHttp;
let baseUrl = '';
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  baseUrl = `http://127.0.0.1:${address.port}`;
  http = new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: [baseUrl] });
});
after(async () => {
  await http.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const tools = () => ({ http, log: createLog({ level: 'silent' }), limits: DEFAULT_LIMITS, baseUrl });
const au = () =>
  createAuBankingProvider({
    ...tools(),
    clock: immediateClock,
    clientId: 'c',
    clientSecret: 's',
    version: 'v3',
  });
const nz = () =>
  createNzBankingProvider({
    ...tools(),
    clock: new HandClock(),
    oauthUrl: baseUrl,
    ...APP,
    userToken: null,
    positiveDebt: new Set(['conn_1']),
  });
const up = () =>
  createUpBankProvider({ ...tools(), clock: immediateClock, token: TOKEN, webhookSecret: null });
const simplefin = () =>
  createSimplefinProvider({
    ...tools(),
    clock: immediateClock,
    quotas: { take: async () => undefined },
    bridgeUrl: baseUrl,
    createUrl: `${baseUrl}/create`,
    ownUrls: [],
    dailyRequests: null,
  });
const broker = () =>
  createBrokerageProvider({
    ...tools(),
    clock: { now: () => NOW, sleep: async () => undefined },
    ...KEY,
    personal: false,
  });

/** Reads three rows, of which the middle one has any value anywhere; the outer two must be read. */
async function always(
  row: (id: string) => Json,
  answer: (rows: readonly Json[]) => Readonly<Record<string, Json>>,
  read: (setAside: SetAside) => Promise<readonly string[]>,
): Promise<void> {
  answers = answer([row('first'), row('last')]);
  const outer = await read(() => assert.fail('the outer rows can be read'));
  assert.equal(outer.length, 2);
  const member = fc.constantFrom(...pathsOf(row('middle')));
  await fc.assert(
    fc.asyncProperty(member, value, async (path, to) => {
      answers = answer([row('first'), withValue(row('middle'), path, to), row('last')]);
      const aside: SetAsideRow[] = [];
      const ids = await read((one) => aside.push(one));
      for (const id of outer) assert.ok(ids.includes(id), `${path.join('.')} spoilt a row beside it`);
      for (const { id, day } of aside) assert.ok(id !== '' && day !== '');
    }),
    { numRuns: RUNS },
  );
}

/** A balance of any value anywhere is one, or a failure of the vendor where it is not about the account any more. */
async function balance(
  row: Json,
  answer: (row: Json) => Readonly<Record<string, Json>>,
  read: () => Promise<unknown>,
) {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...pathsOf(row)), value, async (path, to) => {
      answers = answer(withValue(row, path, to));
      await read().catch((error: unknown) => assert.ok(error instanceof UpstreamFailure, String(error)));
    }),
    { numRuns: RUNS },
  );
}

const window = {
  from: localDate('2025-01-01'),
  to: localDate('2027-01-01'),
  since: null,
  includePending: true,
};

async function collected<Row extends { readonly id: string }>(
  pages: AsyncIterable<readonly Row[]>,
  present: (row: Row) => unknown,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const page of pages) {
    for (const row of page) {
      present(row);
      ids.push(row.id);
    }
  }
  return ids;
}

const listed = (accounts: readonly { readonly id: string; readonly refreshedAt?: number }[]) =>
  accounts.map(({ id, refreshedAt }) => {
    if (refreshedAt !== undefined) formatInstant(refreshedAt);
    return id;
  });

describe('any JSON value in any member of what a vendor sends ends in a row, a null or a row set aside', () => {
  const auAccount = (id: string) => ({
    account_id: id,
    arrangement_id: 'arr-1',
    display_name: 'Everyday',
    product_category: 'TRANS_AND_SAVINGS_ACCOUNTS',
    account_number: '12345678',
    bsb: '062000',
    fees: [{ name: 'Monthly', fixed_amount: { amount: '5.00' } }],
    loan: { repayment_type: 'INTEREST_ONLY' },
  });
  const auConsent = { arrangement_id: 'arr-1', active: true, created_at: '2026-01-01T00:00:00Z' };
  const auBase = {
    '/v1/token': { token: 't', expires_in: 900 },
    '/v1/data-freshness': { data_freshness: [] },
  };
  const auBalance = {
    account_id: 'acc-1',
    arrangement_id: 'arr-1',
    currency: 'AUD',
    current_balance: '1.00',
    available_balance: '1.00',
  };

  test('au_banking: transactions, accounts, balances and details', async () => {
    const provider = au();
    const query = { ...window, account: 'acc-1', timezone: 'Australia/Sydney', currency: 'aud' };
    await always(
      (id) =>
        wireRow(id, {
          category: {
            primary_category: 'TRAVEL',
            secondary_category: 'TRAVEL_FLIGHTS',
            confidence_level: 'HIGH',
          },
          extended_data: { npp_payload: { extended_description: 'more' } },
          execution_date_time: '2026-01-14T03:00:00Z',
        }),
      (transactions) => ({
        ...auBase,
        '/v1/banking/transactions': { transactions },
        '/v1/consents': { consents: [auConsent] },
        '/v1/banking/accounts': { accounts: [auAccount('acc-1')] },
      }),
      async (setAside) =>
        collected(
          provider.transactionPages(AU_GRANT, { ...query, includePending: false, setAside }, never),
          (row) => writeTransaction(row, 'acct_1', null),
        ),
    );
    await always(
      auAccount,
      (accounts) => ({
        ...auBase,
        '/v1/banking/accounts': { accounts },
        '/v1/banking/balances': { balances: [auBalance] },
      }),
      async (setAside) => listed(await provider.listAccounts(AU_GRANT, never, setAside)),
    );
    const balances = (row: Json) => ({
      ...auBase,
      '/v1/banking/balances': { balances: [row] },
      '/v1/consents': { consents: [auConsent] },
      '/v1/banking/accounts': { accounts: [auAccount('acc-1')] },
    });
    await balance(auBalance, balances, () => provider.readBalance(AU_GRANT, 'acc-1', { live: false }, never));
    const details = (row: Json) => ({ ...balances(auBalance), '/v1/banking/accounts': { accounts: [row] } });
    await balance(auAccount('acc-1'), details, () => provider.readDetails(AU_GRANT, 'acc-1', never));
  });

  test('nz_banking: settled and pending transactions, accounts and balances', async () => {
    const provider = nz();
    const account = (id: string) => ({
      _id: id,
      _authorisation: 'auth_1',
      connection: { _id: 'conn_1', name: 'Bank' },
      name: 'Everyday',
      status: 'ACTIVE',
      type: 'CREDITCARD',
      formatted_account: '01-0137-0123456-00',
      attributes: ['TRANSACTIONS'],
      refreshed: { balance: '2026-01-15T11:00:00Z', transactions: '2026-01-15T11:00:00Z' },
      balance: { currency: 'NZD', current: '1.00', available: '1.00' },
    });
    const row = (id: string) => ({
      _id: id,
      _account: 'acc_1',
      _migrated: 'trans_before',
      date: '2026-01-15T11:00:00Z',
      amount: '-1.00',
      description: id,
      type: 'EFTPOS',
      meta: { particulars: 'a', code: 'b', reference: 'c' },
      merchant: { name: 'Cafe' },
      category: { _id: 'nzfcc_1', groups: { personal_finance: { name: 'Food' } } },
    });
    const query = { ...window, account: 'acc_1', timezone: 'Pacific/Auckland', currency: 'nzd' };
    const ok = { success: true };
    for (const pending of [false, true]) {
      await always(
        row,
        (items) => ({
          '/transactions/pending': { ...ok, items: pending ? items : [] },
          '/transactions': { ...ok, items: pending ? [] : items, cursor: { next: null } },
          '/accounts/acc_1': { ...ok, item: account('acc_1') },
        }),
        (setAside) =>
          collected(provider.transactionPages(NZ_ACCESS, { ...query, setAside }, never), (one) =>
            writeTransaction(one, 'acct_1', null),
          ),
      );
    }
    await always(
      account,
      (items) => ({ '/accounts': { ...ok, items } }),
      async (setAside) => listed(await provider.listAccounts(NZ_ACCESS, never, setAside)),
    );
    await balance(
      account('acc_1'),
      (item) => ({ '/accounts/acc_1': { ...ok, item }, '/accounts': { ...ok, items: [account('acc_1')] } }),
      () => provider.readBalance(NZ_ACCESS, 'acc_1', { live: false }, never),
    );
  });

  test('up_bank: transactions, accounts and balances', async () => {
    const provider = up();
    const query = { ...window, account: 'acc-1', timezone: 'Australia/Sydney', currency: 'aud' };
    const base = { '/util/ping': { meta: { id: 'person-1' } } };
    const links = { next: null };
    await always(
      (id) => wireTransaction(id, { roundUp: { amount: wireMoney(-66), boostPortion: null } }),
      (data) => ({ ...base, '/transactions': { data, links } }),
      async (setAside) => {
        const pages = provider.transactionPages(UP_GRANT, { ...query, setAside }, never);
        const ids = await collected(pages, (row) => writeTransaction(row, 'acct_1', null));
        return ids.filter((id) => !id.endsWith(':round-up'));
      },
    );
    await always(
      (id) => wireAccount(id),
      (data) => ({ ...base, '/accounts': { data, links } }),
      async (setAside) => listed(await provider.listAccounts(UP_GRANT, never, setAside)),
    );
    await balance(
      wireAccount('acc-1'),
      (data) => ({ ...base, '/accounts/acc-1': { data } }),
      () => provider.readBalance(UP_GRANT, 'acc-1', { live: false }, never),
    );
  });

  test('simplefin: transactions, accounts and balances', async () => {
    const provider = simplefin();
    const secret = baseUrl.replace('://', '://user:secret@');
    const root = new URL(baseUrl).host;
    const access = { ...customerOf(secret), consent: digestOf('login', root, 'CON-1'), institution: 'any' };
    const id = `${digestOf('account', root, 'INST-1').slice(0, 16)}:ACT-1`;
    const query = { ...window, account: id, timezone: 'UTC', currency: 'usd' };
    const connections = [{ conn_id: 'CON-1', name: 'Bank', org_id: 'INST-1', org_name: 'Bank' }];
    const at = Math.floor(immediateClock.now() / 1000) - 86_400;
    const account = (own: string, transactions: readonly Json[] = []) => ({
      id: own,
      conn_id: 'CON-1',
      name: 'Checking (1234)',
      currency: 'USD',
      balance: '10.00',
      'available-balance': '9.00',
      'balance-date': at,
      transactions,
    });
    const set = (accounts: readonly Json[]) => ({ '/accounts': { errlist: [], connections, accounts } });
    await always(
      (row) => ({
        id: row,
        posted: at,
        amount: '-1.50',
        description: 'Tea',
        payee: 'Tea',
        memo: '',
        transacted_at: at,
        mcc: '5812',
      }),
      (rows) => set([account('ACT-1', rows)]),
      (setAside) =>
        collected(provider.transactionPages(access, { ...query, setAside }, never), (one) =>
          writeTransaction(one, 'acct_1', null),
        ),
    );
    await always(
      (own) => account(own),
      (accounts) => set(accounts),
      async (setAside) => listed(await provider.listAccounts(access, never, setAside)),
    );
    await balance(
      account('ACT-1'),
      (one) => set([one]),
      () => provider.readBalance(access, id, { live: false }, never),
    );
  });

  test('enable_banking: transactions and balances', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const provider = createEnableBankingProvider({
      ...tools(),
      clock: new HandClock(),
      applicationId: 'app-1',
      privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      psuType: 'personal',
    });
    const account = { id: 'h:eur', uid: 'u1', formerIds: [], name: 'A', currency: 'eur' };
    const secret = JSON.stringify({ v: 1, id: 's1', grantedAt: 1, validUntil: null, accounts: [account] });
    const access = { customer: 's1', secret: fixedSecret(secret), consent: 's1', institution: 'FI:A' };
    const query = { ...window, account: 'h:eur', timezone: 'Europe/Brussels', currency: 'eur' };
    await always(
      (id) => ({
        entry_reference: id,
        transaction_amount: { currency: 'EUR', amount: '1.00' },
        credit_debit_indicator: 'DBIT',
        status: 'BOOK',
        booking_date: '2026-01-14',
        value_date: '2026-01-14',
        transaction_date: '2026-01-13',
        creditor: { name: 'Shop' },
        debtor: null,
        remittance_information: ['text'],
        bank_transaction_code: { code: 'PMNT', sub_code: 'CCRD', description: 'card' },
        merchant_category_code: '5411',
        reference_number: '7',
      }),
      (transactions) => ({ '/transactions': { transactions, continuation_key: null } }),
      async (setAside) =>
        collected(provider.transactionPages(access, { ...query, setAside }, never), (row) =>
          writeTransaction(row, 'acct_1', null),
        ),
    );
    await balance(
      {
        balance_type: 'CLBD',
        balance_amount: { currency: 'EUR', amount: '1.00' },
        reference_date: '2026-01-14',
      },
      (row) => ({ '/balances': { balances: [row] } }),
      () => provider.readBalance(access, 'h:eur', { live: false }, never),
    );
  });

  test('brokerage: trades, holdings, accounts and balances', async () => {
    const provider = broker();
    const account = (id: string) => ({
      id,
      brokerage_authorization: 'con-1',
      number: 'Q6542138443',
      institution_name: 'Broker',
      institution_account_id: 'abc12345',
      account_category: 'INVESTMENT',
      balance: { total: { amount: '10.00', currency: 'USD' } },
      sync_status: {
        holdings: { initial_sync_completed: true, last_successful_sync: '2026-01-15T11:00:00Z' },
        transactions: { initial_sync_completed: true },
      },
    });
    const base = {
      '/authorizations/con-1': {
        id: 'con-1',
        created_date: '2026-01-01T00:00:00Z',
        disabled: false,
        brokerage: { id: 'broker-1', name: 'Broker' },
      },
      '/balances': [{ currency: { code: 'USD' }, cash: '1.00' }],
      '/accounts/acc-1': account('acc-1'),
    };
    await always(
      (id) => ({
        id,
        symbol: {
          id: 's',
          symbol: id,
          description: 'Fund',
          currency: { code: 'USD' },
          exchange: { timezone: 'UTC' },
        },
        option_symbol: null,
        type: 'BUY',
        trade_date: '2026-01-15T05:00:00Z',
        settlement_date: '2026-01-17T05:00:00Z',
        units: '2',
        price: '10.00',
        amount: '-20.00',
        fee: '0.10',
        currency: { code: 'USD' },
        description: 'bought',
      }),
      (data) => ({ ...base, '/activities': { data, pagination: { total: data.length } } }),
      (setAside) => {
        const query = { account: 'acc-1', timezone: 'America/New_York', from: null, to: null, setAside };
        return collected(provider.tradePages(BROKER_ACCESS, query, never), (row) =>
          presentTrade(row, 'acct_1'),
        );
      },
    );
    await always(
      (id) => ({
        instrument: {
          id,
          symbol: id,
          description: 'Fund',
          exchange: 'ARCX',
          currency: 'USD',
          kind: 'option',
          multiplier: '100',
        },
        units: '2',
        price: '10.00',
        cost_basis: '9.00',
        currency: 'USD',
      }),
      (results) => ({ ...base, '/positions/all': { results } }),
      async (setAside) => {
        const holdings = await provider.readHoldings(BROKER_ACCESS, 'acc-1', never, setAside);
        for (const holding of holdings) presentHolding(holding, 'acct_1');
        return holdings.map(({ id }) => id);
      },
    );
    await always(
      account,
      (rows) => ({ ...base, '/authorizations/con-1/accounts': rows }),
      async (setAside) => listed(await provider.listAccounts(BROKER_ACCESS, never, setAside)),
    );
    await balance(
      account('acc-1'),
      (row) => ({ ...base, '/accounts/acc-1': row }),
      () => provider.readBalance(BROKER_ACCESS, 'acc-1', { live: false }, never),
    );
  });
});
