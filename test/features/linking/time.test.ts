import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it, mock } from 'node:test';
import { expireOnce } from '../../../src/background/expiries.ts';
import { connectionStatus } from '../../../src/features/linking/connection-status.ts';
import { listConnections } from '../../../src/storage/connections.ts';
import { listConsentEvents } from '../../../src/storage/consents.ts';
import { CONNECTION_STATUSES } from '../../../src/vocabulary/states.ts';
import { DAY, LATER, MINUTE, openWorld, signal, type World } from './world.ts';

const PAGE = { limit: 100, after: null, before: null };

describe('Time', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  afterEach(() => {
    world.bank.control.clear();
    world.events.length = 0;
    world.forgotten.length = 0;
  });
  after(() => world.close());

  const sweep = async () => {
    await expireOnce(world.linking, signal());
    await world.linking.orphanConsentSweep.prune();
  };
  const told = (event: string) => world.events.filter((kind) => kind === event).length;
  const activeOf = (endUser: string) =>
    world.bank.control.consents().filter((consent) => consent.active && consent.endUserId === endUser);

  it('ends a session after 30 minutes, and a consent given too late is withdrawn', async () => {
    const owner = await world.person();
    const consented = await world.consent(owner);
    const endUser = world.bank.control.consents().at(-1)?.endUserId ?? '';
    assert.equal(activeOf(endUser).length, 1);
    world.clock.advance(30 * MINUTE);
    const step = await world.openCallback(consented);
    assert.deepEqual(step, { kind: 'go', url: `${LATER}?link_session=failed&reason=session_expired` });
    assert.equal((await world.linking.hostedLinks.invitation(consented.token)).status, 'failed');
    await sweep();
    assert.equal(activeOf(endUser).length, 0);
    const all = await world.linking.connections.list(owner.id, { statuses: [], provider: null }, PAGE);
    assert.deepEqual(all.items, []);
  });

  it('withdraws nothing that a connection lives on, nor what another open session of the person brought', async () => {
    const owner = await world.person();
    await world.consent(owner, { outcome: 'deny' });
    const connection = await world.link(owner);
    const endUser = world.bank.control.consents().at(-1)?.endUserId ?? '';
    world.clock.advance(31 * MINUTE);
    await sweep();
    assert.equal(activeOf(endUser).length, 1);
    assert.equal((await world.linking.connections.read(owner.id, connection)).status, 'active');

    await world.consent(owner, { at: 'inst_fk_90002' });
    const first = world.bank.control.consents().at(-1)?.endUserId ?? '';
    world.clock.advance(20 * MINUTE);
    const second = await world.consent(owner, { at: 'inst_fk_90002' });
    world.clock.advance(11 * MINUTE);
    await sweep();
    assert.equal(activeOf(first).length, 0);
    assert.deepEqual(await world.openCallback(second), {
      kind: 'go',
      url: `${LATER}?link_session=completed`,
    });
  });

  it('moves a connection to expiring 30 days before its end and to expired at it, each announced and recorded once', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    const status = async () => (await world.linking.connections.read(owner.id, connection)).status;
    assert.equal(await status(), 'active');
    world.clock.advance(334 * DAY);
    assert.equal(await status(), 'active');
    world.clock.advance(2 * DAY);
    assert.equal(await status(), 'expiring');
    await sweep();
    assert.ok(told('connection.expiring') > 0);
    const once = told('connection.expiring');
    await sweep();
    assert.equal(told('connection.expiring'), once);
    world.clock.advance(30 * DAY);
    assert.equal(await status(), 'expired');
    await sweep();
    assert.ok(told('connection.expired') > 0);
    const end = told('connection.expired');
    await sweep();
    assert.equal(told('connection.expired'), end);
    const [consent] = (await world.linking.consents.list(owner.id, connection, PAGE)).items;
    assert.equal(consent?.status, 'expired');
    const events = consent === undefined ? [] : await listConsentEvents(world.db, owner.id, consent.id);
    assert.deepEqual(
      events.map((event) => event.kind),
      ['granted', 'expiring', 'expired'],
    );
    const linked = await world.linking.connections.read(owner.id, connection);
    const [account] = linked.accounts;
    assert.ok(account);
    await assert.rejects(world.linking.accounts.resolve(owner.id, account.id), {
      code: 'upstream_auth_failed',
    });
  });

  it('tells of the end again after the bank has put it off', async () => {
    const owner = await world.person();
    const id = await world.link(owner);
    world.clock.advance(340 * DAY);
    await sweep();
    const once = told('connection.expiring');
    assert.ok(once > 0);
    const later = world.clock.now() + 40 * DAY;
    world.clock.advance(2 * 3_600_000);
    const asIs = world.gateway.readConsent.bind(world.gateway);
    const read = mock.method(world.gateway, 'readConsent', async (...asked: Parameters<typeof asIs>) => ({
      ...(await asIs(...asked)),
      expiresAt: later,
    }));
    const { connection } = await world.linking.connections.read(owner.id, id);
    await world.linking.consentChecks.recheckIfStale(owner.id, connection, signal());
    assert.equal((await world.linking.connections.read(owner.id, id)).status, 'active');
    world.clock.advance(12 * DAY);
    await sweep();
    read.mock.restore();
    assert.equal((await world.linking.connections.read(owner.id, id)).status, 'expiring');
    const [consent] = (await world.linking.consents.list(owner.id, id, PAGE)).items;
    const trail = consent === undefined ? [] : await listConsentEvents(world.db, owner.id, consent.id);
    assert.deepEqual(
      trail.map(({ kind }) => kind),
      ['granted', 'expiring', 'renewed', 'expiring'],
    );
    assert.ok(told('connection.expiring') > once);
  });

  it('says of a connection whose consent expired that it expired, and not that it was invalidated, whatever the bank answers', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    const { arrangementId = '' } = world.bank.control.consents().at(-1) ?? {};
    world.clock.advance(366 * DAY);
    await sweep();
    const before = [told('connection.expired'), told('connection.invalidated')];
    world.bank.control.revokeConsent(arrangementId, 'Over');
    await world.linking.accountImport.importAccounts(owner.id, connection, signal()).catch(() => undefined);
    await sweep();
    assert.deepEqual([told('connection.expired'), told('connection.invalidated')], before);
    assert.equal((await world.linking.connections.read(owner.id, connection)).status, 'expired');
  });

  it('says nothing of the end of a consent whose connection was invalidated before', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    world.clock.advance(DAY);
    await world.linking.consentChecks.recordState(owner.id, connection, 'login_lost');
    const before = [told('connection.expiring'), told('connection.expired')];
    world.clock.advance(366 * DAY);
    await sweep();
    await sweep();
    assert.equal((await world.linking.connections.read(owner.id, connection)).status, 'invalidated');
    assert.deepEqual([told('connection.expiring'), told('connection.expired')], before);
  });

  it('brings the bank side back: a withdrawal there is noticed, with its reason, and stays recorded after the end', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    world.bank.control.revokeConsent(
      world.bank.control.consents().at(-1)?.arrangementId ?? '',
      'Changed my mind',
    );
    world.clock.advance(2 * 3_600_000);
    await world.linking.accountImport.importAccounts(owner.id, connection, signal()).catch(() => undefined);
    const status = async () => (await world.linking.connections.read(owner.id, connection)).status;
    assert.equal(await status(), 'invalidated');
    const [consent] = (await world.linking.consents.list(owner.id, connection, PAGE)).items;
    assert.equal(consent?.status, 'withdrawn');
    assert.equal(consent?.consent.termination_reason, 'Changed my mind');
    assert.ok(world.events.includes('connection.invalidated') && world.events.includes('consent.withdrawn'));
    world.clock.advance(400 * DAY);
    assert.equal(await status(), 'invalidated');
  });

  it('has every process forget what was read under a consent that ended at the bank', async () => {
    const owner = await world.person();
    const id = await world.link(owner);
    world.bank.control.revokeConsent(world.bank.control.consents().at(-1)?.arrangementId ?? '', 'Enough');
    world.clock.advance(2 * 3_600_000);
    const { connection } = await world.linking.connections.read(owner.id, id);
    await world.linking.consentChecks.recheckIfStale(owner.id, connection, signal());
    assert.equal((await world.linking.connections.read(owner.id, id)).status, 'invalidated');
    for (let asked = 0; asked < 50 && world.forgotten.length === 0; asked++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.deepEqual(world.forgotten, [id]);
  });

  it('means the same to a filter of the list as to the connection itself', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    const now = new Date(world.clock.now());
    const moments = [null, -400, -1, 0, 1, 29, 30, 31, 200];
    const at = (days: number | null) => (days === null ? null : new Date(now.getTime() + days * DAY));
    for (const end of moments) {
      for (const invalidated of [null, -500, -1]) {
        for (const importedAt of [null, -600]) {
          for (const revoked of [null, -1]) {
            const change = {
              landed_at: at(importedAt),
              invalidated_at: at(invalidated),
              revoked_at: at(revoked),
            };
            await world.db.updateTable('connections').set(change).where('id', '=', connection).execute();
            await world.db
              .updateTable('consents')
              .set({ expires_at: at(end) })
              .where('connection', '=', connection)
              .execute();
            const computed = connectionStatus(change, { expires_at: at(end) }, now.getTime());
            for (const status of CONNECTION_STATUSES) {
              const filter = { statuses: [status], provider: null };
              const found = await listConnections(world.db, owner.id, filter, PAGE, now);
              const expected = status === computed ? 1 : 0;
              assert.equal(found.items.length, expected, JSON.stringify({ status, computed, end, change }));
            }
          }
        }
      }
    }
  });
});
