import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { AuBankingProvider } from '../../src/connectors/providers/au-banking/connector.ts';
import type { Provider, ProviderConsent } from '../../src/connectors/providers/provider-contract.ts';
import type { AccountRecord } from '../../src/storage/account-records.ts';
import { findConnection } from '../../src/storage/connections.ts';
import type { RowId } from '../../src/vocabulary/ids.ts';
import { DAY, MINUTE, openWorld, passing, signal, type World } from '../features/linking/world.ts';
import { SOME_KEY } from '../support/actors.ts';

const PAGE = { limit: 100, after: null, before: null };

let world: World;
/** How long consents given from now on last, where not as long as the bank says. */
let lasting: number | null = null;
/** Whether the vendor's login at the bank does not work. */
let loginLost = false;
/** Whether the bank has no accounts to list yet. */
let empty = false;

/** A bank whose consents may be short and whose accounts may be late. */
function disguised(real: AuBankingProvider): Provider {
  const ends = new Map<string, number>();
  const ending = (consent: ProviderConsent): ProviderConsent => {
    const expiresAt = ends.get(consent.id) ?? consent.expiresAt;
    return { ...consent, expiresAt };
  };
  const given = (consent: ProviderConsent): ProviderConsent => {
    if (lasting === null) ends.delete(consent.id);
    else ends.set(consent.id, world.clock.now() + lasting);
    return ending(consent);
  };
  return {
    identifier: real.identifier,
    capabilities: real.capabilities,
    listInstitutions: (within) => real.listInstitutions(within),
    redeemsOnce: real.redeemsOnce,
    createCustomer: (key, within) => real.createCustomer(key, within),
    deleteCustomer: (key, customer, within) => real.deleteCustomer(key, customer, within),
    activeGrants: (customer, within) => real.activeGrants(customer, within),
    beginLink: (request, within) => real.beginLink(request, within),
    completeLink: async (request, within) => {
      const came = await real.completeLink(request, within);
      if (came.kind !== 'linked') return came;
      const [first] = came.grants;
      return { ...came, grants: [{ ...first, consent: given(first.consent) }] };
    },
    readConsent: async (grant, within) => {
      const consent = ending(await real.readConsent(grant, within));
      return loginLost && consent.state === 'active' ? { ...consent, state: 'login_lost' } : consent;
    },
    withdraw: (grant, within) => real.withdraw(grant, within),
    listAccounts: async (grant, within) => (empty ? [] : real.listAccounts(grant, within)),
    readBalance: (grant, account, options, within) => real.readBalance(grant, account, options, within),
    readDetails: (grant, account, within) => real.readDetails(grant, account, within),
    transactionPages: (grant, query, within) => real.transactionPages(grant, query, within),
  };
}

before(async () => {
  world = await openWorld(disguised);
});
afterEach(() => {
  world.bank.control.clear();
  lasting = null;
  empty = false;
  loginLost = false;
});
after(() => world.close());

interface Link {
  readonly owner: AccountRecord;
  readonly id: RowId<'connection'>;
  /** Status of the connection. */
  connection(): Promise<string>;
  /** Status of its consent. */
  consent(): Promise<string | undefined>;
  /** Lists the accounts, as the daily refresh does. */
  list(): Promise<unknown>;
  renew(lastingMs?: number): Promise<void>;
  /** The person withdraws at the bank, and a reading finds out. */
  withdrawAtBank(): Promise<void>;
}

async function link(settings: { lasting?: number; empty?: boolean } = {}): Promise<Link> {
  const owner = await world.person();
  lasting = settings.lasting ?? null;
  empty = settings.empty ?? false;
  const id = await passing(world, world.link(owner));
  const { arrangementId } = world.bank.control.consents().at(-1) ?? assert.fail();
  const list = () => world.linking.accountImport.importAccounts(owner.id, id, signal());
  return {
    owner,
    id,
    connection: async () => (await world.linking.connections.read(owner.id, id)).status,
    consent: async () => (await world.linking.consents.list(owner.id, id, PAGE)).items[0]?.status,
    list,
    renew: async (lastingMs) => {
      lasting = lastingMs ?? null;
      assert.equal(await passing(world, world.link(owner, { renews: id })), id);
    },
    withdrawAtBank: async () => {
      world.bank.control.revokeConsent(arrangementId);
      empty = false;
      await assert.rejects(list(), { code: 'upstream_auth_failed' });
    },
  };
}

