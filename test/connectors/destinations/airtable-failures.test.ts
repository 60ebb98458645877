import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { findDestination } from '../../../src/storage/destinations.ts';
import type { SyncRunRow } from '../../../src/storage/sync-runs.ts';
import { posted } from '../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { withPatience } from '../../support/patience.ts';
import { Scene } from './airtable/scene.ts';

after(closeDatabase);

const HOUR_MS = 3_600_000;
const RECORDS = 'PATCH /v0/*';
const TOKEN = 'POST /oauth2/v1/token';
const recent = (number: number) => posted(number, { day: 49 });
const outcome = ({ status, failure, retryable }: SyncRunRow) => [status, failure, retryable];

/** A scene in which two rows stand and a third is new. */
async function standing() {
  const scene = await Scene.open();
  const { account, sync } = await scene.syncOf([recent(1), recent(2)]);
  assert.equal((await scene.run(sync)).added, 2);
  scene.world.bank.accounts.set(account, [recent(1), recent(2), recent(3)]);
  const isLapsed = async () => {
    const { world, destination } = scene;
    const row = await findDestination(world.database.db, world.owner.id, destination.id);
    return row?.status === 'reauth_required';
  };
  return { scene, account, sync, isLapsed };
}

describe('A grant that ended', () => {
  test('at Airtable ends the run, and the destination has to be connected again', async () => {
    const { scene, sync, isLapsed } = await standing();
    await using _ = scene;
    scene.control.revokeGrants();
    assert.deepEqual(outcome(await scene.run(sync)), ['failed', 'destination_auth_failed', false]);
    assert.equal(await isLapsed(), true);
    assert.deepEqual(await scene.world.inDoubt(sync), []);
  });

  test('for one access token is renewed in the middle of a run', async () => {
    const { scene, sync } = await standing();
    await using _ = scene;
    scene.control.addFault({ route: RECORDS, kind: 'expired-token' });
    assert.equal((await scene.run(sync)).added, 1);
    assert.equal(scene.calls().filter((call) => call === 'POST token').length, 2);
    assert.equal(scene.control.usage().refusedRenewals, 0);
  });

  test('and is refused after its renewal ends the run', async () => {
    const { scene, sync, isLapsed } = await standing();
    await using _ = scene;
    scene.control.addFault({ route: RECORDS, kind: 'refusal', status: 401, count: 2 });
    assert.deepEqual(outcome(await scene.run(sync)), ['failed', 'destination_auth_failed', false]);
    assert.equal(await isLapsed(), true);
  });

  test('by a permission is a lost grant too', async () => {
    const { scene, sync, isLapsed } = await standing();
    await using _ = scene;
    scene.control.addFault({ route: RECORDS, kind: 'refusal', status: 403 });
    assert.deepEqual(outcome(await scene.run(sync)), ['failed', 'destination_auth_failed', false]);
    assert.equal(await isLapsed(), true);
  });

  test('is not concluded from a mistake in our own credentials', async () => {
    const { scene, sync, isLapsed } = await standing();
    await using _ = scene;
    scene.control.addFault({ route: TOKEN, kind: 'refusal', status: 401 });
    const run = await scene.run(sync);
    assert.deepEqual([run.status, run.failure], ['failed', 'run_failed']);
    assert.equal(await isLapsed(), false);
  });
});

describe('A sync that writes nothing for weeks', () => {
  test('renews its grant before Airtable ends it, and not in every run', async () => {
    const { scene, sync } = await standing();
    await using _ = scene;
    await scene.run(sync);
    await scene.run(sync);
    assert.deepEqual(scene.calls(), []);
    scene.world.clock.advance(15 * 24 * 3_600_000);
    await scene.run(sync);
    assert.deepEqual(scene.calls(), ['POST token']);
    await scene.run(sync);
    assert.deepEqual(scene.calls(), []);
  });
});

describe('Calls that come too fast', () => {
  test('wait half a minute and go on', async () => {
    const { scene, sync } = await standing();
    await using _ = scene;
    scene.control.addFault({ route: RECORDS, kind: 'rate-limit' });
    const before = scene.clock.now() + 3_600_000;
    assert.equal((await scene.run(sync)).added, 1);
    assert.ok(scene.clock.now() - before >= 30_000);
  });

  test('for longer than a run waits end it, and a later one goes on', async () => {
    const { scene, sync } = await standing();
    await using _ = scene;
    scene.control.addFault({ route: RECORDS, kind: 'rate-limit', count: 4 });
    assert.deepEqual(outcome(await scene.run(sync)), ['failed', 'rate_limited', true]);
    assert.deepEqual(await scene.world.inDoubt(sync), []);
    scene.control.clearFaults();
    assert.equal((await scene.run(sync)).added, 1);
  });

  test('never come from here, however fast the bank answers', async () => {
    await using scene = await Scene.open();
    const { sync } = await scene.syncOf(Array.from({ length: 300 }, (_, at) => recent(at)));
    const begun = scene.clock.now();
    await scene.run(sync);
    assert.equal(scene.control.usage().refused, 0);
    const calls = scene.calls().filter((call) => call !== 'POST token').length;
    const lasted = scene.clock.now() - begun - HOUR_MS;
    assert.ok(lasted >= (calls - 1) * 250, `${calls} calls in ${lasted} ms are more than four a second`);
    assert.ok(lasted <= calls * 300, `${calls} calls in ${lasted} ms are far fewer than four a second`);
  });
});

