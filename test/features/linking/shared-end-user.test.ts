import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { NO_SECRET } from '../../../src/connectors/providers/customer-secret.ts';
import { LinkingSecrets } from '../../../src/features/linking/linking-secrets.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { Sealer } from '../../../src/platform/sealing.ts';
import type { AccountRecord } from '../../../src/storage/account-records.ts';
import { currentConsents, updateConsent } from '../../../src/storage/consents.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { SOME_KEY } from '../../support/actors.ts';
import { LATER, MINUTE, openWorld, passing, signal, type World } from './world.ts';

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

interface Household {
  readonly owner: AccountRecord;
  /** The vendor's id that all links share. */
  readonly shared: string;
  readonly connections: readonly [RowId<'connection'>, RowId<'connection'>];
}

/** Two connections as versions before 0011 wrote them: under the one end user of their account record. */
async function household(): Promise<Household> {
  const owner = await world.person();
  const key = newRowId(world.clock);
  const asIs = world.gateway.createCustomer.bind(world.gateway);
  mock.method(world.gateway, 'createCustomer', (...[integration, , within]: Parameters<typeof asIs>) =>
    asIs(integration, key, within),
  );
  const connections = [
    await world.link(owner, { at: 'inst_fk_90001' }),
    await world.link(owner, { at: 'inst_fk_90002' }),
  ] as const;
  mock.restoreAll();
  const shared = world.bank.control.endUsers().find(({ email }) => email.startsWith(key))?.id ?? '';
  await world.db.deleteFrom('end_users').where('account_record', '=', owner.id).execute();
  await world.db
    .updateTable('connections')
    .set({ end_user: null })
    .where('account_record', '=', owner.id)
    .execute();
  await sealedAsBefore(owner, connections, shared);
  await world.db
    .insertInto('provider_customers')
    .values({
      id: key,
      account_record: owner.id,
      provider: 'au_banking',
      customer: new Sealer(world.keyring, 'linking').seal(shared, `provider_customers/${key}/customer`),
      claimed_until: null,
      created: new Date(world.clock.now()),
    })
    .execute();
  return { owner, shared, connections };
}

/** Has the grants as versions before 0018 sealed them: each with its customer inside. */
async function sealedAsBefore(
  owner: AccountRecord,
  connections: readonly RowId<'connection'>[],
  customer: string,
): Promise<void> {
  const secrets = new LinkingSecrets(world.keyring);
  for (const { id, grant } of (await currentConsents(world.db, owner.id, connections)).values()) {
    const stored = { v: 1, customer, ...secrets.openGrant(id, grant ?? assert.fail()).grant };
    const sealed = new Sealer(world.keyring, 'linking').seal(JSON.stringify(stored), `consents/${id}/grant`);
    await updateConsent(world.db, owner.id, id, { grant: sealed });
  }
}

const sweep = () => passing(world, world.linking.orphanConsentSweep.sweep(signal()));
const known = () => world.bank.control.endUsers().map(({ id }) => id);
const standing = (endUser: string) =>
  world.bank.control.consents().filter((consent) => consent.active && consent.endUserId === endUser).length;
const status = async (owner: AccountRecord, id: RowId<'connection'>) =>
  (await world.linking.connections.read(owner.id, id)).status;

