import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { deleteStaleRows } from '../../../src/storage/delivery-streams.ts';
import { Upkeep } from '../../../src/storage/upkeep.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { SOME_KEY } from '../../support/actors.ts';
import type { TestDatabase } from '../../support/database.ts';
import { seedDataDir } from '../../support/schema-template.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { posted } from './support/bank.ts';
import { World } from './support/world.ts';

/** The embedded database, also where others run on a Postgres server, which does all this on its own. */
let dataDir: string;
let database: TestDatabase;
let upkeep: Upkeep;
let world: World;
let neighbour: World;

before(async () => {
  dataDir = await scratchDirectory();
  await seedDataDir(dataDir);
  const opened = await openDatabase({ kind: 'embedded', dataDir });
  database = { database: opened, db: opened.db, close: () => opened.close() };
  // A minute passes between any two looks.
  let now = Date.now();
  upkeep = new Upkeep(database.db, { now: () => (now += 61_000) });
  world = await World.open({ database });
  neighbour = await World.open({ database });
  world.bank.pageSize = 2_000;
});

after(async () => {
  await world.close();
  await neighbour.close();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** What a service does every two seconds, as often as there is something to do. */
async function settle(): Promise<void> {
  for (let round = 0; round < 8; round++) await upkeep.round();
}

async function tableBytes(): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_total_relation_size('delivery_ledger') + pg_total_relation_size('delivery_chunks') as bytes`.execute(
    database.db,
  );
  return rows[0]?.bytes ?? assert.fail();
}

function bytesOf(folder = 'database'): number {
  const place = join(dataDir, folder);
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

async function entriesOf(streams: readonly number[]): Promise<number> {
  const { count } = await database.db
    .selectFrom('delivery_ledger')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('stream', 'in', streams)
    .executeTakeFirstOrThrow();
  return count;
}

async function streamsOf(sync: Sync): Promise<number[]> {
  const streams = await database.db
    .selectFrom('delivery_streams')
    .select('id')
    .where('sync', '=', sync.row.id)
    .execute();
  return streams.map((stream) => stream.id);
}

/** Ids as banks have them. */
const digest = (number: number): string => `txn_fk_bank_tx_${number.toString(16).padStart(64, '0')}`;
const rows = (count: number): Transaction[] =>
  Array.from({ length: count }, (_, number) => posted(number, { id: digest(number) }));

const ROWS = 30_000;
let sync: Sync;

test('a resync of 30,000 rows takes the room of its rows again, and further ones take none', async () => {
  const account = world.account();
  world.bank.accounts.set(account, rows(ROWS));
  sync = await world.sync([account]);
  const run = await world.run(sync);
  assert.deepEqual([run.status, run.failure, run.added], ['succeeded', null, ROWS]);
  await settle();
  const first = { tables: await tableBytes(), directory: bytesOf() };
  assert.ok(first.tables < 125 * ROWS, `${first.tables} bytes for ${ROWS} rows`);
  const sizes: number[] = [];
  for (let resync = 1; resync <= 4; resync++) {
    await world.runs.resync(world.owner.id, sync.row.id, SOME_KEY);
    const again = await world.run(sync);
    assert.deepEqual([again.added, again.updated], [0, ROWS]);
    await settle();
    sizes.push(await tableBytes());
  }
  const [once = 0] = sizes;
  assert.ok(once <= 2 * first.tables, `${once} after ${first.tables}`);
  assert.ok((sizes.at(-1) ?? 0) <= 1.1 * once, sizes.join());
  assert.ok(bytesOf() <= 1.3 * first.directory, `${bytesOf()} after ${first.directory}`);
});

test('the write-ahead log stays small, however much was written', async () => {
  const { rows: written } = await sql<{ bytes: number }>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as bytes`.execute(database.db);
  assert.ok((written[0]?.bytes ?? 0) > 64 * 2 ** 20, 'enough was written to tell');
  assert.ok(bytesOf('database/pg_wal') <= 48 * 2 ** 20, String(bytesOf('database/pg_wal')));
});

test('deleting a large sync gives its room back, and leaves the rows of others', async () => {
  const account = neighbour.account();
  neighbour.bank.accounts.set(account, rows(10));
  const other = await neighbour.sync([account]);
  await neighbour.run(other);
  const streams = await streamsOf(sync);
  assert.equal(await entriesOf(streams), ROWS);
  const before = await tableBytes();

  await world.destinations.delete(world.owner.id, sync.destination.id);
  while (await deleteStaleRows(database.db, null));
  await settle();

  assert.equal(await entriesOf(streams), 0);
  assert.equal(await entriesOf(await streamsOf(other)), 10);
  assert.deepEqual(await database.db.selectFrom('stale_streams').selectAll().execute(), []);
  assert.ok((await tableBytes()) < before / 2, `${await tableBytes()} of ${before}`);
  const again = await neighbour.run(other);
  assert.deepEqual([again.status, again.added, again.updated], ['succeeded', 0, 0]);
});
