import { createHash } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { readFile, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgresSimulator } from '../../../../sandbox/postgres/server.ts';
import { SCRATCH, scratchDirectory } from '../../../support/scratch.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** What an empty cluster of the simulated server is made from. */
const SOURCES = [
  'package-lock.json',
  'sandbox/postgres/cluster.ts',
  'test/connectors/destinations/postgres/cluster-template.ts',
];
const STATE = 'server.json';

let ready: Promise<string> | null = null;

/**
 * Puts the empty cluster of a simulated server into a directory, and answers its `stateFile`. Making a cluster takes
 * seconds of computing and ends the same every time, so the first test process makes one, and the others copy it.
 */
export async function seedCluster(directory: string): Promise<string> {
  ready ??= findOrMake();
  cpSync(await ready, directory, { recursive: true });
  return join(directory, STATE);
}

async function findOrMake(): Promise<string> {
  const hash = createHash('sha256');
  for (const path of SOURCES) hash.update(`${path}\n`).update(await readFile(join(ROOT, path)));
  const place = join(SCRATCH, `cluster-${hash.digest('hex').slice(0, 16)}`);
  if (!existsSync(place)) await make(place);
  const now = new Date();
  await utimes(place, now, now);
  return place;
}

/** Under another name first: a template that can be seen is whole, and of processes that race one wins. */
async function make(place: string): Promise<void> {
  const draft = await scratchDirectory();
  try {
    const { control, close } = await startPostgresSimulator({ stateFile: join(draft, STATE) });
    // Databases are made from these, and no test makes one: half of all files are theirs.
    await control.execute('update pg_database set datistemplate = false');
    for (const name of ['template0', 'template1']) await control.execute(`drop database ${name}`);
    await control.execute('checkpoint');
    await close();
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
}
