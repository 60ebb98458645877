import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { MIB } from '../../scripts/lib/peak-memory.ts';
import { LiveMemory } from '../../scripts/lib/torture/live-memory.ts';
import { scratchDirectory } from '../support/scratch.ts';

const PID = 4_711;
const MINUTE_MS = 60_000;

/** What a process kept after each minute, in MiB. */
async function trendOf(live: readonly number[], from = 0) {
  const path = join(await scratchDirectory(), 'samples');
  const memory = new LiveMemory(path);
  const line = (mib: number, at: number, pid = PID) =>
    `${JSON.stringify({ at: at * MINUTE_MS, pid, rss: 2 * mib * MIB, live: mib * MIB, code: MIB })}\n`;
  await appendFile(path, live.map((mib, at) => line(mib, at) + line(500 + at, at, PID + 1)).join(''));
  return memory.trend(PID, 'live', from);
}

test('a leak is seen beside samples that were taken while a run had pages in memory', async () => {
  const busy = (at: number) => (at % 5 === 0 ? 30 : 0);
  const leaking = await trendOf(Array.from({ length: 45 }, (_, at) => 100 + at / 20 + busy(at)));
  assert.ok(leaking !== null && Math.abs(leaking.perHour - 3) < 0.5, JSON.stringify(leaking));
});

test('busy samples at one end are no leak, nor is memory that grows slowly and is freed at once', async () => {
  const steady = await trendOf(Array.from({ length: 45 }, (_, at) => (at > 40 ? 130 : 100)));
  assert.deepEqual([steady?.perHour, steady?.quarters, steady?.samples], [0, [100, 100, 100, 100], 45]);
  const working = await trendOf(Array.from({ length: 40 }, (_, at) => (at % 4 === 0 ? 100 : 110 + at)));
  assert.equal(working?.perHour, 0, 'runs whose accounts grow');
  const freed = await trendOf(Array.from({ length: 48 }, (_, at) => 100 + (at % 12)));
  assert.equal(freed?.perHour, 0);
});

test('samples from before the warm-up, and of other processes, do not count', async () => {
  const warmed = await trendOf(
    Array.from({ length: 40 }, (_, at) => (at < 10 ? at : 100)),
    10 * MINUTE_MS,
  );
  assert.deepEqual([warmed?.perHour, warmed?.samples], [0, 30]);
  assert.equal(await trendOf([100]), null);
});