describe('Connections that share an end user, as earlier versions made them', () => {
  it('are renewed under it', async () => {
    const { owner, shared, connections } = await household();
    const before = known();
    for (const connection of connections) {
      world.clock.advance(MINUTE);
      assert.equal(await world.link(owner, { renews: connection }), connection);
      assert.equal(await status(owner, connection), 'active');
    }
    assert.deepEqual(known(), before);
    assert.equal(standing(shared), 2);
  });

  it('are deleted one by one, and the end user with the last', async () => {
    const { owner, shared, connections } = await household();
    const [first, second] = connections;
    const own = await world.link(owner);
    await world.linking.connectionRevocation.revoke(owner.id, first, SOME_KEY, signal());
    await sweep();
    await world.linking.orphanConsentSweep.prune();
    assert.ok(known().includes(shared));
    assert.equal(standing(shared), 1);
    await world.linking.accountImport.importAccounts(owner.id, second, signal());
    assert.equal(await status(owner, second), 'active');

    await world.linking.connectionRevocation.revoke(owner.id, second, SOME_KEY, signal());
    assert.ok(!known().includes(shared));
    assert.equal(await status(owner, own), 'active');
  });

  it('are deleted at once together, and the end user with them', async () => {
    const { owner, shared, connections } = await household();
    await Promise.all(
      connections.map((id) => world.linking.connectionRevocation.revoke(owner.id, id, SOME_KEY, signal())),
    );
    await sweep();
    assert.ok(!known().includes(shared));
  });

  it('leave an end user that is deleted later, where the vendor fails or an earlier version deleted the last of them', async () => {
    const { owner, shared, connections } = await household();
    for (const id of connections) {
      await world.db
        .updateTable('connections')
        .set({ revoked_at: new Date(world.clock.now()), cleaned_at: new Date(world.clock.now()) })
        .where('account_record', '=', owner.id)
        .where('id', '=', id)
        .execute();
    }
    await world.linking.orphanConsentSweep.prune();
    world.bank.control.addFault({ route: 'DELETE /v1/end-users/*', kind: 'unavailable', count: 2 });
    await sweep();
    assert.ok(known().includes(shared));
    world.clock.advance(10 * MINUTE);
    await sweep();
    assert.ok(!known().includes(shared));
    assert.equal(standing(shared), 0);
  });
});

describe('A session that an earlier version began', () => {
  it('is ended when the person goes on, and only what was consented to in it is withdrawn', async () => {
    const { owner, shared, connections } = await household();
    const { linkSessions, hostedLinks } = world.linking;
    const input = {
      provider: 'au_banking',
      institution: 'inst_fk_90001',
      returnUrl: LATER,
      metadata: null,
      actor: SOME_KEY,
    };
    const { id, url } = await linkSessions.create(owner.id, input, signal());
    world.clock.advance(2_000);
    const integration = { provider: 'au_banking', owner: owner.id } as const;
    const begun = await world.gateway.beginLink(
      integration,
      {
        customer: shared,
        secret: NO_SECRET,
        institution: '90001',
        redirectUri: `${url}/return`,
        state: '',
        verifier: '',
        renew: null,
      },
      signal(),
    );
    const state = new URL(begun.url).pathname.split('/').at(-1) ?? '';
    const now = new Date(world.clock.now());
    await world.db
      .updateTable('link_sessions')
      .set({
        vendor_state: new Sealer(world.keyring, 'linking').seal(state, `link_sessions/${id}/vendor_state`),
        begun_at: now,
        settle_at: new Date(now.getTime() + 30 * MINUTE),
      })
      .where('account_record', '=', owner.id)
      .where('id', '=', id)
      .execute();
    await world.approve(begun.url);
    assert.equal(standing(shared), 3);

    const token = url.slice(url.lastIndexOf('/') + 1);
    assert.deepEqual(await hostedLinks.flow.begin(token), {
      kind: 'go',
      url: `${LATER}?link_session=failed&reason=session_expired`,
      proof: null,
    });
    await sweep();
    assert.equal(standing(shared), 2);
    for (const connection of connections) {
      await world.linking.accountImport.importAccounts(owner.id, connection, signal());
      assert.equal(await status(owner, connection), 'active');
    }
  });
});

describe('A connection that an earlier version linked beside this one', () => {
  it('is listed, renewed and deleted with the end user it was linked under', async () => {
    const owner = await world.person();
    const before = known();
    const connection = await world.link(owner);
    const [own = ''] = known().filter((id) => !before.includes(id));
    await sealedAsBefore(owner, [connection], own);
    await world.db
      .updateTable('connections')
      .set({ end_user: null })
      .where('account_record', '=', owner.id)
      .execute();
    await world.linking.accountImport.importAccounts(owner.id, connection, signal());
    world.clock.advance(MINUTE);
    assert.equal(await world.link(owner, { renews: connection }), connection);
    assert.equal(standing(own), 1);
    await world.linking.connectionRevocation.revoke(owner.id, connection, SOME_KEY, signal());
    assert.deepEqual(known(), before);
  });
});
