import { mkdirSync, statfsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Room for the databases of some test files at once, 30 MB each. */
const ROOM_BYTES = 2 ** 30;
const MEMORY = '/dev/shm';
const HOUR_MS = 3_600_000;
const DATA = 'data-';

/**
 * Where tests write what they throw away. A data directory is hundreds of files, which a disk takes far longer to write
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

/** A new directory of its own; the caller removes it. */
export function scratchDirectory(): Promise<string> {
  return mkdtemp(join(SCRATCH, DATA));
}

/**
 * Removes what earlier schemas and killed runs left behind: what no one has touched for a day, and of directories, which
 * only a killed run leaves, those older than any run takes.
 */
export async function sweepScratch(): Promise<void> {
  for (const name of await readdir(SCRATCH)) {
    const path = join(SCRATCH, name);
    const keptMs = name.startsWith(DATA) ? 3 * HOUR_MS : 24 * HOUR_MS;
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtimeMs < Date.now() - keptMs)
      await rm(path, { recursive: true, force: true });
  }
}
