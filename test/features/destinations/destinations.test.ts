import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { Destinations } from '../../../src/features/destinations/destinations.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import { deleteStaleRows } from '../../../src/storage/delivery-streams.ts';
import type { ErrorCode } from '../../../src/vocabulary/error-codes.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { noEvents } from '../../support/no-events.ts';
import { posted } from '../sync-engine/support/bank.ts';
import { closeDatabase, NO_REVOCATIONS, UNCHECKED_TARGETS, World } from '../sync-engine/support/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());
after(closeDatabase);

const webhook = (url: string) =>
  ({ type: 'webhook', name: 'Receiver', target: { url }, signedIn: null, metadata: null }) as const;

async function refused(work: Promise<unknown>, code: ErrorCode, param: string | null = null): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.deepEqual([error.code, error.param], [code, param]);
    return true;
  });
}

describe('a webhook destination', () => {
  test('is active at once and shows its secret only in the answer that made it', async () => {
    const { row, secret, syncCount } = await world.destinations.create(
      world.owner.id,
      webhook(world.receiver.url),
    );
    assert.deepEqual([row.status, syncCount], ['active', 0]);
    assert.match(secret ?? '', /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal((await world.destinations.read(world.owner.id, row.id)).secret, null);
    const stored = await world.database.db
      .selectFrom('destinations')
      .selectAll()
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow();
    assert.ok(
      !Buffer.from(stored.signing_secret ?? [])
        .toString('latin1')
        .includes(secret ?? 'none'),
    );
  });

  test('takes only addresses the guard permits, with its sentence', async () => {
    const { db } = world.database;
    const { clock, limits, secrets } = world;
    const strict = new Destinations({
      db,
      clock,
      limits,
      secrets,
      guard: new AddressGuard([]),
      events: noEvents,
      revocations: NO_REVOCATIONS,
      targets: UNCHECKED_TARGETS,
    });
    await refused(
      strict.create(world.owner.id, webhook('http://127.0.0.1/hook')),
      'parameter_invalid',
      'target.url',
    );
    const { row } = await strict.create(world.owner.id, webhook('https://example.com/hook'));
    await refused(
      strict.update(world.owner.id, row.id, { target: { url: 'https://localhost/' } }),
      'parameter_invalid',
      'target.url',
    );
    await assert.rejects(strict.create(world.owner.id, webhook('https://10.0.0.1/')), /OUTBOUND_ALLOW/);
  });

  test('has an address of its own, also when many are made at once', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => world.destinations.create(world.owner.id, webhook(world.receiver.url))),
    );
    assert.equal(results.filter((result) => result.status === 'fulfilled').length, 1);
    await refused(
      world.destinations.create(world.owner.id, webhook(`${world.receiver.url}#again`)),
      'destination_exists',
      'target.url',
    );
    const { row, target } = await world.destinations.create(
      world.owner.id,
      webhook(`${world.receiver.url}/2`),
    );
    await refused(
      world.destinations.update(world.owner.id, row.id, { target: { url: world.receiver.url } }),
      'destination_exists',
      'target.url',
    );
    await world.destinations.update(world.owner.id, row.id, {
      target,
      name: 'Same place',
    });
  });

  test('signs with both secrets for a day after a rotation, then with the new one alone', async () => {
    const account = world.account();
    const sync = await world.sync([account]);
    const [old = ''] = world.receiver.secrets;
    const { secret } = await world.destinations.rotateSecret(world.owner.id, sync.destination.id);
    assert.notEqual(secret, old);
    const signed = async (number: number): Promise<number> => {
      world.bank.accounts.set(account, [posted(number, { day: 45 })]);
      await world.run(sync);
      return String(world.receiver.requests.at(-1)?.headers['webhook-signature']).split(' ').length;
    };
    world.receiver.secrets = [secret ?? ''];
    assert.equal(await signed(1), 2);
    assert.deepEqual(world.receiver.faults, []);
    world.clock.advance(25 * 3_600_000);
    assert.equal(await signed(2), 1);
  });

  test('does not take the way of a type that is linked by signing in', async () => {
    await refused(
      world.destinations.create(world.owner.id, {
        type: 'sheets',
        name: 'Sheet',
        target: { url: world.receiver.url },
        signedIn: null,
        metadata: null,
      }),
      'not_supported',
      'type',
    );
  });

  test('takes its syncs along when it is deleted, with all that was remembered of them', async () => {
    const account = world.account();
    world.bank.accounts.set(account, [posted(1)]);
    const sync = await world.sync([account]);
    await world.run(sync);
    assert.equal((await world.destinations.read(world.owner.id, sync.destination.id)).syncCount, 1);
    const { db } = world.database;
    const [stream] = await db
      .selectFrom('delivery_streams')
      .select('id')
      .where('sync', '=', sync.row.id)
      .execute();
    await world.destinations.delete(world.owner.id, sync.destination.id);
    while (await deleteStaleRows(db, sync.row.id));
    await refused(world.destinations.read(world.owner.id, sync.destination.id), 'resource_missing');
    await refused(world.syncs.read(world.owner.id, sync.row.id), 'resource_missing');
    assert.deepEqual(
      await db
        .selectFrom('delivery_ledger')
        .selectAll()
        .where('stream', '=', stream?.id ?? -1)
        .execute(),
      [],
    );
  });

  test('leaves nothing of a row in the database', async () => {
    const account = world.account();
    const marker = 'CANARY-7f3a';
    world.bank.accounts.set(account, [
      posted(1, { description: marker, merchant_name: marker, cents: -987_654_321 }),
    ]);
    const sync = await world.sync([account]);
    world.receiver.behave = (request) => (request === 0 ? 'drop_before' : 'ok');
    await world.run(sync);
    for (const table of [
      'delivery_chunks',
      'delivery_ledger',
      'sync_runs',
      'sync_run_accounts',
      'delivery_streams',
    ] as const) {
      const dump = JSON.stringify(await world.database.db.selectFrom(table).selectAll().execute());
      assert.ok(!dump.includes(marker) && !dump.includes('987654321') && !dump.includes('9876543.21'), table);
    }
  });
});
