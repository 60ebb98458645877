import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connectionId } from '../../../sandbox/nz-banking/banks.ts';
import type {
  ProviderAccess,
  ProviderAccount,
  TransactionQuery,
} from '../../../src/connectors/providers/provider-contract.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { NOW, type NzBankingBank, openNzBanking } from './nz-banking-bank.ts';
import { fails } from './provider-contract.ts';

const never = new AbortController().signal;
const MINUTE = 60_000;
const RIMU = connectionId('rimu', false);
const TRANSACTIONS = 'GET /v1/accounts/*/transactions';

let bank: NzBankingBank;
before(async () => {
  bank = await openNzBanking();
});
after(() => bank.shut());

async function rowsOf(
  access: ProviderAccess,
  account: string,
  more: Partial<TransactionQuery> = {},
  { provider } = bank,
): Promise<Transaction[]> {
  const query: TransactionQuery = {
    account,
    timezone: 'Pacific/Auckland',
    currency: 'nzd',
    from: localDate('2025-01-01'),
    to: localDate('2026-12-31'),
    since: null,
    includePending: false,
    ...more,
  };
  const rows: Transaction[] = [];
  for await (const page of provider.transactionPages(access, query, never)) rows.push(...page);
  return rows;
}

/** Someone's first login, with its accounts. */
async function linked(customer: string, institution?: string) {
  const [access] = await bank.link(customer, institution === undefined ? {} : { institution });
  assert.ok(access);
  const accounts = await bank.provider.listAccounts(access, never);
  const of = (name: string): ProviderAccount =>
    accounts.find((account) => account.name === name) ?? assert.fail(`no account ${name}`);
  return { access, accounts, of };
}

describe('Rows of Akahu', () => {
  it('come from every page, also behind an empty one with a live cursor and one that is repeated', async () => {
    const { access, accounts } = await linked('rows:450');
    const account = accounts[0]?.id ?? '';
    const all = await rowsOf(access, account);
    assert.equal(all.length, 450);
    bank.simulator.control.addFault({ route: TRANSACTIONS, kind: 'empty-page', count: 3, after: 1 });
    assert.deepEqual(await rowsOf(access, account), all);
    bank.simulator.control.addFault({ route: TRANSACTIONS, kind: 'duplicate-row', count: 2, after: 1 });
    assert.deepEqual(await rowsOf(access, account), all);
  });

  it('end where a cursor leads nowhere', async () => {
    const { access, accounts } = await linked('rows:450');
    bank.simulator.control.addFault({ route: TRANSACTIONS, kind: 'empty-page', count: 100 });
    await fails(rowsOf(access, accounts[0]?.id ?? ''), 'malformed');
    bank.simulator.control.clearFaults();
  });

  it('are those of whole days in New Zealand, the first and the last included', async () => {
    const { access, of } = await linked('salaried-household+days');
    const account = of('Everyday').id;
    bank.simulator.control.appendTransactions(
      account,
      [
        '2026-09-25T11:59:59.999Z',
        '2026-09-25T12:00:00.000Z',
        '2026-09-27T10:59:59.999Z',
        '2026-09-27T11:00:00.000Z',
      ].map((date, at) => ({ amount: '-1.00', description: `edge ${at}`, date })),
    );
    const window = { from: localDate('2026-09-26'), to: localDate('2026-09-27') };
    const found = (await rowsOf(access, account, window)).map(({ description }) => description);
    assert.deepEqual(
      found.filter((description) => description.startsWith('edge')),
      ['edge 2', 'edge 1'],
    );
  });

  it('that are recorded late are found by when they were recorded', async () => {
    const { access, of } = await linked('salaried-household+late');
    const account = of('Everyday').id;
    const date = new Date(NOW - 40 * 86_400_000).toISOString();
    bank.simulator.control.appendTransactions(account, [{ amount: '-1.00', description: 'late', date }]);
    const rows = await rowsOf(access, account, { since: NOW - 86_400_000 });
    assert.ok(rows.some(({ description }) => description === 'late'));
  });

  it('are none where the bank gives none of the account, without a call for them', async () => {
    const { access, of } = await linked('three-banks+silent', connectionId('kauri', false));
    bank.simulator.control.clearRequests();
    assert.deepEqual(await rowsOf(access, of('Growth Fund').id, { includePending: true }), []);
    const asked = bank.simulator.control.requests().map(({ path }) => path);
    assert.equal(asked.filter((path) => path.includes('/transactions')).length, 0);
  });

  it('before what the bank opens of the past are refused with the bank’s reason', async () => {
    const { access } = await linked('salaried-household+floor');
    const consent = bank.simulator.control.migrate(access.consent);
    const moved = { ...access, consent };
    const [account] = await bank.provider.listAccounts(moved, never);
    assert.ok(account);
    const read = (from: string) => rowsOf(moved, account.id, { from: localDate(from) });
    const failure = await fails(read('2024-11-19'), 'bad_request');
    assert.match(failure.message, /start must not be before/);
    assert.ok((await read('2024-11-22')).length > 0);
  });

  it('name the rows they followed when the bank moved', async () => {
    const { access, of } = await linked('salaried-household+former');
    const before = await rowsOf(access, of('Everyday').id);
    const consent = bank.simulator.control.migrate(access.consent);
    const moved = { ...access, consent };
    const accounts = await bank.provider.listAccounts(moved, never);
    const account = accounts.find(({ formerIds }) => formerIds.includes(of('Everyday').id));
    const after = await rowsOf(moved, account?.id ?? '');
    assert.deepEqual(
      after.map(({ former_ids }) => former_ids),
      before.map(({ id }) => [id]),
    );
  });

  it('that are pending are replaced as a whole, and keep their ids while they are unchanged', async () => {
    const { access, of } = await linked('salaried-household+pending');
    const account = of('Rainy Day').id;
    const { control } = bank.simulator;
    const [settles, stays] = control.appendTransactions(account, [
      { amount: '-7.00', description: 'settles', status: 'PENDING' },
      { amount: '-8.00', description: 'stays', status: 'PENDING' },
    ]);
    assert.ok(settles && stays);
    const pending = async () =>
      (await rowsOf(access, account, { includePending: true })).filter(({ status }) => status === 'pending');
    const before = await pending();
    assert.deepEqual(before.map(({ description }) => description).toSorted(), ['settles', 'stays']);
    control.settle(settles);
    const after = await pending();
    assert.deepEqual(
      after,
      before.filter(({ description }) => description === 'stays'),
    );
    const settled = (await rowsOf(access, account)).filter(({ description }) => description === 'settles');
    assert.equal(settled.length, 1);
    control.drop(stays);
    assert.deepEqual(await pending(), []);
  });
});

