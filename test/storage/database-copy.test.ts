import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  sql,
  ValueNode,
} from 'kysely';
import { systemClock } from '../../src/platform/clock.ts';
import { type Db, type OpenDatabase, openDatabase } from '../../src/storage/database.ts';
import { CopyRefused, copyDatabase } from '../../src/storage/database-copy.ts';
import { CONNECTION_CLEANUP } from '../../src/storage/job-queues.ts';
import { Jobs } from '../../src/storage/jobs.ts';
import { firstKeyCheck } from '../../src/storage/key-checks.ts';
import { existingPlaces } from '../../src/storage/sealed-values.ts';
import { rowId } from '../../src/vocabulary/ids.ts';
import { createServerDatabase, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { seedDataDir } from '../support/schema-template.ts';
import { scratchDirectory } from '../support/scratch.ts';

const RECORDS = 2_500;

/** Every row of every table of the service, as Postgres prints it. */
async function contents(db: Db): Promise<Map<string, string[]>> {
  const tables = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = (select oid from pg_namespace where nspname = current_schema()) and relkind = 'r' and relname not like 'kysely%'
    order by relname`.execute(db);
  const all = new Map<string, string[]>();
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(line)::text as row from ${sql.table(name)} as line order by 1`.execute(db);
    all.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return all;
}

/** Whose clean-up is queued, by how far it has come. */
const CONNECTIONS = {
  waiting: rowId('connection', '00000000-0000-7000-8000-00000000000a'),
  begun: rowId('connection', '00000000-0000-7000-8000-00000000000b'),
  done: rowId('connection', '00000000-0000-7000-8000-00000000000c'),
};

/** The characters of the largest value that a statement of the copy sends, and how many rows it inserts at most. */
class Sent implements KyselyPlugin {
  characters = 0;

  transformQuery({ node }: PluginTransformQueryArgs): PluginTransformQueryArgs['node'] {
    if (node.kind === 'RawNode')
      for (const part of node.parameters)
        if (ValueNode.is(part) && typeof part.value === 'string')
          this.characters = Math.max(this.characters, part.value.length);
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<PluginTransformResultArgs['result']> {
    return result;
  }
}

const PIECES = 60;
const PIECE_BYTES = 256 * 1024;

describe('moving to another database', () => {
  let from: OpenDatabase;
  let to: TestDatabase;
  before(async () => {
    const directory = await scratchDirectory();
    await seedDataDir(directory);
    from = await openDatabase({ kind: 'embedded', dataDir: directory });
    await fill(from);
    to = await openTestDatabase();
    // The command that copies has opened the target with its key before.
    await firstKeyCheck(to.db, 'primary', Buffer.from('the target'));
    await firstKeyCheck(from.db, 'primary', Buffer.from('the source'));
  });
  after(async () => {
    await from.close();
    await to.close();
  });

  test('copies every row of every table and every job that has not ended, and numbers go on after the highest', async () => {
    const sent = new Sent();
    const copied = await copyDatabase(from, { ...to.database, db: to.db.withPlugin(sent) });
    assert.equal(copied.find(({ table }) => table === 'document_pieces')?.rows, PIECES);
    // All pieces together have seven times as much.
    assert.ok(sent.characters > 1_000_000 && sent.characters < 4_400_000, `${sent.characters}`);
    assert.equal(copied.find(({ table }) => table === 'account_records')?.rows, RECORDS);
    assert.equal(copied.find(({ table }) => table === 'jobs')?.rows, 2);
    assert.deepEqual(await contents(to.db), await contents(from.db));
    const { rows } = await sql<{ id: number }>`
      insert into delivery_streams (sync, account)
      select id, gen_random_uuid() from syncs limit 1 returning id`.execute(to.db);
    assert.equal(rows[0]?.id, 8);
    const jobs = await sql<{ payload: unknown }>`
      select payload from jobs where queue = 'connection-cleanup' order by payload`.execute(to.db);
    assert.deepEqual(
      jobs.rows.map(({ payload }) => payload),
      [{ connection: CONNECTIONS.waiting }, { connection: CONNECTIONS.begun }],
    );
  });

  test('refuses a database that is not empty, and changes nothing in it', async () => {
    const before = await contents(to.db);
    await assert.rejects(copyDatabase(from, to.database), CopyRefused);
    assert.deepEqual(await contents(to.db), before);
  });

  test('reaches a schema whose name has capitals and a dot, in which sealed columns are found as well', async (t) => {
    const server = await createServerDatabase();
    if (server === null) return t.skip('DATABASE_URL is not set');
    t.after(() => server.drop());
    const name = new URL(server.url).pathname.slice(1);
    const admin = await openDatabase({ kind: 'postgres', url: server.url });
    await sql`alter schema public rename to "My.Data"`.execute(admin.db);
    await sql`alter database ${sql.id(name)} set search_path = "My.Data"`.execute(admin.db);
    await admin.close();
    const target = await openDatabase({ kind: 'postgres', url: server.url });
    t.after(() => target.close());
    const place = { table: 'key_checks', column: 'sealed' };
    assert.deepEqual(await existingPlaces(target.db, [place]), [place]);
    await copyDatabase(from, target);
    assert.deepEqual(await contents(target.db), await contents(from.db));
  });
});

/** A bit of everything that is awkward to carry: bytes, moments to the microsecond, JSON, numbers from a sequence. */
async function fill(database: OpenDatabase): Promise<void> {
  const { db } = database;
  await sql`
    insert into account_records (id, email, plan, status, timezone, caching, limits, created, updated)
    select gen_random_uuid(), 'p' || n || '@example.test', 'professional', 'active', 'Australia/Sydney', true,
      '{"connections": 5, "note": "a \\"quoted\\" é"}', now() + n * interval '1 microsecond', now()
    from generate_series(1, ${sql.lit(RECORDS)}) as n`.execute(db);
  const owner = sql`(select id from account_records order by id limit 1)`;
  await sql`
    insert into destinations (id, account_record, type, name, status, target, mac_key, created, updated)
    values (gen_random_uuid(), ${owner}, 'webhook', 'D', 'active', '{}', ${Buffer.from([0, 255, 10, 92])}, now(), now())`.execute(
    db,
  );
  await sql`
    insert into syncs (id, account_record, destination, name, type, enabled, mapping_mode, account_mappings, options,
      created, updated)
    select gen_random_uuid(), account_record, id, 'S', 'transactions', true, 'bulk', '[]', '{}', now(), now()
    from destinations`.execute(db);
  await sql`
    insert into delivery_streams (sync, account)
    select syncs.id, gen_random_uuid() from syncs, generate_series(1, 7)`.execute(db);
  // Keys whose replacement was written before them, and more of them than are carried at once.
  await sql`
    insert into api_keys (id, account_record, name, secret_hash, prefix, scopes, legacy, allowed_ips, created, updated)
    select gen_random_uuid(), ${owner}, 'k' || n, sha256(n::text::bytea), 'trib', '{data:read,"a b"}', false, '{}',
      now(), now()
    from generate_series(1, ${sql.lit(RECORDS)}) as n`.execute(db);
  await sql`
    update api_keys set rotated_from = (select id from api_keys where name = ${`k${RECORDS}`}) where name = 'k1'`.execute(
    db,
  );
  await sql`
    insert into documents (id, account_record, format, bytes, content_mac, name, parts, created, updated)
    values (gen_random_uuid(), ${owner}, 'csv', 1, 'm', 'n', '[]', now(), now())`.execute(db);
  await sql`
    insert into document_pieces (id, account_record, document, position, content)
    select gen_random_uuid(), ${owner}, (select id from documents), n, decode(repeat(lpad(to_hex(n), 2, '0'), ${sql.lit(PIECE_BYTES)}), 'hex')
    from generate_series(1, ${sql.lit(PIECES)}) as n`.execute(db);
  const jobs = new Jobs({ clock: systemClock, notices: { hintOnceCommitted: async () => undefined } });
  const record = await sql<{ id: string }>`${owner}`.execute(db);
  const to = { owner: rowId('account_record', record.rows[0]?.id ?? '') };
  for (const connection of Object.values(CONNECTIONS)) {
    await jobs.enqueue(db, CONNECTION_CLEANUP, { connection }, to);
  }
  await sql`
    update jobs set lease_until = now() where payload ->> 'connection' = ${CONNECTIONS.begun}`.execute(db);
  await sql`delete from jobs where payload ->> 'connection' = ${CONNECTIONS.done}`.execute(db);
}
