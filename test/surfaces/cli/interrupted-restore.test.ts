import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { copyFile, cp, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startTributary, tributaryInProcess } from './run-tributary.ts';
import { madeDataDir, temporaryDirectory } from './temporary-directory.ts';

const SKIP = process.env.DATABASE_URL === undefined ? false : 'backups are of the embedded database';

const drafts = (dataDir: string): readonly string[] =>
  readdirSync(dataDir).filter((name) => name.startsWith('database.new-'));

/** A backup, and a restore of it over the database that was backed up, with its draft just begun. */
async function begun(t: TestContext) {
  const [dataDir, place] = [await madeDataDir(t), await temporaryDirectory(t)];
  const [file, passphrase] = [join(place, 'backup.age'), join(place, 'passphrase')];
  await writeFile(passphrase, 'correct horse battery staple\n');
  const env = { DATA_DIR: dataDir };
  const made = await tributaryInProcess(['backup', file, '--passphrase-file', passphrase], env);
  assert.equal(made.code, 0, made.stderr);
  const command = ['restore', file, '--passphrase-file', passphrase, '--replace'];
  const { child, ended } = startTributary(command, env);
  t.after(() => child.kill('SIGKILL'));
  while (drafts(dataDir).length === 0 && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 1));
  return { dataDir, env, command, child, ended };
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`A restore that is ended by ${signal} leaves no copy of the database, and the one that was there`, {
    skip: SKIP,
  }, async (t) => {
    const { dataDir, env, child, ended } = await begun(t);
    child.kill(signal);
    const { code, stderr } = await ended;
    assert.deepEqual([code, stderr], [1, 'The restore was stopped. Nothing was changed.\n']);
    assert.deepEqual(
      readdirSync(dataDir).filter((name) => name.startsWith('database')),
      ['database'],
    );
    assert.equal((await tributaryInProcess(['account', 'list'], env)).code, 0);
  });

test('The copy that a killed restore leaves is deleted by the next start, and by the next restore', {
  skip: SKIP,
}, async (t) => {
  const { dataDir, env, command, child, ended } = await begun(t);
  child.kill('SIGKILL');
  await ended;
  assert.equal(drafts(dataDir).length, 1);
  assert.equal((await tributaryInProcess(['account', 'list'], env)).code, 0);
  assert.deepEqual(drafts(dataDir), []);

  const left = join(dataDir, 'database.new-killed');
  await mkdir(left);
  await copyFile(join(dataDir, 'database/PG_VERSION'), join(left, 'PG_VERSION'));
  // Refused, which is after it has tidied up.
  const refused = await tributaryInProcess(
    command.filter((word) => word !== '--replace'),
    env,
  );
  assert.match(refused.stderr, /There is a database/);
  assert.deepEqual(drafts(dataDir), []);
});

test('A restore that is killed while the databases change places is completed by the next start', {
  skip: SKIP,
}, async (t) => {
  const dataDir = await madeDataDir(t);
  const env = { DATA_DIR: dataDir };
  const made = await tributaryInProcess(['account', 'create', '--email', 'kea@example.test'], env);
  assert.equal(made.code, 0, made.stderr);
  const [database, restored] = ['database', 'database-restored-killed'].map((name) => join(dataDir, name));
  assert.ok(database !== undefined && restored !== undefined);
  await cp(database, restored, { recursive: true });
  await rename(database, join(dataDir, 'database-before-restore-killed'));
  const { stdout } = await tributaryInProcess(['account', 'list'], env);
  assert.match(stdout, /kea@example\.test/);
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.startsWith('database')),
    ['database', 'database-before-restore-killed'],
  );
});
