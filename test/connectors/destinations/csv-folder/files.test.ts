import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { csvFolderConnector } from '../../../../src/connectors/destinations/csv-folder/connector.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import { takeFileLock } from '../../../../src/platform/file-lock.ts';
import { newRowId } from '../../../../src/platform/row-id.ts';
import { publicId, rowId } from '../../../../src/vocabulary/ids.ts';
import { addDays } from '../../../../src/vocabulary/moments.ts';
import { EPOCH, posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { SOME_KEY } from '../../../support/actors.ts';
import { syncTo } from '../support/linked-world.ts';
import { accessOf, NO_SIGNAL, Scene } from './scene.ts';

after(closeDatabase);

const HOUR_MS = 3_600_000;
const monthOf = (day: number) => addDays(EPOCH, day).slice(0, 7);

/** A folder with rows of one account. */
async function written(rows = [posted(1, { day: 45 }), posted(2, { day: 49 })], columns?: readonly string[]) {
  const scene = await Scene.open();
  const { world, root } = scene;
  const account = world.account();
  world.bank.accounts.set(account, rows);
  const sync = await syncTo(world, scene.destination, [account], columns === undefined ? {} : { columns });
  const run = async () => {
    world.clock.advance(HOUR_MS);
    const { status, added, updated } = await world.run(sync);
    return [status, added, updated];
  };
  const reports = (...next: typeof rows) => world.bank.accounts.set(account, next);
  const text = (path: string) => readFileSync(join(root, path), 'utf8');
  return { scene, account, sync, run, reports, text };
}

describe('the files of a folder', () => {
  test('are one for each account and month, in the folder of the account record, with the exact amounts', async () => {
    const { scene, account, run, text } = await written([
      posted(1, { day: 5, cents: -1 }),
      posted(2, { day: 49, description: '=1+1' }),
    ]);
    assert.deepEqual(await run(), ['succeeded', 2, 0]);
    const own = `${publicId('account_record', scene.world.owner.id)}/Money`;
    const files = scene.files();
    assert.deepEqual(
      files.map((path) => path.slice(path.lastIndexOf('/') + 1)),
      [`${monthOf(5)}.csv`, `${monthOf(49)}.csv`],
    );
    for (const path of files) {
      assert.ok(path.startsWith(`${own}/`), path);
      assert.ok(dirname(path).endsWith(`-${publicId('account', account)}`), path);
    }
    assert.match(text(files[0] ?? ''), /^Transaction ID,Date,Description,Amount,.*\r\n.*,-0\.01,/);
    assert.match(text(files[1] ?? ''), /,'=1\+1,/);
    await scene.world.close();
  });

  test('have the chosen columns in their order, and always the id', async () => {
    const { scene, run, text } = await written([posted(1, { day: 49 })], ['amount', 'date']);
    await run();
    assert.match(text(scene.files()[0] ?? ''), /^Amount,Date,Transaction ID\r\n/);
    await scene.world.close();
  });

  test('keep the columns of a person, with what is in them', async () => {
    const { scene, run, reports, text } = await written([posted(1, { day: 49 })], ['date', 'amount']);
    await run();
    scene.editLines(([, ...rows]) => [
      'Mine,Date,Amount,Mine,Transaction ID',
      ...rows.map((row) => `a,${row.replace(/,([^,]*)$/, ',b,$1')}`),
    ]);
    reports(posted(1, { day: 49, cents: 777 }), posted(2, { day: 49 }));
    assert.deepEqual(await run(), ['succeeded', 1, 1]);
    const lines = text(scene.files()[0] ?? '').split('\r\n');
    assert.equal(lines[0], 'Mine,Date,Amount,Mine,Transaction ID');
    assert.match(lines[1] ?? '', /^a,[\d-]+,7\.77,b,/);
    await scene.world.close();
  });

  test('lose a row whose day moves to another month to the file of that month, and go with their last row', async () => {
    const { scene, sync, run, reports } = await written([posted(1, { day: 49 }), posted(2, { day: 45 })]);
    await run();
    reports(posted(1, { day: 5 }), posted(2, { day: 5 }));
    await scene.world.runs.resync(scene.world.owner.id, sync.row.id, SOME_KEY);
    assert.deepEqual(await run(), ['succeeded', 0, 2]);
    assert.deepEqual(
      scene.files().map((path) => path.slice(-11)),
      [`${monthOf(5)}.csv`],
    );
    assert.equal(scene.rows().length, 2);
    await scene.world.close();
  });

  test('stay where they are when the account gets another name', async () => {
    const { scene, run, reports } = await written([posted(1, { day: 49 })]);
    await run();
    const before = scene.files();
    const { bank } = scene.world;
    scene.world.source = {
      open: async (owner, id) => {
        const opened = await bank.open(owner, id);
        return { ...opened, account: { ...opened.account, name: '../../Renamed / ..' } };
      },
    };
    reports(posted(1, { day: 49 }), posted(2, { day: 49 }));
    assert.deepEqual(await run(), ['succeeded', 1, 0]);
    assert.deepEqual(scene.files(), before);
    await scene.world.close();
  });

  test('that no one can read are left as they are, and the run says which', async () => {
    const { scene, sync, reports, text } = await written([posted(1, { day: 49 })]);
    scene.world.clock.advance(HOUR_MS);
    await scene.world.run(sync);
    scene.editLines((lines) => lines.map((line) => line.replaceAll(',', ';')));
    const [path = ''] = scene.files();
    const before = text(path);
    reports(posted(1, { day: 49, cents: 5 }));
    scene.world.clock.advance(HOUR_MS);
    const ended = await scene.world.run(sync);
    assert.deepEqual([ended.status, ended.failure], ['failed', 'run_failed']);
    assert.equal(text(path), before);
    await scene.world.close();
  });
});

describe('nothing outside the folder of the account record', () => {
  test('is written or read through a link instead of a folder or a file', async () => {
    const { scene, sync, run, reports, text } = await written([posted(1, { day: 49 })]);
    await run();
    const [path = ''] = scene.files();
    const outside = join(scene.root, 'outside');
    for (const place of [path, dirname(path), dirname(dirname(path))]) {
      const at = join(scene.root, place);
      renameSync(at, outside);
      symlinkSync(outside, at);
      const before = text(path);
      reports(posted(1, { day: 49, cents: 12 }), posted(2, { day: 49 }));
      scene.world.clock.advance(HOUR_MS);
      const ended = await scene.world.run(sync);
      assert.deepEqual([ended.status, ended.failure], ['failed', 'run_failed'], place);
      assert.equal(text(path), before, place);
      rmSync(at);
      renameSync(outside, at);
    }
    assert.deepEqual(await run(), ['succeeded', 1, 1]);
    await scene.world.close();
  });

  test('is a target, whatever its name', async () => {
    const scene = await Scene.open();
    const { connector, world, root } = scene;
    const other = rowId('account_record', newRowId(world.clock));
    const access = accessOf(world.owner.id);
    const wanted = {
      again: false,
      parent: null,
      target: null,
      type: 'transactions',
      mappingMode: 'bulk',
    } as const;
    await connector.create?.(
      accessOf(other),
      { ...wanted, key: 'k', name: 'Theirs', accounts: [] },
      NO_SIGNAL,
    );
    const theirs = publicId('account_record', other);
    assert.ok(existsSync(join(root, theirs, 'Theirs')));
    const names = [
      'Theirs',
      '..',
      '.',
      '',
      `../${theirs}/Theirs`,
      join(root, theirs, 'Theirs'),
      '.tributary',
      'a\0b',
      'a\\b',
    ];
    for (const folder of names) {
      const question = { target: { folder }, places: [], categories: [] };
      assert.equal((await connector.checkTarget?.(access, question, NO_SIGNAL))?.part, 'target', folder);
    }
    const query = { type: 'folder', parent: null, limit: 10 } as const;
    const listed = await connector.resources?.list(access, query, NO_SIGNAL);
    assert.deepEqual(
      listed?.map(({ name }) => name),
      ['Money'],
    );
    await world.close();
  });
});

describe('a folder that is made', () => {
  const wanted = {
    parent: null,
    target: null,
    type: 'transactions',
    mappingMode: 'bulk',
    accounts: [],
  } as const;

  test('is made once under a key, and gets another name where one is taken', async () => {
    const scene = await Scene.open();
    const { connector, world } = scene;
    const make = async (key: string, name: string, again: boolean) =>
      (await connector.create?.(accessOf(world.owner.id), { ...wanted, key, name, again }, NO_SIGNAL))?.target
        .folder;
    assert.equal(await make('two', 'Money', false), 'Money 2');
    assert.equal(await make('two', 'Money', true), 'Money 2');
    assert.equal(await make('three', '../../etc/passwd', false), 'etc passwd');
    assert.equal(await make('four', '///', false), 'Tributary');
    scene.changes.fail(0, 'during');
    await assert.rejects(make('five', 'Half', false), { outcome: 'unknown' });
    assert.equal(await make('five', 'Half', true), 'Half');
    await world.close();
  });

  test('is refused where the folder of the operator is missing', async () => {
    const connector = csvFolderConnector({ root: '/nonexistent-csv-folder', clock: systemClock });
    const owner = rowId('account_record', newRowId(systemClock));
    await assert.rejects(async () => connector.signIn?.check(owner, '', NO_SIGNAL), {
      situation: 'server_error',
    });
  });
});

describe('a folder that another writes to', () => {
  test('is written to when that one is done', async () => {
    const { scene, run, reports } = await written([posted(1, { day: 49 })]);
    await run();
    const target = join(scene.root, dirname(dirname(scene.files()[0] ?? '')));
    const lock = await takeFileLock(join(target, '.tributary', 'lock'));
    assert.ok(lock !== null);
    reports(posted(1, { day: 49 }), posted(2, { day: 49 }));
    const running = run();
    setTimeout(() => lock.release(), 300);
    assert.deepEqual(await running, ['succeeded', 1, 0]);
    await scene.world.close();
  });

  test('loses what a process left half written', async () => {
    const { scene, run, reports } = await written([posted(1, { day: 49 })]);
    await run();
    const folder = join(scene.root, dirname(scene.files()[0] ?? ''));
    const left = join(folder, '.2026-01.csv.0123456789ab.tmp');
    writeFileSync(left, 'half');
    mkdirSync(join(folder, 'notes'));
    reports(posted(1, { day: 49 }), posted(2, { day: 49 }));
    assert.deepEqual(await run(), ['succeeded', 1, 0]);
    assert.deepEqual([existsSync(left), existsSync(join(folder, 'notes'))], [false, true]);
    await scene.world.close();
  });
});
