import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import type { AuBankingProvider } from '../../../src/connectors/providers/au-banking/connector.ts';
import type { CompleteLink, Provider } from '../../../src/connectors/providers/provider-contract.ts';
import type { AccountRecord } from '../../../src/storage/account-records.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { SOME_KEY } from '../../support/actors.ts';
import { DAY, MINUTE, openWorld, signal, type World } from './world.ts';

let world: World;
/** Who signs in. */
let person = 'nobody';
/** Secrets that the vendor was asked to end. */
const ended: (string | null)[] = [];
const withdrawn: string[] = [];
let whileEnding: () => Promise<unknown> = async () => undefined;
let whileSigningIn: (request: CompleteLink) => Promise<unknown> = async () => undefined;
/** The simulator's customer behind a page of the vendor, known by the page's verifier. */
const behind = new Map<string, string>();

/** A vendor whose customers are people: one token for each, anyone who links them. */
function ofPeople(real: AuBankingProvider): Provider {
  return {
    identifier: real.identifier,
    capabilities: new Set([...real.capabilities].filter((one) => one !== 'customers')),
    redeemsOnce: true,
    listInstitutions: (within) => real.listInstitutions(within),
    deleteCustomer: async (_key, customer) => {
      if (customer === null || customer.secret.value === null) return;
      ended.push(customer.secret.value);
      await whileEnding();
    },
    identifyCustomer: async ({ secret }) => secret.value?.slice('of '.length) ?? null,
    beginLink: async (request, within) => {
      const { id } = await real.createCustomer(randomUUID(), within);
      behind.set(request.verifier, id);
      return real.beginLink({ ...request, customer: id, renew: null }, within);
    },
    completeLink: async (request, within) => {
      await request.keep?.(`of ${person}`);
      await whileSigningIn(request);
      const customer = behind.get(request.verifier) ?? request.customer;
      const outcome = await real.completeLink({ ...request, customer, renew: null }, within);
      return outcome.kind === 'linked'
        ? { ...outcome, customer: { id: person, secret: `of ${person}` } }
        : outcome;
    },
    readConsent: (access, within) => real.readConsent(access, within),
    withdraw: async ({ consent }) => void withdrawn.push(consent),
    listAccounts: (access, within) => real.listAccounts(access, within),
    readBalance: (access, account, options, within) => real.readBalance(access, account, options, within),
    readDetails: (access, account, within) => real.readDetails(access, account, within),
    transactionPages: (access, query, within) => real.transactionPages(access, query, within),
  };
}

before(async () => {
  world = await openWorld(ofPeople);
});
afterEach(() => {
  ended.length = 0;
  withdrawn.length = 0;
  whileEnding = async () => undefined;
  whileSigningIn = async () => undefined;
});
after(() => world.close());

const revoke = (owner: AccountRecord, id: RowId<'connection'>) =>
  world.linking.connectionRevocation.revoke(owner.id, id, SOME_KEY, signal());
const sweep = () => world.linking.orphanConsentSweep.sweep(signal());
const rowsOf = ({ id }: AccountRecord) =>
  world.db.selectFrom('end_users').selectAll().where('account_record', '=', id).execute();

describe('A person whom the vendor knows as one customer', () => {
  it('is not deleted there for one account record while another has them linked, only with the last', async () => {
    person = 'ada';
    const [one, other] = [await world.person(), await world.person()];
    const [first, second] = [await world.link(one), await world.link(other)];
    await revoke(one, first);
    assert.deepEqual(ended, []);
    assert.deepEqual(await rowsOf(one), []);
    await revoke(other, second);
    assert.deepEqual(ended, ['of ada']);
    // Again when the page of the vendor has expired, then the row goes.
    for (const wait of [7 * DAY, 11 * MINUTE]) {
      world.clock.advance(wait);
      await sweep();
    }
    assert.deepEqual(ended, ['of ada', 'of ada']);
    assert.deepEqual(await rowsOf(other), []);
  });

  it('is not deleted by the repetition of a deletion that failed, once they signed in again', async () => {
    person = 'bea';
    const owner = await world.person();
    const id = await world.link(owner);
    whileEnding = () => Promise.reject(new UpstreamFailure('temporarily_unavailable', 'Not now.'));
    await revoke(owner, id);
    assert.equal(ended.length, 1);
    whileEnding = async () => undefined;
    world.clock.advance(MINUTE);
    await world.link(owner);
    world.clock.advance(7 * 60 * MINUTE);
    await sweep();
    assert.equal(ended.length, 1);
    assert.equal((await rowsOf(owner)).filter(({ released_at }) => released_at !== null).length, 0);
  });

  it('is not linked with what a deletion ends that is under way, and may sign in after it', async () => {
    person = 'cal';
    const [one, other] = [await world.person(), await world.person()];
    const id = await world.link(one);
    const consented = await world.consent(other);
    const refused = (error: unknown) => error instanceof ServiceError && error.code === 'provider_wait';
    whileEnding = () => assert.rejects(world.openCallback(consented), refused);
    await revoke(one, id);
    assert.deepEqual(ended, ['of cal']);
    whileEnding = async () => undefined;
    await world.link(other);
  });

  it('is not linked with what a deletion ended between the vendor’s answer and its record', async () => {
    person = 'dot';
    const [one, other] = [await world.person(), await world.person()];
    const id = await world.link(one);
    const consented = await world.consent(other);
    whileSigningIn = () => revoke(one, id);
    await assert.rejects(
      world.openCallback(consented),
      (error) => error instanceof ServiceError && error.code === 'provider_wait',
    );
  });
});

