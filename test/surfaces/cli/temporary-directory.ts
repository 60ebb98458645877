import { rm } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import { seedDataDir } from '../../support/schema-template.ts';
import { scratchDirectory } from '../../support/scratch.ts';

/** A directory that is gone after the test. */
export async function temporaryDirectory(t: TestContext): Promise<string> {
  const directory = await scratchDirectory();
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A data directory as a first start leaves it that no one has used: the database is made, and nothing is in it. */
export async function madeDataDir(t: TestContext): Promise<string> {
  const directory = await temporaryDirectory(t);
  await seedDataDir(directory);
  return directory;
}
