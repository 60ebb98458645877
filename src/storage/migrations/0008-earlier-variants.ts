import { type Kysely, sql } from 'kysely';

/**
 * Brings databases that were made while 0002 to 0004 still changed to what these migrations say now: some lack a column
 * or an index, and some keep the rows of an intent as JSON. Named to run before everything that came later, because
 * that builds on the tables as they should be. Where nothing differs, nothing happens.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await repairConnections(db);
  await repairChunks(db);
  await repairIdempotencyKeys(db);
}

async function repairConnections(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connections add column if not exists cleaned_at timestamptz`.execute(db);
  await sql`alter table connections add column if not exists refresh_at timestamptz`.execute(db);
  // Due at once: nothing says when these were last looked at.
  await sql`update connections set refresh_at = created where refresh_at is null`.execute(db);
  await sql`alter table connections alter column refresh_at set not null`.execute(db);
  await sql`create index if not exists connections_refresh on connections (refresh_at) where revoked_at is null`.execute(
    db,
  );
}

async function repairChunks(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ type: string }>`
    select format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = 'delivery_chunks'::regclass and attname = 'rows'`.execute(db);
  if (rows[0]?.type === 'text') return;
  await sql`alter table delivery_chunks alter column rows type text using rows::text`.execute(db);
  await sql`alter table delivery_chunks alter column rows set storage external`.execute(db);
}

async function repairIdempotencyKeys(db: Kysely<unknown>): Promise<void> {
  await sql`alter table idempotency_keys add column if not exists connection uuid`.execute(db);
  await sql`create index if not exists idempotency_keys_lease on idempotency_keys (lease_until) where lease_until is not null`.execute(
    db,
  );
  await sql`create index if not exists idempotency_keys_connection on idempotency_keys (connection) where connection is not null`.execute(
    db,
  );
}