const HOUR = 60 * MINUTE;
const YEAR = 365 * DAY;
const SHORT = { lasting: 20 * DAY };

describe('a connection', () => {
  it('is active once its accounts are listed [move connection: accounts listed]', async () => {
    const { connection, list } = await link({ empty: true });
    assert.equal(await connection(), 'pending');
    empty = false;
    await list();
    assert.equal(await connection(), 'active');
  });

  it('is expiring once they are, where the consent ends soon [move connection: accounts listed with at most 30 days left]', async () => {
    const { connection, list } = await link({ ...SHORT, empty: true });
    assert.equal(await connection(), 'pending');
    empty = false;
    await list();
    assert.equal(await connection(), 'expiring');
  });

  it('is expiring from 30 days before the end of the consent, which is no sooner [move connection: 30 days left] [move consent: 30 days left]', async () => {
    const { connection, consent } = await link({ lasting: 40 * DAY });
    world.clock.advance(10 * DAY - 60_000);
    assert.deepEqual([await connection(), await consent()], ['active', 'active']);
    world.clock.advance(60_000);
    assert.deepEqual([await connection(), await consent()], ['expiring', 'expiring']);
  });

  it('is expired at the end of the consent [move connection: consent ended] [move consent: reached its expiry]', async () => {
    const listed = await link(SHORT);
    const unlisted = await link({ ...SHORT, empty: true });
    assert.deepEqual([await listed.connection(), await unlisted.connection()], ['expiring', 'pending']);
    assert.equal(await listed.consent(), 'expiring');
    world.clock.advance(20 * DAY);
    assert.deepEqual([await listed.connection(), await unlisted.connection()], ['expired', 'expired']);
    assert.equal(await listed.consent(), 'expired');
  });

  for (const [before, settings] of [
    ['pending', { empty: true }],
    ['active', {}],
    ['expiring', SHORT],
  ] as const) {
    it(`that is ${before} is invalidated when the bank rejects the grant [move connection: bank rejected the grant] [move consent: withdrawn here or at the bank]`, async () => {
      const { connection, consent, withdrawAtBank } = await link(settings);
      const consentBefore = before === 'pending' ? 'active' : before;
      assert.deepEqual([await connection(), await consent()], [before, consentBefore]);
      await withdrawAtBank();
      assert.deepEqual([await connection(), await consent()], ['invalidated', 'withdrawn']);
    });
  }

  for (const [before, end] of [
    ['expiring', async (_one: Link) => undefined],
    ['expired', async (_one: Link) => world.clock.advance(20 * DAY)],
    ['invalidated', (one: Link) => one.withdrawAtBank()],
  ] as const) {
    it(`that is ${before} is active when it is reauthorised [move connection: reauthorised] [move consent: renewed in place]`, async () => {
      const one = await link(SHORT);
      await end(one);
      assert.equal(await one.connection(), before);
      await one.renew(YEAR);
      assert.deepEqual([await one.connection(), await one.consent()], ['active', 'active']);
    });
  }

  for (const [before, settings] of [
    ['pending', { empty: true }],
    ['active', {}],
    ['expiring', SHORT],
  ] as const) {
    it(`that is ${before} is invalidated while the vendor has lost its login at the bank, and its consent stands [move connection: login at the bank lost] [move connection: login at the bank works again] [move connection: login works again with at most 30 days left] [move connection: login works again before accounts were ever listed]`, async () => {
      const { connection, consent, list } = await link(settings);
      const consentBefore = await consent();
      assert.equal(await connection(), before);
      const eventsBefore = world.events.length;
      world.clock.advance(HOUR);
      loginLost = true;
      for (let time = 0; time < 2; time++) await assert.rejects(list(), { code: 'upstream_auth_failed' });
      assert.deepEqual([await connection(), await consent()], ['invalidated', consentBefore]);
      assert.deepEqual(world.events.slice(eventsBefore), ['connection.invalidated']);
      loginLost = false;
      world.clock.advance(HOUR);
      // No one asks: what the vendor lost is looked at on its own.
      await world.linking.accountImport.refreshDue(signal());
      assert.deepEqual([await connection(), await consent()], [before, consentBefore]);
    });
  }

  it('whose login the vendor lost works again once it is reauthorised, and ends where the vendor says that the consent ended', async () => {
    const one = await link();
    const lose = async () => {
      world.clock.advance(HOUR);
      loginLost = true;
      await assert.rejects(one.list(), { code: 'upstream_auth_failed' });
    };
    await lose();
    loginLost = false;
    await one.renew();
    assert.deepEqual([await one.connection(), await one.consent()], ['active', 'active']);
    await lose();
    await one.withdrawAtBank();
    assert.deepEqual([await one.connection(), await one.consent()], ['invalidated', 'withdrawn']);
  });

  it('whose consent ended stays ended, however late a notification says that its login works, and is not asked about any more', async () => {
    const one = await link();
    const { consentChecks } = world.linking;
    for (const state of ['login_lost', 'ended', 'active', 'login_lost'] as const) {
      await consentChecks.recordState(one.owner.id, one.id, state);
    }
    assert.deepEqual([await one.connection(), await one.consent()], ['invalidated', 'withdrawn']);
    const found = await findConnection(world.db, one.owner.id, one.id);
    assert.equal(found?.login_lost_at, null);
  });

  it('is as its provider notified us, where the provider cannot be asked about consents', async () => {
    const one = await link();
    const { consentChecks } = world.linking;
    const eventsBefore = world.events.length;
    for (const [state, connection, consent] of [
      ['login_lost', 'invalidated', 'active'],
      ['login_lost', 'invalidated', 'active'],
      ['active', 'active', 'active'],
      ['ended', 'invalidated', 'withdrawn'],
      ['ended', 'invalidated', 'withdrawn'],
    ] as const) {
      await consentChecks.recordState(one.owner.id, one.id, state);
      assert.deepEqual([await one.connection(), await one.consent()], [connection, consent]);
    }
    assert.deepEqual(world.events.slice(eventsBefore), [
      'connection.invalidated',
      'consent.withdrawn',
      'connection.invalidated',
    ]);
  });

  for (const [before, settings, end] of [
    ['active', {}, async (_one: Link) => undefined],
    ['expired', SHORT, async (_one: Link) => world.clock.advance(20 * DAY)],
    ['invalidated', {}, (one: Link) => one.withdrawAtBank()],
  ] as const) {
    it(`that is ${before} is expiring when it is reauthorised for 20 days [move connection: reauthorised for 30 days or less] [move consent: renewed for 30 days or less]`, async () => {
      const one = await link(settings);
      await end(one);
      assert.equal(await one.connection(), before);
      await one.renew(20 * DAY);
      assert.deepEqual([await one.connection(), await one.consent()], ['expiring', 'expiring']);
    });
  }

  for (const [before, end] of [
    ['expired', async (_one: Link) => world.clock.advance(20 * DAY)],
    ['invalidated', (one: Link) => one.withdrawAtBank()],
  ] as const) {
    it(`that is ${before} and has never listed accounts is pending when it is reauthorised [move connection: reauthorised before accounts were ever listed]`, async () => {
      const one = await link({ ...SHORT, empty: true });
      await end(one);
      assert.equal(await one.connection(), before);
      empty = true;
      await one.renew(YEAR);
      assert.equal(await one.connection(), 'pending');
    });
  }

  for (const [before, settings, end] of [
    ['pending', { empty: true }, async (_one: Link) => undefined],
    ['active', {}, async (_one: Link) => undefined],
    ['expiring', SHORT, async (_one: Link) => undefined],
    ['expired', SHORT, async (_one: Link) => world.clock.advance(20 * DAY)],
    ['invalidated', {}, (one: Link) => one.withdrawAtBank()],
  ] as const) {
    it(`that is ${before} is revoked when it is deleted [move connection: deleted by the caller]`, async () => {
      const one = await link(settings);
      await end(one);
      assert.equal(await one.connection(), before);
      const consentBefore = await one.consent();
      await world.linking.connectionRevocation.revoke(one.owner.id, one.id, SOME_KEY, signal());
      assert.equal(await one.connection(), 'revoked');
      assert.equal(await one.consent(), consentBefore === 'expired' ? 'expired' : 'withdrawn');
    });
  }
});
