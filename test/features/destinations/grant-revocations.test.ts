import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { DestinationConnector } from '../../../src/connectors/destinations/destination-contract.ts';
import { sharesHolder, sharesTokens, writeGrant } from '../../../src/connectors/destinations/kit/oauth.ts';
import { GrantRevocations } from '../../../src/features/destinations/grant-revocations.ts';
import type { Db } from '../../../src/storage/database.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { paperclipConnector } from '../../connectors/destinations/paperclip/connector.ts';
import { Scene } from '../../connectors/destinations/paperclip/scene.ts';
import { linkedDestination } from '../../connectors/destinations/support/linked-world.ts';
import { Death } from '../sync-engine/support/death.ts';
import { closeDatabase } from '../sync-engine/support/world.ts';

after(closeDatabase);

const never = new AbortController().signal;
const HOUR = 3_600_000;
const REVOKE = 'POST /revoke';

/** Revocations over a scene's database, with a vendor whose `revoke` may be another. */
function revocationsOf(
  { world, vendor }: Scene,
  { db = world.database.db, ...linking }: Partial<DestinationConnector['linking']> & { db?: Db } = {},
) {
  const plain = paperclipConnector(world.http, vendor.origin);
  assert.ok(plain.linking);
  const connector = { ...plain, linking: { ...plain.linking, ...linking } };
  const { clock, limits, secrets } = world;
  const logged: string[] = [];
  const enqueued: unknown[] = [];
  const note = (message: string) => void logged.push(message);
  const revocations = new GrantRevocations({
    db,
    clock,
    limits,
    secrets,
    connectors: new Map([['sheets', connector] as const]),
    log: { info: note, warn: note, error: note },
    jobs: { enqueue: async (_trx, { name }, payload) => void enqueued.push([name, payload]) },
  });
  return { revocations, logged, enqueued };
}

async function rows({ world }: Scene): Promise<{ attempt_at: Date; created: Date }[]> {
  return world.database.db
    .selectFrom('grant_revocations')
    .select(['attempt_at', 'created'])
    .where('account_record', '=', world.owner.id)
    .execute();
}

/** In a transaction of its own. */
function schedule(
  revocations: GrantRevocations,
  db: Db,
  ...given: Parameters<GrantRevocations['schedule']> extends [unknown, ...infer Rest] ? Rest : never
): Promise<void> {
  return db.transaction().execute((trx) => revocations.schedule(trx, ...given));
}

const calls = ({ vendor }: Scene): number => vendor.calls.filter((call) => call === REVOKE).length;
const grantOf = ({ vendor }: Scene): string => JSON.stringify(vendor.signIns.grant());

