import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { importOnce } from '../../../src/background/account-import.ts';
import type { AccountRecord } from '../../../src/storage/account-records.ts';
import { accountsOfConnections } from '../../../src/storage/accounts.ts';
import { updateConnection } from '../../../src/storage/connections.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { MINUTE, openWorld, signal, type World } from './world.ts';

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

/** Events of listings since the last call. */
const refreshed = (): number =>
  world.events.splice(0).filter((kind) => kind === 'connection.refreshed').length;

/** What the job does that every link, renewal, refresh and notification leaves behind. */
const job = (id: RowId<'connection'>): Promise<boolean> =>
  importOnce({ ...world, accountImport: world.linking.accountImport }, id, signal());

/** As where the vendor's first sync takes longer than the person waits. */
async function unlisted<T>(work: () => Promise<T>): Promise<T> {
  const none = mock.method(world.gateway, 'listAccounts', async () => []);
  const timer = setInterval(() => world.clock.advance(500), 20);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    none.mock.restore();
  }
}

async function linked(): Promise<{ owner: AccountRecord; id: RowId<'connection'> }> {
  const owner = await world.person();
  const id = await world.link(owner);
  assert.equal(await job(id), true);
  refreshed();
  return { owner, id };
}

test('A link emits connection.refreshed once, although it lists accounts at once and by a job', async () => {
  const id = await world.link(await world.person());
  assert.equal(await job(id), true);
  assert.equal(refreshed(), 1);
});

test('A renewal emits it again', async () => {
  const { owner, id } = await linked();
  await world.link(owner, { renews: id });
  assert.equal(await job(id), true);
  assert.equal(refreshed(), 1);
});

test('The job of a link lists accounts that were not there at once', async () => {
  const id = await unlisted(async () => world.link(await world.person()));
  assert.equal(refreshed(), 0);
  assert.equal(await job(id), true);
  assert.equal(refreshed(), 1);
});

test('Two listings of one link at the same time emit it once', async () => {
  const id = await unlisted(async () => world.link(await world.person()));
  assert.deepEqual(await Promise.all([job(id), job(id)]), [true, true]);
  assert.equal(refreshed(), 1);
});

test('A refresh that its owner asks for is a listing of its own, and asks the vendor', async () => {
  const { owner, id } = await linked();
  const asked = mock.method(world.gateway, 'requestRefresh', async () => undefined);
  try {
    await world.linking.connections.refresh(owner.id, id);
    assert.equal(await job(id), true);
    assert.deepEqual([refreshed(), asked.mock.callCount()], [1, 1]);
  } finally {
    asked.mock.restore();
  }
});

test('A listing that began before a refresh was asked for does not stand for it', async () => {
  const { owner, id } = await linked();
  const real = world.gateway.listAccounts.bind(world.gateway);
  const during = mock.method(world.gateway, 'listAccounts', async (...of: Parameters<typeof real>) => {
    during.mock.restore();
    const listed = await real(...of);
    await world.linking.connections.refresh(owner.id, id);
    return listed;
  });
  await world.linking.accountImport.importAccounts(owner.id, id, signal());
  assert.equal(await job(id), true);
  assert.equal(refreshed(), 2);
});

test('A look that a notification asked for is not left out for a listing before it', async () => {
  const { owner, id } = await linked();
  await world.linking.connections.refresh(owner.id, id);
  const later = new Date(world.clock.now() + MINUTE);
  await updateConnection(world.db, owner.id, id, { signalled_at: later });
  assert.equal(await job(id), true);
  world.clock.advance(2 * MINUTE);
  assert.equal(await job(id), true);
  assert.equal(refreshed(), 2);
});

test('An account is in the zone that its provider lists, or else in that of the provider', async () => {
  const owner = await world.person();
  const id = await world.link(owner);
  const real = world.gateway.listAccounts.bind(world.gateway);
  const listing = mock.method(world.gateway, 'listAccounts', async (...of: Parameters<typeof real>) =>
    (await real(...of)).map((account, at) => ({
      ...account,
      ...(at === 0 && { timezone: 'Europe/Berlin' }),
      ...(at === 1 && { timezone: 'Europe/Nowhere' }),
    })),
  );
  try {
    await world.linking.accountImport.importAccounts(owner.id, id, signal());
  } finally {
    listing.mock.restore();
  }
  const zones = (await accountsOfConnections(world.db, owner.id, [id])).map(({ timezone }) => timezone);
  assert.deepEqual(zones.toSorted(), ['Australia/Sydney', 'Australia/Sydney', 'Europe/Berlin']);
});

test('A listing that failed is tried again by the job', async () => {
  const { owner, id } = await linked();
  await world.linking.connections.refresh(owner.id, id);
  world.bank.control.addFault({ route: 'GET /v1/banking/accounts', kind: 'malformed-json', count: 9 });
  assert.equal(await job(id), false);
  world.bank.control.clearFaults();
  assert.equal(await job(id), true);
  assert.equal(refreshed(), 1);
});
