import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { buildEmptyDatabase } from '../../scripts/lib/package/empty-database.ts';
import { EmbeddedPostgres } from '../../src/storage/embedded/embedded-postgres.ts';
import { unpackEmptyDatabase } from '../../src/storage/embedded/empty-database.ts';
import { ensureDatabase } from '../../src/storage/embedded/new-database.ts';
import { scratchDirectory } from '../support/scratch.ts';

const NO_ARCHIVE = new URL('file:///nowhere/empty-database.br');
const LINUX = existsSync('/proc/self/stat');

test('A first start that runs out of memory says how much it takes and what else to do, and leaves nothing behind', {
  skip: LINUX ? false : 'finds the process by /proc',
}, async () => {
  const directory = await scratchDirectory();
  const made = ensureDatabase(join(directory, 'database'), NO_ARCHIVE);
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

test('A database copied from the archive of an empty one opens, and no two of them have the same identity', async (t) => {
  const directory = await scratchDirectory();
  t.after(() => rm(directory, { recursive: true, force: true }));
  const archive = pathToFileURL(join(directory, 'empty-database.br'));
  await buildEmptyDatabase(archive);
  const identities = new Set<unknown>();
  for (const name of ['one', 'two']) {
    const location = join(directory, name);
    await ensureDatabase(location, archive);
    const control = await readFile(join(location, 'global/pg_control'));
    identities.add(control.toString('hex', 257, 289));
    const database = await EmbeddedPostgres.open(location);
    try {
      await database.exec('create table kept (id int); insert into kept values (1)');
      const { rows } = await database.query<{ id: string; checked: string }>(
        `select system_identifier::text as id, current_setting('data_checksums') as checked
         from pg_control_system()`,
      );
      identities.add(rows[0]?.id);
      assert.equal(rows[0]?.checked, 'on');
    } finally {
      await database.close();
    }
    const reopened = await EmbeddedPostgres.open(location);
    assert.deepEqual((await reopened.query('select id from kept')).rows, [{ id: 1 }]);
    await reopened.close();
  }
  assert.equal(identities.size, 4, 'the identifier and the random bytes of each');
});

test('An archive of another version, or one that is damaged, is not used: the database is made instead', async (t) => {
  const directory = await scratchDirectory();
  t.after(() => rm(directory, { recursive: true, force: true }));
  const archive = pathToFileURL(join(directory, 'empty-database.br'));
  await buildEmptyDatabase(archive);
  const packed = await readFile(archive);
  const plain = brotliDecompressSync(packed.subarray(4));
  const changed = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = Buffer.from(plain);
    change(bytes);
    const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
    return Buffer.concat([packed.subarray(0, 4), brotliCompressSync(bytes, quick)]);
  };
  const damaged = {
    'another version': changed((bytes) => void bytes.write('9', bytes.indexOf('"pglite":"') + 10)),
    'cut short': packed.subarray(0, packed.length / 2),
    'no archive': Buffer.from('nothing'),
  };
  for (const [name, bytes] of Object.entries(damaged)) {
    await writeFile(archive, bytes);
    const draft = join(directory, name);
    await mkdir(draft);
    assert.equal(await unpackEmptyDatabase(draft, archive), false, name);
    assert.deepEqual(await readdir(draft), [], name);
  }
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
