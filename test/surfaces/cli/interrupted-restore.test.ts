import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { copyFile, cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
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

/** A database with one account record, its key, and a copy of both as a restore has them before they take their places. */
async function restoring(t: TestContext) {
  const dataDir = await madeDataDir(t);
  const env = { DATA_DIR: dataDir };
  const made = await tributaryInProcess(['account', 'create', '--email', 'kea@example.test'], env);
  assert.equal(made.code, 0, made.stderr);
  const at = (name: string): string => join(dataDir, name);
  await cp(at('database'), at('database-restored-killed'), { recursive: true });
  await copyFile(at('encryption.key'), at('database-restored-killed.key'));
  return { dataDir, env, at };
}

const databases = (dataDir: string): readonly string[] =>
  readdirSync(dataDir).filter((name) => name.startsWith('database'));

for (const [moment, inPlace] of [
  ['before the restored database is in its place', false],
  ['before its key is in its place', true],
] as const)
  test(`A restore that is killed ${moment} is completed by the next start, with its key`, {
    skip: SKIP,
  }, async (t) => {
    const { dataDir, env, at } = await restoring(t);
    const key = await readFile(at('encryption.key'), 'utf8');
    await rename(at('database'), at('database-before-restore-killed'));
    if (inPlace) await rename(at('database-restored-killed'), at('database'));
    await writeFile(at('encryption.key'), `other:${randomBytes(32).toString('base64')}\n`);
    const { stdout, stderr } = await tributaryInProcess(['account', 'list'], env);
    assert.match(stdout, /kea@example\.test/, stderr);
    assert.equal(await readFile(at('encryption.key'), 'utf8'), key);
    assert.deepEqual(databases(dataDir), ['database', 'database-before-restore-killed']);
  });

test('A restore that is killed before the earlier database is put aside leaves that and its key, and nothing else', {
  skip: SKIP,
}, async (t) => {
  const { dataDir, env, at } = await restoring(t);
  const key = await readFile(at('encryption.key'), 'utf8');
  await writeFile(at('database-restored-killed.key'), `other:${randomBytes(32).toString('base64')}\n`);
  await mkdir(at('database-restored-half-deleted'));
  assert.match((await tributaryInProcess(['account', 'list'], env)).stdout, /kea@example\.test/);
  assert.equal(await readFile(at('encryption.key'), 'utf8'), key);
  assert.deepEqual(databases(dataDir), ['database']);
});

test('No restored database is chosen where several could replace the missing one', {
  skip: SKIP,
}, async (t) => {
  const { dataDir, env, at } = await restoring(t);
  await rename(at('database'), at('database-restored-other'));
  const { code, stderr } = await tributaryInProcess(['account', 'list'], env);
  assert.notEqual(code, 0);
  assert.match(stderr, /several restored ones beside it: .*-killed, .*-other\. Give the right one that name/);
  assert.equal(databases(dataDir).filter((name) => name.includes('restored')).length, 3);
});

test('doctor says that a restore was interrupted, and that a start completes it', {
  skip: SKIP,
}, async (t) => {
  const { env, at } = await restoring(t);
  await rename(at('database'), at('database-before-restore-killed'));
  const { stdout } = await tributaryInProcess(['doctor'], env);
  assert.match(stdout, /warn +storage +a restore was interrupted/, stdout);
  assert.doesNotMatch(stdout, /there is no database yet/);
});
