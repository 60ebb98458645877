import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scenario } from '../outcome.ts';
import { Stage } from '../stage.ts';
import { Asking, ask, deliveries, runsAgain, secondsUntil, succeeds } from '../watch.ts';

const DISK_MB = 200;
const FULL_MS = 6_000;

/** The disk of the embedded database fills up in the middle of a sync, its write-ahead log with it; then there is room again. */
export const fullDisk: Scenario = {
  name: 'full disk and full log, embedded',
  missing: ({ canMount }) => (canMount ? null : 'mounting a small file system needs root'),
  run: async (_machine, scale) => {
    const rows = Math.ceil(4000 * scale);
    const disk = mkdtempSync(join(tmpdir(), 'tributary-disk-'));
    mount('-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=0700`, 'tmpfs', disk);
    const stage = await Stage.open({ dataDir: disk });
    try {
      const [owner, receiver] = [await stage.owner(), await stage.receiver()];
      receiver.delayMs = 100;
      const sync = await stage.sync(owner, await stage.link(owner, `rows:${rows}`), receiver);
      await deliveries(receiver, 3);
      const asking = new Asking(owner, '/v2/syncs');
      const ballast = fill(disk);
      const end = performance.now() + FULL_MS;
      let made = 0;
      // Writes, so that the log has to grow.
      while (performance.now() < end) {
        const status = await ask(owner, 'POST', '/v2/rulesets', { name: `R${made++}` });
        asking.statuses.set(status, (asking.statuses.get(status) ?? 0) + 1);
        await pause(20);
      }
      rmSync(ballast);
      const recovered = await secondsUntil(60_000, async () => {
        const status = await ask(owner, 'POST', '/v2/rulesets', { name: 'after' });
        return status === 200 || status === 201;
      });
      const done = (await succeeds(owner, sync)) && (await runsAgain(owner, sync));
      await asking.stop();
      if ((asking.statuses.get(503) ?? 0) === 0) throw new Error('the disk did not fill up');
      return {
        faults: 1,
        lost: rows - receiver.rows.size,
        doubled: receiver.duplicates,
        stuck: (done ? 0 : 1) + (recovered === null || recovered > 15 ? 1 : 0),
        errors: asking.errors,
        recoverySeconds: recovered ?? 60,
        remarks: [asking.answers()],
      };
    } finally {
      await stage.close();
      spawnSync('umount', ['--lazy', disk]);
      rmSync(disk, { recursive: true, force: true });
    }
  },
};

/** Whether this machine lets us mount a file system in memory. */
export function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'tributary-disk-'));
  try {
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place]).status === 0;
    if (mounted) spawnSync('umount', [place]);
    return mounted;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function mount(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mount failed: ${stderr}`);
}

/** Writes until nothing more fits. Returns the file to remove. */
function fill(disk: string): string {
  const path = join(disk, 'ballast');
  const file = openSync(path, 'w');
  const block = Buffer.alloc(64 * 1024);
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(disk);
      if (bavail === 0) break;
      writeSync(file, block, 0, Math.min(block.length, bavail * bsize));
    }
  } catch {
    // Full, which is what was wanted.
  } finally {
    closeSync(file);
  }
  return path;
}
