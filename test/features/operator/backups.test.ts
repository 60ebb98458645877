import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { readConfig } from '../../../src/app/read-config.ts';
import { unpackBackup } from '../../../src/features/operator/backup-file.ts';
import { Backups, identifierIn } from '../../../src/features/operator/backups.ts';
import { restoreBackup } from '../../../src/features/operator/restore.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { newKeyEntry } from '../../../src/platform/keyring.ts';
import { createLog } from '../../../src/platform/log.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { databaseIdentifier } from '../../../src/storage/embedded/empty-database.ts';
import { ensureDatabase } from '../../../src/storage/embedded/new-database.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { startService, type TestService } from '../../support/service.ts';

const PASSPHRASE = 'correct horse battery staple';
const signal = AbortSignal.timeout(300_000);
const SKIP = process.env.DATABASE_URL === undefined ? false : 'backups are of the embedded database';

describe('a backup of the embedded database', { skip: SKIP }, () => {
  let service: TestService;
  let place = '';
  let file = '';

  before(async () => {
    place = await scratchDirectory();
    service = await startService();
    file = join(place, 'first.tar.gz.age');
  });
  after(async () => {
    await service.close();
    await rm(place, { recursive: true, force: true });
  });

  const emptyInstallation = async (key: boolean): Promise<string> => {
    const dataDir = await scratchDirectory();
    if (key) await copyFile(join(service.dataDir, 'encryption.key'), join(dataDir, 'encryption.key'));
    return dataDir;
  };
  const restore = (
    dataDir: string,
    more: { passphrase?: string; replace?: boolean; file?: string; keys?: string } = {},
  ) =>
    restoreBackup(readConfig({ DATA_DIR: dataDir }), {
      file,
      passphrase: PASSPHRASE,
      replace: false,
      keys: undefined,
      ...more,
    });
  const emailsIn = async (dataDir: string): Promise<readonly string[]> => {
    const database = await openDatabase({ kind: 'embedded', dataDir });
    const { rows } = await sql<{ email: string }>`select email from account_records`.execute(database.db);
    await database.close();
    return rows.map(({ email }) => email);
  };

  test('has what was committed before it, and no half of what is written meanwhile', async () => {
    const { db } = service.app.database;
    const { record } = await service.owner();
    await sql`create table written (pair int, half int, filler text default repeat('x', 400))`.execute(db);
    let over = false;
    let pairs = 0;
    const writing = (async () => {
      for (; !over; pairs++)
        await sql`insert into written (pair, half) select ${pairs}::int, half from generate_series(1, 20) half`.execute(
          db,
        );
    })();
    while (pairs === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const before = pairs;
    await service.app.operator.backups.create(file, PASSPHRASE, signal);
    over = true;
    await writing;
    assert.ok(pairs > before, 'statements went on');

    const dataDir = await emptyInstallation(true);
    const { left } = await restore(dataDir);
    assert.equal(left, null);
    assert.ok((await emailsIn(dataDir)).includes(record.email));
    const copy = await openDatabase({ kind: 'embedded', dataDir });
    const { rows } = await sql<{ halves: number }>`
      select count(*)::int as halves from written group by pair`.execute(copy.db);
    assert.ok(rows.length >= before && rows.length <= pairs);
    assert.ok(rows.every(({ halves }) => halves === 20));
    await copy.close();
    await rm(dataDir, { recursive: true });
  });

  test('shows nothing of the database, and nothing is left of its copy', async () => {
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const bytes = readFileSync(file);
    assert.ok(bytes.subarray(0, 21).toString() === 'age-encryption.org/v1');
    assert.ok(!bytes.includes('@example.test'));
    assert.deepEqual(
      readdirSync(service.dataDir).filter((name) => name.startsWith('.backup-')),
      [],
    );
  });

  test('holds the database alone: no key, and no secret of a first start', async () => {
    const opened = await scratchDirectory();
    await unpackBackup(file, opened, PASSPHRASE);
    assert.deepEqual(readdirSync(opened).toSorted(), ['backup.json', 'database']);
    await rm(opened, { recursive: true });
  });

  test('is not written over another file, nor with a passphrase that can be guessed', async () => {
    const { backups } = service.app.operator;
    await assert.rejects(backups.create(file, PASSPHRASE, signal), /exists already/);
    await assert.rejects(backups.create(join(place, 'b'), 'short', signal), /at least 12 characters/);
    await assert.rejects(backups.create(join(place, 'no', 'b'), PASSPHRASE, signal), /There is no folder/);
    const both = [join(place, 'c'), join(place, 'd')].map((path) => backups.create(path, PASSPHRASE, signal));
    const results = await Promise.allSettled(both);
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  });

  test('is restored completely or not at all', async () => {
    const dataDir = await emptyInstallation(true);
    await assert.rejects(restore(dataDir, { passphrase: 'another passphrase' }), /passphrase is another/);
    const torn = join(place, 'torn');
    await writeFile(torn, readFileSync(file).subarray(0, statSync(file).size - 1000));
    await assert.rejects(restore(dataDir, { file: torn }), /damaged or incomplete/);
    await writeFile(join(place, 'text'), 'not a backup');
    await assert.rejects(restore(dataDir, { file: join(place, 'text') }), /is not a backup/);
    const without = await emptyInstallation(false);
    await assert.rejects(restore(without), /encryption\.key is missing/);
    for (const one of [dataDir, without]) {
      assert.deepEqual(
        readdirSync(one).filter((name) => name.startsWith('database')),
        [],
      );
      await rm(one, { recursive: true });
    }
  });

  test('replaces a database only if told to, and leaves that one beside it', async () => {
    const dataDir = await emptyInstallation(true);
    await restore(dataDir);
    await assert.rejects(restore(dataDir), /There is a database/);
    const { left } = await restore(dataDir, { replace: true });
    assert.ok(left !== null && existsSync(join(left, 'PG_VERSION')));
    assert.ok((await emailsIn(dataDir)).length > 0);
    await rm(dataDir, { recursive: true });
  });

  test('is restored with a copy of its key file, and the key file that was there is kept', async () => {
    const own = readFileSync(join(service.dataDir, 'encryption.key'), 'utf8');
    const dataDir = await emptyInstallation(false);
    const keyFile = join(dataDir, 'encryption.key');
    assert.equal((await restore(dataDir, { keys: own })).leftKey, null);
    assert.deepEqual([readFileSync(keyFile, 'utf8'), statSync(keyFile).mode & 0o777], [own, 0o600]);
    assert.equal(
      (await restore(dataDir, { keys: own.trim(), replace: true })).leftKey,
      null,
      'it is the same',
    );

    // As after a rotation: the copy is older than the key file.
    const rotated = `${newKeyEntry()}\n${own}`;
    await writeFile(keyFile, rotated, { mode: 0o644 });
    const before = readdirSync(dataDir);
    for (const keys of [newKeyEntry(), '', 'not a key'])
      await assert.rejects(restore(dataDir, { keys, replace: true }), /copy of the key file/);
    const env = { DATA_DIR: dataDir, ENCRYPTION_KEY: newKeyEntry() };
    const options = { file, passphrase: PASSPHRASE, replace: true, keys: own };
    await assert.rejects(restoreBackup(readConfig(env), options), /ENCRYPTION_KEY is set/);
    assert.deepEqual([readdirSync(dataDir), readFileSync(keyFile, 'utf8')], [before, rotated]);

    const { leftKey } = await restore(dataDir, { keys: own, replace: true });
    assert.match(leftKey ?? '', /\/encryption\.key-before-restore-\d{8}T\d{9}Z$/);
    assert.deepEqual(
      [readFileSync(leftKey ?? '', 'utf8'), statSync(leftKey ?? '').mode & 0o777],
      [rotated, 0o600],
    );
    assert.equal(readFileSync(keyFile, 'utf8'), own);
    assert.ok((await emailsIn(dataDir)).length > 0);
    await rm(dataDir, { recursive: true });
  });

  test('is made when one is due, and the oldest are deleted', async () => {
    const clock = new SimulatedClock(Date.parse('2026-11-29T01:00:00Z'));
    const id = await identifierIn(service.dataDir);
    const folder = join(place, 'scheduled');
    const backups = new Backups({
      database: service.app.database,
      config: {
        dataDir: service.dataDir,
        backups: { folder, passphrase: PASSPHRASE, everyHours: 24, keep: 2 },
      },
      clock,
      log: createLog({ level: 'silent' }),
    });
    for (const hours of [0, 1, 23, 24]) {
      clock.advance(hours * 3_600_000);
      await backups.scheduled(signal);
    }
    assert.deepEqual(readdirSync(folder), [
      `tributary-${id}-20261130T010000Z.tar.gz.age`,
      `tributary-${id}-20261201T010000Z.tar.gz.age`,
    ]);
    // Backups of a clock that was wrong neither keep others from being made nor push them out.
    await writeFile(join(folder, `tributary-${id}-20360101T010000Z.tar.gz.age`), '');
    await writeFile(join(folder, `tributary-${id}-20261201T000000Z.tar.gz.age.partial`), '');
    for (const hours of [1, 23]) {
      clock.advance(hours * 3_600_000);
      await backups.scheduled(signal);
    }
    assert.deepEqual(readdirSync(folder), [
      `tributary-${id}-20261201T010000Z.tar.gz.age`,
      `tributary-${id}-20261202T010000Z.tar.gz.age`,
      `tributary-${id}-20360101T010000Z.tar.gz.age`,
    ]);
    clock.advance(60_000);
    assert.equal(await backups.age(), 60);
  });

  test('of another installation with the same folder neither counts nor is deleted, nor is what it is writing', async () => {
    const clock = new SimulatedClock(Date.parse('2026-11-29T01:00:00Z'));
    const folder = join(place, 'shared');
    await mkdir(folder);
    // The other one has a database of its own, and was quicker.
    const other = join(place, 'other');
    await ensureDatabase(other);
    const [own, theirs] = [await identifierIn(service.dataDir), await databaseIdentifier(other)];
    assert.notEqual(own, theirs);
    const left = [
      `tributary-${theirs}-20261129T000000Z.tar.gz.age`,
      `tributary-${theirs}-20261129T003000Z.tar.gz.age`,
      `tributary-${theirs}-20261129T010000Z.tar.gz.age.partial`,
      'tributary-20261128T000000Z.tar.gz.age',
    ];
    for (const name of left) await writeFile(join(folder, name), '');
    const backups = new Backups({
      database: service.app.database,
      config: {
        dataDir: service.dataDir,
        backups: { folder, passphrase: PASSPHRASE, everyHours: 24, keep: 1 },
      },
      clock,
      log: createLog({ level: 'silent' }),
    });
    await backups.scheduled(signal);
    const first = `tributary-${own}-20261129T010000Z.tar.gz.age`;
    assert.deepEqual(readdirSync(folder).toSorted(), [...left, first].toSorted());
    assert.equal(await backups.age(), 0);
    clock.advance(24 * 3_600_000);
    await backups.scheduled(signal);
    const second = `tributary-${own}-20261130T010000Z.tar.gz.age`;
    assert.deepEqual(readdirSync(folder).toSorted(), [...left, second].toSorted());
  });

  test('fails if the process that packs it cannot be started, and leaves nothing', async () => {
    const { execPath } = process;
    const unpacked = join(place, 'unpacked.age');
    process.execPath = join(place, 'no-program');
    try {
      const refused = service.app.operator.backups.create(unpacked, PASSPHRASE, signal);
      await assert.rejects(refused, /Failed to write unpacked\.age: .*ENOENT/);
    } finally {
      process.execPath = execPath;
    }
    assert.deepEqual(
      readdirSync(service.dataDir).filter((name) => name.startsWith('.backup-')),
      [],
    );
    await service.app.operator.backups.create(unpacked, PASSPHRASE, signal);
  });

  test('that was never made is as late as the database is old, though its folder cannot be made', async () => {
    const clock = new SimulatedClock(statSync(join(service.dataDir, 'database/PG_VERSION')).mtimeMs);
    const blocked = join(place, 'blocked');
    await writeFile(blocked, 'a file where the folder belongs');
    const backups = new Backups({
      database: service.app.database,
      config: {
        dataDir: service.dataDir,
        backups: { folder: join(blocked, 'backups'), passphrase: PASSPHRASE, everyHours: 24, keep: 2 },
      },
      clock,
      log: createLog({ level: 'silent' }),
    });
    clock.advance(3 * 86_400_000);
    assert.equal(await backups.age(), 3 * 86_400);
    await assert.rejects(backups.scheduled(signal), /ENOTDIR/);
    // The next attempt is an hour later.
    await backups.scheduled(signal);
    clock.advance(3_600_000);
    await assert.rejects(backups.scheduled(signal), /ENOTDIR/);
  });
});
