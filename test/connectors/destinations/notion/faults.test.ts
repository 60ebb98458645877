import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Sync } from '../../../../src/features/syncs/syncs.ts';
import { pending, posted } from '../../../features/sync-engine/support/bank.ts';
import { runAndDie } from '../../../features/sync-engine/support/death.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { firstOf, stepOf } from '../support/shares.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

const CHUNK_ROWS = 3;
const CHANGED = posted(2, { day: 49, cents: -7 });

/** A scene after its first run, in which rows have come, changed, posted and vanished since. */
async function begun() {
  const opened = await Scene.open({ chunkRows: CHUNK_ROWS });
  const account = opened.world.account();
  opened.world.bank.accounts.set(account, [
    pending(1, { day: 49, cents: -500 }),
    pending(2, { day: 49, cents: -900 }),
    posted(2, { day: 49 }),
    posted(1),
  ]);
  const sync = await opened.sync([account], { options: { include_pending: true } });
  const first = await opened.world.run(sync);
  assert.deepEqual([first.status, first.added], ['succeeded', 4]);
  opened.world.bank.accounts.set(account, [
    posted(9, { day: 49, cents: -500 }),
    ...[8, 7, 6, 5, 4].map((number) => posted(number, { day: 48 })),
    CHANGED,
    posted(1),
  ]);
  opened.notion.control.clearRequests();
  return { opened, sync };
}

const IDS = [1, 2, 4, 5, 6, 7, 8, 9].map((number) => posted(number).id);

/** Runs until one succeeds, and checks that the database is as if nothing had happened. */
async function settled(opened: Scene, sync: Sync, what: string): Promise<void> {
  for (let runs = 0; ; runs++) {
    const run = await opened.world.run(sync);
    if (run.status === 'succeeded') break;
    assert.ok(run.retryable && runs < 3, `${what}: ${run.failure}`);
  }
  assert.deepEqual(opened.ids, IDS, what);
  assert.equal(opened.shown(CHANGED.id).Amount, '-0.07', what);
  assert.equal(opened.shown(posted(9).id).Status, 'posted', what);
  const runs = await opened.world.allRuns(sync);
  assert.equal(
    runs.reduce((sum, { added }) => sum + added, 0),
    9,
    what,
  );
  assert.equal(
    runs.reduce((sum, { rejected }) => sum + rejected, 0),
    0,
    what,
  );
}

const KINDS = ['drop-answer', 'connection-reset', 'server-error', 'unavailable', 'malformed-json'] as const;

describe('each row is there once, is counted once and shows the latest', () => {
  for (const [at, kind] of KINDS.entries()) {
    test(`when each request of a run in turn meets ${kind}`, { timeout: 600_000 }, async () => {
      let passed = false;
      for (let request = firstOf(at); !passed; request += stepOf()) {
        const { opened, sync } = await begun();
        await using _ = opened;
        opened.notion.control.addFault({ route: '*', kind, after: request });
        await opened.world.run(sync);
        passed = opened.notion.control.faults().length > 0;
        opened.notion.control.clearFaults();
        await settled(opened, sync, `request ${request}`);
        assert.ok(request < 100, 'the run never came to its end');
      }
    });
  }

  test('when each request of a run in turn goes without an answer four times', {
    timeout: 600_000,
  }, async () => {
    let passed = false;
    for (let request = 0; !passed; request += stepOf()) {
      const { opened, sync } = await begun();
      await using _ = opened;
      opened.notion.control.addFault({ route: '*', kind: 'drop-answer', after: request, count: 4 });
      await opened.world.run(sync);
      passed = opened.notion.control.faults().some(({ remaining }) => remaining === 4);
      opened.notion.control.clearFaults();
      await settled(opened, sync, `request ${request}`);
    }
  });

  test('wherever the process dies', { timeout: 600_000 }, async () => {
    for (let statement = 4; ; statement += stepOf(3)) {
      const { opened, sync } = await begun();
      await using _ = opened;
      const died = await runAndDie(opened.world, sync, statement);
      await settled(opened, sync, `statement ${statement}`);
      if (!died) return;
    }
  });

  test('when queries trail what was written', { timeout: 600_000 }, async () => {
    for (const request of [0, 2, 4]) {
      const { opened, sync } = await begun();
      await using _ = opened;
      opened.notion.control.set({ indexLagMs: 15_000 });
      opened.notion.control.addFault({ route: 'POST /v1/pages', kind: 'drop-answer', after: request });
      const run = await opened.world.run(sync);
      assert.equal(run.status, 'failed');
      await settled(opened, sync, `request ${request}`);
      assert.ok(opened.clock.slept.includes(5_000) && opened.clock.slept.includes(15_000));
    }
  });
});
