import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { newKeyPair } from '../../../sandbox/enable-banking/server.ts';
import { NO_SECRET } from '../../../src/connectors/providers/customer-secret.ts';
import { ZONES, zoneOf } from '../../../src/connectors/providers/enable-banking/zones.ts';
import type { ProviderAccess, ProviderAccount } from '../../../src/connectors/providers/provider-contract.ts';
import { personPresent, presenceAt, withPresence } from '../../../src/platform/presence.ts';
import { isTimeZone, localDate, localDateAt } from '../../../src/vocabulary/moments.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { completeConsent } from '../../support/consent-client.ts';
import { type EnableBankingBank, openEnableBanking, PLAIN_BANK } from './enable-banking-bank.ts';
import { accessesOf, SENT } from './nz-banking-bank.ts';
import { fails } from './provider-contract.ts';

const never = new AbortController().signal;
const SOMEONE = { ...SENT, customer: 'c', secret: NO_SECRET, institution: PLAIN_BANK, renew: null };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let bank: EnableBankingBank;
beforeEach(async () => {
  bank = await openEnableBanking();
});
afterEach(() => bank.shut());

async function linked(at: string, customer = 'household') {
  const access = await bank.link(customer, { bank: at });
  const [account] = await bank.provider.listAccounts(access, never);
  assert.ok(account);
  return { access, account };
}

async function rowsOf(
  access: ProviderAccess,
  account: ProviderAccount,
  from = '2001-01-01',
  provider = bank.provider,
): Promise<Transaction[]> {
  const query = {
    account: account.id,
    timezone: 'Europe/Brussels',
    currency: account.currency,
    from: localDate(from),
    to: localDate('2026-12-31'),
    since: null,
    includePending: true,
  };
  const rows: Transaction[] = [];
  for await (const page of provider.transactionPages(access, query, never)) rows.push(...page);
  return rows;
}

const idsOf = (rows: readonly Transaction[]): string[] => rows.map(({ id }) => id).toSorted();

describe('Every bank of the simulator is read as its statement is, whatever it does', () => {
  for (const at of [
    'BG:Orehova Banka',
    'DE:Ackerbank',
    'DE:Lindenbank',
    'FR:Crédit des Vignes',
    'GB:Rowan Bank',
    'IE:Shannon Mutual',
    'LT:Taverna Pay',
    'NL:Polder Bank',
    'PT:Banco do Cedro',
  ])
    it(at, async () => {
      const { access, account } = await linked(at);
      const rows = await rowsOf(access, account);
      const { booked, pending } = bank.simulator.control.rowsOf(account.id);
      assert.equal(new Set(idsOf(rows)).size, rows.length);
      assert.equal(rows.filter(({ status }) => status === 'posted').length, booked);
      assert.equal(rows.filter(({ status }) => status === 'pending').length, pending);
      assert.ok(rows.some(({ amount }) => amount.amount < 0) && rows.some(({ amount }) => amount.amount > 0));
      const { current } = await bank.provider.readBalance(access, account.id, { live: false }, never);
      assert.ok(current !== null);
      if (at !== 'DE:Ackerbank') assert.deepEqual(idsOf(await rowsOf(access, account)), idsOf(rows));
    });
});

describe('A bank that changes its references', () => {
  it('gives the same days, amounts and texts, by which a sync pairs the rows', async () => {
    const { access, account } = await linked('DE:Ackerbank');
    const content = (rows: readonly Transaction[]) =>
      rows.map(({ date, amount, description, former_ids }) => [date, amount, description, former_ids]);
    const first = await rowsOf(access, account);
    const second = await rowsOf(access, account);
    assert.deepEqual(content(second), content(first));
    assert.notDeepEqual(idsOf(second), idsOf(first));
  });
});

describe('A bank that adds references later', () => {
  it('keeps the rows of today under the ids that they have tomorrow', async () => {
    const { access, account } = await linked('FR:Crédit des Vignes');
    bank.simulator.control.appendTransactions(account.id, [{ amount: '-4.20', description: 'NEW' }]);
    const [today] = (await rowsOf(access, account)).filter(({ description }) => description === 'NEW');
    bank.clock.advance(2 * DAY);
    const [later] = (await rowsOf(access, account)).filter(({ description }) => description === 'NEW');
    assert.ok(today && later);
    assert.equal(later.id, today.id);
  });
});

