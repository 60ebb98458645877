import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../src/storage/database.ts';
import { Upkeep } from '../../src/storage/upkeep.ts';
import { seedDataDir } from '../support/schema-template.ts';
import { scratchDirectory } from '../support/scratch.ts';

test('large tables that no one has vacuumed are looked for once a minute, and one after the other while there are some', async (t) => {
  const dataDir = await scratchDirectory();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  await seedDataDir(dataDir);
  const { db, close } = await openDatabase({ kind: 'embedded', dataDir });
  t.after(close);
  let now = Date.now();
  const upkeep = new Upkeep(db, { now: () => now });
  const makeLarge = (table: string) =>
    sql`create table ${sql.table(table)} as
      select repeat(md5(row::text), 50) as text from generate_series(1, 2000) as row`.execute(db);
  const vacuumed = async (): Promise<readonly string[]> => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ relname: string }>`
      select relname from pg_stat_user_tables where last_vacuum is not null order by relname`.execute(db);
    return rows.map(({ relname }) => relname);
  };
  await upkeep.round();
  assert.deepEqual(await vacuumed(), []);
  await makeLarge('large_1');
  await makeLarge('large_2');
  now += 2_000;
  await upkeep.round();
  assert.deepEqual(await vacuumed(), [], 'not within the minute');
  now += 58_000;
  await upkeep.round();
  assert.deepEqual(await vacuumed(), ['large_1']);
  now += 2_000;
  await upkeep.round();
  assert.deepEqual(await vacuumed(), ['large_1', 'large_2']);
});