describe('Accounts of Akahu', () => {
  it('say that a positive figure is owed, once the bank is named in the settings', async () => {
    const { access, of } = await linked('card-and-loan+sign', RIMU);
    const balance = async (provider: NzBankingBank['provider'], name: string) =>
      provider.readBalance(access, of(name).id, { live: false }, never);
    const told = bank.adapter({ positiveDebt: new Set([RIMU]) });
    for (const name of ['Home Loan', 'Low Rate Visa']) {
      const { current, positive } = await balance(told, name);
      assert.deepEqual(positive, { means: 'owed', by: 'bank' });
      if (name === 'Home Loan') assert.ok((current?.amount ?? 0) > 0, 'this bank shows debts as positive');
    }
    assert.equal((await balance(bank.provider, 'Home Loan')).positive, undefined);
    assert.deepEqual((await balance(bank.provider, 'Low Rate Visa')).positive, {
      means: 'owed',
      by: 'limit',
    });
  });

  it('in other currencies are read in theirs, yen without decimals', async () => {
    const { access, of } = await linked('foreign-currency');
    assert.deepEqual([of('Yen Account').currency, of('US Dollar Account').currency], ['jpy', 'usd']);
    const rows = await rowsOf(access, of('Yen Account').id, { currency: 'jpy' });
    assert.ok(rows.length > 10);
    for (const { amount, amount_decimal: sent } of rows) {
      assert.match(sent, /^-\d+$/);
      assert.equal(amount.amount, Number(sent));
    }
  });

  it('are not of another login of the same person', async () => {
    const [first, second] = await bank.link('three-banks+own');
    assert.ok(first && second);
    const [account] = await bank.provider.listAccounts(second, never);
    assert.ok(account);
    await fails(bank.provider.readBalance(first, account.id, { live: false }, never), 'account_gone');
    await fails(rowsOf(first, account.id), 'account_gone');
  });

  it('are loading until the vendor has copied their rows once, and meanwhile not taken for empty', async () => {
    const slow = await openNzBanking({ firstSyncDelayMs: 5 * MINUTE });
    try {
      const [access] = await slow.link('salaried-household');
      assert.ok(access);
      const [account] = await slow.provider.listAccounts(access, never);
      const state = () => slow.provider.readHistoryState(access, account?.id ?? '', never);
      assert.equal(await state(), 'loading');
      await fails(rowsOf(access, account?.id ?? '', {}, slow), 'not_ready');
      slow.clock.advance(5 * MINUTE);
      assert.equal(await state(), 'unknown');
      assert.ok((await rowsOf(access, account?.id ?? '', {}, slow)).length > 0);
      assert.deepEqual(await rowsOf(access, account?.id ?? '', { to: localDate('2025-01-01') }, slow), []);
    } finally {
      await slow.shut();
    }
  });
});

describe('A refresh at Akahu', () => {
  it('is asked for, and is content where it comes too soon', async () => {
    const { access, of } = await linked('salaried-household+refresh');
    const account = of('Everyday').id;
    const day = 86_400_000;
    // The vendor fetches once a day on its own; what came since is not there yet.
    bank.clock.advance(0.9 * day);
    const before = bank.simulator.control.rowsOf(account);
    await bank.provider.requestRefresh(access, never);
    assert.notDeepEqual(bank.simulator.control.rowsOf(account), before);
    await bank.provider.requestRefresh(access, never);
    bank.simulator.control.addFault({ route: 'POST /v1/refresh/*', kind: 'rate-limit' });
    await bank.provider.requestRefresh(access, never);
  });
});