describe('a grant that is to be ended', () => {
  test('is tried after waits that grow with its age, and for a day', async () => {
    await using scene = await Scene.open();
    const { clock, owner, database } = scene.world;
    const { revocations, logged, enqueued } = revocationsOf(scene);
    scene.vendor.troubles.set(
      REVOKE,
      Array.from({ length: 200 }, () => ({ status: 500 }) as const),
    );
    await schedule(revocations, database.db, owner.id, 'sheets', grantOf(scene));
    assert.deepEqual(enqueued, [['grant-revocation', { owner: owner.id }]]);
    const began = clock.now();
    const waits: number[] = [];
    for (let next = await revocations.work(owner.id, never); next !== null; ) {
      waits.push(next.getTime() - clock.now());
      clock.advance(waits.at(-1) ?? 0);
      next = await revocations.work(owner.id, never);
    }
    assert.deepEqual([waits[0], waits.at(-1)], [5000, HOUR]);
    assert.deepEqual(
      waits,
      waits.toSorted((one, other) => one - other),
    );
    const lasted = clock.now() - began;
    assert.ok(lasted >= 24 * HOUR && lasted < 25 * HOUR + 1, String(lasted));
    assert.equal(calls(scene), waits.length + 1);
    assert.ok(calls(scene) < 60);
    assert.deepEqual(await rows(scene), []);
    assert.match(logged.at(-1) ?? '', /Failed to revoke a grant at its vendor within a day/);
  });

  test('is not tried before it is due, and others of the account record are', async () => {
    await using scene = await Scene.open();
    const { clock, owner, database } = scene.world;
    const { revocations } = revocationsOf(scene);
    scene.vendor.troubles.set(REVOKE, [{ status: 500 }]);
    await schedule(revocations, database.db, owner.id, 'sheets', grantOf(scene));
    await revocations.work(owner.id, never);
    await schedule(revocations, database.db, owner.id, 'sheets', grantOf(scene));
    await revocations.work(owner.id, never);
    assert.deepEqual([calls(scene), (await rows(scene)).length], [2, 1]);
    clock.advance(5000);
    assert.equal(await revocations.work(owner.id, never), null);
    assert.deepEqual([calls(scene), scene.vendor.signIns.count], [3, 1]);
  });

  test('is ended wherever the process dies, and asked for again at most once', async () => {
    for (let statement = 0; ; statement++) {
      await using scene = await Scene.open();
      const { owner, database } = scene.world;
      await schedule(revocationsOf(scene).revocations, database.db, owner.id, 'sheets', grantOf(scene));
      const death = new Death(statement);
      const dying = revocationsOf(scene, { db: database.db.withPlugin(death) });
      await dying.revocations.work(owner.id, never).catch((error: unknown) => {
        if (!death.happened) throw error;
      });
      scene.world.clock.advance(HOUR);
      assert.equal(await revocationsOf(scene).revocations.work(owner.id, never), null);
      assert.equal(scene.vendor.signIns.count, 1, `the scene's own stands: ${statement}`);
      assert.ok(calls(scene) >= 1 && calls(scene) <= 2, `${statement}`);
      assert.deepEqual(await rows(scene), []);
      if (!death.happened) return;
    }
  });

  test('that its vendor no longer accepts is ended', async () => {
    await using scene = await Scene.open();
    const { owner, database } = scene.world;
    const { revocations } = revocationsOf(scene, {
      revoke: async () => {
        throw new UpstreamFailure('grant_rejected', 'It is over.');
      },
    });
    await schedule(revocations, database.db, owner.id, 'sheets', grantOf(scene));
    assert.equal(await revocations.work(owner.id, never), null);
  });

  test('and never answered for is given up at the deadline of a call, and tried again', async () => {
    await using scene = await Scene.open({ limits: { read_deadline_ms: 5000 } });
    const { clock, owner, database } = scene.world;
    const { revocations } = revocationsOf(scene, { revoke: () => new Promise(() => undefined) });
    await schedule(revocations, database.db, owner.id, 'sheets', grantOf(scene));
    const working = revocations.work(owner.id, never);
    while (clock.sleeping === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    clock.advance(5000);
    assert.ok((await working) instanceof Date);
  });

  test('stays where the process stops meanwhile', async () => {
    await using scene = await Scene.open();
    const { owner, database } = scene.world;
    const stopping = new AbortController();
    const { revocations } = revocationsOf(scene, {
      revoke: () => {
        setImmediate(() => stopping.abort(new Error('the process stops')));
        return new Promise(() => undefined);
      },
    });
    await schedule(revocations, database.db, owner.id, 'sheets', grantOf(scene));
    await assert.rejects(revocations.work(owner.id, stopping.signal), /the process stops/);
    assert.equal((await rows(scene)).length, 1);
  });

  test('is left alone where the vendor has no way to end it', async () => {
    await using scene = await Scene.open();
    const { owner, database } = scene.world;
    const { revocations, enqueued } = revocationsOf(scene);
    await schedule(revocations, database.db, owner.id, 'notion', grantOf(scene));
    assert.deepEqual([await rows(scene), enqueued], [[], []]);
  });

  test('is one of at most a hundred of an account record', async () => {
    await using scene = await Scene.open();
    const { owner, database } = scene.world;
    const { revocations, logged } = revocationsOf(scene);
    for (let count = 0; count < 101; count++) {
      await schedule(revocations, database.db, owner.id, 'sheets', `{"access":"a","refresh":"r${count}"}`);
    }
    assert.equal((await rows(scene)).length, 100);
    assert.match(logged.join(), /too many/);
    assert.equal(await revocations.work(owner.id, never), null);
    assert.equal(calls(scene), 100);
  });
});

describe('a grant that something is on', () => {
  test('is not ended where a destination has the very same', async () => {
    await using scene = await Scene.open();
    const { world } = scene;
    const { revocations, logged } = revocationsOf(scene);
    const grant = grantOf(scene);
    await linkedDestination(world, 'sheets', grant, {});
    await schedule(revocations, world.database.db, world.owner.id, 'sheets', grant);
    assert.equal(await revocations.work(world.owner.id, never), null);
    assert.equal(calls(scene), 0);
    assert.match(logged.join(), /another destination uses it/);
  });

  for (const [what, endsWith, standing, needed] of [
    ['the same tokens', sharesTokens, { access: 'other', refresh: 'r1', holder: 'eve' }, true],
    ['other tokens', sharesTokens, { access: 'other', refresh: 'r2', holder: 'ada' }, false],
    [
      'the same person, at a vendor that ends all of theirs',
      sharesHolder,
      { access: 'other', refresh: 'r2', holder: 'ada' },
      true,
    ],
    [
      'another person, at a vendor that ends all of theirs',
      sharesHolder,
      { access: 'other', refresh: 'r2', holder: 'eve' },
      false,
    ],
    [
      'nobody knows whom, at a vendor that ends all of theirs',
      sharesHolder,
      { access: 'other', refresh: 'r2', holder: '' },
      true,
    ],
  ] as const) {
    test(`is ${needed ? 'left standing' : 'ended'} where a destination has one of ${what}`, async () => {
      await using scene = await Scene.open();
      const { world } = scene;
      let ended = 0;
      // Only what this test links: worlds of a file share their database.
      const mine = (text: string) => text.includes(`"mark":"${world.owner.id}"`);
      const marked = (grant: { access: string; refresh: string; holder: string }) =>
        JSON.stringify({ ...JSON.parse(writeGrant({ ...grant, expires: null })), mark: world.owner.id });
      const { revocations } = revocationsOf(scene, {
        revoke: async () => {
          ended += 1;
        },
        endsWith: (one, other) => mine(one) && endsWith(one, other),
      });
      await linkedDestination(world, 'sheets', marked(standing), {});
      await schedule(
        revocations,
        world.database.db,
        world.owner.id,
        'sheets',
        marked({ access: 'a', refresh: 'r1', holder: 'ada' }),
      );
      assert.equal(await revocations.work(world.owner.id, never), null);
      assert.equal(ended, needed ? 0 : 1);
    });
  }

  test('is looked for beyond the first page of destinations', async () => {
    await using scene = await Scene.open();
    const { world } = scene;
    const { revocations } = revocationsOf(scene);
    const grant = grantOf(scene);
    for (let count = 0; count < 501; count++) await linkedDestination(world, 'sheets', `{"n":${count}}`, {});
    await linkedDestination(world, 'sheets', grant, {});
    await schedule(revocations, world.database.db, world.owner.id, 'sheets', grant);
    await revocations.work(world.owner.id, never);
    assert.equal(calls(scene), 0);
  });
});
