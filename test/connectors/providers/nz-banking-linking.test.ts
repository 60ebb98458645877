import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connectionId } from '../../../sandbox/nz-banking/banks.ts';
import { NO_SECRET } from '../../../src/connectors/providers/customer-secret.ts';
import type { ProviderAccess } from '../../../src/connectors/providers/provider-contract.ts';
import { accessesOf, fixedSecret, type NzBankingBank, openNzBanking, SENT } from './nz-banking-bank.ts';
import { fails } from './provider-contract.ts';

const never = new AbortController().signal;
const HARAKEKE = connectionId('harakeke', false);
const RIMU = connectionId('rimu', false);
const KAURI = connectionId('kauri', false);

let bank: NzBankingBank;
before(async () => {
  bank = await openNzBanking();
});
after(() => bank.shut());

const states = (accesses: readonly ProviderAccess[]) =>
  Promise.all(accesses.map(async (access) => (await bank.provider.readConsent(access, never)).state));

describe('A token of Akahu', () => {
  it('is given to be kept before anything is asked with it, and says then whose it is', async () => {
    bank.simulator.control.addFault({ route: 'GET /v1/me', kind: 'server-error', count: 9 });
    const kept: string[] = [];
    await assert.rejects(bank.signIn('three-banks+kept', { keep: async (secret) => void kept.push(secret) }));
    bank.simulator.control.clearFaults();
    const [secret = assert.fail(), ...others] = kept;
    assert.deepEqual(others, []);
    const customer = { customer: 'nobody-yet', secret: fixedSecret(secret) };
    const name = await bank.provider.identifyCustomer(customer, never);
    assert.match(name ?? '', /^user_/);
    await bank.provider.deleteCustomer('key', customer, never);
    assert.equal(await bank.provider.identifyCustomer(customer, never), null);
  });
});

describe('Signing in at Akahu', () => {
  it('gives every bank that the person picked, as grants of one user', async () => {
    const came = await bank.signIn('three-banks+pick');
    assert.ok(came.kind === 'linked');
    assert.deepEqual(
      came.grants.map(({ institution }) => institution.name),
      ['Harakeke Bank', 'Rimu Bank', 'Kauri Savings'],
    );
    assert.equal(new Set(came.grants.map(({ grant }) => grant.consent)).size, 3);
    assert.match(came.customer?.id ?? '', /^user_/);
    for (const { consent } of came.grants) {
      assert.equal(consent.state, 'active');
      assert.equal(consent.expiresAt, null);
    }
  });

  it('gives the banks of an earlier sign-in again, under the same user and the same grants', async () => {
    const [first] = await bank.link('three-banks+twice', { institution: HARAKEKE });
    const again = await bank.link('three-banks+twice', { institution: RIMU });
    assert.ok(first);
    assert.deepEqual(
      again.map(({ institution }) => institution),
      [HARAKEKE, RIMU],
    );
    assert.deepEqual([again[0]?.customer, again[0]?.consent], [first.customer, first.consent]);
  });

  it('sends the person to the page with our state, and to their bank for a renewal', async () => {
    const renew = { consent: 'auth_1', institution: RIMU };
    const begun = await bank.provider.beginLink({
      customer: 'c',
      secret: NO_SECRET,
      institution: null,
      renew,
      ...SENT,
      state: 'proof',
    });
    const { searchParams } = new URL(begun.url);
    assert.deepEqual(Object.fromEntries(searchParams), {
      response_type: 'code',
      client_id: 'app_token_test',
      redirect_uri: SENT.redirectUri,
      scope: 'ENDURING_CONSENT',
      state: 'proof',
      connection: RIMU,
    });
  });

  it('ends with a reason of ours where the person or the bank refused', async () => {
    const outcome = (how: 'deny' | 'cancel' | 'fail') => bank.signIn('dormant', { outcome: how });
    assert.deepEqual(await outcome('deny'), { kind: 'failed', reason: 'consent_denied' });
    assert.deepEqual(await outcome('fail'), { kind: 'failed', reason: 'institution_error' });
    bank.simulator.control.setInstitutionStatus(HARAKEKE, 'OUTAGE');
    assert.deepEqual(await bank.signIn('dormant'), { kind: 'failed', reason: 'institution_error' });
    bank.simulator.control.setInstitutionStatus(HARAKEKE, 'HEALTHY');
    const query = { customer: 'c', secret: NO_SECRET, institution: null, memo: '', renew: null, ...SENT };
    assert.deepEqual(await bank.provider.completeLink({ ...query, query: {} }, never), {
      kind: 'failed',
      reason: 'unknown',
    });
  });

  it('redeems a code once, and ends no grant where it is used again or made up', async () => {
    const link = { customer: 'c', secret: NO_SECRET, institution: null, memo: '', renew: null, ...SENT };
    await fails(bank.provider.completeLink({ ...link, query: { code: 'made-up' } }, never), 'other');
    const wrong = bank.adapter({ appSecret: 'wrong' });
    await fails(wrong.completeLink({ ...link, query: { code: 'any' } }, never), 'own_credentials');
  });
});

