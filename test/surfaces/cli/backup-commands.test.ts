import assert from 'node:assert/strict';
import { copyFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { main } from '../../../src/app/command-line.ts';
import { requireBackupHere } from '../../../src/surfaces/cli/commands/installation.ts';
import { seedDataDir } from '../../support/schema-template.ts';
import { scratchDirectory } from '../../support/scratch.ts';

const SKIP = process.env.DATABASE_URL === undefined ? false : 'backups are of the embedded database';

async function tributary(dataDir: string, ...args: readonly string[]) {
  let shown = '';
  const write = (text: string): void => {
    shown += text;
  };
  const code = await main(args, { DATA_DIR: dataDir, LOG_LEVEL: 'silent' }, undefined, {
    out: write,
    error: write,
  });
  return { code, shown };
}

test('a shell backs up a database that is closed, and restores it over another', {
  skip: SKIP,
}, async (t) => {
  const [dataDir, place] = [await scratchDirectory(), await scratchDirectory()];
  t.after(async () => {
    for (const one of [dataDir, place]) await rm(one, { recursive: true, force: true });
  });
  await seedDataDir(dataDir);
  const [file, passphrase] = [join(place, 'backup.age'), join(place, 'passphrase')];
  await writeFile(passphrase, 'correct horse battery staple\n');
  const created = await tributary(dataDir, 'account', 'create', '--email', 'kea@example.test');
  assert.equal(created.code, 0, created.shown);

  const unnamed = await tributary(dataDir, 'backup', file);
  assert.equal(unnamed.code, 2);
  assert.match(unnamed.shown, /--passphrase-file/);
  const made = await tributary(dataDir, 'backup', file, '--passphrase-file', passphrase);
  assert.equal(made.code, 0, made.shown);
  assert.match(made.shown, /encryption key is not in it/);

  const refused = await tributary(dataDir, 'restore', file, '--passphrase-file', passphrase);
  assert.equal(refused.code, 1);
  assert.match(refused.shown, /^There is a database in [^\n]*\n$/);
  const restored = await tributary(dataDir, 'restore', file, '--passphrase-file', passphrase, '--replace');
  assert.equal(restored.code, 0, restored.shown);
  const list = await tributary(dataDir, 'account', 'list');
  assert.match(list.shown, /kea@example\.test/);
});

test('a backup that the service wrote into a folder of its own, which the shell does not see, is a failure', {
  skip: SKIP,
}, async (t) => {
  const [dataDir, place] = [await scratchDirectory(), await scratchDirectory()];
  t.after(async () => {
    for (const one of [dataDir, place]) await rm(one, { recursive: true, force: true });
  });
  await seedDataDir(dataDir);
  const [file, passphrase] = [join(place, 'backup.age'), join(place, 'passphrase')];
  await writeFile(passphrase, 'correct horse battery staple\n');
  const made = await tributary(dataDir, 'backup', file, '--json', '--passphrase-file', passphrase);
  assert.equal(made.code, 0, made.shown);
  const result = JSON.parse(made.shown);
  await requireBackupHere(result);
  const { inode, ...earlier } = result;
  assert.match(inode, /^\d+:\d+$/);
  const unseen = /this shell does not see it.*Name a file in its data directory/;
  await copyFile(file, `${file}.other`);
  await rename(`${file}.other`, file);
  await assert.rejects(requireBackupHere(result), unseen);
  await rm(file);
  await assert.rejects(requireBackupHere(result), unseen);
  // A running service of an earlier version does not say where it wrote.
  await requireBackupHere(earlier);
});
