import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packEmptyDatabase } from '../../../src/storage/embedded/empty-database.ts';
import { makeDatabase } from '../../../src/storage/embedded/new-database.ts';

const FIXED_MACHINE = new URL('./fixed-machine.js', import.meta.url);

/** Makes an empty database and its archive at `target`, completely or not at all: the same bytes each time. */
export async function buildEmptyDatabase(target: URL): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'tributary-empty-database-'));
  try {
    await makeDatabase(directory, FIXED_MACHINE);
    await mkdir(new URL('.', target), { recursive: true });
    const draft = `${fileURLToPath(target)}.${process.pid}`;
    await writeFile(draft, packEmptyDatabase(directory));
    await rename(draft, target);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
