import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import type { AuBankingProvider } from '../../../src/connectors/providers/au-banking/connector.ts';
import type {
  ConnectionState,
  LinkOutcome,
  Provider,
} from '../../../src/connectors/providers/provider-contract.ts';
import { findConnection } from '../../../src/storage/connections.ts';
import { SOME_KEY } from '../../support/actors.ts';
import { openWorld, signal, type World } from './world.ts';

let world: World;
/** What the vendor says in place of the outcome of a sign-in. */
let said: (outcome: LinkOutcome) => LinkOutcome | Promise<LinkOutcome> = (outcome) => outcome;
/** What it says of consents afterwards, where not what is so. */
let reading: ConnectionState | null = null;
/** Consents that the vendor was asked to end, and the secrets they were ended with. */
const withdrawn: string[] = [];
const opened: (string | null)[] = [];
/** People that the vendor was asked to delete. */
const deleted: string[] = [];
/** What happens while the vendor is asked to end one. */
let meanwhile: () => Promise<unknown> = async () => undefined;
/** The simulator's customer behind a person that it does not know by that name. */
const behind = new Map<string, string>();

function disguised(real: AuBankingProvider): Provider {
  return {
    identifier: real.identifier,
    capabilities: real.capabilities,
    listInstitutions: (within) => real.listInstitutions(within),
    redeemsOnce: real.redeemsOnce,
    createCustomer: (key, within) => real.createCustomer(key, within),
    deleteCustomer: async (key, customer, within) => {
      if (customer?.customer.startsWith('named ')) deleted.push(customer.customer.slice('named '.length));
      await real.deleteCustomer(key, customer, within);
    },
    activeGrants: (customer, within) => real.activeGrants(customer, within),
    beginLink: async (request, within) => {
      if (!request.customer.startsWith('named ')) return real.beginLink(request, within);
      const { id } = await real.createCustomer(randomUUID(), within);
      behind.set(request.customer, id);
      return real.beginLink({ ...request, customer: id, renew: null }, within);
    },
    completeLink: async (request, within) => {
      const customer = behind.get(request.customer);
      const asked = customer === undefined ? request : { ...request, customer, renew: null };
      return said(await real.completeLink(asked, within));
    },
    readConsent: async (grant, within) => {
      const read = await real.readConsent(grant, within);
      return { ...read, state: reading ?? read.state };
    },
    withdraw: async ({ consent, secret }) => {
      withdrawn.push(consent);
      opened.push(secret.value);
      await meanwhile();
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
  meanwhile = async () => undefined;
  for (const list of [withdrawn, opened, deleted]) list.length = 0;
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

/** The vendor names the bank of the link under a consent of the person, and them with a secret of theirs. */
const signedInAs = (person: string, consent: string) => (outcome: LinkOutcome) => {
  if (outcome.kind !== 'linked') return outcome;
  const [first] = outcome.grants;
  const grant = { ...first.grant, consent };
  return {
    ...outcome,
    customer: { id: `named ${person}`, secret: `of ${person}` },
    grants: [{ ...first, grant }],
  } as const;
};

const everything = { limit: 20, after: null, before: null };

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

  it('is linked by signing in again, where its withdrawal has not ended yet, and is not withdrawn then', async () => {
    const owner = await world.person();
    const consented = await world.consent(owner);
    said = async (outcome) => {
      await world.linking.hostedLinks.flow.cancel(consented.token);
      return signedInAs('ana', 'given back')(outcome);
    };
    await world.openCallback(consented);
    const [standIn] = await revokedOf(owner);
    assert.ok(standIn);
    said = signedInAs('ana', 'given back');
    const id = await world.link(owner);
    await world.linking.connectionRevocation.cleanUp(standIn.id, signal());
    assert.deepEqual(withdrawn, []);
    assert.deepEqual(deleted, []);
    const { items } = await world.linking.consents.list(owner.id, id, everything);
    assert.deepEqual(
      items.map(({ status }) => status),
      ['active'],
    );
    // Once it is deleted, nothing depends on the consent any more.
    await world.linking.connectionRevocation.revoke(owner.id, id, SOME_KEY, signal());
    assert.deepEqual(withdrawn, ['given back']);
    assert.deepEqual(deleted, ['ana']);
  });
});

describe('A consent that is given again while the vendor is asked to end it', () => {
  it('has its connection listed at once, which shows whether it stands', async () => {
    const owner = await world.person();
    said = signedInAs('ivy', 'of ivy');
    const first = await world.link(owner);
    let again = first;
    meanwhile = async () => {
      again = await world.link(owner);
    };
    await world.linking.connectionRevocation.revoke(owner.id, first, SOME_KEY, signal());
    assert.notEqual(again, first);
    const { refresh_at } = (await findConnection(world.db, owner.id, again)) ?? assert.fail();
    assert.ok(refresh_at.getTime() <= world.clock.now());
    assert.equal((await findConnection(world.db, owner.id, first))?.cleaned_at?.getTime(), world.clock.now());
  });
});

describe('A connection renewed by signing in as someone else', () => {
  it('has the consent before withdrawn by who gave it, who is deleted only then', async () => {
    const owner = await world.person();
    said = signedInAs('ben', 'of ben');
    const id = await world.link(owner);
    said = signedInAs('cleo', 'of cleo');
    await world.openCallback(await world.consent(owner, { renews: id }));
    await world.linking.orphanConsentSweep.sweep(signal());
    assert.deepEqual(deleted, [], 'it is needed until its consent is withdrawn');
    await world.linking.connectionRevocation.cleanUp(id, signal());
    assert.deepEqual([withdrawn, opened, deleted], [['of ben'], ['of ben'], ['ben']]);
    const { items } = await world.linking.consents.list(owner.id, id, everything);
    assert.deepEqual(
      items.map(({ status, consent }) => [status, consent.connection, consent.grant === null]),
      [
        ['active', id, false],
        ['withdrawn', id, true],
      ],
    );
    await world.linking.connectionRevocation.revoke(owner.id, id, SOME_KEY, signal());
    assert.deepEqual(opened, ['of ben', 'of cleo']);
    assert.deepEqual(deleted, ['ben', 'cleo']);
  });

  it('has every consent withdrawn by who gave it, where others followed before', async () => {
    const owner = await world.person();
    said = signedInAs('dan', 'first of dan');
    const id = await world.link(owner);
    for (const [person, consent] of [
      ['dan', 'second of dan'],
      ['eva', 'of eva'],
      ['fay', 'of fay'],
    ] as const) {
      said = signedInAs(person, consent);
      await world.openCallback(await world.consent(owner, { renews: id }));
    }
    await world.linking.connectionRevocation.revoke(owner.id, id, SOME_KEY, signal());
    assert.deepEqual(withdrawn, ['first of dan', 'second of dan', 'of eva', 'of fay']);
    assert.deepEqual(opened, ['of dan', 'of dan', 'of eva', 'of fay']);
    assert.deepEqual(deleted.toSorted(), ['dan', 'eva', 'fay']);
  });

  it('keeps a consent that it comes back to before that is withdrawn', async () => {
    const owner = await world.person();
    for (const [at, person] of ['gus', 'hana', 'gus'].entries()) {
      said = signedInAs(person, `the one of ${person}`);
      if (at === 0) await world.link(owner);
      const [{ id } = assert.fail()] = (
        await world.linking.connections.list(owner.id, { statuses: [], provider: null }, everything)
      ).items;
      if (at > 0) await world.openCallback(await world.consent(owner, { renews: id }));
      if (at === 2) await world.linking.connectionRevocation.cleanUp(id, signal());
    }
    assert.deepEqual(withdrawn, ['the one of hana']);
    assert.deepEqual(opened, ['of hana']);
    assert.deepEqual(deleted, ['hana']);
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
    assert.deepEqual((await world.linking.consents.list(owner.id, null, everything)).items, []);
  });
});