describe('A login at a bank behind Akahu', () => {
  it('is lost with its accounts, still read, and not refreshed until the person signs in again', async () => {
    const [access] = await bank.link('salaried-household+lost');
    assert.ok(access);
    bank.simulator.control.setLogin(access.consent, false);
    assert.deepEqual(await states([access]), ['login_lost']);
    const accounts = await bank.provider.listAccounts(access, never);
    assert.equal(accounts.length, 2);
    await bank.provider.readBalance(access, accounts[0]?.id ?? '', { live: false }, never);
    await fails(bank.provider.requestRefresh(access, never), 'grant_rejected');
    const renewed = await bank.signIn('salaried-household+lost', { renew: access });
    assert.ok(renewed.kind === 'linked');
    assert.equal(renewed.grants[0].grant.consent, access.consent);
    assert.deepEqual(await states([access]), ['active']);
  });

  it('puts the renewed grant first, whatever else the person shares', async () => {
    const [first, second] = await bank.link('three-banks+renew');
    assert.ok(first && second);
    const renewed = await bank.signIn('three-banks+renew', { renew: second });
    assert.ok(renewed.kind === 'linked');
    assert.equal(renewed.grants[0].grant.consent, second.consent);
    assert.equal(renewed.grants.length, 3);
  });

  it('is ended alone by a withdrawal, and the others with the token of the user', async () => {
    const [first, ...others] = await bank.link('three-banks+end');
    assert.ok(first && others.length === 2);
    await bank.provider.withdraw(first, never);
    assert.deepEqual(await states([first, ...others]), ['ended', 'active', 'active']);
    await bank.provider.deleteCustomer('key', first, never);
    assert.deepEqual(await states(others), ['ended', 'ended']);
    await bank.provider.deleteCustomer('key', first, never);
    for (const access of [first, ...others]) await bank.provider.withdraw(access, never);
    await fails(bank.provider.listAccounts(first, never), 'grant_rejected');
  });

  it('does not count as ended if the vendor only forbids a call', async () => {
    const { control } = bank.simulator;
    const [access] = await bank.link('dormant+forbidden');
    assert.ok(access);
    const routes = ['GET /v1/accounts', 'DELETE /v1/authorisations/*'];
    for (const route of routes) {
      control.addFault({ route, kind: 'refusal', status: 403 });
      await fails(bank.provider.withdraw(access, never), 'other');
      control.clear();
    }
    control.addFault({ route: 'DELETE /v1/token', kind: 'refusal', status: 403 });
    await fails(bank.provider.deleteCustomer('key', access, never), 'other');
    control.clear();
    assert.deepEqual(await states([access]), ['active']);
    await bank.provider.withdraw(access, never);
    assert.deepEqual(await states([access]), ['ended']);
  });

  it('leaves nothing to delete where no one signed in', async () => {
    await bank.provider.deleteCustomer('key', null, never);
    await bank.provider.deleteCustomer('key', { customer: 'c', secret: NO_SECRET }, never);
  });

  it('moves to the official connection under the name of the bank that it had, with its accounts', async () => {
    const [access] = await bank.link('three-banks+move', { institution: KAURI });
    assert.ok(access);
    const before = await bank.provider.listAccounts(access, never);
    bank.simulator.control.setMigrating(KAURI, true);
    const moved = await bank.signIn('three-banks+move', {
      renew: access,
      institution: connectionId('kauri', false),
    });
    bank.simulator.control.setMigrating(KAURI, false);
    const [fresh] = accessesOf(moved);
    assert.ok(fresh);
    assert.notEqual(fresh.consent, access.consent);
    assert.equal(fresh.institution, KAURI, 'the connection being renewed is recognised');
    const after = await bank.provider.listAccounts(fresh, never);
    assert.deepEqual(
      after.map(({ formerIds }) => formerIds),
      before.map(({ id }) => [id]),
    );
    assert.deepEqual(await states([access, fresh]), ['ended', 'active']);
  });
});

