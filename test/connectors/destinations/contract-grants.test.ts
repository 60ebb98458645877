import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import type {
  DestinationAccess,
  DestinationConnector,
} from '../../../src/connectors/destinations/destination-contract.ts';
import { DestinationGrants } from '../../../src/features/destinations/destination-grants.ts';
import { DestinationResourceReads } from '../../../src/features/destinations/destination-resources.ts';
import { type Clock, systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import type { Db } from '../../../src/storage/database.ts';
import { findDestination, updateDestination } from '../../../src/storage/destinations.ts';
import { StoreUnavailableError } from '../../../src/vocabulary/store-unavailable.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { posted } from '../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { paperclipConnector } from './paperclip/connector.ts';
import { Scene } from './paperclip/scene.ts';

after(closeDatabase);

const TOKEN = 'POST /token';

/** The way to the grant as one process has it. */
function process(
  scene: Scene,
  { clock = systemClock, db }: { clock?: Clock; db?: Db } = {},
): DestinationAccess {
  const { limits, secrets, database } = scene.world;
  const log = createLog({ level: 'silent' });
  const grants = new DestinationGrants({ db: db ?? database.db, clock, limits, log, secrets });
  return grants.access(scene.destination) ?? assert.fail('no grant');
}

async function stored({ world, destination }: Scene): Promise<string> {
  const row = await findDestination(world.database.db, world.owner.id, destination.id);
  return (row && world.secrets.grant(row)) ?? assert.fail('no grant');
}

/** Puts a grant into the row as if it had just been sealed. */
async function put({ world, destination }: Scene, grant: string): Promise<void> {
  const sealed = world.secrets.sealGrant(destination.id, grant);
  await updateDestination(world.database.db, world.owner.id, destination.id, { grant: sealed });
}

const exchangeOf =
  ({ vendor }: Scene) =>
  async (spent: string): Promise<string> => {
    const { refresh } = JSON.parse(spent);
    const body = new URLSearchParams({ refresh_token: refresh });
    const answer = await fetch(`${vendor.origin}/token`, { method: 'POST', body });
    assert.equal(answer.status, 200, 'a refresh token was used twice');
    return answer.text();
  };

/** Waits until the condition holds. */
async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; !holds(); round++) {
    assert.ok(round < 1000, 'it never held');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('a grant whose access token is over', () => {
  test('is renewed in the middle of a run, and the new refresh token is the one that is stored', async () => {
    await using scene = await Scene.open();
    const account = scene.world.account();
    scene.world.bank.accounts.set(account, [posted(1)]);
    const sync = await scene.sync([account]);
    for (let round = 1; round <= 3; round++) {
      scene.vendor.signIns.expire();
      scene.world.bank.accounts.set(account, [posted(1, { day: 49, cents: round })]);
      assert.equal((await scene.world.run(sync)).status, 'succeeded');
    }
    assert.equal(scene.vendor.calls.filter((call) => call === TOKEN).length, 3);
    assert.equal(scene.vendor.signIns.reused, 0);
  });

  test('is renewed once by two processes with many callers each, and all of them go on with the same one', async () => {
    await using scene = await Scene.open();
    const spent = await stored(scene);
    const processes = [process(scene), process(scene)];
    const exchange = exchangeOf(scene);
    let asked = 0;
    scene.vendor.beforeExchange = () => until(() => asked === 10);
    const renewals = processes.flatMap((access) =>
      Array.from({ length: 5 }, () => {
        asked += 1;
        return access.renew(spent, exchange);
      }),
    );
    const grants = new Set(await Promise.all(renewals));
    assert.deepEqual([...grants], [await stored(scene)]);
    assert.notEqual(await stored(scene), spent);
    assert.equal(scene.vendor.calls.filter((call) => call === TOKEN).length, 1);
    assert.equal(scene.vendor.signIns.reused, 0);
  });

  test('is left to the process that claimed it, until that claim ends', async () => {
    await using scene = await Scene.open();
    const { clock, database, owner } = scene.world;
    const until30 = new Date(clock.now() + 30_000);
    await updateDestination(database.db, owner.id, scene.destination.id, { grant_claimed_until: until30 });
    const spent = await stored(scene);
    const renewal = process(scene, { clock }).renew(spent, exchangeOf(scene));
    await until(() => clock.sleeping > 0);
    assert.deepEqual(scene.vendor.calls, []);
    clock.advance(30_000);
    assert.equal(await renewal, await stored(scene));
    assert.notEqual(await stored(scene), spent);
  });

  test('is superseded by the grant of a person who signed in in the meantime', async () => {
    await using scene = await Scene.open();
    const theirs = JSON.stringify(scene.vendor.signIns.grant());
    scene.vendor.beforeExchange = () => put(scene, theirs);
    const renewed = await process(scene).renew(await stored(scene), exchangeOf(scene));
    assert.equal(renewed, theirs);
    assert.equal(await stored(scene), theirs);
  });

  test('is stored also where the old one was sealed again meanwhile', async () => {
    await using scene = await Scene.open();
    const spent = await stored(scene);
    scene.vendor.beforeExchange = () => put(scene, spent);
    const renewed = await process(scene).renew(spent, exchangeOf(scene));
    assert.notEqual(renewed, spent);
    assert.equal(await stored(scene), renewed);
  });

  test('is stored although the database was unreachable at that moment', async () => {
    await using scene = await Scene.open();
    let away = 0;
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (away > 0) {
          away -= 1;
          throw new StoreUnavailableError('it is away');
        }
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    scene.vendor.beforeExchange = async () => {
      away = 2;
    };
    const access = process(scene, { db: scene.world.database.db.withPlugin(plugin) });
    const renewed = await access.renew(await stored(scene), exchangeOf(scene));
    assert.equal(await stored(scene), renewed);
  });

  test('that the vendor does not renew fails the run, and the destination has to be connected again', async () => {
    await using scene = await Scene.open();
    const account = scene.world.account();
    scene.world.bank.accounts.set(account, [posted(1)]);
    const sync = await scene.sync([account]);
    scene.vendor.signIns.expire();
    scene.vendor.troubles.set(TOKEN, [{ status: 400 }]);
    const run = await scene.world.run(sync);
    assert.deepEqual([run.status, run.failure], ['failed', 'destination_auth_failed']);
    const row = await findDestination(scene.world.database.db, scene.world.owner.id, scene.destination.id);
    assert.deepEqual([row?.status, row?.grant_claimed_until], ['reauth_required', null]);
  });

  for (const member of ['create', 'write', 'finish'] as const) {
    test(`that is found to be rejected in ${member} ends the run as such, and the destination has to be connected again`, async () => {
      await using scene = await Scene.open({
        change: (connector) => rejectedIn(connector, member),
      });
      const account = scene.world.account();
      scene.world.bank.accounts.set(account, [posted(1)]);
      const sync = await scene.sync([account], { mappingMode: member === 'create' ? 'per_account' : 'bulk' });
      const run = await scene.world.run(sync);
      assert.deepEqual(
        [run.status, run.failure, run.retryable],
        ['failed', 'destination_auth_failed', false],
      );
      assert.deepEqual(await scene.world.inDoubt(sync), []);
      const row = await findDestination(scene.world.database.db, scene.world.owner.id, scene.destination.id);
      assert.equal(row?.status, 'reauth_required');
    });
  }

  test('whose renewal gets no answer ends the run as timeout, and no part of the chunk is unconfirmed', async () => {
    await using scene = await Scene.open({ limits: { read_deadline_ms: 5000 } });
    const { world, vendor } = scene;
    const account = world.account();
    world.bank.accounts.set(account, [posted(1)]);
    const sync = await scene.sync([account]);
    vendor.signIns.expire();
    vendor.troubles.set(TOKEN, ['hang']);
    const running = world.run(sync);
    await until(() => vendor.calls.includes(TOKEN));
    world.clock.advance(5001);
    const run = await running;
    assert.deepEqual([run.status, run.failure, run.retryable], ['failed', 'timeout', true]);
    assert.deepEqual(await world.inDoubt(sync), []);
    assert.equal((await world.run(sync)).added, 1);
  });

  test('that the vendor does not renew while resources are listed is said to the caller', async () => {
    await using scene = await Scene.open();
    const { clock, limits, secrets, database, http, owner } = scene.world;
    const log = createLog({ level: 'silent' });
    const grants = new DestinationGrants({ db: database.db, clock, limits, secrets, log });
    const connectors = new Map([['sheets', paperclipConnector(http, scene.vendor.origin)] as const]);
    const reads = new DestinationResourceReads({ db: database.db, clock, limits, log, grants, connectors });
    scene.vendor.signIns.expire();
    scene.vendor.troubles.set(TOKEN, [{ status: 400 }]);
    const listed = reads.list(
      owner.id,
      scene.destination.id,
      { type: 'spreadsheet', parent: null },
      new AbortController().signal,
    );
    await assert.rejects(listed, { code: 'upstream_auth_failed' });
  });
});

/** A connector that finds in this member that its grant was rejected. */
function rejectedIn(
  connector: DestinationConnector,
  member: 'create' | 'write' | 'finish',
): DestinationConnector {
  const rejected = async (access: DestinationAccess | null): Promise<never> => {
    assert.ok(access);
    await access.renew(await access.current(), async () => {
      throw new UpstreamFailure('grant_rejected', 'The grant was rejected.');
    });
    return assert.fail('it was renewed');
  };
  if (member === 'create') return { ...connector, create: rejected };
  return {
    ...connector,
    open: async (opening, signal) => {
      const writer = await connector.open(opening, signal);
      writer[member] = () => rejected(opening.access);
      return writer;
    },
  };
}