describe('A bank that limits the past', () => {
  const firstDayOf = (rows: readonly Transaction[]) =>
    rows.flatMap(({ post_date: day }) => day ?? []).toSorted()[0];

  it('is read from the first day that it accepts, without asking for more a second time', async () => {
    const { access, account } = await linked('ES:Banco Encina', 'rows:300');
    bank.clock.advance(HOUR);
    const { control } = bank.simulator;
    control.clearRequests();
    const rows = await rowsOf(access, account);
    assert.equal(rows.length, 300);
    assert.deepEqual(
      control.requests().map(({ status }) => status),
      [422, 200, 200, 200],
    );
    control.clearRequests();
    assert.equal((await rowsOf(access, account)).length, 300);
    assert.deepEqual(
      control.requests().map(({ status }) => status),
      [200, 200, 200],
    );
  });

  it('shows everything in the minutes after a sign-in', async () => {
    const { access, account } = await linked('ES:Banco Encina');
    const all = await rowsOf(access, account);
    bank.clock.advance(HOUR);
    const some = await rowsOf(access, account);
    assert.ok((firstDayOf(all) ?? '') < '2026-08-01');
    assert.ok((firstDayOf(some) ?? '') >= '2026-08-01');
  });

  it('is asked for all of its days again after an outage', async () => {
    const { control } = bank.simulator;
    const { access, account } = await linked(PLAIN_BANK, 'rows:300');
    control.addMisbehaviour({ quirk: 'vague_ninety_days', institution: PLAIN_BANK });
    await assert.rejects(rowsOf(access, account));
    await assert.rejects(rowsOf(access, account), 'a moment later it may still be the same outage');
    control.clearMisbehaviours();
    bank.clock.advance(HOUR);
    control.clearRequests();
    await rowsOf(access, account);
    assert.equal(control.requests()[0]?.status, 200);
  });

  it('is found by its last ninety days if it refuses older ones again and again without a reason, for a day', async () => {
    const { control } = bank.simulator;
    control.addMisbehaviour({ quirk: 'vague_ninety_days', institution: PLAIN_BANK });
    const { access, account } = await linked(PLAIN_BANK, 'rows:300');
    const statuses = async (from?: string) => {
      control.clearRequests();
      assert.equal((await rowsOf(access, account, from)).length, 300);
      return control.requests().map(({ status }) => status);
    };
    await assert.rejects(statuses());
    bank.clock.advance(HOUR);
    assert.deepEqual(await statuses(), [400, 200, 200, 200]);
    assert.deepEqual(await statuses(), [200, 200, 200]);
    bank.clock.advance(25 * HOUR);
    assert.deepEqual(await statuses(), [400, 200, 200, 200], 'it may have failed for another reason');
  });

  it('is recognised by its own words', async () => {
    const { access, account } = await linked('BE:Banque du Verger');
    const rows = await rowsOf(access, account);
    assert.equal(
      rows.filter(({ status }) => status === 'posted').length,
      bank.simulator.control.rowsOf(account.id).booked,
    );
  });
});

describe('A sign-in at Enable Banking', () => {
  it('opens a session that ends when the bank’s longest consent does', async () => {
    const came = await bank.signIn('household', { bank: 'ES:Banco Encina' });
    assert.ok(came.kind === 'linked');
    const { expiresAt } = came.grants[0].consent;
    const left = (expiresAt ?? 0) - bank.clock.now();
    assert.ok(left <= 90 * DAY && left > 90 * DAY - HOUR);
  });

  it('again gives every account the id that it had, under other names in calls', async () => {
    const before = await bank.link('two-currencies');
    const [ids, again] = [
      await bank.provider.listAccounts(before, never),
      await bank.link('two-currencies', { renew: before }),
    ];
    assert.notEqual(again.consent, before.consent);
    assert.deepEqual(await bank.provider.listAccounts(again, never), ids);
    const uids = (at: number) => bank.simulator.control.sessions()[at]?.accounts.map(({ uid }) => uid);
    assert.notDeepEqual(uids(0), uids(1));
    for (const { id } of ids) await bank.provider.readBalance(again, id, { live: false }, never);
  });

  it('passes the session on to be kept before anything else can fail, and its deletion ends it', async () => {
    const kept: string[] = [];
    const came = await bank.signIn('household', { keep: async (secret) => void kept.push(secret) });
    const [access] = accessesOf(came);
    assert.ok(access);
    assert.equal(kept[0], access.secret.value);
    assert.equal(await bank.provider.identifyCustomer(access), access.customer);
    await bank.provider.deleteCustomer('key', access, never);
    await bank.provider.deleteCustomer('key', access, never);
    assert.equal(bank.simulator.control.sessions()[0]?.status, 'CLOSED');
  });

  it('that shares no account ends its session and is not eligible', async () => {
    const { url, memo } = await bank.provider.beginLink({ ...SOMEONE, state: 's' }, never);
    const id = new URL(url).searchParams.get('sessionid');
    const answer = await fetch(`${bank.simulator.url}/welcome/${id}/complete`, {
      method: 'POST',
      body: new URLSearchParams({ customer: 'household', outcome: 'approve' }),
      redirect: 'manual',
    });
    const query = Object.fromEntries(new URL(answer.headers.get('location') ?? '').searchParams);
    const came = await bank.provider.completeLink({ ...SOMEONE, memo, query }, never);
    assert.deepEqual(came, { kind: 'failed', reason: 'not_eligible' });
    assert.equal(bank.simulator.control.sessions()[0]?.status, 'CLOSED');
  });

  it('redeems a code once', async () => {
    const begun = await bank.provider.beginLink({ ...SOMEONE, state: 's' }, never);
    const returned = await completeConsent(begun.url, { customer: 'household' });
    const request = { ...SOMEONE, memo: '', query: Object.fromEntries(returned.searchParams) };
    assert.equal((await bank.provider.completeLink(request, never)).kind, 'linked');
    await assert.rejects(bank.provider.completeLink(request, never), UpstreamFailure);
  });

  it('at a bank with only business accounts asks for these', async () => {
    await linked('DE:Handwerkskasse');
  });
});