describe('A month whose calls are used up', () => {
  test('ends the run at once, and waiting is not what helps', async () => {
    const { scene, sync } = await standing();
    await using _ = scene;
    scene.control.setPlan({ callsPerMonth: 1 });
    assert.deepEqual(outcome(await scene.run(sync)), ['failed', 'rate_limited', false]);
    assert.equal(scene.calls().filter((call) => call === 'PATCH records').length, 1);
    assert.deepEqual(await scene.world.inDoubt(sync), []);
    scene.control.setPlan({ callsPerMonth: null });
    assert.equal((await scene.run(sync)).added, 1);
  });

  test('on a plan that slows down instead is worked through', async () => {
    const { scene, account, sync } = await standing();
    await using _ = scene;
    scene.control.setPlan({ callsPerMonth: 1, whenSpent: 'slow' });
    scene.world.bank.accounts.set(
      account,
      Array.from({ length: 35 }, (_, at) => recent(at)),
    );
    for (let run = 0; run < 20 && (await scene.run(sync)).status !== 'succeeded'; run++);
    assert.deepEqual(
      scene.ids,
      Array.from({ length: 35 }, (_, at) => recent(at).id),
    );
  });
});

describe('A base that is full', () => {
  test('ends the run without trying row after row', async () => {
    const { scene, account, sync } = await standing();
    await using _ = scene;
    scene.control.setPlan({ recordsPerBase: 3 });
    scene.world.bank.accounts.set(
      account,
      Array.from({ length: 30 }, (_, at) => recent(at)),
    );
    assert.deepEqual(outcome(await scene.run(sync)), ['failed', 'run_failed', false]);
    assert.equal(scene.calls().filter((call) => call === 'PATCH records').length, 1);
    scene.control.setPlan({ recordsPerBase: null });
    assert.equal((await scene.run(sync)).status, 'succeeded');
    assert.equal(scene.ids.length, 30);
  });
});

describe('Troubles of Airtable that pass', () => {
  for (const [kind, failure] of [
    ['server-error', 'run_failed'],
    ['unavailable', 'run_failed'],
    ['malformed-json', 'run_failed'],
    ['html-page', 'run_failed'],
    ['truncated-body', 'run_failed'],
  ] as const) {
    test(`such as ${kind} end a run that has tried enough, and each row is there once after the next`, async () => {
      const { scene, sync } = await standing();
      await using _ = scene;
      scene.control.addFault({ route: RECORDS, kind, count: 4 });
      assert.deepEqual(outcome(await scene.run(sync)), ['failed', failure, true]);
      scene.control.clearFaults();
      assert.equal((await scene.run(sync)).status, 'succeeded');
      assert.deepEqual(scene.ids, [recent(1).id, recent(2).id, recent(3).id]);
    });
  }

  test('such as a gateway that gives up end the run as a timeout', async () => {
    const { scene, sync } = await standing();
    await using _ = scene;
    scene.control.addFault({ route: RECORDS, kind: 'refusal', status: 504, count: 4 });
    assert.deepEqual(outcome(await scene.run(sync)), ['failed', 'timeout', true]);
  });

  test('such as silence end the run as a timeout', async () => {
    await withPatience([1000, 8000], async (read_deadline_ms) => {
      await using scene = await Scene.open({ limits: { read_deadline_ms } });
      const { sync } = await scene.syncOf([recent(1)]);
      scene.control.addFault({ route: 'GET /v0/*', kind: 'hang', count: 4 });
      assert.deepEqual(outcome(await scene.run(sync)), ['failed', 'timeout', true]);
      assert.deepEqual(await scene.world.inDoubt(sync), []);
    });
  });
});

describe('Rows that Airtable refuses', () => {
  test('are found by halving, and the others are written', async () => {
    await using scene = await Scene.open();
    const rows = Array.from({ length: 40 }, (_, at) => recent(at));
    scene.control.refuseTexts([recent(7).id, recent(8).id, recent(33).id]);
    const { sync } = await scene.syncOf(rows);
    const { status, added, rejected } = await scene.run(sync);
    assert.deepEqual([status, added, rejected], ['succeeded', 37, 3]);
    assert.equal(scene.ids.length, 37);
    assert.ok(!scene.ids.includes(recent(7).id));
  });

  test('one and all end the run before every one of them was tried', async () => {
    await using scene = await Scene.open();
    const rows = Array.from({ length: 300 }, (_, at) => recent(at));
    scene.control.refuseTexts(rows.map(({ id }) => id));
    const { sync } = await scene.syncOf(rows);
    assert.deepEqual(outcome(await scene.run(sync)), ['failed', 'run_failed', false]);
    assert.ok(scene.calls().length < 80, `${scene.calls().length} calls`);
  });
});
