import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { FaultSpec } from '../../../sandbox/shared/faults.ts';
import type { ProviderAccess, ProviderAccount } from '../../../src/connectors/providers/provider-contract.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { type AuBankingBank, openAuBanking } from './au-banking-bank.ts';
import { fails } from './provider-contract.ts';

const ROWS = 5_500;
const ROUTE = 'GET /v1/banking/transactions';

describe('A long read of au_banking', () => {
  let bank: AuBankingBank;
  let grant: ProviderAccess;
  let account: ProviderAccount;

  before(async () => {
    bank = await openAuBanking();
    const linked = await bank.link(`rows:${ROWS}`);
    if (typeof linked === 'string') throw new Error(linked);
    grant = linked;
    const [first] = await bank.provider.listAccounts(grant, new AbortController().signal);
    assert.ok(first);
    account = first;
  });
  beforeEach(() => bank.simulator.control.clear());
  after(() => bank.shut());

  const ids = async (): Promise<string[]> => {
    const found: string[] = [];
    const query = {
      account: account.id,
      timezone: 'Australia/Sydney',
      currency: 'aud',
      from: localDate('2001-01-01'),
      to: localDate('2027-01-01'),
      since: null,
      includePending: false,
    };
    const { signal } = new AbortController();
    for await (const page of bank.provider.transactionPages(grant, query, signal)) {
      found.push(...page.map((row) => row.id));
    }
    return found;
  };
  const pagesAsked = () =>
    bank.simulator.control.requests().filter(({ path }) => path.startsWith('/v1/banking/transactions'))
      .length;

  it('brings every row once', async () => {
    const found = await ids();
    assert.equal(found.length, ROWS);
    assert.equal(new Set(found).size, ROWS);
    assert.equal(pagesAsked(), 6);
  });

  const once: readonly (readonly [string, Omit<FaultSpec, 'route'>])[] = [
    ['its cursor goes stale halfway', { kind: 'unavailable', after: 3 }],
    ['its cursor goes stale on the second page', { kind: 'unavailable', after: 1 }],
    ['its cursors go stale again and again', { kind: 'unavailable', after: 2, probability: 0.4, count: 4 }],
    ['a page repeats a row of the one before', { kind: 'duplicate-row', count: 6 }],
    ['a page is empty while its cursor lives', { kind: 'empty-page', after: 2, count: 2 }],
    ['a connection is reset halfway', { kind: 'connection-reset', after: 3 }],
    ['a token dies halfway', { kind: 'expired-token', after: 2 }],
  ];
  for (const [what, fault] of once) {
    it(`brings every row once although ${what}`, async () => {
      bank.simulator.control.addFault({ route: ROUTE, ...fault });
      const found = await ids();
      assert.equal(found.length, ROWS);
      assert.equal(new Set(found).size, ROWS);
    });
  }

  it('goes on from where it stood, not from the start, when its cursor goes stale', async () => {
    bank.simulator.control.addFault({ route: ROUTE, kind: 'unavailable', after: 4, count: 1 });
    await ids();
    assert.ok(pagesAsked() <= 8, `${pagesAsked()} pages`);
  });

  it('gives up when a new start is refused as well', async () => {
    bank.simulator.control.addFault({ route: ROUTE, kind: 'unavailable', after: 3, count: 50 });
    await fails(ids(), 'server_error');
  });
});