describe('The days of an account', () => {
  it('are those of its bank’s country, also in the hours in which those of Brussels differ', async () => {
    const dayAt = async (at: string, moment: string) => {
      const { account } = await linked(at);
      return [account.timezone, localDateAt(Date.parse(moment), account.timezone ?? '')];
    };
    const [before, after] = ['2026-11-20T22:30:00Z', '2026-11-20T23:30:00Z'];
    assert.deepEqual(await dayAt('FI:Kuura Bank', before), ['Europe/Helsinki', '2026-11-21']);
    assert.deepEqual(await dayAt('DE:Ackerbank', before), ['Europe/Berlin', '2026-11-20']);
    assert.deepEqual(await dayAt('DE:Ackerbank', after), ['Europe/Berlin', '2026-11-21']);
    assert.deepEqual(await dayAt('PT:Banco do Cedro', after), ['Europe/Lisbon', '2026-11-20']);
    assert.deepEqual(await dayAt('GB:Rowan Bank', after), ['Europe/London', '2026-11-20']);
    // In summer, midnight in Lisbon and London is an hour earlier by UTC.
    assert.deepEqual(await dayAt('PT:Banco do Cedro', '2026-07-20T23:30:00Z'), [
      'Europe/Lisbon',
      '2026-07-21',
    ]);
  });

  it('have a zone for every country whose banks are listed, and each is a zone', async () => {
    const countries = (await bank.provider.listInstitutions(never)).map(({ id }) => id.slice(0, 2));
    for (const country of countries) assert.ok(zoneOf(`${country}:Bank`) !== null, country);
    for (const [country, zone] of Object.entries(ZONES)) assert.ok(isTimeZone(zone), country);
    assert.equal(zoneOf('XX:Bank'), null);
  });
});

describe('Ways to sign in at a bank', () => {
  const AT = 'DE:Ahornbank';
  const signedIn = () => bank.simulator.control.sessions().map(({ psuType, method }) => [psuType, method]);

  it('are offered if there are several: each kind of accounts, each method, and the longest consent', async () => {
    const terms = await bank.provider.readTerms(AT, never);
    assert.deepEqual([terms.country, terms.consentDays], ['DE', 180]);
    assert.deepEqual(
      terms.ways.map(({ id }) => id),
      ['personal', 'personal:web', 'personal:app', 'business', 'business:web', 'business:app'],
    );
    assert.deepEqual(terms.ways.at(-1), {
      id: 'business:app',
      accounts: 'business',
      method: { name: 'AhornApp', approach: 'decoupled', asksFor: ['Company number', 'User number'] },
    });
    assert.equal((await bank.provider.readTerms('DE:Handwerkskasse', never)).ways.length, 1);
    assert.equal((await bank.provider.readTerms('ES:Banco Encina', never)).consentDays, 90);
  });

  it('are asked for as chosen, and again when the access is renewed', async () => {
    const before = await bank.link('household', { bank: AT, entered: 'business:app' });
    await bank.link('household', { bank: AT, renew: before });
    await bank.link('household', { bank: AT, renew: before, entered: 'before' });
    await bank.link('household', { bank: AT, renew: before, entered: 'personal' });
    assert.deepEqual(signedIn(), [
      ['business', 'app'],
      ['business', 'app'],
      ['business', 'app'],
      ['personal', 'web'],
    ]);
  });

  it('are the usual one for a text that is none of them', async () => {
    for (const entered of ['', 'business:other', 'nobody', null])
      await bank.link('household', { bank: AT, entered });
    assert.deepEqual(signedIn(), new Array(4).fill(['personal', 'web']));
  });
});

