import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { type AccountRecord, lockAccountRecord } from '../../../src/storage/account-records.ts';
import { updateAccount } from '../../../src/storage/accounts.ts';
import type { Db } from '../../../src/storage/database.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { SOME_KEY } from '../../support/actors.ts';
import { DAY, openWorld, signal, type World } from './world.ts';

describe('An account keeps its id', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  afterEach(() => world.bank.control.clear());
  after(() => world.close());

  const accountsOf = async (owner: AccountRecord, connection: RowId<'connection'>) =>
    (await world.linking.connections.read(owner.id, connection)).accounts;
  const idsOf = async (owner: AccountRecord, connection: RowId<'connection'>) =>
    (await accountsOf(owner, connection)).map((account) => account.id).sort();
  const arrangement = () => world.bank.control.consents().at(-1)?.arrangementId ?? '';

  it('when its connection is renewed in place, and so does the connection', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    const before = await idsOf(owner, connection);
    assert.ok(before.length > 0);
    world.bank.control.expireConsent(arrangement());
    world.clock.advance(DAY);
    const renewed = await world.link(owner, { renews: connection });
    assert.equal(renewed, connection);
    assert.deepEqual(await idsOf(owner, connection), before);
    const consents = await world.linking.consents.list(owner.id, connection, PAGE);
    assert.equal(consents.items.length, 1);
    assert.ok(Number(consents.items[0]?.consent.expires_at) > world.clock.now() + 364 * DAY);
  });

  it('when the bank is linked again after the consent was withdrawn at the bank', async () => {
    const owner = await world.person();
    const old = await world.link(owner);
    const before = await idsOf(owner, old);
    world.bank.control.revokeConsent(arrangement());
    await assert.rejects(world.linking.accountImport.importAccounts(owner.id, old, signal()), {
      code: 'upstream_auth_failed',
    });
    assert.equal((await world.linking.connections.read(owner.id, old)).status, 'invalidated');
    const fresh = await world.link(owner);
    assert.notEqual(fresh, old);
    assert.deepEqual(await idsOf(owner, fresh), before);
    assert.deepEqual(await idsOf(owner, old), []);
  });

  it('when the connection was deleted and the bank is linked again within 90 days, and not after', async () => {
    const owner = await world.person();
    const old = await world.link(owner);
    const before = await idsOf(owner, old);
    const [first = assert.fail()] = before;
    const { accounts } = world.linking;
    await accounts.update(owner.id, first, { nickname: 'Ours', in_totals: false });
    await world.linking.connectionRevocation.revoke(owner.id, old, SOME_KEY, signal());
    assert.deepEqual((await accounts.list(owner.id, old, PAGE)).items, []);
    const fresh = await world.link(owner);
    assert.deepEqual(await idsOf(owner, fresh), before);
    // Whether it counts is remembered, and nothing that can be read.
    const { account } = await accounts.read(owner.id, first);
    assert.deepEqual([account.nickname, account.in_totals], [null, false]);

    await world.linking.connectionRevocation.revoke(owner.id, fresh, SOME_KEY, signal());
    world.clock.advance(91 * DAY);
    await world.linking.orphanConsentSweep.prune();
    const late = await world.link(owner);
    const ids = await idsOf(owner, late);
    assert.equal(ids.length, before.length);
    assert.ok(ids.every((id) => !before.includes(id)));
  });

  it('and is never taken by a second live connection to the same bank, nor by another person', async () => {
    const owner = await world.person();
    const first = await idsOf(owner, await world.link(owner));
    const second = await idsOf(owner, await world.link(owner));
    assert.equal(new Set([...first, ...second]).size, first.length + second.length);
    const stranger = await world.person();
    const theirs = await idsOf(stranger, await world.link(stranger));
    assert.ok(theirs.every((id) => !first.includes(id) && !second.includes(id)));
  });

  it('when the provider stops listing it: it reads unavailable, and available again when it is back [move account: missing from a complete list] [move account: listed again]', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    const [account] = await accountsOf(owner, connection);
    assert.ok(account);
    world.bank.control.setAccountState(account.upstream_id, 'GONE');
    await world.linking.accountImport.importAccounts(owner.id, connection, signal());
    const gone = await world.linking.accounts.read(owner.id, account.id);
    assert.ok(gone.account.unavailable_since);
    await assert.rejects(world.linking.accounts.resolve(owner.id, account.id), {
      code: 'account_unavailable',
    });
    world.bank.control.setAccountState(account.upstream_id, 'OPEN');
    await world.linking.accountImport.importAccounts(owner.id, connection, signal());
    const back = await world.linking.accounts.resolve(owner.id, account.id);
    assert.equal(back.account.unavailable_since, null);
    assert.equal(back.gateway.upstreamId, account.upstream_id);
  });

  it('and is looked at once a day although no one asks', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    const [account] = await accountsOf(owner, connection);
    assert.ok(account);
    world.bank.control.setAccountState(account.upstream_id, 'GONE');
    world.clock.advance(DAY);
    while ((await world.linking.accountImport.refreshDue(signal())) > 0);
    const gone = await world.linking.accounts.read(owner.id, account.id);
    assert.ok(gone.account.unavailable_since);
    world.bank.control.setAccountState(account.upstream_id, 'OPEN');
    world.clock.advance(DAY - 1);
    assert.equal(
      (await world.linking.connections.read(owner.id, connection)).connection.refresh_at.getTime(),
      world.clock.now() + 1,
    );
  });

  it('when another import moves it while its old connection is listed', async () => {
    const owner = await world.person();
    const old = await world.link(owner);
    const fresh = await world.link(owner);
    const [account] = await accountsOf(owner, old);
    assert.ok(account);
    world.bank.control.setAccountState(account.upstream_id, 'GONE');
    const { importing } = await world.db.transaction().execute(async (trx) => {
      await lockAccountRecord(trx, owner.id);
      await updateAccount(trx, owner.id, account.id, { connection: fresh, upstream_id: 'new-id' });
      const started = world.linking.accountImport.importAccounts(owner.id, old, signal());
      started.catch(() => undefined);
      // The embedded database has one connection: there the import waits for this transaction from the beginning.
      while (process.env.DATABASE_URL !== undefined && !(await somebodyWaits(world.db))) await pause(10);
      return { importing: started };
    });
    await importing;
    const moved = await world.linking.accounts.read(owner.id, account.id);
    assert.deepEqual([moved.account.connection, moved.account.unavailable_since], [fresh, null]);
  });

  it('and nothing changes when a listing fails', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    const before = await world.linking.connections.read(owner.id, connection);
    world.clock.advance(60_000);
    world.bank.control.addFault({ route: 'GET /v1/banking/accounts', kind: 'malformed-json', count: 9 });
    await assert.rejects(world.linking.accountImport.importAccounts(owner.id, connection, signal()), {
      code: 'upstream_failed',
    });
    assert.deepEqual(await world.linking.connections.read(owner.id, connection), before);
  });
});

/** Whether a connection to the database waits for a lock. A transaction would see the same answer every time. */
async function somebodyWaits(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length > 0;
}

const PAGE = { limit: 100, after: null, before: null };
