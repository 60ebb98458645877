import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Provider, ProviderConsent } from '../../src/connectors/providers/provider-contract.ts';
import type { AccountRecord } from '../../src/storage/account-records.ts';
import type { RowId } from '../../src/vocabulary/ids.ts';
import { DAY, openWorld, passing, signal, type World } from '../linking/world.ts';

const PAGE = { limit: 100, after: null, before: null };

let world: World;
/** How long consents given from now on last, where not as long as the bank says. */
let lasting: number | null = null;
/** Whether the bank has no accounts to list yet. */
let empty = false;

/** A bank whose consents may be short and whose accounts may be late. */
function disguised(real: Provider): Provider {
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
    createCustomer: (key, within) => real.createCustomer(key, within),
    beginLink: (request, within) => real.beginLink(request, within),
    completeLink: async (request, within) => {
      const came = await real.completeLink(request, within);
      return came.kind === 'linked' ? { ...came, consent: given(came.consent) } : came;
    },
    readConsent: async (grant, within) => ending(await real.readConsent(grant, within)),
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
  const list = () => world.linking.accountsLanding.land(owner.id, id, signal());
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

  it('is expiring once they are, where the consent ends soon [move connection: accounts listed with 30 days or less to go]', async () => {
    const { connection, list } = await link({ ...SHORT, empty: true });
    assert.equal(await connection(), 'pending');
    empty = false;
    await list();
    assert.equal(await connection(), 'expiring');
  });

  it('is expiring from 30 days before the end of the consent, which is no sooner [move connection: 30 days to go] [move consent: 30 days to go]', async () => {
    const { connection, consent } = await link({ lasting: 40 * DAY });
    world.clock.advance(10 * DAY - 60_000);
    assert.deepEqual([await connection(), await consent()], ['active', 'active']);
    world.clock.advance(60_000);
    assert.deepEqual([await connection(), await consent()], ['expiring', 'expiring']);
  });

  it('is expired at the end of the consent [move connection: consent ended] [move consent: its end came]', async () => {
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
      await world.linking.connectionRevocation.revoke(one.owner.id, one.id, signal());
      assert.equal(await one.connection(), 'revoked');
      assert.equal(await one.consent(), consentBefore === 'expired' ? 'expired' : 'withdrawn');
    });
  }
});
