import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ServedInstallation, serveInstallation } from '../../../src/app/installation.ts';
import { readConfig } from '../../../src/app/read-config.ts';
import { EventLog } from '../../../src/features/events/event-log.ts';
import { createLog } from '../../../src/platform/log.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import type { EventKind } from '../../../src/vocabulary/event-kinds.ts';
import { publicId, rowId } from '../../../src/vocabulary/ids.ts';
import { seedDataDir } from '../../support/schema-template.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { startTributary, tributary } from './run-tributary.ts';

let dataDir = '';
let served: ServedInstallation;

const serve = (): Promise<ServedInstallation> =>
  serveInstallation(readConfig({ DATA_DIR: dataDir, PORT: '0' }), createLog({ level: 'silent' }), true);

before(async () => {
  dataDir = await scratchDirectory();
  await seedDataDir(dataDir);
  served = await serve();
});
after(() => served.close());

/** Something happens to the one account record. Answers the event's id and that of what it is about. */
async function happens(kind: EventKind = 'sync.attention'): Promise<{ id: string; about: string }> {
  const { clock, database, notices, services } = served.running.app;
  const [record] = await services.accountRecords.list();
  assert.ok(record);
  const subject = rowId('sync', newRowId(clock));
  const event = await database.db
    .transaction()
    .execute((trx) => new EventLog({ clock, notices }).record(trx, record.id, kind, subject));
  return { id: publicId('event', event.id), about: publicId('sync', subject) };
}

const tail = (...args: string[]) => startTributary(['events', 'tail', ...args], { DATA_DIR: dataDir });

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!holds()) {
    assert.ok(Date.now() < end, 'it did not come about within a minute');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

test('A tail prints a line for each event since the one named, goes on behind a restart, and ends with 0', async () => {
  const first = await happens();
  const happened = [await happens(), await happens()];
  const { child, ended, stdout, stderr } = tail('--since', first.id);
  await until(() => lines(stdout()).length === 2);
  await served.close();
  await until(() => stderr().includes('unreachable'));
  served = await serve();
  happened.push(await happens());
  await until(() => lines(stdout()).length === 3);
  child.kill('SIGINT');
  const { code, stdout: printed } = await ended;
  assert.equal(code, 0);
  for (const [at, line] of lines(printed).entries()) {
    assert.match(line, new RegExp(`^\\d{4}-\\S+Z  sync\\.attention  ${happened[at]?.about}$`));
  }
});

test('A tail prints the kinds that are asked for, as JSON where that is asked for', async () => {
  const first = await happens();
  await happens();
  const wanted = await happens('sync_run.queued');
  const { child, ended, stdout } = tail(
    '--json',
    '--type',
    'sync_run.*, connection.created',
    '--since',
    first.id,
  );
  await until(() => lines(stdout()).length === 1);
  child.kill('SIGTERM');
  assert.equal((await ended).code, 0);
  assert.equal(JSON.parse(stdout()).id, wanted.id);
});

test('A tail that cannot begin says why', async () => {
  const unknown = await tail('--since', 'evt_nonsense').ended;
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /last_event_id/);
  assert.equal((await tail('--type', 'nonsense').ended).code, 2);
  const nobody = await tributary(['events', 'tail'], { DATA_DIR: await scratchDirectory() });
  assert.equal(nobody.code, 1);
  assert.match(nobody.stderr, /No server runs/);
});
