import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { DestinationAccess } from '../../../../src/connectors/destinations/destination-contract.ts';
import { DestinationFailure } from '../../../../src/connectors/destinations/destination-failure.ts';
import { readGrant } from '../../../../src/connectors/destinations/kit/oauth.ts';
import { DestinationGrants } from '../../../../src/features/destinations/destination-grants.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { type DestinationRow, findDestination } from '../../../../src/storage/destinations.ts';
import { closeDatabase, World } from '../../../features/sync-engine/support/world.ts';
import { linkedDestination } from '../support/linked-world.ts';
import { HOUR, KitVendor, Ok } from './kit-vendor.ts';

after(closeDatabase);

const PROCESSES = 2;
const CALLERS = 5;

/** A stored grant of the vendor, and the way to it as each of two processes has it. */
async function shared(vendor: KitVendor) {
  const world = await World.open();
  const destination = await linkedDestination(world, 'notion', vendor.grant(), {});
  const { limits, secrets, database } = world;
  const ways = Array.from({ length: PROCESSES }, () => {
    const log = createLog({ level: 'silent' });
    const grants = new DestinationGrants({ db: database.db, clock: systemClock, limits, log, secrets });
    return grants.access(destination) ?? assert.fail('no grant');
  });
  return { world, destination, ways };
}

/** Every caller of every process writes at the same moment. */
function everybody(vendor: KitVendor, ways: readonly DestinationAccess[]): Promise<unknown[]> {
  const call = {
    method: 'POST',
    path: '/rows',
    expect: Ok,
    quotas: () => [],
    repeatable: false,
    writes: true,
    signal: new AbortController().signal,
  } as const;
  return Promise.all(
    ways.flatMap((access) => Array.from({ length: CALLERS }, () => vendor.client().call(access, call))),
  );
}

async function stored(world: World, { id }: DestinationRow): Promise<string> {
  const row = await findDestination(world.database.db, world.owner.id, id);
  return (row && world.secrets.grant(row)) ?? assert.fail('no grant');
}

describe('a grant that several processes use at once', () => {
  for (const [when, end] of [
    ['before its end', (vendor: KitVendor) => vendor.clock.advance(HOUR - 60_000)],
    ['after its end', (vendor: KitVendor) => vendor.clock.advance(2 * HOUR)],
  ] as const) {
    test(`is renewed once ${when}, and everyone's call takes effect once`, async () => {
      await using vendor = await new KitVendor().open();
      const { world, destination, ways } = await shared(vendor);
      const before = await stored(world, destination);
      end(vendor);
      await everybody(vendor, ways);
      assert.deepEqual(
        [vendor.count('/token'), vendor.applied, vendor.authorizationServer.count],
        [1, PROCESSES * CALLERS, 1],
      );
      const now = await stored(world, destination);
      assert.notEqual(readGrant(now).refresh, readGrant(before).refresh);
      assert.equal(vendor.authorizationServer.subjectOf(`Bearer ${readGrant(now).access}`), 'ada');
    });
  }

  test('is renewed once where the vendor refuses its token early', async () => {
    await using vendor = await new KitVendor().open();
    const { world, destination, ways } = await shared(vendor);
    vendor.authorizationServer.expire(`Bearer ${readGrant(await stored(world, destination)).access}`);
    await everybody(vendor, ways);
    assert.deepEqual(
      [vendor.count('/token'), vendor.applied, vendor.authorizationServer.count],
      [1, PROCESSES * CALLERS, 1],
    );
  });

  test('that was ended at the vendor fails every caller as destination_auth_failed, and nothing is written', async () => {
    await using vendor = await new KitVendor().open();
    const { ways } = await shared(vendor);
    vendor.authorizationServer.revokeSubject('ada');
    const outcomes = await Promise.allSettled(ways.map((way) => everybody(vendor, [way])));
    for (const outcome of outcomes) {
      const reason: unknown = outcome.status === 'rejected' ? outcome.reason : null;
      assert.ok(reason instanceof DestinationFailure, String(reason));
      assert.deepEqual([reason.code, reason.outcome], ['destination_auth_failed', 'refused']);
    }
    assert.equal(vendor.applied, 0);
  });
});
