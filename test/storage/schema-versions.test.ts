import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { frozenMigrations, migrationSums } from '../../scripts/lib/migration-sums.ts';
import type { Db } from '../../src/storage/database.ts';
import * as identity from '../../src/storage/migrations/0001-identity.ts';
import * as linking from '../../src/storage/migrations/0002-linking.ts';
import * as syncing from '../../src/storage/migrations/0003-syncing.ts';
import * as idempotency from '../../src/storage/migrations/0004-idempotency.ts';
import * as earlierVariants from '../../src/storage/migrations/0008-earlier-variants.ts';
import * as simplefinApps from '../../src/storage/migrations/0029-simplefin-apps.ts';
import * as simplefinDecimals from '../../src/storage/migrations/0043-simplefin-decimals.ts';
import * as simplefinExtra from '../../src/storage/migrations/0048-simplefin-extra.ts';
import { migrate } from '../../src/storage/migrator.ts';
import { explain } from '../../src/surfaces/cli/explain.ts';
import { catalogOf } from '../support/catalog.ts';
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
  const { db, close } = await openTestDatabase();
  t.after(close);
  await sql`insert into kysely_migration (name, timestamp) values ('0999-from-the-future', '2031-01-01T00:00:00Z')`.execute(
    db,
  );
  const message = await refusal(db);
  assert.match(message, /does not know "0999-from-the-future"\. Start the version that made the change/);
  assert.match(message, /restore the backup made before the upgrade/);
});

test('Tables without the list of what made them are refused', async (t) => {
  const { db, close } = await openTestDatabase();
  t.after(close);
  await sql`delete from kysely_migration`.execute(db);
  assert.match(await refusal(db), /no list of the migrations that made it.*Restore it in full/);
});

test('Tables made while early migrations still changed become what these say now', async (t) => {
  const { db, close } = await openTestDatabase();
  t.after(close);
  await inSchema(db, 'as_merged', async (schema) => {
    for (const { up } of [identity, linking, syncing, idempotency]) await up(schema);
  });
  await inSchema(db, 'as_first_written', async (schema) => {
    for (const { up } of [identity, linking, syncing, idempotency]) await up(schema);
    for (const column of [
      'connections.refresh_at',
      'connections.cleaned_at',
      'idempotency_keys.connection',
    ]) {
      const [table = '', name = ''] = column.split('.');
      await sql`alter table ${sql.ref(table)} drop column ${sql.ref(name)}`.execute(schema);
    }
    await sql`drop index idempotency_keys_lease`.execute(schema);
    await sql`alter table delivery_chunks alter column rows set storage extended`.execute(schema);
    await sql`alter table delivery_chunks alter column rows type json using rows::json`.execute(schema);
  });
  const merged = await catalogOf(db, 'as_merged');
  assert.notDeepEqual(await catalogOf(db, 'as_first_written'), merged);
  for (const _again of [1, 2]) await inSchema(db, 'as_first_written', (schema) => earlierVariants.up(schema));
  assert.deepEqual(await catalogOf(db, 'as_first_written'), merged);
});

test('Apps and setup tokens that were made before they had settings, or are made meanwhile by a process of then, are sent exact amounts and every member', async (t) => {
  const { db, close } = await openTestDatabase();
  t.after(close);
  const made = async (schema: Db) => {
    await sql`
      insert into simplefin_setup_tokens (id, account_record, name, token_hash, expires_at, created, updated)
      select gen_random_uuid(), id, 'x', sha256(gen_random_uuid()::text::bytea), now(), now(), now()
      from account_records`.execute(schema);
    await sql`
      insert into simplefin_apps (id, account_record, setup_token, name, credentials_hash, created, updated)
      select gen_random_uuid(), account_record, id, name, token_hash, now(), now()
      from simplefin_setup_tokens on conflict do nothing`.execute(schema);
  };
  await inSchema(db, 'earlier', async (schema) => {
    await identity.up(schema);
    await simplefinApps.up(schema);
    await sql`
      insert into account_records (id, email, plan, status, timezone, caching, created, updated)
      values (gen_random_uuid(), 'a@example.test', 'developer', 'active', 'UTC', true, now(), now())`.execute(
      schema,
    );
    await made(schema);
    await simplefinDecimals.up(schema);
    await made(schema);
    await simplefinExtra.up(schema);
    await made(schema);
  });
  for (const table of ['simplefin_setup_tokens', 'simplefin_apps']) {
    const settings = sql`select two_decimals, leave_out_extra from ${sql.table(`earlier.${table}`)}`;
    const { rows } = await settings.execute(db);
    const usual = { two_decimals: false, leave_out_extra: false };
    assert.deepEqual(rows, [usual, usual, usual], table);
  }
});

async function refusal(db: Db): Promise<string> {
  const error: unknown = await migrate(db).then(
    () => null,
    (raised: unknown) => raised,
  );
  const { message, exitCode } = explain(error);
  assert.equal(exitCode, 1);
  return message;
}

/** Through a migrator, which hands migrations their database as the real one does. */
async function inSchema(db: Db, schema: string, work: Migration['up']): Promise<void> {
  const up: Migration['up'] = async (trx) => {
    await sql`set local search_path to ${sql.id(schema)}`.execute(trx);
    await work(trx);
  };
  calls += 1;
  const migrator = new Migrator({
    db,
    migrationTableSchema: schema,
    migrationTableName: `kysely_${calls}`,
    migrationLockTableName: `kysely_lock_${calls}`,
    provider: { getMigrations: async () => ({ once: { up } }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

let calls = 0;
