import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { cleanUpOnce } from '../../../src/background/connection-cleanup.ts';
import type { AccountRecord } from '../../../src/storage/account-records.ts';
import { listConsentEvents } from '../../../src/storage/consents.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { SOME_KEY } from '../../support/actors.ts';
import { dump, openWorld, passing, signal, type World } from './world.ts';

const PAGE = { limit: 100, after: null, before: null };

describe('Deleting a connection', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  afterEach(() => {
    world.bank.control.clear();
    world.events.length = 0;
    world.revoked.length = 0;
  });
  after(() => world.close());

  const activeAtBank = () => world.bank.control.consents().filter((consent) => consent.active).length;
  const trail = async (owner: AccountRecord, connection: RowId<'connection'>) => {
    const [found] = (await world.linking.consents.list(owner.id, connection, PAGE)).items;
    assert.ok(found);
    const events = await listConsentEvents(world.db, owner.id, found.id);
    return { ...found, kinds: events.map((event) => event.kind) };
  };

  it('withdraws the consent, tells the syncs, deletes accounts and grant, and leaves a record', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    const standing = activeAtBank();
    await world.linking.connectionRevocation.revoke(owner.id, connection, SOME_KEY, signal());
    assert.equal(activeAtBank(), standing - 1);
    assert.deepEqual(world.revoked, [connection]);
    assert.ok(world.events.includes('connection.revoked'));
    const read = await world.linking.connections.read(owner.id, connection);
    assert.equal(read.status, 'revoked');
    assert.deepEqual(read.accounts, []);
    const { consent, status, kinds } = await trail(owner, connection);
    assert.equal(status, 'withdrawn');
    assert.equal(consent.termination_reason, 'connection_deleted');
    assert.equal(consent.grant, null);
    assert.deepEqual(kinds, ['granted', 'withdrawal_requested', 'withdrawal_confirmed']);
  });

  it('shows it as revoked to those who ask for revoked ones, and to no others, until it is forgotten', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    await world.linking.connectionRevocation.revoke(owner.id, connection, SOME_KEY, signal());
    const { connections, orphanConsentSweep } = world.linking;
    const list = async (statuses: readonly 'revoked'[]) =>
      (await connections.list(owner.id, { statuses, provider: null }, PAGE)).items.map((item) => item.id);
    assert.deepEqual(await list([]), []);
    assert.deepEqual(await list(['revoked']), [connection]);
    world.clock.advance(31 * 86_400_000);
    await orphanConsentSweep.prune();
    await assert.rejects(connections.read(owner.id, connection), { code: 'resource_missing' });
    assert.equal((await trail(owner, connection)).status, 'withdrawn');
  });

  it('takes effect here at once and withdraws again and again while the provider is down', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    const standing = activeAtBank();
    world.bank.control.addFault({ route: 'DELETE /v1/consent/*', kind: 'unavailable', count: 6 });
    await passing(world, world.linking.connectionRevocation.revoke(owner.id, connection, SOME_KEY, signal()));
    assert.equal((await world.linking.connections.read(owner.id, connection)).status, 'revoked');
    assert.equal(activeAtBank(), standing);
    const work = { ...world, connectionRevocation: world.linking.connectionRevocation };
    let attempts = 0;
    while (!(await passing(world, cleanUpOnce(work, connection, signal())))) {
      attempts += 1;
      world.clock.advance(3_600_000);
      assert.ok(attempts < 10);
    }
    assert.ok(attempts > 0);
    assert.equal(activeAtBank(), standing - 1);
    assert.ok((await trail(owner, connection)).kinds.includes('withdrawal_confirmed'));
  });

  it('believes a withdrawal only when the provider shows it: a 204 proves nothing', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    world.bank.control.addFault({ route: 'GET /v1/consent', kind: 'unavailable', count: 20 });
    await passing(world, world.linking.connectionRevocation.revoke(owner.id, connection, SOME_KEY, signal()));
    assert.ok((await trail(owner, connection)).consent.grant);
    world.bank.control.clear();
    world.clock.advance(3_600_000);
    await world.linking.connectionRevocation.cleanUp(connection, signal());
    assert.equal((await trail(owner, connection)).consent.grant, null);
  });

  it('may be repeated', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    await world.linking.connectionRevocation.revoke(owner.id, connection, SOME_KEY, signal());
    await world.linking.connectionRevocation.revoke(owner.id, connection, SOME_KEY, signal());
    assert.equal(world.revoked.length, 1);
    assert.equal(world.events.filter((kind) => kind === 'connection.revoked').length, 1);
  });

  it('is not undone by a listing that was under way', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    const [answer] = await Promise.all([
      world.linking.accountImport.importAccounts(owner.id, connection, signal()).catch(() => 'refused'),
      world.linking.connectionRevocation.revoke(owner.id, connection, SOME_KEY, signal()),
    ]);
    assert.ok(answer !== undefined);
    assert.deepEqual((await world.linking.connections.read(owner.id, connection)).accounts, []);
  });
});

