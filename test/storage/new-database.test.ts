import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ensureDatabase } from '../../src/storage/embedded/new-database.ts';
import { scratchDirectory } from '../support/scratch.ts';

const LINUX = existsSync('/proc/self/stat');

test('A first start that runs out of memory says how much it takes and what else to do, and leaves nothing behind', {
  skip: LINUX ? false : 'finds the process by /proc',
}, async () => {
  const directory = await scratchDirectory();
  const made = ensureDatabase(join(directory, 'database'));
  const refused = assert.rejects(
    made,
    /was killed, as Linux does when memory runs out\. .*set DATABASE_URL/s,
  );
  process.kill(await makerIn(directory), 'SIGKILL');
  await refused;
  assert.deepEqual(
    (await readdir(directory)).filter((name) => name.includes('.new-')),
    [],
  );
});

/** The process that makes a database in this directory. */
async function makerIn(directory: string): Promise<number> {
  for (;;) {
    for (const name of await readdir('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
      if (command.includes('make-database') && command.includes(directory)) return Number(name);
    }
  }
}