describe('What a person consented to on a link that was over when they came back, and that is redeemed once', () => {
  it('is ended with its customer where the link had run out', async () => {
    person = 'eve';
    const consented = await world.consent(await world.person());
    world.clock.advance(31 * MINUTE);
    const step = await world.openCallback(consented);
    assert.ok(step.kind === 'go' && step.url.endsWith('reason=session_expired'));
    await sweep();
    assert.ok(ended.includes('of eve'));
  });

  it('is withdrawn where the link had been cancelled meanwhile', async () => {
    person = 'fin';
    const owner = await world.person();
    const consented = await world.consent(owner);
    await world.linking.hostedLinks.flow.cancel(consented.token);
    const step = await world.openCallback(consented);
    assert.ok(step.kind === 'go' && step.url.endsWith('reason=cancelled'));
    const made = await world.db.selectFrom('connections').selectAll().where('account_record', '=', owner.id);
    const [standIn] = await made.execute();
    assert.ok(standIn?.revoked_at);
    await world.linking.connectionRevocation.cleanUp(standIn.id, signal());
    assert.equal(withdrawn.length, 1);
    assert.deepEqual(ended, ['of fin']);
  });

  for (const when of ['while they were at the vendor', 'and the link ended for it']) {
    it(`is withdrawn where the connection to be renewed was deleted ${when}`, async () => {
      person = `kim ${when}`;
      const owner = await world.person();
      const id = await world.link(owner);
      const consented = await world.consent(owner, { renews: id });
      await revoke(owner, id);
      assert.deepEqual([withdrawn.length, ended.length], [1, 1]);
      world.clock.advance(MINUTE);
      if (when.includes('ended')) await world.linking.hostedLinks.flow.beginAnew(consented.token, 1);
      const step = await world.openCallback(consented);
      assert.ok(step.kind === 'go' && step.url.endsWith('reason=connection_deleted'));
      const standIns = world.db.selectFrom('connections').select('id').where('account_record', '=', owner.id);
      const [standIn] = await standIns.where('id', '!=', id).where('revoked_at', 'is not', null).execute();
      assert.ok(standIn);
      await world.linking.connectionRevocation.cleanUp(standIn.id, signal());
      assert.deepEqual([withdrawn.length, ended], [2, [`of ${person}`, `of ${person}`]]);
    });
  }

  it('is redeemed by the first callback alone, however often they come back', async () => {
    person = 'ira';
    for (const ending of ['cancelled', 'session_expired'] as const) {
      const consented = await world.consent(await world.person());
      if (ending === 'cancelled') await world.linking.hostedLinks.flow.cancel(consented.token);
      else world.clock.advance(31 * MINUTE);
      let asked = 0;
      whileSigningIn = async () => {
        asked += 1;
        // The vendor is out of order: nothing of the outcome was stored.
        throw new UpstreamFailure('server_error', 'Not now.');
      };
      for (let time = 0; time < 3; time++) {
        const step = await world.openCallback(consented);
        assert.ok(step.kind === 'go' && step.url.endsWith(`reason=${ending}`));
      }
      assert.equal(asked, 1);
    }
    // The secret that the vendor gave before it failed.
    world.clock.advance(11 * MINUTE);
    await sweep();
    assert.deepEqual(ended, ['of ira', 'of ira']);
  });

  it('is not redeemed again where redeeming it ended the link', async () => {
    person = 'jo';
    const consented = await world.consent(await world.person());
    const refused = { ...consented, callback: new URL(consented.callback) };
    refused.callback.searchParams.set('error', 'access_denied');
    let asked = 0;
    whileSigningIn = async () => {
      asked += 1;
    };
    for (const callback of [refused, refused, consented]) {
      const step = await world.openCallback(callback);
      assert.ok(step.kind === 'go' && step.url.endsWith('reason=consent_denied'));
    }
    assert.equal(asked, 1);
    world.clock.advance(11 * MINUTE);
    await sweep();
    assert.deepEqual(ended, ['of jo']);
  });

  it('is not redeemed for another browser', async () => {
    person = 'gil';
    const consented = await world.consent(await world.person());
    await world.linking.hostedLinks.flow.cancel(consented.token);
    let asked = 0;
    whileSigningIn = async () => {
      asked += 1;
    };
    await world.openCallback(consented, 'another');
    assert.equal(asked, 0);
  });
});

describe('A secret of which nothing became, because the rest of the link failed', () => {
  const fail = () => Promise.reject(new UpstreamFailure('temporarily_unavailable', 'Not now.'));
  const failing = async (owner: AccountRecord) => {
    const consented = await world.consent(owner);
    whileSigningIn = fail;
    await assert.rejects(world.openCallback(consented));
    whileSigningIn = async () => undefined;
    world.clock.advance(11 * MINUTE);
    await sweep();
  };

  it('is ended at the vendor', async () => {
    person = 'hal';
    await failing(await world.person());
    assert.deepEqual(ended, ['of hal']);
  });

  it('is let be where it opens what another account record has linked', async () => {
    person = 'ida';
    await world.link(await world.person());
    const owner = await world.person();
    await failing(owner);
    assert.deepEqual(ended, []);
    assert.ok((await rowsOf(owner)).every(({ customer_hash }) => customer_hash === null));
  });

  it('is kept nowhere once the link is complete', async () => {
    person = 'joy';
    const owner = await world.person();
    await world.link(owner);
    assert.equal((await rowsOf(owner)).length, 1);
  });
});