describe('What linking stores', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.close());

  it('never holds a full account number, a grant or a token that could be read', async () => {
    const owner = await world.person();
    const { token } = await world.consent(owner, { at: 'inst_fk_90002' });
    await world.link(owner);
    const consents = world.bank.control.consents();
    const numbers = await fullNumbers(world);
    const stored = await dump(world.db);
    assert.ok(stored.includes('Gumtree Mutual'), 'the dump sees what is stored');
    assert.ok(numbers.length > 0 && consents.length > 0);
    const secrets = [
      ...numbers,
      ...consents.flatMap((consent) => [consent.arrangementId, consent.endUserId]),
      token.slice(token.indexOf('.') + 1),
      'client-secret',
    ];
    for (const secret of secrets) {
      const hex = Buffer.from(secret).toString('hex');
      assert.ok(!stored.includes(secret) && !stored.includes(hex), `stored: ${secret.slice(0, 4)}…`);
    }
  });

  it('is nothing but the record of the consent and unreadable ids once a connection is deleted', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    const { accounts } = await world.linking.connections.read(owner.id, connection);
    await world.linking.connections.update(owner.id, connection, {
      metadata: { note: 'kept-by-the-caller' },
      settlesChoice: false,
    });
    await world.linking.connectionRevocation.revoke(owner.id, connection, SOME_KEY, signal());
    const rows = await world.db
      .selectFrom('accounts')
      .selectAll()
      .where('account_record', '=', owner.id)
      .execute();
    assert.deepEqual(rows, []);
    const released = await world.db
      .selectFrom('released_accounts')
      .selectAll()
      .where('account_record', '=', owner.id)
      .execute();
    assert.deepEqual(
      new Set(released.map((row) => row.id)),
      new Set(accounts.filter((account) => account.number_mac !== null).map((account) => account.id)),
    );
    assert.ok(!(await dump(world.db)).includes('kept-by-the-caller'));
  });
});

/** The numbers as the bank has them, asked of the vendor directly. */
async function fullNumbers(world: World): Promise<string[]> {
  const [consent] = world.bank.control.consents();
  const body = { client_id: world.bank.clientId, client_secret: world.bank.clientSecret };
  const minted = await fetch(`${world.bank.url}/v1/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const minting: unknown = await minted.json();
  assert.ok(typeof minting === 'object' && minting !== null && 'token' in minting);
  const listed = await fetch(`${world.bank.url}/v1/banking/accounts?end_user_id=${consent?.endUserId}`, {
    headers: { authorization: `Bearer ${minting.token}`, 'x-fiskil-version': 'v3' },
  });
  const text = await listed.text();
  return [...text.matchAll(/"account_?[nN]umber":"([^"]+)"/g)].map(([, number = '']) => number);
}
