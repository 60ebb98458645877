import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { pending, posted } from '../../features/sync-engine/support/bank.ts';
import { runAndDie } from '../../features/sync-engine/support/death.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { Scene } from './airtable/scene.ts';
import { firstOf, stepOf } from './support/shares.ts';

after(closeDatabase);

const API = '/v0/*';
/** As often as one call is tried. */
const ATTEMPTS = 4;
const recent = (number: number, cents = -(number + 100)) => posted(number, { day: 49, cents });
const provisional = [pending(1, { day: 49, cents: -500 }), pending(2, { day: 49, cents: -600 })];
const FIRST = [...provisional, recent(1), recent(2), recent(3)];
/** A pending row has posted, another vanished, a row changed, and thirty are new. */
const NEXT = [
  recent(50, -500),
  recent(1, 1),
  recent(2),
  recent(3),
  ...Array.from({ length: 30 }, (_, at) => recent(10 + at)),
];
const EXPECTED = NEXT.map(({ id, amount_decimal: amount }) => [id, String(Number(amount))]).toSorted();

/** A scene in which the first rows stand and the bank reports the next. */
async function changed() {
  const scene = await Scene.open();
  const { account, sync } = await scene.syncOf(FIRST, { options: { include_pending: true } });
  assert.equal((await scene.run(sync)).added, FIRST.length);
  const record = scene.recordOf(provisional[0]?.id ?? '');
  scene.world.bank.accounts.set(account, NEXT);
  return { scene, sync, record };
}

const shown = (scene: Scene) => scene.control.rows().map(({ id, values }) => [id, values.Amount]);

async function succeeds(scene: Scene, sync: Parameters<Scene['run']>[0]): Promise<void> {
  for (let run = 0; run < 3; run++) if ((await scene.run(sync)).status === 'succeeded') return;
  assert.fail('no run succeeded');
}

async function addedInAll(scene: Scene, sync: Parameters<Scene['run']>[0]): Promise<number> {
  return (await scene.world.allRuns(sync)).reduce((sum, run) => sum + run.added, 0);
}

for (const [at, { what, kind }] of (
  [
    { what: 'after it was carried out', kind: 'drop-answer' },
    { what: 'before it was carried out', kind: 'connection-reset' },
  ] as const
).entries()) {
  describe(`A call that is cut off ${what}`, () => {
    for (const [nth, times] of [1, ATTEMPTS].entries()) {
      test(`doubles and loses nothing, whichever of a run with changes it is, ${times} times`, async () => {
        for (let call = firstOf(2 * at + nth); ; call += stepOf()) {
          const { scene, sync, record } = await changed();
          await using _ = scene;
          scene.control.addFault({ route: API, kind, after: call, count: times });
          await scene.run(sync);
          const struck = (scene.control.faults()[0]?.remaining ?? 0) < times;
          scene.control.clearFaults();
          await succeeds(scene, sync);
          assert.deepEqual(shown(scene).toSorted(), EXPECTED, `call ${call}`);
          assert.equal(scene.recordOf(recent(50).id), record, `call ${call}`);
          assert.equal(await addedInAll(scene, sync), FIRST.length + 30, `call ${call}`);
          assert.equal(scene.control.usage().refused, 0);
          if (!struck) return assert.ok(call >= 5, 'the run has several calls');
        }
      });
    }

    test('doubles and loses nothing, whichever of a first run it is', async () => {
      for (let call = firstOf(at); ; call += stepOf(2)) {
        await using scene = await Scene.open();
        const rows = Array.from({ length: 25 }, (_, at) => recent(at));
        const { sync } = await scene.syncOf(rows);
        scene.control.addFault({ route: API, kind, after: call, count: ATTEMPTS });
        await scene.run(sync);
        const struck = (scene.control.faults()[0]?.remaining ?? 0) < ATTEMPTS;
        scene.control.clearFaults();
        await succeeds(scene, sync);
        assert.deepEqual(
          scene.ids,
          rows.map(({ id }) => id),
          `call ${call}`,
        );
        assert.equal(await addedInAll(scene, sync), 25, `call ${call}`);
        const names = scene.columns();
        assert.deepEqual(names, [...new Set(names)], 'no column is there twice');
        if (!struck) return assert.ok(call >= 12, 'the run has many calls');
      }
    });
  });
}

test('A process that dies anywhere leaves each row once, and each is counted once', async () => {
  for (let statement = 4; ; statement += stepOf(3)) {
    const { scene, sync } = await changed();
    await using _ = scene;
    // The access token lasts: a process that dies with a renewed grant in its hands loses the grant.
    const died = await runAndDie(scene.world, sync, statement);
    await succeeds(scene, sync);
    assert.deepEqual(shown(scene).toSorted(), EXPECTED, `${statement}`);
    assert.equal(await addedInAll(scene, sync), FIRST.length + 30, `${statement}`);
    if (!died) return;
  }
});