describe('A session that has ended', () => {
  it('says why, and refuses every read', async () => {
    const { access, account } = await linked('GB:Rowan Bank');
    bank.clock.advance(91 * DAY);
    const consent = await bank.provider.readConsent(access, never);
    assert.deepEqual([consent.state, consent.terminationReason], ['ended', 'expired']);
    await fails(rowsOf(access, account), 'grant_rejected');
  });
});

describe('Reads of a bank while the person is away', () => {
  it('are refused with a wait until midnight once the day’s are used up, and listing the accounts uses none', async () => {
    const { access, account } = await linked(PLAIN_BANK);
    bank.simulator.control.setUnattended(4);
    for (let read = 1; read <= 4; read++) await rowsOf(access, account);
    const failure = await fails(rowsOf(access, account), 'rate_limited');
    assert.equal(failure.retryAfterSeconds, (DAY - (bank.clock.now() % DAY)) / 1000);
    await bank.provider.listAccounts(access, never);
  });

  it('are refused by a bank whose limit is a fault, and by no other', async () => {
    const { access, account } = await linked(PLAIN_BANK);
    const other = await linked('SE:Kuura Bank');
    bank.simulator.control.addMisbehaviour({ quirk: 'four_reads', institution: PLAIN_BANK });
    for (let read = 1; read <= 4; read++) await rowsOf(access, account);
    await fails(rowsOf(access, account), 'rate_limited');
    for (let read = 1; read <= 5; read++) await rowsOf(other.access, other.account);
  });

  it('are not limited while one waits, whose address and browser the bank is told', async () => {
    const { access, account } = await linked(PLAIN_BANK);
    bank.simulator.control.setUnattended(0);
    const person = presenceAt('8.8.8.8', 'Browser/1.0');
    assert.ok(person);
    await withPresence(person, () => rowsOf(access, account));
    await fails(rowsOf(access, account), 'rate_limited');
  });

  it('are made without the person where the bank wants to know nothing of them', async () => {
    const { access, account } = await linked('DE:Ackerbank');
    await withPresence({ address: '8.8.8.8', userAgent: null }, () => rowsOf(access, account));
  });

  it('know no one at an address that is not public', () => {
    for (const address of ['127.0.0.1', '192.168.1.7', '::1', 'fd00::1', 'nowhere'])
      assert.equal(presenceAt(address, 'x'), null);
    assert.equal(personPresent(), null);
  });
});

describe('A bank that fails', () => {
  it('is not asked a second time, because the attempt may count', async () => {
    const { access, account } = await linked(PLAIN_BANK);
    bank.simulator.control.setOutage(PLAIN_BANK, true);
    bank.simulator.control.clearRequests();
    const recent = localDateAt(bank.clock.now() - 80 * DAY, 'UTC');
    await fails(rowsOf(access, account, recent), 'temporarily_unavailable');
    assert.equal(bank.simulator.control.requests().length, 1);
  });

  it('to say its balances is read without them', async () => {
    const { access, account } = await linked(PLAIN_BANK);
    bank.simulator.control.addMisbehaviour({ quirk: 'no_balances' });
    await fails(
      bank.provider.readBalance(access, account.id, { live: false }, never),
      'temporarily_unavailable',
    );
    assert.ok((await rowsOf(access, account)).length > 0);
  });
});

describe('The list of banks', () => {
  it('names the country of each, two of one name in different ones', async () => {
    const all = await bank.provider.listInstitutions(never);
    const names = all.map(({ name }) => name);
    assert.ok(names.includes('Kuura Bank (FI)') && names.includes('Kuura Bank (SE)'));
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  });

  it('is read once in an hour, and the application each time', async () => {
    const { control } = bank.simulator;
    await bank.provider.listInstitutions(never);
    control.clearRequests();
    await bank.provider.listInstitutions(never);
    assert.deepEqual(
      control.requests().map(({ path }) => path),
      ['/application'],
    );
    bank.clock.advance(HOUR);
    control.clearRequests();
    await bank.provider.listInstitutions(never);
    assert.ok(control.requests().length > 5);
  });

  it('is not read with a key that the vendor does not know', async () => {
    const { privateKey } = await newKeyPair();
    await fails(bank.adapter({ privateKey }).listInstitutions(never), 'own_credentials');
  });

  it('has no bank that the vendor does not connect to', async () => {
    for (const institution of ['FI:None', 'nowhere', ''])
      await assert.rejects(
        bank.provider.beginLink({ ...SOMEONE, institution, state: 's' }, never),
        UpstreamFailure,
      );
  });
});

describe('Our token', () => {
  it('is used for less than its hour, and replaced after a clock was set back', async () => {
    for (const ms of [0, 54 * 60_000, 2 * 60_000, 10 * HOUR, -5 * HOUR]) {
      bank.clock.advance(ms);
      await bank.provider.listInstitutions(never);
    }
  });
});
