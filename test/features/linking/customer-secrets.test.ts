import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CustomerSecrets } from '../../../src/features/linking/customer-secrets.ts';
import { customerHash, LinkingSecrets } from '../../../src/features/linking/linking-secrets.ts';
import { SignedInCustomers } from '../../../src/features/linking/signed-in-customers.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import {
  claimRenewal,
  endUsersOfConnections,
  findEndUser,
  insertEndUser,
  newEndUser,
  updateEndUser,
} from '../../../src/storage/end-users.ts';
import { connectionsOfSignal } from '../../../src/storage/provider-notifications.ts';
import { StoreUnavailableError } from '../../../src/vocabulary/store-unavailable.ts';
import { openWorld, passing, type World } from './world.ts';

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A customer with a secret, and two processes that hold it. */
async function customer() {
  const { db, clock, keyring, options } = world;
  const owner = (await world.person()).id;
  const secrets = new LinkingSecrets(keyring);
  const id = newRowId(clock);
  const row = newEndUser({ id, owner, provider: 'nz_banking', now: new Date(clock.now()) });
  await insertEndUser(db, {
    ...row,
    customer: secrets.sealEndUser(id, { id: 'c', secret: 'first' }),
    customer_hash: customerHash('nz_banking', 'c'),
  });
  const parts = { db, clock, limits: options.limits, secrets };
  const stored = async () => {
    const found = await findEndUser(db, owner, id);
    return found === null || found.customer === null ? null : secrets.openEndUser(id, found.customer).secret;
  };
  const signIn = (secret: string) =>
    db
      .transaction()
      .execute((trx) =>
        new SignedInCustomers(parts).place(
          trx,
          { owner, provider: 'nz_banking', current: id, calledBackAt: clock.now() },
          { id: 'c', secret },
        ),
      );
  return { row, stored, signIn, parts, here: new CustomerSecrets(parts), there: new CustomerSecrets(parts) };
}

describe("A customer's secret", () => {
  it('is renewed by one of two processes and stored before either uses it', async () => {
    const { row, stored, here, there } = await customer();
    let asked = 0;
    const ask = async (current: string) => {
      assert.equal(current, 'first');
      asked += 1;
      await pause(50);
      return 'second';
    };
    const first = here.renew(row, 'first', ask).then(async (got) => [got, await stored()]);
    const second = there.renew(row, 'first', ask).then(async (got) => [got, await stored()]);
    assert.deepEqual(await passing(world, Promise.all([first, second])), [
      ['second', 'second'],
      ['second', 'second'],
    ]);
    assert.equal(asked, 1);
    assert.equal(await there.renew(row, 'first', () => assert.fail('it was renewed')), 'second');
  });

  it('can be renewed again at once after a vendor that failed, and after a claim that has expired', async () => {
    const { row, here, there } = await customer();
    const fault = new Error('the vendor is down');
    await assert.rejects(
      here.renew(row, 'first', () => Promise.reject(fault)),
      fault,
    );
    assert.equal(await there.renew(row, 'first', async () => 'second'), 'second');
    // A process that died while it asked.
    const { db, clock } = world;
    const until = new Date(clock.now() + 20_000);
    assert.ok(await claimRenewal(db, row.account_record, row.id, new Date(clock.now()), until));
    assert.equal(
      await passing(
        world,
        there.renew(row, 'second', async () => 'third'),
      ),
      'third',
    );
  });

  it('that a person brought by signing in stays, where an older one is renewed at that time', async () => {
    const { row, stored, signIn, here } = await customer();
    const renewed = await here.renew(row, 'first', async () => {
      await signIn('signed in');
      assert.equal(
        await here.renew(row, 'signed in', async () => 'signed in, renewed'),
        'signed in, renewed',
      );
      return 'of the first';
    });
    assert.equal(renewed, 'signed in, renewed');
    assert.equal(await stored(), 'signed in, renewed');
  });

  it('is stored once the database is back, where it was away when the vendor had renewed it', async () => {
    const { row, stored, parts } = await customer();
    let away = 0;
    const db = world.db.withPlugin({
      transformQuery: ({ node }) => {
        if (away > 0) {
          away -= 1;
          throw new StoreUnavailableError('away');
        }
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const here = new CustomerSecrets({ ...parts, db });
    const renewing = here.renew(row, 'first', async () => {
      away = 4;
      return 'second';
    });
    assert.equal(await passing(world, renewing), 'second');
    assert.equal(away, 0);
    assert.equal(await stored(), 'second');
  });

  it('that a vendor never answers for can be renewed by the next after the deadline of a read', async () => {
    const { row, here, there } = await customer();
    const renewing = here.renew(row, 'first', () => new Promise(() => undefined));
    await passing(world, assert.rejects(renewing, { situation: 'deadline' }));
    assert.equal(await there.renew(row, 'first', async () => 'second'), 'second');
  });

  it('is gone with its customer', async () => {
    const { row, here } = await customer();
    await world.db.deleteFrom('end_users').where('account_record', '=', row.account_record).execute();
    await assert.rejects(
      here.renew(row, 'first', () => assert.fail('there is nobody to ask for')),
      { situation: 'grant_rejected' },
    );
  });
});

describe('A customer that was made for a link', () => {
  it('is found by what the vendor says of it, and by no one else who signs in on that link', async () => {
    const { db, clock } = world;
    const person = await world.person();
    const connection = await world.link(person);
    const row = (await endUsersOfConnections(db, person.id, [connection])).get(connection) ?? assert.fail();
    const secrets = new LinkingSecrets(world.keyring);
    const { id: customer } = secrets.openEndUser(row.id, row.customer ?? assert.fail());
    const hash = customerHash('au_banking', customer);
    const found = await connectionsOfSignal(db, 'au_banking', { customerHash: hash });
    assert.deepEqual(
      found.map(({ id }) => id),
      [connection],
    );
    const now = clock.now();
    const at = { owner: person.id, provider: 'au_banking', current: row.id, calledBackAt: now } as const;
    const customers = new SignedInCustomers({ clock, secrets });
    for (const customer_hash of [hash, null]) {
      // Without the hash, as versions between wrote it.
      await updateEndUser(db, person.id, row.id, { customer_hash });
      const [other, same] = await db
        .transaction()
        .execute(async (trx) => [
          await customers.place(trx, at, { id: 'somebody else', secret: 'theirs' }),
          await customers.place(trx, at, { id: customer, secret: null }),
        ]);
      assert.notEqual(other, row.id);
      assert.equal(same, row.id);
    }
  });
});
