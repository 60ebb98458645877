import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { AuBankingProvider } from '../../../src/connectors/providers/au-banking/provider.ts';
import type {
  ConnectionState,
  LinkOutcome,
  Provider,
} from '../../../src/connectors/providers/provider-contract.ts';
import { findConnection } from '../../../src/storage/connections.ts';
import { SOME_KEY } from '../../support/actors.ts';
import { openWorld, signal, type World } from './world.ts';

let world: World;
/** What the vendor says in place of what came of a sign-in. */
let said: (outcome: LinkOutcome) => LinkOutcome | Promise<LinkOutcome> = (outcome) => outcome;
/** What it says of consents afterwards, where not what is so. */
let reading: ConnectionState | null = null;
/** Consents that the vendor was asked to end. */
const withdrawn: string[] = [];

function disguised(real: AuBankingProvider): Provider {
  return {
    identifier: real.identifier,
    capabilities: real.capabilities,
    listInstitutions: (within) => real.listInstitutions(within),
    redeemsOnce: real.redeemsOnce,
    createCustomer: (key, within) => real.createCustomer(key, within),
    deleteCustomer: (key, customer, within) => real.deleteCustomer(key, customer, within),
    standingGrants: (customer, within) => real.standingGrants(customer, within),
    beginLink: (request, within) => real.beginLink(request, within),
    completeLink: async (request, within) => said(await real.completeLink(request, within)),
    readConsent: async (grant, within) => {
      const read = await real.readConsent(grant, within);
      return { ...read, state: reading ?? read.state };
    },
    withdraw: async ({ consent }) => {
      withdrawn.push(consent);
    },
    listAccounts: (grant, within) => real.listAccounts(grant, within),
    readBalance: (grant, account, options, within) => real.readBalance(grant, account, options, within),
    readDetails: (grant, account, within) => real.readDetails(grant, account, within),
    transactionPages: (grant, query, within) => real.transactionPages(grant, query, within),
  };
}

before(async () => {
  world = await openWorld(disguised);
});
afterEach(() => {
  said = (outcome) => outcome;
  reading = null;
  withdrawn.length = 0;
});
after(() => world.close());

const stating =
  (state: ConnectionState) =>
  (outcome: LinkOutcome): LinkOutcome => {
    if (outcome.kind !== 'linked') return outcome;
    const [first] = outcome.grants;
    return { ...outcome, grants: [{ ...first, consent: { ...first.consent, state } }] };
  };

/** The vendor names another consent of another bank, and who signed in. */
const elsewhere = (consent: string) => (outcome: LinkOutcome) => {
  if (outcome.kind !== 'linked') return outcome;
  const [first] = outcome.grants;
  const grant = { consent, institution: 'another' };
  const institution = { ...first.institution, id: 'inst_another' };
  const customer = { id: `person of ${consent}`, secret: 's' };
  return { ...outcome, customer, grants: [{ ...first, grant, institution }] } as const;
};

const revokedOf = async (owner: Awaited<ReturnType<World['person']>>) =>
  world.db
    .selectFrom('connections')
    .select(['id', 'end_user'])
    .where('account_record', '=', owner.id)
    .where('revoked_at', 'is not', null)
    .execute();

describe('A consent that a sign-in gave and no connection holds', () => {
  it('is withdrawn where the person renewed at another bank, and its customer with it', async () => {
    const owner = await world.person();
    const id = await world.link(owner);
    said = elsewhere('of another bank');
    await world.openCallback(await world.consent(owner, { renews: id }));
    assert.equal((await world.linking.connections.read(owner.id, id)).status, 'active');
    const [standIn] = (await revokedOf(owner)).filter((one) => one.id !== id);
    assert.ok(standIn?.end_user);
    await world.linking.connectionRevocation.cleanUp(standIn.id, signal());
    assert.deepEqual(withdrawn, ['of another bank']);
  });

  for (const renewing of [true, false]) {
    it(`is withdrawn where the session was cancelled while ${renewing ? 'a renewal' : 'a link'} was redeemed`, async () => {
      const owner = await world.person();
      const id = await world.link(owner);
      const consented = await world.consent(owner, renewing ? { renews: id } : {});
      said = async (outcome) => {
        await world.linking.hostedLinks.flow.cancel(consented.token);
        return elsewhere(`late ${renewing}`)(outcome);
      };
      await world.openCallback(consented);
      const [standIn] = await revokedOf(owner);
      assert.ok(standIn);
      await world.linking.connectionRevocation.cleanUp(standIn.id, signal());
      assert.deepEqual(withdrawn, [`late ${renewing}`]);
    });
  }

  it('is withdrawn where the connection to be renewed was deleted meanwhile', async () => {
    const owner = await world.person();
    const id = await world.link(owner);
    const consented = await world.consent(owner, { renews: id });
    said = async (outcome) => {
      await world.linking.connectionRevocation.revoke(owner.id, id, SOME_KEY, signal());
      return elsewhere('of nobody')(outcome);
    };
    await world.openCallback(consented);
    const [standIn] = (await revokedOf(owner)).filter((one) => one.id !== id);
    assert.ok(standIn);
    await world.linking.connectionRevocation.cleanUp(standIn.id, signal());
    assert.ok(withdrawn.includes('of nobody'));
  });

  it('stays for a connection of another account record that depends on it', async () => {
    said = elsewhere('of one login');
    const [one, other] = [await world.person(), await world.person()];
    const first = await world.link(one);
    await world.link(other);
    await world.linking.connectionRevocation.revoke(one.id, first, SOME_KEY, signal());
    assert.deepEqual(withdrawn, []);
  });
});

describe('A bank that the vendor names at sign-in', () => {
  it('is invalidated where its login does not work, whether it is new or held', async () => {
    const owner = await world.person();
    said = stating('login_lost');
    reading = 'login_lost';
    await world.openCallback(await world.consent(owner));
    const [id] = await world.db
      .selectFrom('connections')
      .select('id')
      .where('account_record', '=', owner.id)
      .execute();
    assert.ok(id);
    const found = await findConnection(world.db, owner.id, id.id);
    assert.ok(found?.login_lost_at);
    const { length } = world.events;
    await world.openCallback(await world.consent(owner, { renews: id.id }));
    assert.ok(!world.events.slice(length).includes('connection.renewed'));
    assert.ok((await findConnection(world.db, owner.id, id.id))?.invalidated_at);
  });

  it('is no connection where the vendor says that its consent ended', async () => {
    const owner = await world.person();
    said = stating('ended');
    await world.openCallback(await world.consent(owner));
    const page = { limit: 10, after: null, before: null };
    assert.deepEqual((await world.linking.consents.list(owner.id, null, page)).items, []);
  });
});
