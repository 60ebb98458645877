import { mkdirSync, statfsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Room for the databases of some test files at once, 40 MB each. */
const ROOM_BYTES = 2 ** 30;
const MEMORY = '/dev/shm';
const DAY_MS = 86_400_000;

/**
 * Where tests keep what they throw away. A data directory is a thousand files, which a disk takes far longer to write
 * than memory does, so where the machine has a file system in memory with room to spare it is there.
 */
export const SCRATCH = join(
  hasRoom(MEMORY) ? MEMORY : tmpdir(),
  `tributary-tests-${process.getuid?.() ?? 0}`,
);
mkdirSync(SCRATCH, { recursive: true, mode: 0o700 });

function hasRoom(place: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(place);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}

/** A new directory of its own; whoever asks removes it. */
export function scratchDirectory(): Promise<string> {
  return mkdtemp(join(SCRATCH, 'data-'));
}

/** Removes what killed runs and earlier schemas left behind: anything nobody has touched for a day. */
export async function sweepScratch(): Promise<void> {
  for (const name of await readdir(SCRATCH)) {
    const path = join(SCRATCH, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtimeMs < Date.now() - DAY_MS)
      await rm(path, { recursive: true, force: true });
  }
}