describe('Credentials of Akahu', () => {
  it('that the vendor refuses are ours, and end no one’s connection', async () => {
    const [access] = await bank.link('dormant+own');
    assert.ok(access);
    for (const broken of [{ appToken: 'app_token_other' }, { appSecret: 'wrong' }]) {
      const provider = bank.adapter(broken);
      await fails(provider.listInstitutions(never), 'own_credentials');
    }
    await fails(bank.adapter({ appToken: 'app_token_other' }).listAccounts(access, never), 'own_credentials');
  });

  it('of a user that cannot be read, or that are not there, are refused before any call', async () => {
    const access = { customer: 'c', consent: 'auth_1', institution: HARAKEKE };
    for (const value of [null, '', 'not json', '{"v":2,"token":"t","granted_at":1}', '{"v":1}'])
      await fails(
        bank.provider.listAccounts({ ...access, secret: fixedSecret(value) }, never),
        'grant_rejected',
      );
  });
});

describe('A personal app of Akahu', () => {
  const link = { customer: 'key', secret: NO_SECRET, institution: null, renew: null, ...SENT };

  it('links without a page, keeps no token, and ends nothing', async () => {
    const [owner] = await bank.link('three-banks+personal');
    const { token } = JSON.parse(owner?.secret.value ?? '{}');
    const personal = bank.adapter({ appSecret: null, userToken: token });
    assert.equal(personal.personal, true);
    assert.equal(personal.redeemsOnce, false);
    const begun = await personal.beginLink({ ...link, state: 'proof' });
    assert.equal(begun.url, `${SENT.redirectUri}?state=proof`);
    const came = await personal.completeLink({ ...link, memo: begun.memo, query: {} }, never);
    assert.ok(came.kind === 'linked');
    assert.equal(came.customer?.secret, null);
    assert.equal(came.grants.length, 3);
    const [access] = accessesOf(came);
    assert.ok(access);
    assert.equal((await personal.listAccounts(access, never)).length, 1);
    await personal.withdraw(access, never);
    await personal.deleteCustomer('key', access, never);
    assert.equal((await personal.readConsent(access, never)).state, 'active');
  });

  it('ends what people share with the full app that it was before, and takes no refusal of itself for the end', async () => {
    const [owner] = await bank.link('three-banks+owner');
    const { token } = JSON.parse(owner?.secret.value ?? '{}');
    const personal = bank.adapter({ appSecret: null, userToken: token });
    const [access, other] = await bank.link('three-banks+former');
    assert.ok(access && other);
    await personal.withdraw(access, never);
    assert.deepEqual(await states([access, other]), ['ended', 'active']);
    // Another app is not known to the people who signed in to the first.
    const stranger = bank.adapter({ appToken: 'app_token_other', appSecret: null, userToken: token });
    await fails(stranger.withdraw(other, never), 'own_credentials');
    await fails(stranger.deleteCustomer('key', other, never), 'own_credentials');
    assert.deepEqual(await states([other]), ['active']);
    await personal.deleteCustomer('key', other, never);
    assert.deepEqual(await states([other]), ['ended']);
  });

  it('offers what needs no secret of an app', () => {
    const personal = bank.adapter({ appSecret: null, userToken: 'user_token_1' });
    const [full, own] = [bank.provider, personal].map(({ capabilities }) => capabilities);
    assert.deepEqual(
      [...(full ?? [])].filter((capability) => own?.has(capability) !== true),
      ['institutions', 'webhooks'],
    );
    assert.equal(bank.provider.personal, false);
  });

  it('that was removed reads nothing, and its connections cannot be opened by a full app', async () => {
    const access = { customer: 'c', consent: 'auth_1', institution: HARAKEKE, secret: NO_SECRET };
    const personal = bank.adapter({ appSecret: null, userToken: 'user_token_gone' });
    await fails(personal.listAccounts(access, never), 'grant_rejected');
    await fails(bank.provider.listAccounts(access, never), 'grant_rejected');
  });
});
