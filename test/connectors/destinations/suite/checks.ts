import assert from 'node:assert/strict';
import type { Sync } from '../../../../src/features/syncs/syncs.ts';
import type { SyncRunRow } from '../../../../src/storage/sync-runs.ts';
import { SOME_KEY } from '../../../support/actors.ts';
import type { ShownRow, SuiteMember, SuiteScene } from './suite-scene.ts';

const HOUR_MS = 3_600_000;
/** A run that failed because of one dropped request succeeds the next time. */
const ATTEMPTS = 4;

/** Runs the sync once, an hour later; it has to succeed. */
export async function run(scene: SuiteScene, sync: Sync): Promise<SyncRunRow> {
  scene.world.clock.advance(HOUR_MS);
  const ended = await scene.world.run(sync);
  assert.deepEqual([ended.status, ended.failure], ['succeeded', null]);
  return ended;
}

/**
 * Runs the sync until it succeeds. Where a renewal was lost, the grant is over, and the person signs in again.
 * @param lostBefore whether work before this one lost a renewal
 */
export async function recover(scene: SuiteScene, sync: Sync, lostBefore = false): Promise<void> {
  let isLost = lostBefore;
  for (let attempt = 1; ; attempt++) {
    scene.world.clock.advance(HOUR_MS);
    const ended: SyncRunRow[] = [];
    const losesNow = await losesRenewal(scene, async () => ended.push(await scene.world.run(sync)));
    isLost ||= losesNow;
    const { status, failure } = ended[0] ?? assert.fail();
    if (status === 'succeeded') break;
    assert.ok(attempt < ATTEMPTS, `it ended as ${status} ${attempt} times`);
    if (failure !== 'destination_auth_failed') continue;
    assert.ok(isLost, 'the grant was rejected');
    isLost = false;
    await scene.grant?.signInAgain();
  }
  assert.equal(isLost, false, 'a grant is over where a renewal was lost');
}

/** Whether the work had the vendor renew the grant without the service storing it. */
export async function losesRenewal(scene: SuiteScene, work: () => Promise<unknown>): Promise<boolean> {
  if (scene.grant !== undefined) return scene.grant.losesRenewal(work);
  await work();
  return false;
}

/** Sends everything again. */
export async function resync(scene: SuiteScene, sync: Sync): Promise<void> {
  scene.world.clock.advance(HOUR_MS);
  await scene.world.runs.resync(scene.world.owner.id, sync.row.id, SOME_KEY);
}

/** Exactly these rows are there, each once. */
export function requireRows(scene: SuiteScene, ids: readonly string[], about = ''): void {
  const standing = scene.rows().map(({ id }) => id);
  assert.equal(new Set(standing).size, standing.length, `a row is there twice ${about}`);
  assert.deepEqual(standing.toSorted(), ids.toSorted(), about);
}

export function rowOf(member: SuiteMember, scene: SuiteScene, id: string): ShownRow {
  const found = scene.rows().filter((row) => row.id === id);
  assert.equal(found.length, 1, `${id} is there ${found.length} times`);
  return member.shown(found[0] ?? assert.fail());
}

/** What all runs of the sync added together. */
export async function addedInAll(scene: SuiteScene, sync: Sync): Promise<number> {
  return (await scene.world.allRuns(sync)).reduce((sum, { added }) => sum + added, 0);
}
