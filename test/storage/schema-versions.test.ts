import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { frozenMigrations, migrationSums } from '../../scripts/lib/migration-sums.ts';
import type { OpenDatabase } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrator.ts';
import { explain } from '../../src/surfaces/cli/explain.ts';
import { openTestDatabase } from '../support/database.ts';

test('A merged migration is never edited, renamed or removed', async (t) => {
  const sums = await migrationSums();
  const frozen = await frozenMigrations();
  assert.ok(frozen.size >= 9);
  for (const [name, sum] of frozen) {
    assert.equal(sums.get(name), sum, `${name} was merged: put it back as it was and add a new migration`);
  }
  const open = [...sums.keys()].filter((name) => !frozen.has(name));
  if (open.length > 0) t.diagnostic(`not frozen yet: ${open.join(', ')}; once merged, run: npm run freeze`);
});

test('A database that a newer version has changed is refused, with the name of what is unknown and what to do', async (t) => {
  const { database, db, close } = await openTestDatabase();
  t.after(close);
  await sql`insert into kysely_migration (name, timestamp) values ('0999-from-the-future', '2031-01-01T00:00:00Z')`.execute(
    db,
  );
  const message = await refusal(database);
  assert.match(message, /does not know "0999-from-the-future"\. Start the version that made the change/);
  assert.match(message, /restore the backup made before the upgrade/);
});

test('Tables without the list of what made them are refused', async (t) => {
  const { database, db, close } = await openTestDatabase();
  t.after(close);
  await sql`delete from kysely_migration`.execute(db);
  assert.match(await refusal(database), /no list of the migrations that made it.*Restore it in full/);
});

test('A database from before the first release is refused, with what to do', async (t) => {
  const { database, db, close } = await openTestDatabase();
  t.after(close);
  await sql`update kysely_migration set name = '0001-identity' where name = '0101-identity'`.execute(db);
  assert.match(await refusal(database), /from before the first release.*Start with an empty database/s);
});

async function refusal(database: OpenDatabase): Promise<string> {
  const error: unknown = await migrate(database).then(
    () => null,
    (raised: unknown) => raised,
  );
  const { message, exitCode } = explain(error);
  assert.equal(exitCode, 1);
  return message;
}
